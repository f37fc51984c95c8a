// A recipe's folder with invented contents: small, the same on every machine, and with the paper's effects built in, so that
// every part of a report has something to show. Nothing in it was sampled from a model.
import { join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { writePolicyCard } from "../../src/engine/policy-card.ts";
import type { Primitive } from "../../src/rollouts/primitives.ts";
import { openings } from "../../src/teaching/terse-language.ts";
import { writeRun } from "../fixtures/written-run.ts";

type Profile = {
  /** Chance of each kind of step, the rest is compute and check. */
  readonly guess: number;
  readonly depth: number;
  readonly skill: number;
};

const profiles: Readonly<Record<string, Profile>> = {
  base: { guess: 0, depth: 4, skill: 0.15 },
  sft: { guess: 0.3, depth: 6, skill: 0.35 },
  vanilla: { guess: 0.05, depth: 13, skill: 0.55 },
  novelty: { guess: 0.25, depth: 9, skill: 0.6 },
};

const attempts = 8;

const problems = [
  ...["bridges 5x5", "undead 3x3", "pattern 4x4", "galaxies 4x3"].flatMap((place) =>
    [0, 1, 2].map((i) => puzzle(place, i, "held-out puzzles")),
  ),
  ...["bridges 6x6", "undead 4x4"].flatMap((place) => [0, 1, 2].map((i) => puzzle(place, i, "larger puzzles"))),
  ...Array.from({ length: 8 }, (_, i) => ({
    kind: "mathematics",
    id: `sum-${i}`,
    prompt: `what is ${i} + ${i}`,
    answer: String(2 * i),
    set: "mathematics",
  })),
];

function puzzle(place: string, i: number, set: string) {
  const [name, size] = place.split(" ");
  const instance = `${size}:invented-${i}`;
  return { kind: "puzzle", id: `${name} ${instance}`, prompt: place, puzzle: name, instance, set };
}

function inventedTrace(random: Random, { guess, depth }: Profile): Primitive[] {
  const labels: Primitive[] = random.uniform() < 0.5 ? ["plan", "setup"] : ["plan"];
  const steps = Math.max(2, Math.round(depth * (0.6 + 0.8 * random.uniform())));
  for (let i = 0; i < steps; i++) {
    labels.push(i % 2 === 0 ? "compute" : "check");
    if (random.uniform() < guess / 3) labels.push("hypothesize", "compute", "backtrack");
  }
  if (random.uniform() < 0.3) labels.push("enumerate");
  return [...labels, "summarize"];
}

export const terseResponse = (labels: readonly Primitive[], answer: string): string =>
  `<reasoning>\n${labels.map((label, i) => `${openings[label]} cell ${i} : 1 2 > ${i % 3}`).join("\n")}\n</reasoning>\n<answer>\n${answer}\n</answer>`;

export async function writeInventedRun(folder: string): Promise<void> {
  const random = Random.from("invented run");
  await writeRun(folder, "recipe", { recipe: "mini", seed: 1 }, { "corpus.jsonl": corpus(random.child("corpus")) });
  await writePolicyCard(folder, { promptStyle: "terse", chat: "plain", language: "terse" });
  await writeRun(
    join(folder, "sft"),
    "sft",
    { epochs: 2, learningRate: 0.0003 },
    { "events.jsonl": sftEvents(random.child("sft")) },
  );
  for (const variant of ["vanilla", "novelty"]) {
    const bonus = variant === "novelty" ? { kind: "novelty", weight: 0.1 } : { kind: "none" };
    const objective = { algorithm: "gspo", advantage: { estimator: "group", bonus }, kl: { coefficient: 0.03 } };
    await writeRun(join(folder, variant), "rl", { objective, steps: 8 }, training(variant, random.child(variant)));
  }
  for (const policy of Object.keys(profiles)) {
    await writeRun(
      join(folder, "evaluations", policy),
      "evaluate",
      { policy },
      evaluation(policy, random.child("evaluation", policy)),
    );
  }
}

function corpus(random: Random) {
  return problems.slice(0, 12).map((problem, i) => {
    const labels = inventedTrace(random.child(i), { guess: 0.35, depth: 7, skill: 1 });
    const { id, puzzle, instance, prompt } = problem as {
      id: string;
      puzzle: string;
      instance: string;
      prompt: string;
    };
    const source = { teacher: "narrator", style: "terse", guessing: 0.6, errorRate: 0.01, repertoire: "full" };
    return {
      problem: `teacher ${id}`,
      puzzle,
      instance,
      prompt,
      response: terseResponse(labels, "ok"),
      tokens: 90,
      source,
      labels,
    };
  });
}

function sftEvents(random: Random) {
  const steps = Array.from({ length: 20 }, (_, step) => ({
    type: "sft-step",
    step,
    epoch: Math.floor(step / 10),
    loss: 0.4 + 1.6 * Math.exp(-step / 5) + 0.05 * random.uniform(),
  }));
  const epoch = (number: number, passAt1: number) => ({ type: "sft-epoch", epoch: number, passAt1, rollouts: 32 });
  return [
    ...steps.slice(0, 10),
    epoch(0, 0.25),
    ...steps.slice(10),
    epoch(1, 0.34),
    { type: "sft-end", bestEpoch: 1, passAt1: 0.34, checkpoint: "epoch-1" },
  ];
}

function training(variant: string, random: Random) {
  const [from, to] = [profiles.sft, profiles[variant]];
  const rollouts: { step: number; primitives: Primitive[]; problem: string }[] = [];
  const events = Array.from({ length: 8 }, (_, step) => {
    const done = step / 7;
    const at = (read: (profile: Profile) => number) => read(from) + done * (read(to) - read(from));
    const profile = {
      guess: at(({ guess }) => guess),
      depth: at(({ depth }) => depth),
      skill: at(({ skill }) => skill),
    };
    const own = Array.from({ length: 16 }, (_, i) => {
      const draw = random.child(step, i);
      const primitives = inventedTrace(draw, profile);
      return {
        ...{
          problem: `train ${step} ${i % 4}`,
          attempt: Math.floor(i / 4),
          policy: `step-${step}`,
          step,
          state: "complete",
        },
        ...{ response: terseResponse(primitives, "done"), primitives },
        surprisal: { mean: 0.3 + 0.02 * draw.uniform(), top: [2, 1.2, 0.9].map((top) => top + 0.3 * draw.uniform()) },
      };
    });
    rollouts.push(...own);
    const mean = (primitive: Primitive) =>
      own.reduce((total, { primitives }) => total + primitives.filter((label) => label === primitive).length, 0) /
      own.length;
    return {
      ...{ type: "rl-step", step, problems: 4, rollouts: 16, solveRate: profile.skill, entropy: 0.3 - 0.15 * done },
      reward: { exact: profile.skill, completion: 0.3, format: 0.9, bonus: 0, total: 0.4 + profile.skill },
      responseTokens: { mean: 80 + 60 * done },
      updates: [{ kl: 0.004 * step, clipFraction: 0.3 + 0.2 * done }],
      primitives: { hypothesize: mean("hypothesize"), backtrack: mean("backtrack") },
    };
  });
  return { "events.jsonl": events, "rollouts.jsonl": rollouts };
}

function evaluation(policy: string, random: Random) {
  const profile = profiles[policy];
  const rollouts: unknown[] = [];
  const grades: unknown[] = [];
  problems.forEach((problem, p) => {
    const larger = problem.set === "larger puzzles" ? 1.5 : 1;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const draw = random.child(p, attempt);
      const labels = inventedTrace(draw, { ...profile, depth: profile.depth * larger });
      // Problems differ in difficulty, the same for all policies; recovery helps on the hard ones.
      const helped = labels.includes("backtrack") ? 0.25 : 0;
      const correct = draw.uniform() < profile.skill + helped - (p % 5) * 0.17;
      rollouts.push({
        problem: problem.id,
        attempt,
        policy,
        state: "complete",
        response: terseResponse(labels, correct ? "right" : "wrong"),
        responseTokens: 10 * labels.length,
      });
      grades.push({
        problem: problem.id,
        attempt,
        verdict: correct ? "correct" : "wrong",
        reward: { exact: correct ? 1 : 0, total: correct ? 1 : 0 },
      });
    }
  });
  return { "problems.jsonl": problems, "rollouts.jsonl": rollouts, "grades.jsonl": grades };
}
