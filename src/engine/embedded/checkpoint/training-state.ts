// What a checkpoint holds beside the weights so that training resumes as if it had never stopped: the optimizer's
// momentum and variance, the number of steps, the state of the random stream.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "../../../base/errors.ts";
import { readJsonFile } from "../../../base/json-file.ts";
import { Random } from "../../../base/random.ts";
import type { Parameter } from "../model/parameters.ts";
import type { Moments } from "../runtime/adamw.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

const stateFile = "training_state.json";
const tensorFile = "optimizer.safetensors";

const stateSchema = z.object({
  version: z.literal(1),
  steps: z.int().nonnegative(),
  random: z.object({ key: z.string(), state: z.tuple([z.number(), z.number(), z.number(), z.number()]) }),
});

type TrainingState = { readonly steps: number; readonly random: Random };

export async function writeTrainingState(
  folder: string,
  state: TrainingState,
  parameters: readonly Parameter[],
  moments: ReadonlyMap<string, Moments>,
): Promise<void> {
  const json = { version: 1, steps: state.steps, random: state.random.save() };
  await writeFile(join(folder, stateFile), `${JSON.stringify(json, null, 2)}\n`);
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

/** Fills the given moments; a folder without training state (a downloaded model) starts afresh. */
export async function readTrainingState(
  folder: string,
  moments: ReadonlyMap<string, Moments>,
): Promise<TrainingState | undefined> {
  const path = join(folder, stateFile);
  if (!existsSync(path)) return undefined;
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
  return { steps: state.steps, random: Random.restore(state.random) };
}
