// A recipe's folder of any size with invented contents: terse traces of four checkpoints and of training, real small
// boards, and one evaluation whose traces are long prose. For measuring, and for tests that need many rollouts.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { writePolicyCard } from "../../src/engine/policy-card.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import type { Primitive } from "../../src/rollouts/primitives.ts";
import { openings } from "../../src/teaching/terse-language.ts";

export type LargeRun = {
  /** Over all sources but the long ones. */
  readonly rollouts: number;
  readonly longTraces: number;
  /** Characters of a long trace; a token is about four. */
  readonly longCharacters: number;
};

const roles = ["base", "sft", "vanilla", "novelty"];
/** Shares of all rollouts: four evaluations, and the training of one. */
const evaluationShare = 0.225;

export async function writeLargeRun(folder: string, { rollouts, longTraces, longCharacters }: LargeRun): Promise<void> {
  const random = Random.from("large run");
  await describe(folder, "recipe", { recipe: "invented", seed: 1 });
  await writePolicyCard(folder, { promptStyle: "terse", chat: "plain", language: "terse" });
  const problems = inventedProblems(random.child("problems"), 200);
  const attempts = Math.ceil((rollouts * evaluationShare) / problems.length);
  for (const [r, role] of roles.entries()) {
    const place = join(folder, "evaluations", role);
    await describe(place, "evaluate", { policy: role });
    await writeFile(join(place, "problems.jsonl"), lines(problems));
    const log = new Lines(join(place, "rollouts.jsonl"));
    const grades = new Lines(join(place, "grades.jsonl"));
    for (let attempt = 0; attempt < attempts; attempt++) {
      for (const [p, { id }] of problems.entries()) {
        const draw = random.child(role, attempt, p);
        const correct = draw.uniform() < 0.15 + 0.15 * r - (p % 5) * 0.05;
        const response = terseTrace(draw, 8 + 4 * r, correct ? "right" : "wrong");
        const tokens = Math.round(response.length / 3);
        await log.write({ problem: id, attempt, policy: role, state: "complete", response, responseTokens: tokens });
        const verdict = correct ? "correct" : "wrong";
        const reward = { exact: correct ? 1 : 0, completion: 0.5, format: 1, total: correct ? 2.1 : 0.6 };
        await grades.write({ problem: id, attempt, verdict, reward });
      }
    }
    await log.end();
    await grades.end();
  }
  await writeTraining(join(folder, "vanilla"), problems, rollouts - 4 * attempts * problems.length, random);
  await writeLong(join(folder, "evaluations", "long"), longTraces, longCharacters, random.child("long"));
}

async function writeTraining(folder: string, problems: readonly { id: string }[], rollouts: number, random: Random) {
  await describe(folder, "rl", { steps: 100 });
  const log = new Lines(join(folder, "rollouts.jsonl"));
  const events: unknown[] = [];
  const perStep = Math.max(1, Math.ceil(rollouts / 100));
  for (let step = 0, written = 0; written < rollouts; step++) {
    for (let i = 0; i < perStep && written < rollouts; i++, written++) {
      const draw = random.child("training", step, i);
      const grade = { verdict: "wrong", reward: { exact: 0, completion: 0.2, format: 1, total: 0.3 } };
      const response = terseTrace(draw, 10, "wrong");
      const own = {
        problem: problems[i % problems.length].id,
        attempt: i,
        policy: `step-${step}`,
        step,
        state: "complete",
      };
      await log.write({
        ...own,
        response,
        responseTokens: 300,
        grade,
        surprisal: { mean: draw.uniform(), top: [1, 1, 1] },
      });
    }
    const left = Math.exp(-step / 20);
    events.push({
      ...{ type: "rl-step", step, problems: 16, rollouts: perStep, solveRate: 0.3 + step / 400, entropy: 0.4 * left },
      reward: { exact: 0.3, completion: 0.4, format: 0.9, bonus: 0, total: 0.8 },
      ...{ solveRateByFamily: { bridges: 0.4, pattern: 0.2 }, responseTokens: { mean: 180, longest: 400 } },
      ...{ updates: [{ kl: step / 1000, clipFraction: 0.3, gradientNorm: 0.4 }], warnings: [] },
      primitives: { hypothesize: left, backtrack: left / 2, compute: 6, check: 3 },
    });
  }
  await log.end();
  await writeFile(join(folder, "events.jsonl"), lines(events));
}

