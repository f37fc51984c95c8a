// Reinforcement learning with verifiable rewards, as an async generator of events: sample groups, grade, score under the
// current policy and the frozen reference, turn rewards into weights, update. Which objective is a matter of options. The same
// in one file, without options, to copy and change: examples/puzzle-rl.mjs.
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { Engine } from "../engine/engine.ts";
import { collectRollouts, type PromptedProblem, type SampledRollout } from "../rollouts/collect.ts";
import type { RolloutLabeler } from "../rollouts/taxonomy.ts";
import { recoveryMoves } from "./curves.ts";
import { overlongBounds } from "./dapo.ts";
import { groupSignal, type ScoredGroup, type ScoredRollout } from "./group-signal.ts";
import { objectiveNeeds } from "./objective.ts";
import type { RlEvent, RlState, RlStepEvent } from "./rl-events.ts";
import { type RlOptions, scoringTemperature } from "./rl-options.ts";
import { rolloutRecord, stepReport } from "./rl-report.ts";
import { scheduleFactor } from "./schedules.ts";
import { type UpdateSequence, updateWeights } from "./update.ts";

export type RlLoopInput = {
  readonly engine: Engine;
  /** Each entry is used once, in order. */
  readonly problems: readonly PromptedProblem[];
  /** The checkpoint that KL and novelty are measured against. */
  readonly reference: string;
  /** The model before SFT, for a bonus that is measured against it. */
  readonly base?: string;
  readonly options: RlOptions;
  /** Labels the rollouts, for the repertoire monitor; without one nothing is said about how the policy reasons. */
  readonly labeler?: RolloutLabeler;
  readonly from?: RlState;
  readonly signal?: AbortSignal;
  /** Milliseconds, from a clock that never goes back; only pace events use it. */
  readonly clock: () => number;
  readonly onRollout?: (done: number, total: number) => void;
};

/** The longest response that can be: what is asked for, or what the context leaves beside the shortest prompt. */
const longestResponse = ({ engine, problems, options }: RlLoopInput): number =>
  problems.reduce(
    (longest, { prompt }) =>
      Math.max(longest, Math.min(options.sampling.maxTokens, engine.contextLength - prompt.length)),
    0,
  );

/** What would end a run after hours of sampling, or never act in one, is said before. */
function refuseImpossible(input: RlLoopInput): void {
  const { problems, options } = input;
  const { steps, problemsPerStep, rolloutsPerProblem, objective } = options;
  const { advantage, dynamicSampling } = objective;
  const refuse = (because: string) => {
    throw new ConfigurationError(because);
  };
  const wanted = steps * problemsPerStep;
  if (dynamicSampling.kind === "none" && problems.length < wanted)
    refuse(
      `${steps} steps of ${problemsPerStep} problems need ${wanted} problems, there are ${problems.length}; make more or take fewer steps`,
    );
  const needs = objectiveNeeds(objective);
  if (needs.base && input.base === undefined)
    refuse(
      'the bonus has "reference": "base", and no model before SFT can be scored here; leave it out, or use the embedded engine',
    );
  if (needs.moves && input.labeler === undefined)
    refuse("a bonus of rare motifs needs a labeler of the rollouts, and there is none");
  if (advantage.overlong.kind === "penalty") overlongBounds(advantage.overlong, longestResponse(input));
  if (rolloutsPerProblem === 1 && (advantage.bonus.kind !== "none" || advantage.reward === "agreement"))
    refuse("a bonus or agreement compares the rollouts of a problem, and each has one; raise rolloutsPerProblem");
}

