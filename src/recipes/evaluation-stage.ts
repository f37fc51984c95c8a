// An evaluation inside a recipe: sampled, graded and summed up in a run folder of its own, gone on with when it was
// stopped, left alone when it is finished, and added to when more is asked of it later.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { RunFolderError } from "../base/errors.ts";
import { readJsonFile } from "../base/json-file.ts";
import type { Engine } from "../engine/engine.ts";
import { engineSampler } from "../evaluation/engine-sampler.ts";
import {
  checkEvaluation,
  evaluationFiles,
  expectGrowth,
  readProblems,
  reopenEvaluation,
  writeProblems,
  writeSampling,
  writeWanted,
} from "../evaluation/evaluation-folder.ts";
import { gradeFolder } from "../evaluation/grade-folder.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { SamplingSettings } from "../evaluation/sampler.ts";
import { sampleIntoStore } from "../evaluation/sampling-loop.ts";
import { type EvaluationSummary, evaluationSummarySchema } from "../evaluation/summary.ts";
import type { Problem } from "../problems/problem.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { openRunFolder } from "../runs/run-folder.ts";
import { acceptingDamage } from "./accepted-damage.ts";
import type { StageEvent } from "./training-stage.ts";

export type EvaluationPart = { readonly problems: readonly Problem[]; readonly rollouts: number };

type EvaluationStage = {
  readonly policy: string;
  readonly title: string;
  readonly folder: string;
  readonly config: Record<string, unknown>;
  readonly asked: readonly EvaluationPart[];
  readonly sampling: SamplingSettings;
  readonly seed: number | string;
  readonly open: () => Promise<Engine>;
  readonly drawsHere?: boolean;
  /** How a problem becomes tokens. */
  readonly encode: (problem: Problem) => readonly number[];
  readonly emit: (event: StageEvent) => void;
  readonly now: Date;
  readonly signal?: AbortSignal;
  readonly acceptDamage?: boolean;
};

export async function runEvaluationStage(stage: EvaluationStage): Promise<EvaluationSummary> {
  const { policy, title, folder: path, config, asked, emit, now } = stage;
  const name = `evaluate ${policy}`;
  const total = asked.reduce((sum, { problems, rollouts }) => sum + problems.length * rollouts, 0);
  const folder = await openRunFolder(path, { kind: "evaluate", config, now });
  try {
    const summary = join(path, evaluationFiles.summary);
    const finished = existsSync(summary);
    emit({ type: "stage", stage: name, title, total, done: finished ? total : 0 });
    await acceptingDamage({ ...stage, stage: name }, async (options) => {
      if (finished) await checkEvaluation(path, options);
      else await reopenEvaluation(path, options);
    });
    const recorded = existsSync(join(path, evaluationFiles.problems)) ? await readProblems(path) : [];
    const known = new Map(recorded.map((problem) => [problem.id, problem]));
    const before = known.size;
    // A problem that two sets ask for counts in the first: its attempts are the same.
    for (const problem of asked.flatMap((part) => part.problems))
      if (!known.has(problem.id)) known.set(problem.id, problem);
    // A benchmark or rollouts that were added later are asked beside what is there.
    const already = finished && known.size === before && (await hasAll(path, asked));
    if (finished && !already) await expectGrowth(path);
    if (!already) {
      // Without its summary it is under way again, whenever it is stopped.
      await rm(summary, { force: true });
      const problems = [...known.values()];
      await new ProblemGraders().prepare(problems);
      await writeProblems(path, problems);
      await writeWanted(path, total);
      const store = await RolloutStore.open(path);
      try {
        await sampleParts(stage, store, (done) => emit({ type: "progress", stage: name, done }));
        await gradeFolder({ folder: path, problems, store, which: "ungraded", policy, signal: stage.signal });
      } finally {
        await store.close();
      }
    }
    emit({ type: "finished", stage: name, already });
    return await readJsonFile(summary, evaluationSummarySchema, { error: RunFolderError });
  } finally {
    await folder.release();
  }
}

/** Whether each problem has been asked as often as it is to be. */
async function hasAll(folder: string, asked: readonly EvaluationPart[]): Promise<boolean> {
  const store = await RolloutStore.read(folder);
  try {
    const attempts = new Map<string, number>();
    for (const { problem } of store.entries()) attempts.set(problem, (attempts.get(problem) ?? 0) + 1);
    return asked.every(({ problems, rollouts }) => problems.every(({ id }) => (attempts.get(id) ?? 0) >= rollouts));
  } finally {
    await store.close();
  }
}

async function sampleParts(stage: EvaluationStage, store: RolloutStore, onDone: (done: number) => void): Promise<void> {
  const { policy, asked, sampling, seed, signal, encode, drawsHere, folder } = stage;
  const { temperature } = sampling;
  await writeSampling(folder, { temperature, drawsHere });
  const engine = await stage.open();
  try {
    const sampler = engineSampler(engine, sampling, { policy, encode });
    let done = 0;
    for (const { problems, rollouts: rolloutsPerProblem } of asked) {
      const own = new Set(problems.map(({ id }) => id));
      done += [...store.entries()].filter(({ problem, state }) => state !== "failed" && own.has(problem)).length;
      onDone(done);
      const onRollout = () => onDone(++done);
      await sampleIntoStore(store, { problems, rolloutsPerProblem, sampler, seed, signal, onRollout });
      signal?.throwIfAborted();
    }
  } finally {
    await engine.dispose();
  }
}
