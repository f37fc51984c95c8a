// What every engine must do, as named checks that any test runner can run, in order. An engine that cannot do something
// says so, and the checks that need it are skipped with that reason.

import assert from "node:assert/strict";
import type { Engine, Sample, SampleRequest, TokenSequence, WeightedSequence } from "./engine.ts";

export type EngineAbility =
  | "entropies"
  | "scoring temperature"
  | "frozen checkpoints"
  | "seeds independent of the batch"
  | "stop strings"
  | "optimizer state in checkpoints"
  | "decay of matrices";

export type ConformanceSubject = {
  readonly create: () => Promise<Engine>;
  /** Two different prompts of a few tokens, as the engine's tokenizer gives them. */
  readonly prompts: readonly [readonly number[], readonly number[]];
  /** Largest difference of two log-probs that count as equal. */
  readonly tolerance: number;
  /** What the engine cannot do, and why. */
  readonly without?: Partial<Readonly<Record<EngineAbility, string>>>;
};

export type ConformanceCheck = {
  readonly name: string;
  /** Why the check is not run on this subject. */
  readonly skipped?: string;
  readonly run: () => Promise<void>;
};

type Context = { readonly engine: Engine; readonly subject: ConformanceSubject };

const start = "conformance-start";

/** The checks share one engine, made at the first of them and taken back to its start before each; the last disposes of it. */
export function conformanceChecks(subject: ConformanceSubject): ConformanceCheck[] {
  let shared: Promise<Engine> | undefined;
  const ready = async () => {
    if (shared === undefined) {
      shared = subject.create();
      await (await shared).save(start);
    } else await (await shared).load(start);
    return shared;
  };
  return checks.map(({ name, needs = [], run }) => {
    const skipped = needs.map((ability) => subject.without?.[ability]).find((reason) => reason !== undefined);
    return {
      name,
      ...(skipped === undefined ? {} : { skipped }),
      run: async () => run({ engine: await ready(), subject }),
    };
  });
}

const plain = { maxTokens: 6, temperature: 1 } as const;

function request(prompt: readonly number[], seed: number, rest: Partial<SampleRequest> = {}): SampleRequest {
  return { prompt, seed, ...plain, ...rest };
}

function sequenceOf(prompt: readonly number[], sample: Sample): TokenSequence {
  return { tokens: [...prompt, ...sample.tokens], promptLength: prompt.length };
}

function weighted(sequence: TokenSequence, weight: number): WeightedSequence {
  return { ...sequence, weights: new Array(sequence.tokens.length - sequence.promptLength).fill(weight) };
}

const total = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0);

function close(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  assert.equal(actual.length, expected.length, `${what}: lengths differ`);
  for (let i = 0; i < actual.length; i++) {
    const bound = tolerance * Math.max(1, Math.abs(expected[i]));
    assert.ok(Math.abs(actual[i] - expected[i]) <= bound, `${what}: ${actual[i]} is not ${expected[i]} at ${i}`);
  }
}

/** Some responses to both prompts, for checks about scoring and training. */
async function responses({ engine, subject }: Context): Promise<TokenSequence[]> {
  const requests = [0, 1, 2, 3].map((i) => request(subject.prompts[i % 2], i));
  const samples = await engine.sample(requests);
  return samples.map((sample, i) => sequenceOf(requests[i].prompt, sample));
}