async function writeLong(folder: string, traces: number, characters: number, random: Random): Promise<void> {
  await describe(folder, "evaluate", { policy: "long" });
  await writePolicyCard(folder, { promptStyle: "full", chat: "model", language: "english" });
  const problems = Array.from({ length: traces }, (_, i) => ({
    ...{
      kind: "mathematics",
      id: `long-${i}`,
      prompt: `prove that ${i} is not enough`,
      answer: String(i),
      set: "long",
    },
  }));
  await writeFile(join(folder, "problems.jsonl"), lines(problems));
  const log = new Lines(join(folder, "rollouts.jsonl"));
  for (const [i, { id }] of problems.entries()) {
    const response = `<think>${prose(random.child(i), characters)}</think>\nThe answer is \\boxed{${i}}.`;
    await log.write({
      problem: id,
      attempt: 0,
      policy: "long",
      state: "complete",
      response,
      responseTokens: characters / 4,
    });
  }
  await log.end();
}

function inventedProblems(random: Random, count: number) {
  const pattern = puzzleNamed("pattern");
  return Array.from({ length: count }, (_, i) => {
    const { instance } = pattern.generate(pattern.readParams("4x4"), random.child(i));
    const id = pattern.writeId(instance);
    return {
      kind: "puzzle",
      id: `pattern ${id} #${i}`,
      prompt: "a board",
      puzzle: "pattern",
      instance: id,
      set: i % 2 ? "held out" : "larger",
    };
  });
}

function terseTrace(random: Random, steps: number, answer: string): string {
  const labels: Primitive[] = ["plan"];
  for (let i = 0; i < steps; i++) {
    labels.push(random.uniform() < 0.6 ? "compute" : "check");
    if (random.uniform() < 0.05) labels.push("hypothesize", "compute", "backtrack");
  }
  const written = [...labels, "summarize" as const].map((label) => {
    const [a, b, c] = [random.below(90), random.below(90), random.below(90)];
    return `${openings[label]} ${10 + a} ${b} : ${c} ? ${a} ? > ${b} + ${c} -`;
  });
  return `<reasoning>\n${written.join("\n")}\n</reasoning>\n<answer>\n${answer}\n</answer>`;
}

const sentences = [
  "Let me first think about how to approach this, because the obvious way may not be the right one.",
  "Let $x_n$ be the number of ways to reach the n-th cell, and let $S$ be the sum of all of them.",
  "There are three cases: either the first is even, or the second is, or neither of them is.",
  "Suppose for a moment that the two were equal; then the left side would have to vanish.",
  "So 17 times 23 is 391, and adding 48 gives 439, which leaves 4 when divided by 5.",
  "Wait, let me check that again: 17 times 20 is 340 and 17 times 3 is 51, so 391 is right.",
  "But that contradicts what we found above, so this cannot be, and I go back to the other case.",
  "To sum up, we have shown that only the third case is left, and it has exactly two solutions.",
];

function prose(random: Random, characters: number): string {
  let text = "";
  while (text.length < characters)
    text += `${sentences[random.below(sentences.length)]}${random.uniform() < 0.3 ? "\n\n" : " "}`;
  return text.slice(0, characters);
}

async function describe(folder: string, kind: string, config: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  const run = { version: 1, kind, created: "2026-01-02T03:04:05.000Z", config };
  await writeFile(join(folder, "run.json"), JSON.stringify(run));
}

const lines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A file of JSON lines written in blocks. */
class Lines {
  readonly #stream;
  #block: string[] = [];

  constructor(path: string) {
    this.#stream = createWriteStream(path);
  }

  async write(record: unknown): Promise<void> {
    this.#block.push(`${JSON.stringify(record)}\n`);
    if (this.#block.length === 1_000) await this.#flush();
  }

  async #flush(): Promise<void> {
    const ready = this.#stream.write(this.#block.join(""));
    this.#block = [];
    if (!ready) await once(this.#stream, "drain");
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#stream.end();
    await once(this.#stream, "finish");
  }
}
