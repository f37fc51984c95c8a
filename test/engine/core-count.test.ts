// What is learned and what is scored does not depend on how many cores do it: the same numbers to the last bit.
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { createEmbeddedEngine, decoderConfig, type WeightedSequence, wordTokenizer } from "../../src/engine/index.ts";

const root = mkdtempSync(join(tmpdir(), "core-count-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// As many words as make rows that are not aligned in memory.
const tokenizer = wordTokenizer(Array.from({ length: 230 }, (_, i) => `w${i}`));
const config = decoderConfig({
  ...{ family: "llama", vocabularySize: tokenizer.vocabularySize },
  ...{ width: 32, layers: 2, heads: 2, contextLength: 64 },
});

const random = Random.from("core count");
const batch = (size: number): WeightedSequence[] =>
  Array.from({ length: size }, () => {
    const tokens = Array.from({ length: 8 + random.below(50) }, () => random.below(230));
    return { tokens, promptLength: 2, weights: Float32Array.from(tokens.slice(2), () => random.uniform() - 0.5) };
  });
// Fewer sequences than lanes, as many, and more; two calls before a step; a gradient that is clipped and one that is not.
const steps = [[batch(3)], [batch(8)], [batch(40), batch(13)]];

const scored = batch(37);

async function learned(threads: number) {
  const checkpoints = join(root, String(threads));
  const engine = await createEmbeddedEngine({ model: { config, tokenizer }, checkpoints, seed: 1, threads });
  const norms: number[] = [];
  for (const [i, calls] of steps.entries()) {
    for (const call of calls) await engine.accumulate(call);
    const { gradientNorm } = await engine.step({ learningRate: 1e-3, maxGradientNorm: i === 0 ? 1e9 : 1e-3 });
    norms.push(gradientNorm);
  }
  const scores = await engine.logprobs(scored, { temperature: 0.8, entropies: true });
  await engine.save("end");
  await engine.dispose();
  return { weights: await readFile(join(checkpoints, "end", "model.safetensors")), norms, scores };
}

it("2, 3 and 10 cores learn and score what one does", async () => {
  const one = await learned(1);
  for (const threads of [2, 3, 10]) {
    const several = await learned(threads);
    expect(several.norms).toEqual(one.norms);
    expect(several.weights.equals(one.weights)).toBe(true);
    expect(several.scores).toEqual(one.scores);
  }
});
