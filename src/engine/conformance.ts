// What every engine must do, as named checks that any test runner can run, in order; over a server they are what
// `engine probe` asks. An engine that cannot do something says so, and the checks that need it are skipped with that reason.

import assert from "node:assert/strict";
import { messageOf } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { Engine, OptimizerStep, Sample, SampleRequest, TokenSequence, WeightedSequence } from "./engine.ts";

export type EngineAbility =
  | "entropies"
  | "scoring temperature"
  | "frozen checkpoints"
  | "same text in any batch"
  | "stop strings"
  | "small vocabulary"
  | "betas of each step"
  | "clipping"
  | "weight decay"
  | "decay of matrices";

export type ConformanceSubject = {
  readonly create: () => Promise<Engine>;
  /** Two different prompts of a few tokens, as the engine's tokenizer gives them. */
  readonly prompts: readonly [readonly number[], readonly number[]];
  /** Mean difference of log-probs that count as equal. */
  readonly tolerance: number;
  /** Longest responses; many tokens outweigh the noise of bf16. */
  readonly maxTokens?: number;
  /** What the engine cannot do, and why. */
  readonly without?: Partial<Readonly<Record<EngineAbility, string>>>;
};

export type ConformanceCheck = {
  readonly name: string;
  /** Why the check is not run on this subject. */
  readonly skipped?: string;
  readonly run: () => Promise<void>;
};

export type ConformanceResult = {
  readonly name: string;
  readonly outcome: "passed" | "skipped" | "failed";
  readonly because?: string;
};

type Context = {
  readonly engine: Engine;
  readonly subject: ConformanceSubject;
  /** Learning rate at which one step moves log-probs by about a tenth of them, as the engine's own model and optimizer have it. */
  readonly rate: () => Promise<number>;
};

const start = "conformance-start";

/** The checks share one engine, made at the first of them and taken back to its start before each; the last disposes of it. */
export function conformanceChecks(subject: ConformanceSubject): ConformanceCheck[] {
  let shared: Promise<Engine> | undefined;
  let rate: Promise<number> | undefined;
  const ready = async () => {
    if (shared === undefined) {
      shared = subject.create();
      await (await shared).save(start);
    } else await (await shared).load(start);
    return shared;
  };
  return checks.map(({ name, needs = [], run }) => {
    const skipped = needs.map((ability) => subject.without?.[ability]).find((reason) => reason !== undefined);
    const checked = async () => {
      const engine = await ready();
      await run({ engine, subject, rate: () => (rate ??= calibrated({ engine, subject })) });
    };
    return { name, ...(skipped !== undefined && { skipped }), run: checked };
  });
}

/** All checks, one after another, whatever comes of each. */
export async function* conformance(subject: ConformanceSubject): AsyncGenerator<ConformanceResult> {
  for (const { name, skipped, run } of conformanceChecks(subject)) {
    if (skipped !== undefined) yield { name, outcome: "skipped", because: skipped };
    else {
      const because = await run().then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
      yield because === undefined ? { name, outcome: "passed" } : { name, outcome: "failed", because };
    }
  }
}

function request(prompt: readonly number[], seed: number, rest: Partial<SampleRequest> = {}): SampleRequest {
  return { prompt, seed, maxTokens: 6, temperature: 1, ...rest };
}

/** So hot that also a model that is sure of itself says several things. */
const hot = (prompt: readonly number[], seed: number) => request(prompt, seed, { maxTokens: 8, temperature: 4 });

function sequenceOf(prompt: readonly number[], sample: Sample): TokenSequence {
  return { tokens: [...prompt, ...sample.tokens], promptLength: prompt.length };
}

function weighted(sequence: TokenSequence, weight: number): WeightedSequence {
  return { ...sequence, weights: new Array(sequence.tokens.length - sequence.promptLength).fill(weight) };
}

const total = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0);
const average = (values: ArrayLike<number>) => total(values) / values.length;

/** How far apart on average, as a share where they are large. */
function distance(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  return average(
    Array.from(expected, (value, i) => Math.abs((actual[i] ?? Number.NaN) - value) / Math.max(1, Math.abs(value))),
  );
}