export async function* rlLoop(input: RlLoopInput): AsyncGenerator<RlEvent> {
  const { engine, options, clock } = input;
  const random = Random.from(options.seed).child("rl");
  refuseImpossible(input);
  let { nextProblem = 0, start } = input.from ?? {};
  if (input.from !== undefined) await engine.load(input.from.checkpoint);

  let checkpoint = input.from?.checkpoint;
  let savedAt = input.from?.step;
  const save = async function* (step: number): AsyncGenerator<RlEvent> {
    checkpoint = `step-${step}`;
    savedAt = step;
    await engine.save(checkpoint);
    yield { type: "rl-checkpoint", state: { checkpoint, step, nextProblem, start } };
  };
  for (let step = input.from?.step ?? 0; step < options.steps; step++) {
    input.signal?.throwIfAborted();
    const batch = await collectBatch(input, random.child("step", step), nextProblem);
    nextProblem += batch.problemsUsed;
    if (batch.groups.length === 0) {
      const because = "no group left to learn from: every group is all right or all wrong";
      // What was trained since the last checkpoint is not thrown away.
      if (savedAt !== step) yield* save(step);
      yield { type: "rl-end", steps: step, checkpoint: checkpoint!, because };
      return;
    }

    const updatingFrom = clock();
    const learningRate = options.learningRate * scheduleFactor(options.schedule, step, options.steps);
    const kept = batch.groups.filter(({ signal }) => signal.kept);
    const updates = await updatePolicy(input, kept, learningRate, random.child("updates", step));
    const updatingUntil = clock();

    const rollouts = await Promise.all(
      batch.groups.flatMap((group) =>
        group.rollouts.map((rollout, i) => rolloutRecord(rollout, group.signal, i, step, input.labeler)),
      ),
    );
    const report: RlStepEvent = {
      type: "rl-step",
      step,
      ...stepReport({
        groups: batch.groups,
        records: rollouts,
        taxonomy: input.labeler?.taxonomy,
        start,
        alarms: options.alarms,
        notes: batch.notes,
      }),
      updates,
      learningRate,
    };
    const moves = recoveryMoves(report.primitives, input.labeler?.taxonomy.recover ?? []);
    start = {
      entropy: start?.entropy ?? report.entropy,
      recovery: [...(start?.recovery ?? []), ...(moves === undefined ? [] : [moves])],
    };
    yield report;
    yield { type: "rl-rollouts", step, rollouts };
    yield {
      type: "rl-pace",
      step,
      seconds: { ...batch.seconds, updating: (updatingUntil - updatingFrom) / 1000 },
      sampledTokensPerSecond: batch.sampledTokens / Math.max(batch.seconds.sampling, 1e-9),
    };

    const done = step + 1;
    if (done % options.stepsPerCheckpoint === 0 || done === options.steps) yield* save(done);
  }
  yield { type: "rl-end", steps: options.steps, checkpoint: checkpoint!, because: "all steps done" };
}

// ---- Collecting --------------------------------------------------------------------------------------------------

type Batch = {
  readonly groups: readonly ScoredGroup[];
  readonly problemsUsed: number;
  readonly sampledTokens: number;
  readonly seconds: { readonly sampling: number; readonly scoring: number };
  readonly notes: readonly string[];
};

/** One batch of groups; with dynamic sampling, as many as it takes until enough of them tell right from wrong. */
async function collectBatch(input: RlLoopInput, random: Random, firstProblem: number): Promise<Batch> {
  const { engine, problems, options, signal, clock } = input;
  const { dynamicSampling } = options.objective;
  const attempts = dynamicSampling.kind === "none" ? 1 : dynamicSampling.generationBatches;
  const groups: ScoredGroup[] = [];
  const seconds = { sampling: 0, scoring: 0 };
  const notes: string[] = [];
  let problemsUsed = 0;
  let sampledTokens = 0;
  let kept = 0;
  for (let attempt = 0; attempt < attempts && kept < options.problemsPerStep; attempt++) {
    const asked = nextProblems(problems, firstProblem + problemsUsed, problemsUsed, options.problemsPerStep);
    if (asked.length === 0) break;
    problemsUsed += asked.length;
    const samplingFrom = clock();
    const { rolloutsPerProblem, sampling } = options;
    const { onRollout } = input;
    const sampled = await collectRollouts(engine, asked, { rolloutsPerProblem, sampling, random, signal, onRollout });
    const scoringFrom = clock();
    for (const group of await scoreGroups(input, sampled)) {
      // What is over the batch size is cut, as in DAPO; groups that are left out stay for the record.
      if (group.signal.kept && kept === options.problemsPerStep) continue;
      if (group.signal.kept) kept += 1;
      groups.push(group);
    }
    seconds.sampling += (scoringFrom - samplingFrom) / 1000;
    seconds.scoring += (clock() - scoringFrom) / 1000;
    for (const { sample } of sampled.flat()) sampledTokens += sample.tokens.length;
  }
  if (dynamicSampling.kind !== "none" && kept < options.problemsPerStep) {
    notes.push(`dynamic sampling found ${kept} of ${options.problemsPerStep} groups`);
  }
  const pass = (problem: number) => Math.floor(problem / problems.length);
  if (problemsUsed > 0 && pass(firstProblem + problemsUsed - 1) > pass(Math.max(0, firstProblem - 1))) {
    notes.push(`all ${problems.length} problems have been used: dynamic sampling starts over`);
  }
  return { groups: kept === 0 ? [] : groups, problemsUsed, sampledTokens, seconds, notes };
}

/**
 * Problems in their order, and from the beginning again when all were asked, as dynamic sampling needs more than a step's share; but none
 * twice for one step. (Without it the loop has made sure that there are enough.)
 */
