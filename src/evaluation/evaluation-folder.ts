// The folder of an evaluation: besides the run's own files, the problems as they were asked, the rollouts, the grades and
// what follows from them. Grading and summing up need nothing but this folder.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RunFolderError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { ParameterReport } from "../endpoints/ignored-parameters.ts";
import { type Problem, problemSchema } from "../problems/problem.ts";

export const evaluationFiles = {
  problems: "problems.jsonl",
  /** What sampling found out about the server. */
  sampling: "sampling.json",
  grades: "grades.jsonl",
  gradeChanges: "grade-changes.jsonl",
  summary: "summary.json",
  solveRates: "solve-rates.jsonl",
} as const;

export async function writeProblems(folder: string, problems: readonly Problem[]): Promise<void> {
  await writeFileAtomically(
    join(folder, evaluationFiles.problems),
    problems.map((problem) => `${JSON.stringify(problem)}\n`).join(""),
  );
}

export async function readProblems(folder: string): Promise<Problem[]> {
  const path = join(folder, evaluationFiles.problems);
  if (!existsSync(path)) throw new RunFolderError(`${path} does not exist; ${folder} holds no evaluation`);
  const problems: Problem[] = [];
  for await (const read of readJsonLinesFile(path)) {
    if ("error" in read) throw new RunFolderError(`${path} line ${read.line}: ${read.error}`);
    const problem = problemSchema.safeParse(read.value);
    if (!problem.success) throw new RunFolderError(`${path} line ${read.line}: ${z.prettifyError(problem.error)}`);
    problems.push(problem.data);
  }
  return problems;
}

const samplingNotesSchema = z.object({
  /** By what they are about. */
  warnings: z.record(z.string(), z.string()),
  probe: z
    .object({
      seedsDiffer: z.boolean().optional(),
      seedRepeats: z.boolean().optional(),
      temperatureHonoured: z.boolean().optional(),
      notes: z.array(z.string()),
    })
    .optional(),
});
export type SamplingNotes = {
  readonly warnings: Readonly<Record<string, string>>;
  readonly probe?: ParameterReport;
};

export async function writeSampling(folder: string, notes: SamplingNotes): Promise<void> {
  await writeFileAtomically(join(folder, evaluationFiles.sampling), `${JSON.stringify(notes, null, 2)}\n`);
}

export async function readSampling(folder: string): Promise<SamplingNotes | undefined> {
  const path = join(folder, evaluationFiles.sampling);
  if (!existsSync(path)) return undefined;
  const notes = samplingNotesSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
  if (!notes.success) throw new RunFolderError(`${path}: ${z.prettifyError(notes.error)}`);
  return notes.data;
}