function close(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  assert.equal(actual.length, expected.length, `${what}: lengths differ`);
  const off = distance(actual, expected);
  assert.ok(off <= tolerance, `${what}: off by ${off.toPrecision(2)}, as ${actual[0]} for ${expected[0]}`);
}

/**
 * Responses for checks about scoring and training: tokens of the prompts in any order. What a model would say itself leaves
 * nothing to learn where it is sure of it.
 */
function responses({ prompts, maxTokens = 6 }: ConformanceSubject): TokenSequence[] {
  const known = prompts.flat();
  return [0, 1, 2, 3].map((i) => {
    const random = Random.from("conformance").child(i);
    const prompt = prompts[i % 2];
    const said = Array.from({ length: maxTokens }, () => random.pick(known));
    return { tokens: [...prompt, ...said], promptLength: prompt.length };
  });
}

async function scored(engine: Engine, sequences: readonly TokenSequence[], checkpoint?: string): Promise<number[]> {
  return (await engine.logprobs(sequences, { checkpoint })).flatMap(({ logprobs }) => [...logprobs]);
}

type Weight = number | ((sequence: number) => number);

function allWeighted(sequences: readonly TokenSequence[], weight: Weight): WeightedSequence[] {
  return sequences.map((sequence, i) => weighted(sequence, typeof weight === "number" ? weight : weight(i)));
}

async function learn(engine: Engine, sequences: readonly TokenSequence[], weight: Weight, optimizer: OptimizerStep) {
  await engine.accumulate(allWeighted(sequences, weight));
  await engine.step(optimizer);
}

/** As a share of mean log-probs, of which differences are shares as well, or in nats where those are small. */
const wantedMove = 0.1;
const moveFrom = (before: number) => wantedMove * Math.max(1, Math.abs(before));

/** Where a step is still in the noise the rate grows blindly; afterwards the step is nearly proportional. */
async function calibrated({ engine, subject }: Pick<Context, "engine" | "subject">, rest: Partial<OptimizerStep> = {}) {
  const sequences = responses(subject);
  const before = average(await scored(engine, sequences));
  let learningRate = 1e-5 * Math.max(rest.epsilon ?? 0, 1);
  for (let attempt = 0; attempt < 14; attempt++) {
    await engine.load(start);
    await learn(engine, sequences, 1, { learningRate, ...rest });
    const moved = (average(await scored(engine, sequences)) - before) * (wantedMove / moveFrom(before));
    if (moved > wantedMove / 2 && moved < wantedMove * 2) {
      await engine.load(start);
      return learningRate;
    }
    learningRate *= moved > wantedMove / 30 ? Math.min(Math.max(wantedMove / moved, 0.02), 8) : 8;
    if (!Number.isFinite(moved)) learningRate /= 64;
  }
  throw new Error("no learning rate moves the log-probs by a measurable amount; does it train at all?");
}

/** Sequences, after a step: an adapter that has learned nothing has nothing to pull. */
async function decaying(context: Context): Promise<TokenSequence[]> {
  const sequences = responses(context.subject);
  await learn(context.engine, sequences, (i) => i - 1, { learningRate: 10 * (await context.rate()) });
  return sequences;
}

/** Without momentum, so that nothing but decay moves anything. */
const decay = (engine: Engine, sequences: readonly TokenSequence[], weightDecay: number) =>
  learn(engine, sequences, 0, { learningRate: 1, beta1: 0, weightDecay });

type Batches = readonly (readonly WeightedSequence[])[];
/** Adam with this much in its denominator is plain gradient descent. */
const descent = { beta1: 0, beta2: 0, epsilon: 1e6 } as const;

/**
 * Whether the gradient of some batches is so many times that of others: by the norms that the engine gives, or, where it gives
 * none, by steps of plain descent that should be one and the same. In bf16 small steps are rounded away, so no two sizes are
 * compared.
 */
