// From an evaluation's folder to its summary, in memory that does not grow with the texts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DataError } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { readJsonFile } from "../base/json-file.ts";
import { defaultLevel } from "../base/statistics/bootstrap.ts";
import type { Problem } from "../problems/problem.ts";
import { evaluationFiles, recordEvaluation } from "./evaluation-folder.ts";
import { readGrades } from "./grades.ts";
import type { RolloutStore } from "./rollout-store.ts";
import {
  type EvaluationSummary,
  evaluationSummarySchema,
  notesOf,
  type SetSummary,
  solveRates,
  summarizeSet,
  summaryWarnings,
} from "./summary.ts";
import { type ProblemTally, Tally } from "./tally.ts";

type SummaryInput = {
  readonly folder: string;
  readonly policy: string;
  readonly problems: readonly Problem[];
  readonly store: RolloutStore;
  /** Said by sampling, to be kept with the numbers. */
  readonly warnings?: readonly string[];
};

export async function tallyFolder(
  { folder, problems, store }: Pick<SummaryInput, "folder" | "problems" | "store">,
  options: { readonly onBroken?: (message: string) => void } = {},
): Promise<Tally> {
  const tally = new Tally(problems);
  for (const entry of store.entries()) tally.addRollout(entry);
  for await (const grade of readGrades(folder, options)) tally.addGrade(grade);
  return tally;
}

export function summaryOf(
  tallies: readonly ProblemTally[],
  about: { readonly policy: string; readonly servedBy: readonly string[]; readonly warnings: readonly string[] },
): EvaluationSummary {
  const sets = new Map<string, ProblemTally[]>();
  for (const entry of tallies) sets.set(entry.set, [...(sets.get(entry.set) ?? []), entry]);
  const summaries: SetSummary[] = [...sets].map(([set, own]) => summarizeSet(set, own));
  return {
    version: 1,
    policy: about.policy,
    servedBy: [...about.servedBy],
    level: defaultLevel,
    sets: summaries,
    warnings: [...about.warnings, ...summaries.flatMap((set) => summaryWarnings(set))],
  };
}

/** What its summary says besides what can be made again from rollouts and grades: sampling knew it. */
export async function writtenNotes(folder: string, onUnread: (message: string) => void): Promise<readonly string[]> {
  const path = join(folder, evaluationFiles.summary);
  if (!existsSync(path)) return [];
  try {
    return notesOf(await readJsonFile(path, evaluationSummarySchema));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    onUnread(error.message);
    return [];
  }
}

/** Writes `summary.json` and `solve-rates.jsonl`, and records what the evaluation's files are now. */
export async function writeSummary(input: SummaryInput): Promise<EvaluationSummary> {
  const tally = await tallyFolder(input);
  const tallies = tally.problems();
  const summary = summaryOf(tallies, {
    policy: input.policy,
    servedBy: tally.servedBy,
    warnings: [...(input.warnings ?? []), ...tally.warnings],
  });
  await writeFileAtomically(join(input.folder, evaluationFiles.summary), `${JSON.stringify(summary, null, 2)}\n`);
  const rates = solveRates(tallies).map((rate) => `${JSON.stringify(rate)}\n`);
  await writeFileAtomically(join(input.folder, evaluationFiles.solveRates), rates.join(""));
  await recordEvaluation(input.folder);
  return summary;
}