async function gradientNorm(engine: Engine, batches: readonly (readonly WeightedSequence[])[]): Promise<number> {
  for (const batch of batches) await engine.accumulate(batch);
  return (await engine.step({ learningRate: 0 })).gradientNorm;
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
    needs: ["seeds independent of the batch"],
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
      const requests = Array.from({ length: 8 }, (_, seed) => request(subject.prompts[0], seed, { maxTokens: 8 }));
      const texts = (await engine.sample(requests)).map(({ tokens }) => tokens.join());
      assert.ok(new Set(texts).size > 1, "eight seeds gave one text");
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
      const rivals = (await engine.sample([3, 4, 5, 6].map((seed) => request(prompt, seed, { maxTokens: 1 })))).map(
        ({ logprobs }) => logprobs[0],
      );
      for (const rival of rivals) assert.ok(first.logprobs[0] >= rival - subject.tolerance);
    },
  },
  {
    name: "log-probs of a sample are those that scoring gives",
    run: async ({ engine, subject }) => {
      const requests = subject.prompts.map((prompt, i) => request(prompt, i, { temperature: 0.7 }));
      const samples = await engine.sample(requests);
      const scores = await engine.logprobs(samples.map((sample, i) => sequenceOf(requests[i].prompt, sample)));
      samples.forEach((sample, i) => {
        close(sample.logprobs, scores[i].logprobs, subject.tolerance, "plain log-probs");
      });
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
    run: async ({ engine, subject }) => {
      const prompt = subject.prompts[0];
      const { endOfText } = engine.tokenizer;
      const other = prompt.find((token) => token !== endOfText);
      const taught = weighted({ tokens: [...prompt, endOfText], promptLength: prompt.length }, 1);
      const greedy = async () =>
        (
          await engine.sample([request(prompt, 1, { temperature: 0, stopTokens: other === undefined ? [] : [other] })])
        )[0];
      for (let step = 0; step < 100 && (await greedy()).tokens[0] !== endOfText; step++) {
        await engine.accumulate([taught]);
        await engine.step({ learningRate: 0.03 });
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
      const candidates = Array.from({ length: 8 }, (_, seed) => request(prompt, seed, { maxTokens: 8 }));
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
      const sequences = await responses(context);
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
      const sequences = await responses(context);
      const before = await engine.logprobs(sequences);
      const during = await engine.accumulate(sequences.map((sequence) => weighted(sequence, 1)));
      const after = await engine.logprobs(sequences);
      before.forEach(({ logprobs }, i) => {
        close(during[i].logprobs, logprobs, subject.tolerance, "while accumulating");
        close(after[i].logprobs, logprobs, subject.tolerance, "before the step");
      });
    },
  },
  {
    name: "a step ascends the weighted log-probs: positive weights raise them, negative ones lower them",
    run: async (context) => {
      const { engine } = context;
      const [first, second] = await responses(context);
      const objective = async () => {
        const [a, b] = await engine.logprobs([first, second]);
        return total(a.logprobs) - total(b.logprobs);
      };
      const before = await objective();
      await engine.accumulate([weighted(first, 1), weighted(second, -1)]);
      const { gradientNorm } = await engine.step({ learningRate: 1e-3 });
      assert.ok(gradientNorm > 0);
      assert.ok((await objective()) > before, "the objective did not rise");
    },
  },
  {
    name: "gradients add up over calls, scale with the weights, and are forgotten by a step",
    run: async (context) => {
      const { engine } = context;
      const [first, second] = (await responses(context)).map((sequence) => weighted(sequence, 0.5));
      const whole = await gradientNorm(engine, [[first, second]]);
      const parts = await gradientNorm(engine, [[first], [second]]);
      close([parts], [whole], 1e-3, "in parts");
      const double = (sequence: WeightedSequence) => ({
        ...sequence,
        weights: Array.from(sequence.weights, (w) => 2 * w),
      });
      close([await gradientNorm(engine, [[double(first), double(second)]])], [2 * whole], 1e-3, "doubled");
      close([await gradientNorm(engine, [[double(first), double(second)], []])], [2 * whole], 1e-3, "again");
    },
  },
  {
    name: "a learning rate of 0 and weights of 0 change nothing",
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = await responses(context);
      const before = await engine.logprobs(sequences);
      await engine.accumulate(sequences.map((sequence) => weighted(sequence, 1)));
      await engine.step({ learningRate: 0 });
      await engine.accumulate(sequences.map((sequence) => weighted(sequence, 0)));
      const { gradientNorm } = await engine.step({ learningRate: 0 });
      assert.ok(gradientNorm < 1e-6, `weights of 0 gave a gradient of ${gradientNorm}`);
      const after = await engine.logprobs(sequences);
      before.forEach(({ logprobs }, i) => {
        close(after[i].logprobs, logprobs, subject.tolerance, "log-probs");
      });
    },
  },
  {
    name: "entropies lie between zero and the logarithm of the vocabulary, and their gradient raises them",
    needs: ["entropies"],
    run: async (context) => {
      const { engine } = context;
      const sequences = await responses(context);
      const before = await engine.logprobs(sequences, { entropies: true });
      const largest = Math.log(engine.tokenizer.vocabularySize) + 1e-3;
      for (const { entropies, logprobs } of before) {
        assert.equal(entropies?.length, logprobs.length);
        for (const entropy of entropies ?? []) assert.ok(entropy >= 0 && entropy <= largest, `entropy ${entropy}`);
      }
      const sumOf = (scores: typeof before) => total(scores.map(({ entropies }) => total(entropies ?? [])));
      await engine.accumulate(
        sequences.map((sequence) => weighted(sequence, 0)),
        { entropyWeights: sequences.map((sequence) => weighted(sequence, 1).weights) },
      );
      await engine.step({ learningRate: 1e-3 });
      assert.ok(sumOf(await engine.logprobs(sequences, { entropies: true })) > sumOf(before), "entropy did not rise");
    },
  },
  {
    // A decay of twice the weights turns all matrices around. Their products come in pairs, and what a norm with its scale
    // makes of −x is −norm(x): a decoder says what it said, unless the scales of its norms were turned around as well.
    name: "weight decay pulls matrices towards zero, and leaves the scales of norms alone",
    needs: ["decay of matrices"],
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = await responses(context);
      const scored = async () => (await engine.logprobs(sequences)).flatMap(({ logprobs }) => [...logprobs]);
      const decay = async (weightDecay: number) => {
        await engine.accumulate(sequences.map((sequence) => weighted(sequence, 0)));
        // Without momentum, so that nothing but decay moves anything.
        await engine.step({ learningRate: 1, beta1: 0, weightDecay });
        return scored();
      };
      // An adapter that has learned nothing has nothing to pull.
      await engine.accumulate(sequences.map((sequence, i) => weighted(sequence, i - 1)));
      await engine.step({ learningRate: 0.05 });
      const before = await scored();
      close(await decay(0), before, subject.tolerance, "without decay");
      close(await decay(2), before, subject.tolerance, "turned around");
      const halved = await decay(0.5);
      assert.ok(
        halved.some((logprob, i) => Math.abs(logprob - before[i]) > 10 * subject.tolerance),
        "half the weights say what the whole ones say",
      );
    },
  },
  {
    name: "a saved checkpoint comes back, and training resumes from it as before",
    needs: ["optimizer state in checkpoints"],
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = await responses(context);
      const batch = sequences.map((sequence, i) => weighted(sequence, 0.3 + i));
      const learn = async () => {
        await engine.accumulate(batch);
        await engine.step({ learningRate: 1e-3, maxGradientNorm: 1 });
        return (await engine.logprobs(sequences)).map(({ logprobs }) => logprobs);
      };
      await learn();
      await engine.save("before");
      const once = await learn();
      await learn();
      await engine.load("before");
      (await learn()).forEach((logprobs, i) => {
        close(logprobs, once[i], subject.tolerance, "after loading");
      });
    },
  },
  {
    name: "a frozen checkpoint stays as it was while the weights move",
    needs: ["frozen checkpoints"],
    run: async (context) => {
      const { engine, subject } = context;
      const sequences = await responses(context);
      const before = await engine.logprobs(sequences);
      await engine.save("reference");
      for (let i = 0; i < 3; i++) {
        await engine.accumulate(sequences.map((sequence) => weighted(sequence, 1)));
        await engine.step({ learningRate: 1e-2 });
      }
      const frozen = await engine.logprobs(sequences, { checkpoint: "reference" });
      const live = await engine.logprobs(sequences);
      before.forEach(({ logprobs }, i) => {
        close(frozen[i].logprobs, logprobs, subject.tolerance, "frozen log-probs");
      });
      assert.ok(total(live[0].logprobs) !== total(before[0].logprobs), "the live weights did not move");
    },
  },
  {
    name: "what is wrong is refused with a message: unknown checkpoints, too few weights, empty prompts",
    run: async (context) => {
      const { engine } = context;
      const [sequence] = await responses(context);
      await assert.rejects(engine.load("never-saved"), /never-saved/);
      await assert.rejects(engine.logprobs([sequence], { checkpoint: "never-saved" }), /never-saved/);
      await assert.rejects(engine.accumulate([{ ...sequence, weights: [] }]), /weights/);
      await assert.rejects(engine.sample([request([], 1)]), /prompt/);
      const full = Array.from({ length: engine.contextLength }, (_, i) => sequence.tokens[i % sequence.tokens.length]);
      await assert.rejects(engine.sample([request(full, 1)]), /prompt.*context/);
      assert.equal((await engine.logprobs([sequence])).length, 1);
    },
  },
  {
    name: "work can be canceled, and the engine goes on",
    run: async (context) => {
      const { engine, subject } = context;
      const [sequence] = await responses(context);
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