async function gradients(
  context: Context,
): Promise<(one: Batches, times: number, other: Batches, what: string) => Promise<void>> {
  const { engine, subject } = context;
  const norm = async (batches: Batches) => {
    for (const batch of batches) await engine.accumulate(batch);
    return (await engine.step({ learningRate: 0 })).gradientNorm;
  };
  const tolerance = Math.max(1e-3, subject.tolerance);
  const sequences = responses(context.subject);
  const reported = Number.isFinite(await norm([[weighted(sequences[0], 1)]]));
  const rate = reported || subject.without?.["betas of each step"] ? 0 : await calibrated(context, descent);
  return async (one, times, other, what) => {
    if (reported) return close([await norm(other)], [times * (await norm(one))], tolerance, what);
    if (rate === 0) return;
    const moved = async (batches: Batches, learningRate: number) => {
      await engine.load(start);
      const before = await scored(engine, sequences);
      for (const batch of batches) await engine.accumulate(batch);
      await engine.step({ learningRate, ...descent });
      return (await scored(engine, sequences)).map((value, i) => value - before[i]);
    };
    const [expected, actual] = [await moved(one, rate), await moved(other, rate / times)];
    const off = average(actual.map((value, i) => Math.abs(value - expected[i]))) / average(expected.map(Math.abs));
    assert.ok(off < 0.35, `${what}: the step differs by ${(100 * off).toFixed(0)}%`);
  };
}

