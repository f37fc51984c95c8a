// Drawing tokens by hand-worked distributions; decoding against the graph that reads whole sequences.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type DrawOptions, drawToken, tokenDistribution } from "../../src/engine/draw-token.ts";
import { createEmbeddedEngine, decoderConfig, wordTokenizer } from "../../src/engine/index.ts";
import { GrowingSample } from "../../src/engine/sample-text.ts";
import { goldenFolder, largestDifference, readGolden } from "./golden.ts";

const folder = mkdtempSync(join(tmpdir(), "sampling-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const words = wordTokenizer(Array.from({ length: 26 }, (_, i) => `w${i}`));

describe("drawing a token", () => {
  const logits = [0.5, 1, Math.log(3), Math.log(5), -20].map((x, i) => (i < 2 ? Math.log(x) : x));
  const draw = (options: DrawOptions, random: Random) => drawToken(tokenDistribution(logits, options), options, random);
  // Weights 0.5 : 1 : 3 : 5, and one that never comes.
  const shares = (temperature: number, kept: readonly number[]) => {
    const weights = [0.5, 1, 3, 5, Math.exp(-20)].map((w, i) => (kept.includes(i) ? w ** (1 / temperature) : 0));
    const total = weights.reduce((sum, w) => sum + w, 0);
    return weights.map((w) => w / total);
  };

  it.each([
    { name: "plain", options: { temperature: 1 }, expected: shares(1, [0, 1, 2, 3, 4]) },
    { name: "tempered", options: { temperature: 0.5 }, expected: shares(0.5, [0, 1, 2, 3, 4]) },
    { name: "top-k", options: { temperature: 1, topK: 2 }, expected: shares(1, [2, 3]) },
    {
      name: "top-p keeps the token that reaches p",
      options: { temperature: 1, topP: 0.8 },
      expected: shares(1, [2, 3]),
    },
    { name: "top-p of what top-k left", options: { temperature: 1, topK: 3, topP: 0.5 }, expected: shares(1, [3]) },
    { name: "hot, cut", options: { temperature: 2, topP: 0.95 }, expected: shares(2, [0, 1, 2, 3]) },
  ])("$name: frequencies are the distribution's", ({ options, expected }) => {
    const random = Random.from("draws");
    const counts = new Array(5).fill(0);
    const draws = 20_000;
    for (let i = 0; i < draws; i++) counts[draw(options, random).token] += 1;
    counts.forEach((count, token) => {
      // Five standard deviations of a binomial count.
      const spread = 5 * Math.sqrt((expected[token] * (1 - expected[token])) / draws) + 1e-9;
      expect(Math.abs(count / draws - expected[token]), `token ${token}`).toBeLessThan(spread + 1e-4);
    });
  });

  it("gives the plain and the tempered log-prob, before anything is cut off", () => {
    const drawn = draw({ temperature: 0.5, topK: 1 }, Random.from(1));
    expect(drawn.token).toBe(3);
    expect(drawn.logprob).toBeCloseTo(Math.log(5 / 9.5), 6);
    expect(drawn.temperedLogprob).toBeCloseTo(Math.log(25 / 35.25), 6);
    expect(draw({ temperature: 0 }, Random.from(1))).toMatchObject({ token: 3, temperedLogprob: 0 });
  });
});

describe("the end of a response", () => {
  const request = { prompt: [3], seed: 1, maxTokens: 5, temperature: 1 };
  const grown = (rest: object, tokens: readonly number[], room = 100) => {
    const growing = new GrowingSample({ ...request, ...rest }, words, room);
    for (const token of tokens) if (!growing.ended) growing.add(token, -1, -1);
    return growing;
  };

  it("a stop string across tokens ends it, and stays in the text", () => {
    const [a, b, c] = words.encode("w1 w2 w3");
    const sample = grown({ stopStrings: ["1 w2"] }, [a, b, c]).result();
    expect(sample).toMatchObject({ tokens: [a, b], text: "w1 w2", finish: "stop" });
  });

  it("the end of text ends it, and does not show", () => {
    const [a] = words.encode("w1");
    expect(grown({}, [a, words.endOfText, a]).result()).toMatchObject({
      tokens: [a, words.endOfText],
      text: "w1",
      finish: "stop",
    });
  });

  it("the budget and the context end it as length", () => {
    const tokens = words.encode("w1 w2 w3 w4 w5 w6");
    expect(grown({}, tokens).result()).toMatchObject({ finish: "length", text: "w1 w2 w3 w4 w5" });
    expect(grown({}, tokens, 2).result()).toMatchObject({ finish: "length", text: "w1 w2" });
    expect(grown({}, [], 0).ended).toBe(true);
  });
});

describe("a model saved by transformers", () => {
  it.each(["llama", "qwen3", "olmo3"] as const)("%s: decoding equals the full forward pass", async (family) => {
    const { golden, expected, config } = await readGolden(join(goldenFolder, family));
    const at = join(folder, family);
    mkdirSync(at);
    for (const file of ["config.json", "model.safetensors"])
      copyFileSync(join(goldenFolder, family, file), join(at, file));
    writeFileSync(join(at, "tokenizer.json"), JSON.stringify(words.files.tokenizer));
    writeFileSync(join(at, "tokenizer_config.json"), JSON.stringify(words.files.config));
    const engine = await createEmbeddedEngine({ model: { folder: at }, checkpoints: folder, threads: 2, replicas: 1 });
    try {
      for (const [i, { tokens }] of golden.sequences.entries()) {
        const [sample] = await engine.sample([{ prompt: tokens, seed: 1, maxTokens: 1, temperature: 0 }]);
        const logits = [...(expected.get(`logits.${i}`)?.data.slice(-config.vocabularySize) ?? [])];
        const best = Math.max(...logits);
        expect(sample.tokens[0]).toBe(logits.indexOf(best));
        const total = logits.reduce((sum, logit) => sum + Math.exp(logit - best), 0);
        expect(sample.logprobs[0]).toBeCloseTo(-Math.log(total), 4);
      }
      const prompt = golden.sequences[0].tokens.slice(0, 3);
      const requests = [1, 2, 3].map((seed) => ({ prompt, seed, maxTokens: 40, temperature: seed === 3 ? 0 : 1.3 }));
      const samples = await engine.sample(requests);
      const sequences = samples.map(({ tokens }) => ({ tokens: [...prompt, ...tokens], promptLength: prompt.length }));
      const scores = await engine.logprobs(sequences);
      samples.forEach(({ logprobs }, i) => {
        expect(largestDifference(logprobs, scores[i].logprobs)).toBeLessThan(1e-4);
      });
      // Greedy: no other token is likelier, at any position, under the graph that reads whole sequences.
      const greedy = sequences[2];
      const rivals = greedy.tokens.slice(prompt.length).flatMap((_, t) =>
        Array.from({ length: config.vocabularySize }, (_, token) => ({
          tokens: [...greedy.tokens.slice(0, prompt.length + t), token],
          promptLength: prompt.length + t,
        })),
      );
      const rivalScores = await engine.logprobs(rivals);
      scores[2].logprobs.forEach((logprob, t) => {
        const likeliest = rivalScores.slice(t * config.vocabularySize, (t + 1) * config.vocabularySize);
        expect(logprob).toBeGreaterThan(Math.max(...likeliest.map(({ logprobs }) => logprobs[0])) - 1e-4);
      });
    } finally {
      await engine.dispose();
    }
  });
});

describe("many responses at once", () => {
  const config = decoderConfig({
    family: "llama",
    vocabularySize: words.vocabularySize,
    width: 64,
    layers: 2,
    heads: 2,
    contextLength: 200,
  });
  const prompts = Array.from({ length: 6 }, (_, i) => words.encode(`w${i} w${2 * i} w3`).slice(0, 1 + (i % 3)));
  const requests = Array.from({ length: 60 }, (_, i) => ({
    prompt: prompts[i % 6],
    seed: i,
    maxTokens: 5 + ((i * 37) % 150),
    temperature: 1.1,
  }));
  const draw = async (options: { threads: number; replicas: number; slots: number }, indices: readonly number[]) => {
    const engine = await createEmbeddedEngine({
      model: { config, tokenizer: words },
      checkpoints: folder,
      seed: 5,
      ...options,
    });
    const samples = await engine.sample(indices.map((i) => requests[i]));
    await engine.dispose();
    return samples.map(({ tokens, logprobs }) => ({ tokens, logprobs }));
  };

  it("a response is the same, to the last bit, in any company, order, number of slots and replicas", async () => {
    const all = await draw({ threads: 2, replicas: 2, slots: 32 }, [...requests.keys()]);
    const some = [41, 3, 17, 58, 20];
    const few = await draw({ threads: 1, replicas: 1, slots: 3 }, some);
    few.forEach((sample, place) => {
      expect(sample).toEqual(all[some[place]]);
    });
    expect(new Set(all.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(50);
  });
});