function nextProblems(
  problems: readonly PromptedProblem[],
  from: number,
  usedInStep: number,
  count: number,
): PromptedProblem[] {
  const left = Math.min(count, problems.length - usedInStep);
  return Array.from({ length: left }, (_, i) => problems[(from + i) % problems.length]!);
}

/** Log-probs under the policy that sampled, by the trainer's own forward pass, and under the reference. */
async function scoreGroups(input: RlLoopInput, groups: readonly SampledRollout[][]): Promise<ScoredGroup[]> {
  const { engine, options, reference, signal } = input;
  const needs = objectiveNeeds(options.objective);
  const temperature = scoringTemperature(options);
  const rollouts = groups.flat();
  const sequences = rollouts.map(({ problem, sample }) => ({
    tokens: [...problem.prompt, ...sample.tokens],
    promptLength: problem.prompt.length,
  }));
  const sampled = await engine.logprobs(sequences, { temperature, entropies: true, signal });
  const referenced = needs.reference
    ? await engine.logprobs(sequences, { temperature, checkpoint: reference, signal })
    : undefined;
  const noveltyTemperature = needs.noveltyTemperature ?? temperature;
  const surprised =
    needs.noveltyTemperature === undefined || (noveltyTemperature === temperature && !needs.base)
      ? referenced
      : await engine.logprobs(sequences, {
          temperature: noveltyTemperature,
          checkpoint: needs.base ? input.base : reference,
          signal,
        });

  const moves = needs.moves
    ? await Promise.all(rollouts.map(({ sample, problem }) => input.labeler!.labels(sample.text, problem.question)))
    : undefined;
  const scored = rollouts.map(
    (rollout, i): ScoredRollout => ({
      ...rollout,
      sequence: sequences[i],
      reward: rollout.grade.reward.total,
      correct: rollout.grade.verdict === "correct",
      moves: moves?.[i],
      answer: rollout.grade.answer,
      sampled: sampled[i].logprobs,
      entropies: sampled[i].entropies,
      reference: referenced?.[i].logprobs,
      novelty: surprised?.[i].logprobs,
      noveltyTemperature,
    }),
  );
  const [size, longest] = [options.rolloutsPerProblem, longestResponse(input)];
  return groups.map((_, g): ScoredGroup => {
    const group = scored.slice(g * size, (g + 1) * size);
    return { rollouts: group, signal: groupSignal(options.objective, group, longest) };
  });
}

// ---- Updating ----------------------------------------------------------------------------------------------------

async function updatePolicy(
  input: RlLoopInput,
  groups: readonly ScoredGroup[],
  learningRate: number,
  random: Random,
): Promise<RlStepEvent["updates"]> {
  const { engine, options, signal } = input;
  const needs = objectiveNeeds(options.objective);
  const temperature = scoringTemperature(options);
  const rollouts = groups.flatMap(({ rollouts, signal }) =>
    rollouts.map((rollout, i) => ({ rollout, advantage: signal.advantages[i] })),
  );
  const updates: RlStepEvent["updates"][number][] = [];
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const order = random.child("order", epoch).shuffle([...rollouts]);
    for (let from = 0; from < order.length; from += options.rolloutsPerUpdate) {
      const chosen = order.slice(from, from + options.rolloutsPerUpdate);
      const sequences = chosen.map(({ rollout }) => rollout.sequence);
      // Nothing has changed since the rollouts were scored, so the first update need not ask again.
      const current =
        updates.length === 0
          ? chosen.map(({ rollout: { sampled, entropies } }) => ({ logprobs: sampled, entropies }))
          : await engine.logprobs(sequences, { temperature, entropies: needs.entropies, signal });
      const step = chosen.map(
        ({ rollout, advantage }, i): UpdateSequence => ({
          advantage,
          current: current[i].logprobs,
          sampled: rollout.sampled,
          reference: rollout.reference,
          entropies: current[i].entropies,
        }),
      );
      const { weights, entropyWeights, report } = updateWeights(options.objective, step);
      await engine.accumulate(
        sequences.map((sequence, i) => ({ ...sequence, weights: weights[i] })),
        { temperature, entropyWeights, signal },
      );
      const { weightDecay, maxGradientNorm } = options;
      const { gradientNorm } = await engine.step({ ...options.optimizer, learningRate, weightDecay, maxGradientNorm });
      // A server that reports none must not leave a number that is none.
      updates.push({ ...report, ...(Number.isFinite(gradientNorm) && { gradientNorm }) });
    }
  }
  return updates;
}
