// The folder of an evaluation: besides the run's own files, the problems as they were asked, the rollouts, the grades and
// what follows from them. Grading and summing up need nothing but this folder.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RunFolderError, schemaProblems } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { checkFiles, type Damage, type DamageOptions, expectChanges, recordFiles } from "../base/integrity.ts";
import { parsedJson, readJsonFile } from "../base/json-file.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import { type Problem, problemSchema } from "../problems/problem.ts";
import { descriptionFile } from "../runs/run-folder.ts";

export const rolloutFile = "rollouts.jsonl";

export const evaluationFiles = {
  problems: "problems.jsonl",
  /** How it was sampled, and what a probe found out about the server. */
  sampling: "sampling.json",
  grades: "grades.jsonl",
  gradeChanges: "grade-changes.jsonl",
  summary: "summary.json",
  solveRates: "solve-rates.jsonl",
} as const;

/** Files that say something; the index of rollouts is made again from them whenever it does not fit. */
const recorded = [descriptionFile, ...Object.values(evaluationFiles), rolloutFile];

/** Writes down what the files are, once rollouts are graded and summed up. */
export const recordEvaluation = (folder: string): Promise<void> => recordFiles(folder, recorded);

/** Whoever reads an evaluation asks here first; `only` for less than all of it. */
export const checkEvaluation = (folder: string, options: DamageOptions = {}): Promise<Damage[]> =>
  checkFiles(folder, options);

/** Whoever resumes an evaluation checks what is there and then says that it will grow. */
export async function reopenEvaluation(folder: string, options: DamageOptions = {}): Promise<void> {
  await checkEvaluation(folder, options);
  await expectGrowth(folder);
}

/** Says that an evaluation, which has been checked, will grow. */
export async function expectGrowth(folder: string): Promise<void> {
  const { grades, problems } = evaluationFiles;
  const growing = [rolloutFile, grades];
  const replaced = recorded.filter((name) => ![...growing, descriptionFile, problems].includes(name));
  await expectChanges(folder, { growing, replaced });
}

export async function writeProblems(folder: string, problems: readonly Problem[]): Promise<void> {
  await writeFileAtomically(
    join(folder, evaluationFiles.problems),
    problems.map((problem) => `${JSON.stringify(problem)}\n`).join(""),
  );
  await recordFiles(folder, [evaluationFiles.problems]);
}

export async function readProblems(folder: string): Promise<Problem[]> {
  const path = join(folder, evaluationFiles.problems);
  if (!existsSync(path)) throw new RunFolderError(`${path} does not exist; ${folder} holds no evaluation`);
  const problems: Problem[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) throw new RunFolderError(`${path} line ${read.line}: ${read.error}`);
    const problem = problemSchema.safeParse(read.value);
    if (!problem.success) throw new RunFolderError(`${path} line ${read.line}: ${schemaProblems(problem.error)}`);
    problems.push(problem.data);
  }
  return problems;
}

/** How many rollouts an evaluation wants while it is under way; nothing is made from it but how far it is. */
const wantedFile = "wanted.json";
const wantedSchema = z.object({ rollouts: z.number().int().nonnegative() });

export const writeWanted = (folder: string, rollouts: number): Promise<void> =>
  writeFileAtomically(join(folder, wantedFile), `${JSON.stringify({ rollouts })}\n`);

export async function readWanted(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, wantedFile), "utf8").catch(() => undefined);
  return text === undefined ? undefined : parsedJson(text, wantedSchema)?.rollouts;
}

const samplingNotesSchema = z.object({
  temperature: z.number(),
  /** Every draw was made in this process from its seed: texts that repeat are the policy's own, no server's fault. */
  drawsHere: z.boolean().optional(),
  probe: z
    .object({
      seedsDiffer: z.boolean().optional(),
      seedRepeats: z.boolean().optional(),
      temperatureHonored: z.boolean().optional(),
      notes: z.array(z.string()).readonly(),
    })
    .optional(),
});
export type SamplingNotes = z.infer<typeof samplingNotesSchema>;

export async function writeSampling(folder: string, notes: SamplingNotes): Promise<void> {
  await writeFileAtomically(join(folder, evaluationFiles.sampling), `${JSON.stringify(notes, null, 2)}\n`);
}

export async function readSampling(folder: string): Promise<SamplingNotes | undefined> {
  const path = join(folder, evaluationFiles.sampling);
  if (!existsSync(path)) return undefined;
  return readJsonFile(path, samplingNotesSchema, { error: RunFolderError });
}
