// Scored sequences are filled up to a multiple of sixteen; a context that is shorter, or no such multiple, must not notice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmbeddedEngine, decoderConfig, wordTokenizer } from "../../src/engine/index.ts";

const tokenizer = wordTokenizer(["a", "b", "c"]);

async function opened(contextLength: number, checkpoints: string) {
  const vocabularySize = tokenizer.vocabularySize;
  const config = decoderConfig({ family: "llama", vocabularySize, width: 16, layers: 1, heads: 2, contextLength });
  return createEmbeddedEngine({ model: { config, tokenizer }, checkpoints, seed: 1, replicas: 1, threads: 1 });
}

describe("a short context", () => {
  it.each([2, 8, 31])("of %i tokens scores and trains what a long one does", async (contextLength) => {
    const folder = mkdtempSync(join(tmpdir(), "short-context-"));
    const [short, long] = await Promise.all([opened(contextLength, folder), opened(64, folder)]);
    const tokens = Array.from({ length: contextLength }, (_, i) => 1 + (i % 3));
    const sequence = { tokens, promptLength: 1 };
    const results: number[][] = [];
    for (const engine of [short, long]) {
      const [before] = await engine.logprobs([sequence]);
      await engine.accumulate([{ ...sequence, weights: new Float32Array(contextLength - 1).fill(1) }]);
      const { gradientNorm } = await engine.step({ learningRate: 1e-2 });
      const [after] = await engine.logprobs([sequence]);
      results.push([...before.logprobs, ...after.logprobs, gradientNorm]);
      await engine.dispose();
    }
    results[0].forEach((value, i) => {
      expect(value).toBeCloseTo(results[1][i], 6);
    });
    rmSync(folder, { recursive: true });
  });
});
