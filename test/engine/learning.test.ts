// A model of a million weights learns something real: to write a string backwards, tried on strings it never saw.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hash128, Random } from "../../src/base/random.ts";
import { createEmbeddedEngine, decoderConfig, wordTokenizer } from "../../src/engine/index.ts";

const folder = mkdtempSync(join(tmpdir(), "learning-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const letters = [..."abcdefghij"];
const tokenizer = wordTokenizer([...letters, ">"]);

/** One string in ten is kept for the test; which one, its letters decide. */
const heldOut = (text: string) => hash128(text)[0] % 10 === 0;

function problem(random: Random, held: boolean) {
  for (;;) {
    const string = Array.from({ length: 4 + random.below(3) }, () => random.pick(letters));
    if (heldOut(string.join("")) !== held) continue;
    return {
      prompt: tokenizer.encode(`${string.join(" ")} >`),
      answer: [...tokenizer.encode(string.reverse().join(" ")), tokenizer.endOfText],
    };
  }
}

describe("a model of a million weights", () => {
  it("learns to reverse strings it has not seen", async () => {
    const config = decoderConfig({
      family: "llama",
      vocabularySize: tokenizer.vocabularySize,
      width: 128,
      layers: 5,
      heads: 4,
      contextLength: 32,
    });
    const engine = await createEmbeddedEngine({ model: { config, tokenizer }, checkpoints: folder, seed: 1 });
    const random = Random.from("reversing");
    const steps = 180;
    const sequencesPerStep = 64;
    for (let step = 0; step < steps; step++) {
      const draws = random.child("step", step);
      const batch = Array.from({ length: sequencesPerStep }, () => {
        const { prompt, answer } = problem(draws, false);
        const weights = new Array(answer.length).fill(1 / (answer.length * sequencesPerStep));
        return { tokens: [...prompt, ...answer], promptLength: prompt.length, weights };
      });
      await engine.accumulate(batch);
      const learningRate = 4e-3 * Math.min(1, (step + 1) / 20, 1.1 * (1 - step / steps));
      await engine.step({ learningRate, maxGradientNorm: 1, beta2: 0.98 });
    }
    const tests = Array.from({ length: 200 }, (_, i) => problem(random.child("test", i), true));
    const samples = await engine.sample(
      tests.map(({ prompt }, seed) => ({ prompt, seed, maxTokens: 10, temperature: 0 })),
    );
    await engine.dispose();
    const exact = samples.filter(({ tokens }, i) => tokens.join() === tests[i].answer.join()).length;
    expect(exact / tests.length).toBeGreaterThan(0.95);
  });
});
