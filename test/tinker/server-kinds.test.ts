// The same training over every kind of server, against the engine in this process whose numbers are exact: what a server
// does differently must not show in what is learned.
import { afterEach, describe, expect, it } from "vitest";
import { capabilities, type ServerKind, serverKinds } from "../../src/engine/tinker/capabilities.ts";
import type { SavedCheckpoint } from "../../src/engine/tinker/checkpoint-paths.ts";
import { TinkerEngine } from "../../src/engine/tinker/tinker-engine.ts";
import type { RlEvent } from "../../src/training/rl-events.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { ScriptedEngine } from "../engine/scripted.ts";
import { eventsOf, tokenizer, toyEngine, toyProblems, toySequence } from "../training/toy-policy.ts";
import { type Behavior, behaviorOf, SoftmaxServer } from "./softmax-server.ts";

let server: SoftmaxServer | undefined;
let engine: TinkerEngine | undefined;
afterEach(async () => {
  await engine?.dispose();
  await server?.stop();
});

/** A server of this kind whose first weights are those of `toyEngine()`. */
async function connect(kind: ServerKind, behavior: Partial<Behavior> = {}): Promise<TinkerEngine> {
  server = await SoftmaxServer.start(behaviorOf(kind, behavior), toyEngine().logits.slice());
  return connectAgain(kind);
}

async function connectAgain(kind: ServerKind, paths = new Map<string, SavedCheckpoint>()): Promise<TinkerEngine> {
  engine = await TinkerEngine.connect({
    url: server!.url,
    kind,
    baseModel: "softmax",
    loraRank: 8,
    seed: 1,
    tokenizer,
    contextLength: 16,
    paths,
    patienceSeconds: 5,
  });
  return engine;
}

it("a model's server refuses the tokenizer of another model", async () => {
  server = await SoftmaxServer.start(behaviorOf("repertoire"), toyEngine().logits.slice());
  const text = "A b";
  server.reads = { text, tokens: [...tokenizer.encode(text)] };
  await (await connectAgain("repertoire")).dispose();
  server.reads = { text, tokens: [...tokenizer.encode(text)].reverse() };
  await expect(connectAgain("repertoire")).rejects.toThrow(/serves softmax, which has another tokenizer/);
  // Whoever does not say is believed.
  server.reads = undefined;
  await (await connectAgain("repertoire")).dispose();
});

// Kinds without our extension score at temperature 1 and give no entropies; ours is tested over torch-engine.
const kinds = serverKinds.filter((kind) => kind !== "repertoire");

const options = rlOptionsSchema.parse({
  objective: {
    algorithm: "gspo",
    advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: 2 } } },
    kl: { coefficient: 0.05 },
  },
  steps: 3,
  problemsPerStep: 3,
  rolloutsPerProblem: 4,
  rolloutsPerUpdate: 6,
  epochs: 2,
  learningRate: 0.05,
  sampling: { temperature: 0.8, maxTokens: 6 },
  scoringTemperature: 1,
  stepsPerCheckpoint: 2,
  // Servers that fix their optimizer when a model is made cannot clip; nothing here is large enough to be clipped.
  maxGradientNorm: 1e6,
});

