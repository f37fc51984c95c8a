// Supervised fine-tuning on verified traces, as an async generator of events. It draws, logs and writes nothing; after
// each epoch it measures held-out pass@1 and keeps the best epoch as the endpoint.
import { ConfigurationError, DataError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { Engine, TokenSequence } from "../engine/engine.ts";
import { collectRollouts, type PromptedProblem } from "../rollouts/collect.ts";
import { scheduleFactor } from "./schedules.ts";
import type { SftOptions } from "./sft-options.ts";

/** Where a run stands: enough, with the checkpoint it names, to resume as if it had never stopped. */
export type SftState = {
  readonly checkpoint: string;
  /** Optimizer steps made. */
  readonly step: number;
  readonly best?: { readonly epoch: number; readonly passAt1: number };
};

export type SftEvent =
  | {
      readonly type: "sft-step";
      readonly step: number;
      readonly epoch: number;
      /** Mean negative log-prob of a response token. */
      readonly loss: number;
      readonly tokens: number;
      readonly gradientNorm: number;
      readonly learningRate: number;
    }
  | {
      readonly type: "sft-epoch";
      readonly epoch: number;
      readonly passAt1: number;
      readonly passAt1ByFamily: Readonly<Record<string, number>>;
      readonly rollouts: number;
      readonly truncated: number;
      readonly checkpoint: string;
    }
  | { readonly type: "sft-checkpoint"; readonly state: SftState }
  | { readonly type: "sft-end"; readonly bestEpoch: number; readonly passAt1: number; readonly checkpoint: string };

const epochCheckpoint = (epoch: number): string => `epoch-${epoch}`;

export async function* sftLoop(
  engine: Engine,
  corpus: readonly TokenSequence[],
  validation: readonly PromptedProblem[],
  options: SftOptions,
  from?: SftState,
  signal?: AbortSignal,
): AsyncGenerator<SftEvent> {
  const { epochs, sequencesPerStep } = options;
  if (corpus.length === 0) throw new ConfigurationError("there is nothing to train on: the corpus has no sequences");
  const random = Random.from(options.seed).child("sft");
  const stepsPerEpoch = Math.ceil(corpus.length / sequencesPerStep);
  const totalSteps = epochs * stepsPerEpoch;
  let best = from?.best;
  if (from !== undefined) await engine.load(from.checkpoint);

  for (let step = from?.step ?? 0; step < totalSteps; ) {
    signal?.throwIfAborted();
    const epoch = Math.floor(step / stepsPerEpoch);
    // The order of an epoch depends on its number alone, so a resumed run sees the same batches.
    const order = random.child("order", epoch).shuffle(Uint32Array.from(corpus.keys()));
    const start = (step % stepsPerEpoch) * sequencesPerStep;
    const batch = [...order.subarray(start, start + sequencesPerStep)].map((index) => corpus[index]);
    const learningRate = options.learningRate * scheduleFactor(options.schedule, step, totalSteps);
    const { loss, tokens } = await accumulateMeanLogprob(engine, batch, signal);
    const { weightDecay, maxGradientNorm } = options;
    const { gradientNorm } = await engine.step({ ...options.optimizer, learningRate, weightDecay, maxGradientNorm });
    yield { type: "sft-step", step, epoch, loss, tokens, gradientNorm, learningRate };
    step += 1;

    if (step % stepsPerEpoch === 0) {
      const checkpoint = epochCheckpoint(epoch);
      const measured = await validationPassAt1(engine, validation, options, random.child("held-out", epoch), signal);
      // With nothing held out there is nothing to choose by, and the last epoch is the endpoint.
      if (best === undefined || validation.length === 0 || measured.passAt1 > best.passAt1)
        best = { epoch, passAt1: measured.passAt1 };
      await engine.save(checkpoint);
      yield { type: "sft-epoch", epoch, ...measured, checkpoint };
      yield { type: "sft-checkpoint", state: { checkpoint, step, best } };
    } else if (step % options.stepsPerCheckpoint === 0) {
      const checkpoint = `step-${step}`;
      await engine.save(checkpoint);
      yield { type: "sft-checkpoint", state: { checkpoint, step, best } };
    }
  }
  const { epoch, passAt1 } = best!;
  yield { type: "sft-end", bestEpoch: epoch, passAt1, checkpoint: epochCheckpoint(epoch) };
}

/** Every response token of the step weighs the same: weights 1/n of the step's n tokens. */
export async function accumulateMeanLogprob(engine: Engine, batch: readonly TokenSequence[], signal?: AbortSignal) {
  const lengths = batch.map((sequence) => sequence.tokens.length - sequence.promptLength);
  const tokens = lengths.reduce((total, length) => total + length, 0);
  if (tokens === 0) throw new DataError(`none of the ${batch.length} sequences of a step has a response to learn`);
  const scores = await engine.accumulate(
    batch.map((sequence, i) => ({ ...sequence, weights: new Float32Array(lengths[i]).fill(1 / tokens) })),
    { signal },
  );
  let total = 0;
  for (const { logprobs } of scores) for (const logprob of logprobs) total += logprob;
  return { loss: -total / tokens, tokens };
}

async function validationPassAt1(
  engine: Engine,
  problems: readonly PromptedProblem[],
  { validation }: SftOptions,
  random: Random,
  signal?: AbortSignal,
) {
  const rollouts = (await collectRollouts(engine, problems, { ...validation, random, signal })).flat();
  const rate = (some: typeof rollouts) =>
    some.filter(({ grade }) => grade.verdict === "correct").length / Math.max(1, some.length);
  const families = [...new Set(problems.map((problem) => problem.family))].sort();
  return {
    passAt1: rate(rollouts),
    passAt1ByFamily: Object.fromEntries(
      families.map((family) => [family, rate(rollouts.filter(({ problem }) => problem.family === family))]),
    ),
    rollouts: rollouts.length,
    truncated: rollouts.filter(({ sample }) => sample.finish === "length").length,
  };
}
