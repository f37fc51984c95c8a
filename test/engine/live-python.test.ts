// Beside transformers, tokenizers and PEFT themselves, in both directions of loading, where a Python with them is found.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { readModel, writeModel } from "../../src/engine/embedded/checkpoint/model-folder.ts";
import { decoderFamilies } from "../../src/engine/embedded/model/decoder-config.ts";
import { initialParameters } from "../../src/engine/embedded/model/parameters.ts";
import { createEmbeddedEngine, decoderConfig, wordTokenizer } from "../../src/engine/index.ts";
import { trainBpeTokenizer } from "./byte-pair-tokenizer.ts";
import { askPython, expectAgreement, families, largestDifference, python, runnable } from "./golden.ts";

const folder = mkdtempSync(join(tmpdir(), "live-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = wordTokenizer(Array.from({ length: 26 }, (_, i) => `w${i}`));
const bytes = trainBpeTokenizer(["the row and the column\n", "naïve 😀 123 rows"], { vocabularySize: 280 });
const tokens = Array.from({ length: 20 }, (_, i) => (7 * i * i + 3) % words.vocabularySize);
const texts = ["w1 w2\nw3\n\nw25 unknown", "the rowing naïve 😀\n\n  column 12", ""];

const folderOf = (name: string) => join(folder, name);
const live = "missing" in python ? `skipped: ${python.missing}` : "beside transformers";
let answers: Record<string, unknown> = {};

/** A tiny model of a family, with norms away from 1 so that a wrong one shows. */
async function saveTiny(family: (typeof decoderFamilies)[number]): Promise<string> {
  const config = decoderConfig({
    family,
    vocabularySize: words.vocabularySize,
    width: 32,
    layers: 4,
    heads: 4,
    keyHeads: 2,
    contextLength: 64,
    tied: family === "llama",
    slidingWindow: family === "olmo3" ? 6 : undefined,
  });
  const random = Random.from(family);
  const parameters = initialParameters(config, random);
  for (const { role, data } of parameters.values()) {
    if (role === "norm") for (let i = 0; i < data.length; i++) data[i] = 0.5 + random.uniform();
  }
  const at = folderOf(family);
  mkdirSync(at);
  await writeModel(at, config, parameters, words);
  return at;
}

/** A checkpoint of trained adapters over the Llama-style model. */
async function trainAdapters(base: string): Promise<string> {
  const engine = await createEmbeddedEngine({
    model: { folder: base },
    checkpoints: folder,
    lora: { rank: 2, alpha: 8 },
    threads: 1,
  });
  for (let i = 0; i < 3; i++) {
    await engine.accumulate([{ tokens, promptLength: 1, weights: new Array(tokens.length - 1).fill(1) }]);
    await engine.step({ learningRate: 0.05 });
  }
  await engine.save("adapters");
  await engine.exportModel(folderOf("merged"));
  await engine.dispose();
  return folderOf("adapters");
}

describe.skipIf("missing" in python)(live, () => {
  beforeAll(async () => {
    for (const family of decoderFamilies) await saveTiny(family);
    await trainAdapters(folderOf("llama"));
    mkdirSync(folderOf("bytes"));
    const config = decoderConfig({
      family: "llama",
      vocabularySize: 280,
      width: 8,
      layers: 1,
      heads: 1,
      contextLength: 8,
    });
    await writeModel(folderOf("bytes"), config, initialParameters(config, Random.from(1)), bytes);
    const names = ["made", ...decoderFamilies, "adapters", "merged", "words", "bytes"];
    const given = askPython([
      { verb: "make", folder: folderOf("made") },
      ...decoderFamilies.map((family) => ({ verb: "logits", model: folderOf(family), tokens }) as const),
      { verb: "logits", model: folderOf("llama"), adapter: folderOf("adapters"), tokens },
      { verb: "logits", model: folderOf("merged"), tokens },
      { verb: "encode", tokenizer: folderOf("llama"), texts },
      { verb: "encode", tokenizer: folderOf("bytes"), texts },
    ]);
    answers = Object.fromEntries(names.map((name, i) => [name, given[i]]));
  });

  it.each(families)("%s: log-probs and gradients agree with what transformers makes here and now", (family) =>
    expectAgreement(join(folder, "made", family)),
  );

  it.each([...decoderFamilies, "merged"])("%s: what we save loads there and gives the same logits", async (name) => {
    const { config, parameters } = await readModel(folderOf(name));
    const sequence = { tokens, promptLength: 1, weights: [], entropyWeights: [] };
    const [{ logprobs }] = await (await runnable(config, parameters)).score(
      { temperature: 1, sequences: [sequence] },
      false,
    );
    expect(largestDifference(logprobs, logprobsOf(answers[name] as number[][]))).toBeLessThan(1e-4);
  });

  it("adapters load in PEFT and give what the merged model gives", () => {
    const [adapters, merged, base] = ["adapters", "merged", "llama"].map((name) =>
      logprobsOf(answers[name] as number[][]),
    );
    expect(largestDifference(adapters, merged)).toBeLessThan(1e-4);
    expect(largestDifference(adapters, base)).toBeGreaterThan(1e-2);
  });

  it.each([
    ["words", words],
    ["bytes", bytes],
  ] as const)("a tokenizer of %s encodes and decodes alike there", (name, tokenizer) => {
    const { ids, texts: decoded } = answers[name] as { ids: number[][]; texts: string[] };
    texts.forEach((text, i) => {
      expect(tokenizer.encode(text)).toEqual(ids[i]);
      expect(tokenizer.decode(ids[i])).toBe(decoded[i]);
    });
  });
});

function logprobsOf(logits: readonly (readonly number[])[]): number[] {
  return logits.slice(0, -1).map((row, t) => {
    const largest = Math.max(...row);
    return row[tokens[t + 1]] - largest - Math.log(row.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
  });
}
