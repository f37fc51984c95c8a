// What a checkpoint holds beside the weights so that training resumes as if it had never stopped: the optimizer's
// momentum and variance, and the number of steps.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../../base/errors.ts";
import { readJsonFile } from "../../../base/json-file.ts";
import type { Parameter } from "../model/parameters.ts";
import type { Moments } from "../runtime/adamw.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

const stateFile = "training_state.json";
const tensorFile = "optimizer.safetensors";

const stateSchema = z.object({
  version: z.literal(1),
  steps: z.int().nonnegative(),
});

export async function writeTrainingState(
  folder: string,
  steps: number,
  parameters: readonly Parameter[],
  moments: ReadonlyMap<string, Moments>,
): Promise<void> {
  await writeFile(join(folder, stateFile), `${JSON.stringify({ version: 1, steps }, null, 2)}\n`);
  await writeSafetensors(
    join(folder, tensorFile),
    new Map(
      parameters.flatMap(({ name, shape }) => {
        const { momentum, variance } = moments.get(name) as Moments;
        return [
          [`momentum.${name}`, { shape, data: momentum }],
          [`variance.${name}`, { shape, data: variance }],
        ];
      }),
    ),
  );
}

/** Fills the given moments and returns the steps made; a folder without training state (a downloaded model) starts afresh. */
export async function readTrainingState(folder: string, moments: ReadonlyMap<string, Moments>): Promise<number> {
  const path = join(folder, stateFile);
  if (!existsSync(path)) return 0;
  const state = await readJsonFile(path, stateSchema);
  const stored = await readSafetensors(join(folder, tensorFile));
  for (const [name, { momentum, variance }] of moments) {
    for (const [kind, target] of [
      ["momentum", momentum],
      ["variance", variance],
    ] as const) {
      const source = stored.get(`${kind}.${name}`);
      if (source?.data.length !== target.length) {
        throw new DataError(`${folder}: the optimizer's state has no ${kind} for ${name}`);
      }
      target.set(source.data);
    }
  }
  return state.steps;
}
