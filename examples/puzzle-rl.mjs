// A whole RL run in one file: puzzles, rewards, the frozen reference, the novelty bonus, GSPO with KL, a held-out solve rate.
// It is what `rlLoop` does, without its options, its checkpoints and its record: copy it and change what you like.
//   node examples/puzzle-rl.mjs [steps] [novelty weight]
// The shipped base model reasons when its prompt begins with `think`. Another engine, such as a TinkerEngine, changes nothing below.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "repertoire/base";
import { createEmbeddedEngine } from "repertoire/engine";
import { puzzleProblems } from "repertoire/problems";
import { puzzleNamed } from "repertoire/puzzles";
import { collectRollouts, puzzleGrader } from "repertoire/rollouts";
import { tersePrompt } from "repertoire/teaching";
import {
  groupAdvantages,
  gspoUpdate,
  klTerm,
  noveltyBonuses,
  noveltyScore,
  verlNormalization,
} from "repertoire/training";

const [steps, weight] = [Number(process.argv[2] ?? 10), Number(process.argv[3] ?? 0.5)];
const settings = {
  puzzles: { pattern: "4x4", undead: "3x3de", galaxies: "4x3dn" },
  problemsPerStep: 12,
  rolloutsPerProblem: 8,
  rolloutsPerUpdate: 48,
  epochs: 2,
  learningRate: 1e-4,
  sampling: { temperature: 0.8, maxTokens: 400 },
  clip: { below: 2.5e-3, above: 5e-3 },
  kl: { coefficient: 0.02, clamp: "verl" },
  baseline: { baseline: "mean", normalization: verlNormalization, single: "zero" },
  novelty: { weight, top: { share: 0.1 }, clip: 2, divisor: "sample" },
};
const random = Random.from("puzzle-rl");
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// ---- Model and problems ----------------------------------------------------------------------------------------------

const folder = fileURLToPath(new URL("../models/mini-base", import.meta.url));
const checkpoints = await mkdtemp(join(tmpdir(), "repertoire-example-"));
const engine = await createEmbeddedEngine({ model: { folder }, checkpoints, seed: 1 });
await engine.save("reference");

/** Puzzles of all kinds in turn, as the loop asks them: tokens to go on from, and a grader with a reward. */
function drawn(split, count) {
  const kinds = Object.entries(settings.puzzles);
  const each = Math.ceil(count / kinds.length);
  const problems = kinds.map(([puzzle, params]) =>
    puzzleProblems({ puzzle, params, count: each, split, random: random.child(split, puzzle) }),
  );
  return Array.from({ length: count }, (_, i) => {
    const problem = problems[i % kinds.length][Math.floor(i / kinds.length)];
    const { puzzle, instance, id } = problem;
    const prompt = `think ${tersePrompt(puzzle, puzzleNamed(puzzle).readId(instance))}`;
    return { id, family: puzzle, prompt: engine.tokenizer.encode(prompt), grade: puzzleGrader(problem) };
  });
}
const training = drawn("train", steps * settings.problemsPerStep);
const heldOut = drawn("test", 24);

async function solveRate(name) {
  const { sampling } = settings;
  const groups = await collectRollouts(engine, heldOut, {
    rolloutsPerProblem: 2,
    sampling,
    random: random.child("held out"),
  });
  const right = groups.flat().map(({ grade }) => Number(grade.verdict === "correct"));
  console.log(`${name}: solves ${(100 * mean(right)).toFixed(0)}% of puzzles that it never trains on`);
}

// ---- One step --------------------------------------------------------------------------------------------------------

/** Groups of graded rollouts with everything that their updates need. */
async function collect(problems, seeds) {
  const { rolloutsPerProblem, sampling, novelty, baseline } = settings;
  const groups = await collectRollouts(engine, problems, { rolloutsPerProblem, sampling, random: seeds });
  const sequences = groups.flat().map(({ problem, sample }) => ({
    tokens: [...problem.prompt, ...sample.tokens],
    promptLength: problem.prompt.length,
  }));
  // Both by the trainer's own forward pass, at the temperature of the samples; surprise at 1, as the paper's.
  const { temperature } = sampling;
  const sampled = await engine.logprobs(sequences, { temperature });
  const reference = await engine.logprobs(sequences, { temperature, checkpoint: "reference" });
  const surprised = await engine.logprobs(sequences, { checkpoint: "reference" });
  return groups.flatMap((group, g) => {
    const place = (i) => g * rolloutsPerProblem + i;
    const correct = group.map(({ grade }) => grade.verdict === "correct");
    const scores = group.map((_, i) => noveltyScore(surprised[place(i)].logprobs, novelty.top));
    const { bonuses } = noveltyBonuses(scores, correct, novelty);
    const rewards = group.map(({ grade }, i) => grade.reward.total + bonuses[i]);
    const advantages = groupAdvantages(rewards, baseline);
    return group.map(({ sample }, i) => ({
      text: sample.text,
      correct: correct[i],
      advantage: advantages[i],
      sequence: sequences[place(i)],
      sampled: sampled[place(i)].logprobs,
      reference: reference[place(i)].logprobs,
    }));
  });
}

/** Log-probs out, weights back: w = −d loss / d logprob of each token, with loss = mean over sequences of −J + β·kl. */
async function update(rollouts, current) {
  const { clip, kl, sampling } = settings;
  const batch = rollouts.map(({ sequence, sampled, reference, advantage }, i) => {
    const now = current[i].logprobs;
    const { tokenWeight } = gspoUpdate(now, sampled, advantage, clip);
    const weights = Array.from(now, (logprob, t) => {
      const { derivative } = klTerm(logprob, reference[t], kl.clamp);
      return (tokenWeight - (kl.coefficient * derivative) / now.length) / rollouts.length;
    });
    return { ...sequence, weights };
  });
  await engine.accumulate(batch, { temperature: sampling.temperature });
}

// ---- The run ---------------------------------------------------------------------------------------------------------

await solveRate("before");
for (let step = 0; step < steps; step++) {
  const { problemsPerStep, rolloutsPerUpdate, epochs, learningRate, sampling } = settings;
  const problems = training.slice(step * problemsPerStep, (step + 1) * problemsPerStep);
  const rollouts = await collect(problems, random.child("step", step));
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = random.child("order", step, epoch).shuffle([...rollouts]);
    for (let from = 0; from < order.length; from += rolloutsPerUpdate) {
      const batch = order.slice(from, from + rolloutsPerUpdate);
      const sequences = batch.map(({ sequence }) => sequence);
      await update(batch, await engine.logprobs(sequences, { temperature: sampling.temperature }));
      await engine.step({ learningRate, maxGradientNorm: 1 });
    }
  }
  const solved = mean(rollouts.map(({ correct }) => Number(correct)));
  const guesses = mean(rollouts.map(({ text }) => text.match(/\bhyp\b/g)?.length ?? 0));
  console.log(`step ${step}: solved ${(100 * solved).toFixed(0)}%, ${guesses.toFixed(2)} hypotheses a trace`);
}
await solveRate("after");
await engine.dispose();
await rm(checkpoints, { recursive: true });
