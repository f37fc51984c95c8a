// Which step of an RL run a recipe chose as its best, and by what: written beside the evaluations that chose, so that tables
// show that step and nobody chooses again by what judges.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";

/** Inside a recipe's folder. */
export const choosingFolder = "choosing";

const chosenStepSchema = z.object({
  policy: z.string(),
  step: z.number().int(),
  by: z.enum(["held-out", "training"]),
  /** What each kept step came to. */
  scores: z.array(z.object({ step: z.number().int(), score: z.number() })),
});
export type ChosenStep = z.infer<typeof chosenStepSchema>;

const ending = ".chosen.json";

export async function writeChosenStep(recipe: string, chosen: ChosenStep): Promise<void> {
  const path = join(recipe, choosingFolder, `${chosen.policy}${ending}`);
  await writeFileAtomically(path, `${JSON.stringify(chosen, null, 2)}\n`);
}

export async function readChosenSteps(recipe: string): Promise<ChosenStep[]> {
  const folder = join(recipe, choosingFolder);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith(ending)).sort();
  return Promise.all(files.map((name) => readJsonFile(join(folder, name), chosenStepSchema)));
}
