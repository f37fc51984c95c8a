// The engine works beside the main thread: that stays free, and work can be stopped half-way.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmbeddedEngine, decoderConfig, type EmbeddedEngine, wordTokenizer } from "../../src/engine/index.ts";

const folder = mkdtempSync(join(tmpdir(), "cancelling-"));
const tokenizer = wordTokenizer(["a", "b", "c"]);
let engine: EmbeddedEngine;

beforeAll(async () => {
  engine = await createEmbeddedEngine({
    model: {
      config: decoderConfig({
        family: "llama",
        vocabularySize: tokenizer.vocabularySize,
        width: 64,
        layers: 2,
        heads: 2,
        contextLength: 4096,
      }),
      tokenizer,
    },
    checkpoints: folder,
    threads: 2,
  });
});
afterAll(async () => {
  await engine.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const endless = Array.from({ length: 40 }, (_, seed) => ({ prompt: [3], seed, maxTokens: 4000, temperature: 1 }));
const long = Array.from({ length: 200 }, (_, i) => ({
  tokens: Array.from({ length: 400 }, (_, t) => 3 + ((t * i) % 3)),
  promptLength: 1,
  weights: new Float32Array(399).fill(0.01),
}));

describe("long work", () => {
  it.each([
    ["sampling", (signal: AbortSignal) => engine.sample(endless, { signal })],
    ["scoring", (signal: AbortSignal) => engine.logprobs(long, { signal })],
    ["accumulating", (signal: AbortSignal) => engine.accumulate(long, { signal })],
  ] as const)("%s stops when it is canceled, with the reason given", async (_, work) => {
    const control = new AbortController();
    const running = work(control.signal);
    setTimeout(() => control.abort(new Error("enough")), 100);
    await expect(running).rejects.toThrow("enough");
    // Nothing is left of it: no gradient, no half-read queue.
    await expect(engine.step({ learningRate: 0 })).rejects.toThrow(/nothing was accumulated/);
    const [sample] = await engine.sample([{ prompt: [3], seed: 1, maxTokens: 3, temperature: 1 }]);
    expect(sample.tokens.length).toBeGreaterThan(0);
  });

  it("leaves the main thread free", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await engine.logprobs(long.slice(0, 60));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  it("memory stays linear in the length: a context of 4,096 trains", async () => {
    const before = process.memoryUsage().rss;
    const sequence = {
      tokens: Array.from({ length: 4097 }, (_, t) => 3 + (t % 3)),
      promptLength: 1,
      weights: new Float32Array(4096).fill(1 / 4096),
    };
    await engine.accumulate([sequence]);
    expect((await engine.step({ learningRate: 1e-3 })).gradientNorm).toBeGreaterThan(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(1.5e9);
  });
});
