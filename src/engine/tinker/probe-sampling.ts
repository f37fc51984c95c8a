// What a server says of the tokens that it samples and scores, and which seeds it takes.
import { messageOf } from "../../base/errors.ts";
import { mean } from "../../base/statistics/descriptive.ts";
import { largestSeeds } from "./capabilities.ts";
import { RefusedRequestError } from "./connection.ts";
import type { Measured } from "./measured.ts";
import type { Gauge } from "./probe-gauge.ts";
import type { TrainingModel } from "./training-model.ts";

type SamplingForms = Pick<
  Measured,
  "promptLogprobs" | "sampledLogprobs" | "extendedScoring" | "samplesFromTrainingWeights" | "seeds"
>;

const samplingTemperature = 0.5;
/** On average log-probs of one token under one policy are closer than this, also in bf16 and from another engine's kernels. */
const sameLogprob = 0.1;

export async function samplingForms(gauge: Gauge): Promise<SamplingForms> {
  return gauge.withModel(async (model) => {
    const { session, sequence } = gauge;
    const sampler = await session.samplingSessionOf(model);
    const scored = await gauge.forward(model);
    const { promptLogprobs = [] } = await session.sample(
      sampler,
      sequence,
      { max_tokens: 1, temperature: 1 },
      { promptLogprobs: true },
    );
    const parameters = { max_tokens: 32, temperature: samplingTemperature, seed: 1, top_p: 1, top_k: -1, stop: [] };
    const [sample] = (await session.sample(sampler, sequence, parameters)).sequences;
    const asScored = (await gauge.forward(model, {}, [...sequence, ...sample.tokens])).slice(sequence.length - 1);
    return {
      promptLogprobs: promptOffset(promptLogprobs, scored),
      sampledLogprobs: temperedOrRaw(sample.logprobs, asScored),
      extendedScoring: await takesTemperature(gauge, model, scored),
      seeds: await seedsTaken(gauge, sampler),
      samplesFromTrainingWeights: await samplesFromTraining(gauge, model),
    };
  });
}

/** No larger seed is tried than the client would send: on some servers one that is too large fails everybody's batch. */
async function seedsTaken(gauge: Gauge, sampler: string): Promise<Measured["seeds"]> {
  const taken = async (seed: number) => {
    try {
      await gauge.session.sample(sampler, gauge.sequence, { max_tokens: 1, temperature: 1, seed });
      return true;
    } catch (error) {
      if (!(error instanceof RefusedRequestError)) throw error;
      return false;
    }
  };
  const because = (seed: number, how: string) => `a seed of ${seed} was ${how}`;
  const { int32, uint32 } = largestSeeds;
  const larger = gauge.largestSeed > int32;
  if (larger && (await taken(uint32))) return { value: "uint32", because: because(uint32, "taken") };
  if (!(await taken(int32))) return { value: "smaller", because: because(int32, "refused") };
  return larger
    ? { value: "int32", because: because(uint32, "refused") }
    : { value: "at-least-int32", because: because(int32, "taken") };
}

function promptOffset(given: readonly (number | null)[], scored: readonly number[]): Measured["promptLogprobs"] {
  const difference = (shift: number) =>
    mean(scored.map((logprob, i) => Math.abs((given[i + shift] ?? Number.NaN) - logprob)));
  const because = `${given.length} entries for ${scored.length + 1} tokens`;
  if (given.length === scored.length + 1 && difference(1) < sameLogprob) return { value: "with-first", because };
  if (given.length === scored.length && difference(0) < sameLogprob) return { value: "without-first", because };
  return { because: `${because}; they do not match what a forward pass gives` };
}

function temperedOrRaw(given: readonly number[], scored: readonly number[]): Measured["sampledLogprobs"] {
  const difference = mean(given.map((logprob, i) => Math.abs(logprob - scored[i])));
  const because = `at temperature ${samplingTemperature} they are off by ${difference.toPrecision(2)} on average from a forward pass`;
  if (Number.isNaN(difference)) return { because: "the server gives no log-probs of its samples" };
  return { value: difference < sameLogprob ? "raw" : "tempered", because };
}

async function takesTemperature(
  gauge: Gauge,
  model: TrainingModel,
  scored: readonly number[],
): Promise<Measured["extendedScoring"]> {
  try {
    const hot = await gauge.forward(model, { temperature: 4 });
    const moved = Math.max(...hot.map((logprob, i) => Math.abs(logprob - scored[i])));
    return {
      value: moved > 0.05,
      because: `asked to score at temperature 4, log-probs moved by ${moved.toPrecision(2)}`,
    };
  } catch (error) {
    return { value: false, because: messageOf(error) };
  }
}

async function samplesFromTraining(
  gauge: Gauge,
  model: TrainingModel,
): Promise<Measured["samplesFromTrainingWeights"]> {
  const path = await model.saveWeights("repertoire-probe");
  try {
    const sampler = await gauge.session.samplingSessionOn(path);
    await gauge.session.sample(sampler, gauge.sequence, { max_tokens: 1 });
    return { value: true, because: "a sampling session opened on saved training weights" };
  } catch (error) {
    return { value: false, because: messageOf(error) };
  }
}
