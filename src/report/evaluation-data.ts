// One evaluation folder as a record: problems, tallies, and every trace as its sequence of primitives. Texts are read one
// at a time and not kept.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import { readGrades } from "../evaluation/grades.ts";
import { RolloutStore, rolloutFiles } from "../evaluation/rollout-store.ts";
import { summaryOf, tallyFolder } from "../evaluation/summarise.ts";
import { solveCount } from "../evaluation/tally.ts";
import type { Problem } from "../problems/problem.ts";
import { boardSize } from "../problems/problem-id.ts";
import { rolloutKey, type VerdictName } from "../rollouts/rollout.ts";
import { sequenceOf } from "../traces/sequence.ts";
import { withReasoning } from "../traces/trace.ts";
import type { Labeller } from "./labelling.ts";
import type { CheckpointRecord, Gap, ProblemRecord, TraceRecord } from "./records.ts";

export type EvaluationData = Pick<
  CheckpointRecord,
  "problems" | "tallies" | "summary" | "traces" | "labelled" | "spansOf"
>;

export async function readEvaluation(
  folder: string,
  {
    policy,
    labellerOf,
    gap,
  }: {
    readonly policy: string;
    readonly labellerOf: (responses: readonly string[]) => Promise<Labeller | undefined>;
    readonly gap: (gap: Gap) => void;
  },
): Promise<EvaluationData | undefined> {
  const missing = [evaluationFiles.problems, rolloutFiles.log].filter((name) => !existsSync(join(folder, name)));
  for (const name of missing) {
    gap({
      missing: name,
      where: folder,
      remedy: "run the evaluation again; without this file none of its figures can be drawn",
    });
  }
  if (missing.length > 0) return undefined;
  try {
    return await readWhole(folder, policy, labellerOf, gap);
  } catch (error) {
    gap({
      missing: `a readable evaluation (${messageOf(error)})`,
      where: folder,
      remedy: "repair what the message names, or evaluate again",
    });
    return undefined;
  }
}

async function readWhole(
  folder: string,
  policy: string,
  labellerOf: (responses: readonly string[]) => Promise<Labeller | undefined>,
  gap: (gap: Gap) => void,
): Promise<EvaluationData> {
  const asked = await readProblems(folder);
  const problems = new Map(asked.map((problem) => [problem.id, problemRecord(problem)]));
  const store = await RolloutStore.read(folder);
  try {
    const verdicts = await readVerdicts(folder);
    if (verdicts.size === 0) {
      gap({ missing: evaluationFiles.grades, where: folder, remedy: `repertoire grade ${folder}` });
    }
    const tally = await tallyFolder({ folder, problems: asked, store });
    const graded = tally.problems().filter((entry) => solveCount(entry).attempts > 0);
    const tallies = verdicts.size === 0 ? undefined : graded;
    const labeller = await labellerOf(await firstResponses(store));
    return {
      problems,
      tallies,
      summary: tallies && summaryOf(tallies, { policy, servedBy: tally.servedBy, warnings: [] }),
      traces: labeller && (await readTraces(store, problems, verdicts, labeller)),
      labelled: labeller?.about,
      spansOf: async (problem, attempt) => {
        const again = await RolloutStore.read(folder);
        try {
          const entry = again.get(problem, attempt);
          if (entry === undefined || labeller === undefined) return [];
          const { reasoning, response } = await again.rollout(entry);
          return labeller.spans(withReasoning(reasoning, response));
        } finally {
          await again.close();
        }
      },
    };
  } finally {
    await store.close();
  }
}

export function problemRecord(problem: Problem): ProblemRecord {
  const { id, kind, set = "problems" } = problem;
  if (problem.kind === "mathematics") return { id, set, kind };
  return { id, set, kind, puzzle: problem.puzzle, size: boardSize(problem.instance) };
}

async function readVerdicts(folder: string): Promise<Map<string, VerdictName>> {
  const verdicts = new Map<string, VerdictName>();
  for await (const grade of readGrades(folder)) verdicts.set(rolloutKey(grade), grade.verdict);
  return verdicts;
}

async function firstResponses(store: RolloutStore): Promise<string[]> {
  const responses: string[] = [];
  for (const entry of store.entries()) {
    if (entry.state !== "failed") responses.push((await store.rollout(entry)).response);
    if (responses.length === 20) break;
  }
  return responses;
}

async function readTraces(
  store: RolloutStore,
  problems: ReadonlyMap<string, ProblemRecord>,
  verdicts: ReadonlyMap<string, VerdictName>,
  labeller: Labeller,
): Promise<TraceRecord[]> {
  const traces: TraceRecord[] = [];
  for await (const { problem, attempt, state, response, reasoning, responseTokens } of store.rollouts()) {
    // A failed attempt has no trace; it says nothing about how the policy reasons.
    if (state === "failed" || !problems.has(problem)) continue;
    const verdict = verdicts.get(rolloutKey({ problem, attempt }));
    traces.push({
      problem,
      attempt,
      correct: verdict === undefined || verdict === "undecided" ? undefined : verdict === "correct",
      sequence: sequenceOf(labeller.labels(withReasoning(reasoning, response))),
      ...(responseTokens !== undefined && { tokens: responseTokens }),
    });
  }
  return traces;
}
