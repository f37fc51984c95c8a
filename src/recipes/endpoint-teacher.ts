// Teacher traces asked of a server: every answer is on disk before it counts, a second call asks only for what is missing,
// and what verifies becomes the corpus.
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expectChanges } from "../base/integrity.ts";
import type { EndpointClient } from "../endpoints/client.ts";
import { endpointSampler } from "../evaluation/endpoint-sampler.ts";
import { writeProblems } from "../evaluation/evaluation-folder.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { SamplingSettings } from "../evaluation/sampler.ts";
import { sampleIntoStore } from "../evaluation/sampling-loop.ts";
import { samplingWarnings } from "../evaluation/sampling-warnings.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import { AppendLog } from "../runs/append-log.ts";
import { noRejections, type RejectionCounts } from "../teaching/corpus.ts";
import { corpusFiles, finishCorpus } from "../teaching/corpus-folder.ts";
import { type Attempt, rejectionSampler } from "../teaching/rejection-sampling.ts";

type TeacherUsage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Absent until a price is known for every answer. */
  readonly cost?: number;
};

export type TeacherProgress = {
  readonly asked: number;
  readonly total: number;
  readonly counts: Readonly<RejectionCounts>;
  readonly usage: TeacherUsage;
  /** Why the last failed request failed. */
  readonly failure?: string;
};

type EndpointTeaching = {
  /** An open run folder; answers are kept in it. */
  readonly folder: string;
  readonly problems: readonly PuzzleProblem[];
  readonly attempts: number;
  readonly client: EndpointClient;
  readonly sampling: SamplingSettings;
  readonly seed: number | string;
  /** Longer traces are rejected, by the student's count. */
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
  readonly signal?: AbortSignal;
  readonly onAnswer?: (standing: TeacherProgress) => void;
  readonly onWarning?: (message: string) => void;
};

/** `finished` is false when it was stopped before everything was asked. */
export type TeacherResult = TeacherProgress & { readonly finished: boolean };

/** Writes `corpus.jsonl` and `corpus.json` from everything that has been answered, also when it is stopped. */
export async function sampleTeacher(teaching: EndpointTeaching): Promise<TeacherResult> {
  const { folder, problems, attempts, client, sampling, seed, signal } = teaching;
  await writeProblems(folder, problems);
  const store = await RolloutStore.open(folder);
  const judge = judgeOf(teaching);
  const tally = teacherTally(problems.length * attempts);
  try {
    // Failed requests are asked again, so they do not count yet.
    for await (const rollout of store.rollouts()) if (rollout.state !== "failed") tally.add(rollout, judge(rollout));
    teaching.onAnswer?.(tally.standing());
    const sampler = endpointSampler(client, sampling);
    const onRollout = (rollout: Rollout) => {
      tally.add(rollout, judge(rollout));
      teaching.onAnswer?.(tally.standing());
    };
    await sampleIntoStore(store, { problems, rolloutsPerProblem: attempts, sampler, seed, signal, onRollout });
    for (const warning of samplingWarnings(store.entries(), sampling)) teaching.onWarning?.(warning);
  } finally {
    // What was answered before the server broke down, or the user stopped, is a corpus already.
    await writeCorpus(folder, store, judge, tally.standing());
    await store.close();
  }
  return { ...tally.standing(), finished: !signal?.aborted };
}

/** Each puzzle is solved for grading once, however often it is attempted. */
function judgeOf({ problems, client, sampling, maxTokens, countTokens }: EndpointTeaching) {
  const asked = new Map(problems.map((problem) => [problem.id, problem]));
  const judges = new Map<string, ReturnType<typeof rejectionSampler>>();
  return (rollout: Rollout): Attempt => {
    let judge = judges.get(rollout.problem);
    if (judge === undefined) {
      const source = { teacher: "endpoint", model: client.endpoint.model, temperature: sampling.temperature } as const;
      judge = rejectionSampler(asked.get(rollout.problem)!, { maxTokens, countTokens, source });
      judges.set(rollout.problem, judge);
    }
    const attempt = judge(rollout);
    if ("rejected" in attempt || attempt.kept.source.teacher !== "endpoint") return attempt;
    const { servedBy, cost } = rollout;
    const source = { ...attempt.kept.source, model: servedBy ?? attempt.kept.source.model, cost };
    return { kept: { ...attempt.kept, source } };
  };
}

/** Counts answers as they come. */
function teacherTally(total: number) {
  const counts = noRejections();
  const tokens = { promptTokens: 0, completionTokens: 0 };
  let [asked, priced, cost] = [0, 0, 0];
  let failure: string | undefined;
  return {
    add: (rollout: Rollout, attempt: Attempt): void => {
      asked += 1;
      counts["kept" in attempt ? "kept" : attempt.rejected] += 1;
      tokens.promptTokens += rollout.promptTokens ?? 0;
      tokens.completionTokens += rollout.responseTokens ?? 0;
      if (rollout.cost !== undefined) priced += 1;
      cost += rollout.cost ?? 0;
      if (rollout.state === "failed") failure = rollout.failure;
    },
    standing: (): TeacherProgress => {
      const answered = asked - counts.failed;
      const usage = { ...tokens, ...(priced === answered && answered > 0 && { cost }) };
      return { asked, total, counts: { ...counts }, usage, failure };
    },
  };
}

/** One trace at a time: thousands of long ones would not fit into memory together. */
async function writeCorpus(
  folder: string,
  store: RolloutStore,
  judge: (rollout: Rollout) => Attempt,
  { counts, usage }: TeacherProgress,
): Promise<void> {
  await expectChanges(folder, { growing: [], replaced: Object.values(corpusFiles) });
  const unfinished = join(folder, "corpus.unfinished.jsonl");
  const log = await AppendLog.open(unfinished);
  try {
    await log.cutTo(0);
    for await (const rollout of store.rollouts()) {
      const attempt = judge(rollout);
      if ("kept" in attempt) await log.append(attempt.kept);
    }
  } finally {
    await log.close();
  }
  await rename(unfinished, join(folder, corpusFiles.traces));
  await finishCorpus(folder, { counts, usage });
}