const checks: readonly {
  readonly name: string;
  readonly needs?: readonly EngineAbility[];
  readonly run: (context: Context) => Promise<void>;
}[] = [
  {
    name: "samples come back in the order of the requests, and onSample hears of each once",
    run: async ({ engine, subject }) => {
      const requests = [3, 1, 4, 2, 6].map((maxTokens, i) => request(subject.prompts[i % 2], i, { maxTokens }));
      const heard = new Map<number, Sample>();
      const samples = await engine.sample(requests, { onSample: (index, sample) => void heard.set(index, sample) });
      assert.equal(samples.length, requests.length);
      samples.forEach((sample, i) => {
        assert.ok(sample.tokens.length >= 1 && sample.tokens.length <= requests[i].maxTokens);
        assert.deepEqual(heard.get(i), sample);
        assert.equal(sample.logprobs.length, sample.tokens.length);
        assert.equal(sample.temperedLogprobs.length, sample.tokens.length);
        if (sample.finish === "length") assert.equal(sample.tokens.length, requests[i].maxTokens);
      });
      assert.deepEqual(await engine.sample([]), []);
    },
  },
  {
    name: "the same seed gives the same text, whatever else is in the batch",
    needs: ["same text in any batch"],
    run: async ({ engine, subject }) => {
      const one = request(subject.prompts[0], 7, { maxTokens: 12 });
      const [alone] = await engine.sample([one]);
      const crowd = Array.from({ length: 9 }, (_, i) => request(subject.prompts[i % 2], 100 + i, { maxTokens: 3 + i }));
      const together = await engine.sample([...crowd.slice(0, 4), one, ...crowd.slice(4)]);
      const { logprobs, temperedLogprobs, ...said } = together[4];
      const { logprobs: aloneLogprobs, temperedLogprobs: aloneTempered, ...aloneSaid } = alone;
      assert.deepEqual(said, aloneSaid);
      // Batched arithmetic may round otherwise.
      close(logprobs, aloneLogprobs, subject.tolerance, "plain log-probs");
      close(temperedLogprobs, aloneTempered, subject.tolerance, "tempered log-probs");
    },
  },
  {
    name: "different seeds give different texts",
    run: async ({ engine, subject }) => {
      const requests = Array.from({ length: 8 }, (_, seed) =>
        request(subject.prompts[0], seed, { maxTokens: 8, temperature: 4 }),
      );
      const texts = (await engine.sample(requests)).map(({ tokens }) => tokens.join());
      assert.ok(new Set(texts).size > 1, "eight seeds gave one text");
      await engine.sample([request(subject.prompts[0], 2 ** 32 - 1)]);
    },
  },
  {
    name: "temperature 0 takes the likeliest token and needs no seed",
    run: async ({ engine, subject }) => {
      const [first, second] = await engine.sample([
        request(subject.prompts[0], 1, { temperature: 0 }),
        request(subject.prompts[0], 2, { temperature: 0 }),
      ]);
      assert.deepEqual(first.tokens, second.tokens);
      const prompt = subject.prompts[0];
      const drawn = await engine.sample([3, 4, 5, 6].map((seed) => request(prompt, seed, { maxTokens: 1 })));
      const candidates = [first, ...drawn].map(({ tokens }) => ({
        tokens: [...prompt, tokens[0]],
        promptLength: prompt.length,
      }));
      const [likeliest, ...rivals] = await scored(engine, candidates);
      for (const rival of rivals) assert.ok(likeliest >= rival - subject.tolerance, `${likeliest} beside ${rival}`);
    },
  },
  {
    name: "log-probs of a sample are those that scoring gives",
    run: async ({ engine, subject }) => {
      const { maxTokens = 6 } = subject;
      for (const temperature of [0.5, 1]) {
        const requests = subject.prompts.map((prompt, i) => request(prompt, i, { temperature, maxTokens }));
        const samples = await engine.sample(requests);
        const scores = await engine.logprobs(samples.map((sample, i) => sequenceOf(requests[i].prompt, sample)));
        samples.forEach(({ logprobs }, i) => {
          // Some servers tell only how likely a token was at the temperature that it was drawn at.
          if (temperature === 1 || !logprobs.every(Number.isNaN))
            close(logprobs, scores[i].logprobs, subject.tolerance, `at temperature ${temperature}`);
        });
      }
    },
  },
  {
    name: "tempered log-probs of a sample are those that scoring at that temperature gives",
    needs: ["scoring temperature"],
    run: async ({ engine, subject }) => {
      const requests = subject.prompts.map((prompt, i) => request(prompt, i, { temperature: 0.7 }));
      const samples = await engine.sample(requests);
      const sequences = samples.map((sample, i) => sequenceOf(requests[i].prompt, sample));
      const scores = await engine.logprobs(sequences, { temperature: 0.7 });
      samples.forEach((sample, i) => {
        close(sample.temperedLogprobs, scores[i].logprobs, subject.tolerance, "tempered log-probs");
      });
    },
  },
  {
    name: "a stop token ends a response and stays in it; its text does not show it",
    run: async ({ engine, subject }) => {
      const prompt = subject.prompts[0];
      const [free] = await engine.sample([request(prompt, 5, { temperature: 0, maxTokens: 4 })]);
      const stop = free.tokens[0];
      const [stopped] = await engine.sample([request(prompt, 5, { temperature: 0, maxTokens: 4, stopTokens: [stop] })]);
      assert.deepEqual(stopped.tokens, [stop]);
      assert.equal(stopped.finish, "stop");
      assert.equal(stopped.text, "");
    },
  },
  {
    name: "the end of text ends a response, whatever else does",
    needs: ["small vocabulary"],
    run: async ({ engine, subject }) => {
      const prompt = subject.prompts[0];
      const { endOfText } = engine.tokenizer;
      const other = prompt.find((token) => token !== endOfText);
      const taught = { tokens: [...prompt, endOfText], promptLength: prompt.length };
      const asked = request(prompt, 1, { temperature: 0, stopTokens: other === undefined ? [] : [other] });
      const greedy = async () => (await engine.sample([asked]))[0];
      for (let step = 0; step < 100 && (await greedy()).tokens[0] !== endOfText; step++) {
        await learn(engine, [taught], 1, { learningRate: 0.03 });
      }
      const { tokens, finish, text } = await greedy();
      assert.deepEqual({ tokens, finish, text }, { tokens: [endOfText], finish: "stop", text: "" });
    },
  },
  {
    name: "a stop string ends a response once it has been written",
    needs: ["stop strings"],
    run: async ({ engine, subject }) => {
      const prompt = subject.prompts[0];
      const candidates = Array.from({ length: 8 }, (_, seed) => hot(prompt, seed));
      const samples = await engine.sample(candidates);
      const found = samples.findIndex(({ text, finish }) => finish === "length" && text.trim().length >= 2);
      assert.ok(found >= 0, "no sample has text to stop at");
      const wanted = samples[found].text.trim().slice(0, 2);
      const [stopped] = await engine.sample([{ ...candidates[found], stopStrings: [wanted] }]);
      assert.equal(stopped.finish, "stop");
      assert.ok(stopped.text.includes(wanted));
      assert.deepEqual(stopped.tokens, samples[found].tokens.slice(0, stopped.tokens.length));
    },
  },
  {
    name: "probabilities of all next tokens add up to one",
    needs: ["small vocabulary"],
    run: async ({ engine, subject }) => {
      const prompt = subject.prompts[0];
      const size = Math.min(engine.tokenizer.vocabularySize, 512);
      const sequences = Array.from({ length: size }, (_, token) => ({
        tokens: [...prompt, token],
        promptLength: prompt.length,
      }));
      const sum = total((await engine.logprobs(sequences)).map(({ logprobs }) => Math.exp(logprobs[0])));
      assert.ok(sum <= 1 + 1e-3, `they add up to ${sum}`);
      if (size === engine.tokenizer.vocabularySize) assert.ok(sum >= 1 - 1e-2, `they add up to ${sum}`);
    },
  },
  {
    name: "scores do not depend on the sequences beside",
    run: async (context) => {
      const sequences = responses(context.subject);
      const together = await context.engine.logprobs(sequences);
      for (const [i, sequence] of sequences.entries()) {
        const [alone] = await context.engine.logprobs([sequence]);
        close(together[i].logprobs, alone.logprobs, context.subject.tolerance, "log-probs");
      }
    },
  },
  {
    name: "accumulate returns the log-probs, and changes nothing before a step",
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = responses(context.subject);
      const before = await scored(engine, sequences);
      const during = await engine.accumulate(allWeighted(sequences, 1));
      close(
        during.flatMap(({ logprobs }) => [...logprobs]),
        before,
        subject.tolerance,
        "while accumulating",
      );
      close(await scored(engine, sequences), before, subject.tolerance, "before the step");
    },
  },
  {
    name: "a step ascends the weighted log-probs: positive weights raise them, negative ones lower them",
    run: async (context) => {
      const { engine, rate } = context;
      const [first, second] = responses(context.subject);
      const objective = async () => average(await scored(engine, [first])) - average(await scored(engine, [second]));
      const before = await objective();
      await learn(engine, [first, second], (i) => 1 - 2 * i, { learningRate: await rate() });
      assert.ok((await objective()) > before, "the objective did not rise");
    },
  },
  {
    name: "gradients add up over calls, scale with the weights, and are forgotten by a step",
    run: async (context) => {
      const [first, second] = allWeighted(responses(context.subject), 0.5);
      const doubled = allWeighted([first, second], 1);
      const same = await gradients(context);
      await same([[first, second]], 1, [[first], [second]], "in parts");
      await same([[first, second]], 1, [[first, second, weighted(first, 0)]], "beside a weight of 0");
      await same(
        [[second]],
        1,
        [[weighted(first, 0.5), second, weighted(first, -0.5)]],
        "beside a weight and its negative",
      );
      await same([[first]], 2, [[first, first]], "the same twice");
      await same([[first, second]], 2, [doubled], "doubled");
      await same([[first, second]], 2, [doubled, []], "again");
    },
  },
  {
    name: "a learning rate of 0 and weights of 0 change nothing",
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = responses(context.subject);
      const before = await scored(engine, sequences);
      for (const weight of [1, 0]) await learn(engine, sequences, weight, { learningRate: 0 });
      close(await scored(engine, sequences), before, subject.tolerance, "log-probs");
    },
  },
  {
    name: "a step without a gradient goes on by its momentum, as far as the betas say",
    needs: ["betas of each step"],
    run: async (context) => {
      const { engine, rate } = context;
      const sequences = responses(context.subject);
      const learningRate = await rate();
      const after = async (beta1: number) => {
        await engine.load(start);
        for (const weight of [1, 0]) await learn(engine, sequences, weight, { learningRate, beta1 });
        return average(await scored(engine, sequences));
      };
      const [still, moving] = [await after(0), await after(0.9)];
      assert.ok(moving > still + moveFrom(still) / 10, `momentum moved log-probs to ${moving}, none to ${still}`);
    },
  },
  {
    name: "a gradient is scaled down to the largest norm",
    needs: ["clipping"],
    run: async (context) => {
      const { engine, rate } = context;
      const sequences = responses(context.subject);
      const before = average(await scored(engine, sequences));
      const learningRate = await rate();
      const moved = async (maxGradientNorm: number) => {
        await engine.load(start);
        // Beside such an epsilon, a gradient that is clipped to almost nothing moves nothing.
        await learn(engine, sequences, 1, { learningRate, epsilon: 1e-6, maxGradientNorm });
        return average(await scored(engine, sequences)) - before;
      };
      const [free, clipped] = [await moved(1e9), await moved(1e-9)];
      assert.ok(clipped < free / 2, `a step moved log-probs by ${free}, clipped to nothing by ${clipped}`);
    },
  },
  {
    name: "entropies lie between zero and the logarithm of the vocabulary, and their gradient raises them",
    needs: ["entropies"],
    run: async (context) => {
      const { engine, rate } = context;
      const learningRate = await rate();
      const sequences = responses(context.subject);
      const before = await engine.logprobs(sequences, { entropies: true });
      const largest = Math.log(engine.tokenizer.vocabularySize) + 1e-3;
      for (const { entropies, logprobs } of before) {
        assert.equal(entropies?.length, logprobs.length);
        for (const entropy of entropies ?? []) assert.ok(entropy >= -1e-3 && entropy <= largest, `entropy ${entropy}`);
      }
      const sumOf = (scores: typeof before) => total(scores.map(({ entropies }) => total(entropies ?? [])));
      const entropyWeights = allWeighted(sequences, 1).map(({ weights }) => weights);
      await engine.accumulate(allWeighted(sequences, 0), { entropyWeights });
      await engine.step({ learningRate });
      assert.ok(sumOf(await engine.logprobs(sequences, { entropies: true })) > sumOf(before), "entropy did not rise");
    },
  },
  {
    name: "weight decay pulls weights towards zero",
    needs: ["weight decay", "betas of each step"],
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = await decaying(context);
      const before = await scored(engine, sequences);
      const off = async (weightDecay: number) => {
        await decay(engine, sequences, weightDecay);
        return distance(await scored(engine, sequences), before);
      };
      const [none, half] = [await off(0), await off(0.5)];
      assert.ok(none <= subject.tolerance, `without decay they are off by ${none}`);
      assert.ok(half > Math.max(2 * none, 0.01), `half the weights say what the whole ones say, but for ${half}`);
    },
  },
  {
    // A decay of twice the weights turns all matrices around. Their products come in pairs, and what a norm with its scale
    // makes of −x is −norm(x): a decoder says what it said, unless the scales of its norms were turned around as well.
    name: "weight decay leaves the scales of norms alone",
    needs: ["decay of matrices"],
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = await decaying(context);
      const before = await scored(engine, sequences);
      await decay(engine, sequences, 2);
      close(await scored(engine, sequences), before, subject.tolerance, "turned around");
    },
  },
  {
    name: "a saved checkpoint comes back, and training resumes from it as before",
    run: async (context) => {
      const { engine, subject, rate } = context;
      const sequences = responses(context.subject);
      const learningRate = await rate();
      const resumed = async () => {
        await learn(engine, sequences, (i) => 0.3 + i, { learningRate, maxGradientNorm: 1 });
        return scored(engine, sequences);
      };
      await resumed();
      await engine.save("before");
      const once = await resumed();
      await resumed();
      await engine.load("before");
      close(await resumed(), once, subject.tolerance, "after loading");
      // The name serves again, for what is saved now.
      await engine.save("before");
      await resumed();
      await engine.load("before");
      close(await scored(engine, sequences), once, subject.tolerance, "saved again");
    },
  },
  {
    name: "a gradient that led to no step is forgotten when weights are loaded",
    run: async (context) => {
      const { engine, subject, rate } = context;
      const sequences = responses(context.subject);
      const before = await scored(engine, sequences);
      const learningRate = await rate();
      await engine.accumulate(allWeighted(sequences, 1));
      // Twice, for on a server the second takes the place that the first gave up.
      for (let i = 0; i < 2; i++) await engine.load(start);
      await learn(engine, sequences, 0, { learningRate });
      close(await scored(engine, sequences), before, Math.min(subject.tolerance, wantedMove / 5), "log-probs");
    },
  },
  {
    name: "a frozen checkpoint stays as it was while the weights move, and leaves them alone",
    needs: ["frozen checkpoints"],
    run: async (context) => {
      const { engine, subject, rate } = context;
      const sequences = responses(context.subject);
      const before = await scored(engine, sequences);
      await engine.save("reference");
      const learningRate = await rate();
      for (const sampled of [false, true]) {
        for (let i = 0; i < 2; i++) await learn(engine, sequences, 1, { learningRate });
        if (sampled) await engine.sample([request(subject.prompts[0], 1)]);
        const live = await scored(engine, sequences);
        const still = Math.min(subject.tolerance, distance(live, before) / 3);
        assert.ok(still > 0, "the live weights did not move");
        close(await scored(engine, sequences, "reference"), before, still, "frozen log-probs");
        close(await scored(engine, sequences), live, still, "live log-probs once the checkpoint was scored");
      }
      await engine.save("reference");
      const live = await scored(engine, sequences);
      close(await scored(engine, sequences, "reference"), live, subject.tolerance, "log-probs of what was saved anew");
    },
  },
  {
    name: "what is wrong is refused with a message: unknown checkpoints, too few weights, odd requests, steps without a gradient",
    run: async (context) => {
      const { engine, subject } = context;
      const [sequence] = responses(subject);
      await assert.rejects(engine.load("never-saved"), /never-saved/);
      await assert.rejects(engine.logprobs([sequence], { checkpoint: "never-saved" }), /never-saved/);
      await assert.rejects(engine.accumulate([{ ...sequence, weights: [] }]), /weights/);
      await assert.rejects(engine.logprobs([{ ...sequence, promptLength: 0 }]), /prompt/);
      await assert.rejects(engine.logprobs([{ ...sequence, tokens: [...sequence.tokens, -1] }]), /token -1/);
      await assert.rejects(engine.step({ learningRate: 0.1 }), /nothing was accumulated/);
      await assert.rejects(engine.sample([request([], 1)]), /prompt/);
      for (const [name, value] of Object.entries({ temperature: -1, maxTokens: 0, topP: 0, topK: 0 }))
        await assert.rejects(
          engine.sample([request(subject.prompts[0], 1, { [name]: value })]),
          new RegExp(name === "maxTokens" ? "room" : name),
        );
      const full = Array.from({ length: engine.contextLength }, (_, i) => sequence.tokens[i % sequence.tokens.length]);
      await assert.rejects(engine.sample([request(full, 1)]), /prompt.*context/);
      assert.equal((await engine.logprobs([sequence])).length, 1);
    },
  },
  {
    name: "work can be canceled, and the engine goes on",
    run: async (context) => {
      const { engine, subject } = context;
      const [sequence] = responses(context.subject);
      const signal = AbortSignal.abort(new Error("not wanted"));
      await assert.rejects(engine.sample([request(subject.prompts[0], 1)], { signal }), /not wanted/);
      await assert.rejects(engine.logprobs([sequence], { signal }), /not wanted/);
      await assert.rejects(engine.accumulate([weighted(sequence, 1)], { signal }), /not wanted/);
      assert.equal((await engine.logprobs([sequence])).length, 1);
    },
  },
  {
    name: "after dispose every verb is refused",
    run: async ({ engine, subject }) => {
      await engine.dispose();
      await assert.rejects(engine.sample([request(subject.prompts[0], 1)]), /disposed/);
      await engine.dispose();
    },
  },
];
