// The paper's pilots (appendix “Alternative diversity mechanisms”) as settings of the same recipe: two puzzles, short
// responses, and the ways to keep diversity that were tried against each other. Each is judged at its best step.
import type { PaperSettingsInput } from "./settings.ts";

const variants = [
  { name: "vanilla" },
  { name: "entropy-bonus", title: "Entropy bonus", objective: { entropy: { kind: "fixed", coefficient: 0.001 } } },
  {
    name: "entropy-advantage-no-kl",
    title: "Entropy advantage, no KL",
    objective: { exploration: { kind: "entropy-advantage" }, kl: { coefficient: 0 } },
  },
  {
    name: "entropy-advantage-kl",
    title: "Entropy advantage + KL",
    objective: { exploration: { kind: "entropy-advantage" } },
  },
  { name: "novelty", objective: { advantage: { bonus: { kind: "novelty" } } } },
];

export const pilotSettings = {
  puzzles: { training: ["bridges=7x7d0", "undead=4x4de"], larger: ["bridges=8x8d0", "undead=5x5de"] },
  corpus: { maxTokens: 12_000 },
  rl: { steps: 20, maxTokens: 12_000 },
  variants,
  evaluation: {
    maxTokens: 12_000,
    benchmarks: ["olymmath-en-hard"],
    steps: Object.fromEntries(variants.map(({ name }) => [name, "best" as const])),
  },
} satisfies PaperSettingsInput;

/** Where each of these stands in the paper, or that it is ours. */
export const pilotSources: Readonly<Record<string, string>> = {
  "puzzles.training": "appendix “Alternative diversity mechanisms”: Bridges and Undead; sizes as in the main runs",
  "puzzles.larger": "ours: as in the main runs, without Pattern",
  "corpus.maxTokens": "ours: what the pilots' budget can hold",
  "rl.steps": "ours: the appendix follows the pilots up to step 20",
  "rl.maxTokens": "appendix “Alternative diversity mechanisms”: 12k tokens a response",
  variants: "Table “Alternative diversity mechanisms”; the entropy coefficient is ours",
  "evaluation.maxTokens": "ours: the pilots' budget",
  "evaluation.benchmarks": "Table “Alternative diversity mechanisms”: OlymMATH-Hard",
  "evaluation.steps": "Table “Alternative diversity mechanisms”: the best step",
};
