// An evaluation's folder as far as accuracy goes: its problems and their tallies. How it reasons is in the analysis.
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { DataError, messageOf } from "../base/errors.ts";
import { readJsonFile } from "../base/json-file.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { Gap } from "../drawing/item.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import { RolloutStore, rolloutLog } from "../evaluation/rollout-store.ts";
import { summaryOf, tallyFolder } from "../evaluation/summarize.ts";
import { evaluationSummarySchema } from "../evaluation/summary.ts";
import { type ProblemTally, solveCount } from "../evaluation/tally.ts";
import { problemFacts } from "../problems/problem-facts.ts";
import type { CheckpointRecord } from "../results/records.ts";

type EvaluationData = Pick<CheckpointRecord, "problems" | "tallies" | "summary">;

export async function readEvaluation(
  folder: string,
  policy: string,
  gap: (gap: Gap) => void,
): Promise<EvaluationData | undefined> {
  const missing = [evaluationFiles.problems, basename(rolloutLog(folder))].filter(
    (name) => !existsSync(join(folder, name)),
  );
  for (const name of missing) {
    gap({
      missing: name,
      where: folder,
      remedy: "run the evaluation again; without this file none of its figures can be drawn",
    });
  }
  if (missing.length > 0) return undefined;
  try {
    return await readWhole(folder, policy, gap);
  } catch (error) {
    gap({
      missing: `a readable evaluation (${messageOf(error)})`,
      where: folder,
      remedy: "repair what the message names, or evaluate again",
    });
    return undefined;
  }
}

async function readWhole(folder: string, policy: string, gap: (gap: Gap) => void): Promise<EvaluationData> {
  const asked = await readProblems(folder);
  const problems = new Map(asked.map((problem) => [problem.id, { id: problem.id, ...problemFacts(problem) }]));
  const written = await writtenAccuracy(folder, problems, gap);
  if (written !== undefined) return { problems, ...written };
  const broken: string[] = [];
  const onBroken = (message: string) => void broken.push(message);
  const store = await RolloutStore.read(folder, { onBroken });
  try {
    const tally = await tallyFolder({ folder, problems: asked, store }, { onBroken });
    const graded = tally.problems().filter((entry) => solveCount(entry).attempts > 0);
    if (graded.length === 0)
      gap({ missing: evaluationFiles.grades, where: folder, remedy: `repertoire grade ${folder}` });
    for (const warning of tally.warnings)
      gap({ missing: `problems of rollouts (${warning})`, where: folder, remedy: "restore problems.jsonl" });
    if (broken.length > 0)
      gap({
        missing: `${broken.length} records that cannot be read, the first: ${broken[0]}`,
        where: folder,
        remedy: `the rest was read; grades are made anew by \`repertoire grade ${folder} --again\``,
      });
    return { problems, ...accuracyOf(graded, policy, tally.servedBy) };
  } finally {
    await store.close();
  }
}

const rateSchema = z.object({ problem: z.string(), set: z.string(), attempts: z.number(), correct: z.number() });

/** As the evaluation summed itself up, where nothing was written since: its rollouts need not be read again. */
async function writtenAccuracy(
  folder: string,
  problems: EvaluationData["problems"],
  gap: (gap: Gap) => void,
): Promise<Pick<EvaluationData, "tallies" | "summary"> | undefined> {
  const changed = async (name: string) => (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs;
  const { summary: summaryFile, solveRates, grades } = evaluationFiles;
  const [made, ...sources] = await Promise.all([summaryFile, grades, basename(rolloutLog(folder))].map(changed));
  if (made === undefined) return undefined;
  const summary = await readJsonFile(join(folder, summaryFile), evaluationSummarySchema).catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error;
    const remedy = `the numbers here are made from its grades; repertoire grade ${folder} writes it again`;
    return void gap({ missing: `a readable ${summaryFile} (${error.message})`, where: folder, remedy });
  });
  const older = sources.some((at) => at !== undefined && at > made);
  if (summary === undefined || older || (await changed(solveRates)) === undefined) return undefined;
  const tallies: ProblemTally[] = [];
  for await (const line of readJsonLinesFile(join(folder, solveRates))) {
    const rate = "value" in line ? rateSchema.safeParse(line.value).data : undefined;
    if (rate === undefined || !problems.has(rate.problem)) return undefined;
    if (rate.attempts > 0) tallies.push(tallyOf(rate, rate.correct));
  }
  return { tallies, summary };
}

function tallyOf(
  { problem, set, attempts }: { readonly problem: string; readonly set: string; readonly attempts: number },
  correct: number,
): ProblemTally {
  return {
    ...{ problem, set, ungraded: 0, cost: undefined, responseTokens: [] },
    states: { complete: attempts, truncated: 0, failed: 0 },
    verdicts: { correct, wrong: attempts - correct, unreadable: 0, undecided: 0 },
  };
}

function accuracyOf(graded: readonly ProblemTally[], policy: string, servedBy: readonly string[]) {
  if (graded.length === 0) return {};
  return { tallies: graded, summary: summaryOf(graded, { policy, servedBy, warnings: [] }) };
}