describe.each(kinds)("over a %s server", (kind) => {
  it("GSPO with KL and the novelty bonus learns what the exact engine learns", async () => {
    const tinker = await connect(kind);
    const exact = new Betas(toyEngine(), kind);
    const run = async (subject: TinkerEngine | Betas) => {
      await subject.save("start");
      return eventsOf(
        rlLoop({ engine: subject, problems: toyProblems(20), reference: "start", options, clock: () => 0 }),
      );
    };
    const [over, here] = [await run(tinker), await run(exact)];
    expect(over.map(({ type }) => type)).toEqual(here.map(({ type }) => type));
    const steps = (events: RlEvent[]) => events.filter((event) => event.type === "rl-step");
    for (const [i, step] of steps(over).entries()) {
      const expected = steps(here)[i];
      expect(step.reward.total).toBeCloseTo(expected.reward.total, 4);
      step.updates.forEach((update, u) => {
        expect(update.kl).toBeCloseTo(expected.updates[u].kl!, 4);
        expect(update.gradientNorm).toBeCloseTo(expected.updates[u].gradientNorm!, 3);
      });
    }
    const probes = ["A", "B", "C"].map((prompt) => toySequence(prompt, "a b c"));
    const [scores, wanted] = [await tinker.logprobs(probes), await exact.logprobs(probes)];
    scores.forEach(({ logprobs }, i) => {
      logprobs.forEach((logprob, t) => {
        expect(logprob).toBeCloseTo(wanted[i].logprobs[t], 3);
      });
    });
  });

  it("weights come back after saving, with the optimizer, in a later connection, too", async () => {
    await (await connect(kind)).dispose();
    const paths = new Map<string, SavedCheckpoint>();
    const tinker = await connectAgain(kind, paths);
    const batch = [{ ...toySequence("A", "a b"), weights: [1, -1, 0.5] }];
    const learn = async (subject: TinkerEngine) => {
      await subject.accumulate(batch);
      await subject.step({ learningRate: 0.1 });
      return (await subject.logprobs(batch))[0].logprobs;
    };
    await learn(tinker);
    await tinker.save("before");
    const once = await learn(tinker);
    await learn(tinker);
    await tinker.load("before");
    expect(await learn(tinker)).toEqual(once);
    // A stage that begins from another's weights does not inherit its momentum.
    await tinker.load("before", { optimizer: "fresh" });
    expect(await learn(tinker)).not.toEqual(once);
    await tinker.dispose();
    const later = await connectAgain(kind, paths);
    await later.load("before");
    expect(await learn(later)).toEqual(once);
    await expect(later.logprobs(batch, { checkpoint: "before" })).resolves.toHaveLength(1);
  });

  it("refuses to score at another temperature rather than to score at 1", async () => {
    const tinker = await connect(kind);
    await tinker.save("start");
    const sequences = [toySequence("A", "a")];
    await expect(tinker.logprobs(sequences, { temperature: 0.8 })).rejects.toThrow(/"scoringTemperature": 1/);
    await expect(tinker.logprobs(sequences, { temperature: 0.8, checkpoint: "start" })).rejects.toThrow(
      /"scoringTemperature": 1/,
    );
  });
});

it("log-probs of samples are known as the server gives them: raw, tempered, or both at temperature 1", async () => {
  const sampled = async (kind: ServerKind, temperature: number) => {
    const tinker = await connect(kind);
    const [sample] = await tinker.sample([{ prompt: tokenizer.encode("A"), seed: 5, maxTokens: 3, temperature }]);
    await tinker.dispose();
    await server!.stop();
    return sample;
  };
  const hot = await sampled("tinker", 0.5);
  expect(hot.temperedLogprobs.every(Number.isNaN)).toBe(true);
  const processed = await sampled("tuft", 0.5);
  expect(processed.logprobs.every(Number.isNaN)).toBe(true);
  expect(processed.temperedLogprobs).not.toEqual(hot.logprobs);
  const plain = await sampled("tuft", 1);
  expect(plain.logprobs).toEqual(plain.temperedLogprobs);
});

it("the reference may be another server, whose own model it is", async () => {
  const sft = toyEngine(8);
  const other = await SoftmaxServer.start(behaviorOf("skyrl-jax"), sft.logits.slice());
  await (await connect("skyrl-fsdp")).dispose();
  const tinker = await TinkerEngine.connect({
    url: server!.url,
    kind: "skyrl-fsdp",
    baseModel: "softmax",
    loraRank: 8,
    seed: 1,
    tokenizer,
    contextLength: 16,
    reference: { url: other.url, kind: "skyrl-jax" },
  });
  const sequences = [toySequence("A", "a b"), toySequence("B C", "c")];
  const scores = await tinker.logprobs(sequences, { checkpoint: "sft" });
  const expected = await sft.logprobs(sequences);
  scores.forEach(({ logprobs }, i) => {
    logprobs.forEach((logprob, t) => {
      expect(logprob).toBeCloseTo(expected[i].logprobs[t], 5);
    });
  });
  await tinker.dispose();
  await other.stop();
});

/** What a server is known to do otherwise, the exact engine does, too: betas that were fixed when a model was made, seeds of 31 bits. */
class Betas extends ScriptedEngine {
  readonly #fixed: { beta1?: number; beta2?: number; epsilon?: number };

  constructor(from: ScriptedEngine, kind: ServerKind) {
    super({ tokenizer, seed: 3, contextLength: 16 });
    this.logits.set(from.logits);
    const honors = capabilities[kind].optimizerFields.includes("betas");
    this.#fixed = honors ? {} : { beta1: 0.9, beta2: 0.95, epsilon: 1e-12 };
  }

  override sample(requests: Parameters<ScriptedEngine["sample"]>[0], options: Parameters<ScriptedEngine["sample"]>[1]) {
    return super.sample(
      requests.map((request) => ({ ...request, seed: request.seed % 2 ** 31 })),
      options,
    );
  }

  override step(optimizer: Parameters<ScriptedEngine["step"]>[0]) {
    return super.step({ ...optimizer, ...this.#fixed });
  }
}
