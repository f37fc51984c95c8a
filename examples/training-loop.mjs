// Your own reinforcement-learning loop: the engine samples, scores and steps; everything else is here. A new model with
// two layers learns to give the word that follows its prompt, from a reward of 1 or 0.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "repertoire/base";
import { createEmbeddedEngine, decoderConfig, wordTokenizer } from "repertoire/engine";
import { groupAdvantages, gspoUpdate, verlNormalization } from "repertoire/training";

const words = ["one", "two", "three", "four", "five"];
const tokenizer = wordTokenizer(words);
const { vocabularySize } = tokenizer;
const config = decoderConfig({ family: "llama", vocabularySize, width: 32, layers: 2, heads: 2, contextLength: 64 });
const checkpoints = await mkdtemp(join(tmpdir(), "repertoire-example-"));
const engine = await createEmbeddedEngine({ model: { config, tokenizer }, checkpoints, seed: 1, threads: 1 });

const problems = words.slice(0, 4).map((word, i) => ({ prompt: tokenizer.encode(word), answer: words[i + 1] }));
const clip = { below: 0.2, above: 0.2 };
const baseline = { baseline: "mean", normalization: verlNormalization, single: "zero" };
const random = Random.from("example");

for (let step = 0; step < 40; step++) {
  const rollouts = [];
  for (const { prompt, answer } of problems) {
    const seeds = Array.from({ length: 16 }, (_, attempt) => random.child(step, answer, attempt).uint32());
    const samples = await engine.sample(seeds.map((seed) => ({ prompt, seed, maxTokens: 1, temperature: 1 })));
    const rewards = samples.map(({ text }) => (text === answer ? 1 : 0));
    const advantages = groupAdvantages(rewards, baseline);
    samples.forEach(({ tokens, logprobs }, i) => {
      const sequence = { tokens: [...prompt, ...tokens], promptLength: prompt.length };
      rollouts.push({ sequence, logprobs, reward: rewards[i], advantage: advantages[i] });
    });
  }

  // Log-probs out, weights back. Two updates on the same samples, so the ratio of the second is not 1.
  for (let epoch = 0; epoch < 2; epoch++) {
    const current = await engine.logprobs(rollouts.map(({ sequence }) => sequence));
    const batch = rollouts.map(({ sequence, logprobs, advantage }, i) => {
      const { tokenWeight } = gspoUpdate(current[i].logprobs, logprobs, advantage, clip);
      return { ...sequence, weights: logprobs.map(() => tokenWeight / rollouts.length) };
    });
    await engine.accumulate(batch);
    await engine.step({ learningRate: 3e-3, maxGradientNorm: 1 });
  }
  const solved = rollouts.filter(({ reward }) => reward === 1).length / rollouts.length;
  if (step % 13 === 0) console.log(`step ${step}: solved ${(100 * solved).toFixed(0)}%`);
}
await engine.dispose();
await rm(checkpoints, { recursive: true });
