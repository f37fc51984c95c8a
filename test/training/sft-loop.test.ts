import { describe, expect, it } from "vitest";
import { type SftEvent, type SftState, sftLoop } from "../../src/training/sft-loop.ts";
import { sftOptionsSchema } from "../../src/training/sft-options.ts";
import { eventsOf, toyEngine, toyProblems, toySequence } from "./toy-policy.ts";

const corpus = Array.from({ length: 30 }, (_, i) => {
  const letter = "ABC"[i % 3];
  return toySequence(letter, `${letter.toLowerCase()} ${i % 2 ? "hyp back" : ""} ${letter.toLowerCase()}`);
});

const options = sftOptionsSchema.parse({
  epochs: 6,
  sequencesPerStep: 8,
  learningRate: 0.3,
  schedule: { shape: "cosine", warmupSteps: 2, floor: 0.1 },
  weightDecay: 0,
  maxGradientNorm: 1,
  seed: 1,
  stepsPerCheckpoint: 3,
  validation: { rolloutsPerProblem: 8, sampling: { temperature: 1, maxTokens: 6 } },
});

const start = (from?: SftState, engine = toyEngine()) => ({
  engine,
  loop: sftLoop(engine, corpus, toyProblems(9), options, from),
});

describe("SFT loop", () => {
  it("lowers the loss, measures every epoch, and keeps the best one", async () => {
    const events = await eventsOf(start().loop);
    const steps = events.filter((event) => event.type === "sft-step");
    expect(steps).toHaveLength(6 * 4); // 30 sequences by 8, the last batch smaller, six times
    expect(steps.at(-1)!.loss).toBeLessThan(steps[0].loss / 2);
    const epochs = events.filter((event) => event.type === "sft-epoch");
    const best = Math.max(...epochs.map(({ passAt1 }) => passAt1));
    expect(best).toBeGreaterThan(0.8);
    const end = events.at(-1) as Extract<SftEvent, { type: "sft-end" }>;
    expect(end).toEqual({
      type: "sft-end",
      bestEpoch: epochs.findIndex(({ passAt1 }) => passAt1 === best),
      passAt1: best,
      checkpoint: `epoch-${end.bestEpoch}`,
    });
  });

  it("every step learns at the rate that its schedule says", async () => {
    const steps = (await eventsOf(start().loop)).filter((event) => event.type === "sft-step");
    // Two steps of warm-up, then half a cosine over the other 22 from the full rate towards a tenth of it.
    const cosine = (done: number) => 0.3 * (0.1 + (0.9 * (1 + Math.cos((Math.PI * done) / 22))) / 2);
    for (const [step, rate] of [0.1, 0.2, 0.3, cosine(1)].entries())
      expect(steps[step].learningRate).toBeCloseTo(rate, 12);
    expect(steps[13].learningRate).toBeCloseTo(0.3 * 0.55, 12);
    expect(steps[23].learningRate).toBeCloseTo(cosine(21), 12);
  });

  it("the loss of a step is the mean negative log-prob of its response tokens", async () => {
    const { engine, loop } = start();
    const scores = await engine.logprobs(corpus);
    const perToken = scores.flatMap(({ logprobs }) => [...logprobs]);
    const [first] = (await eventsOf(loop, (event) => event.type === "sft-step")) as Extract<
      SftEvent,
      { type: "sft-step" }
    >[];
    const { Random } = await import("../../src/base/random.ts");
    const order = Random.from(1).child("sft").child("order", 0).shuffle(Uint32Array.from(corpus.keys()));
    const chosen = [...order.subarray(0, 8)].flatMap((i) => [...scores[i].logprobs]);
    expect(first.tokens).toBe(chosen.length);
    expect(first.loss).toBeCloseTo(-chosen.reduce((a, b) => a + b) / chosen.length, 6);
    expect(perToken.length).toBeGreaterThan(chosen.length);
  });

  it("says that there is nothing to learn from", async () => {
    await expect(eventsOf(sftLoop(toyEngine(), [], toyProblems(3), options))).rejects.toThrow(
      /corpus has no sequences/,
    );
    const silent = [{ tokens: corpus[0].tokens.slice(0, 1), promptLength: 1 }];
    await expect(eventsOf(sftLoop(toyEngine(), silent, [], options))).rejects.toThrow(/has a response to learn/);
  });

  it.each([1, 3, 5])("stopped at checkpoint %d and resumed, it leaves the same events", async (stop) => {
    const whole = await eventsOf(start().loop);
    const stopped = start();
    let seen = 0;
    const before = await eventsOf(stopped.loop, (event) => event.type === "sft-checkpoint" && ++seen === stop);
    const { state } = before.at(-1) as Extract<SftEvent, { type: "sft-checkpoint" }>;
    const after = await eventsOf(start(JSON.parse(JSON.stringify(state)), stopped.engine).loop);
    expect([...before, ...after]).toEqual(whole);
  });
});
