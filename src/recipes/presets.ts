// The recipe under its names: `mini`, `paper` and `pilots` are settings of the same stages. A preset is a record of the values
// in which it differs from the paper's, each with its place in the paper or its reason.
import { putSetting } from "../base/setting-path.ts";
import { type PaperPath, paperModel, type Stated, stated } from "../problems/paper.ts";
import { miniRecord } from "./mini/config.ts";
import type { Speed } from "./plan.ts";
import type { RecipeSettingsInput } from "./settings.ts";

export type PresetRecord = Readonly<Partial<Record<PaperPath, Stated>>>;

export type Preset = {
  readonly name: "mini" | "paper" | "pilots";
  readonly record: PresetRecord;
  /** What a command takes where nobody says otherwise; without a model, the one that ships with the package. */
  readonly usual: { readonly model?: string; readonly engine?: "embedded"; readonly teacher?: "narrated" };
  /** For an estimate of its cost: how long a response is, and how fast tokens go by where it usually runs. */
  readonly estimate: { readonly responseTokens: number; readonly speed?: Speed; readonly speedFrom?: string };
};

export const paperPreset: Preset = {
  name: "paper",
  record: {},
  usual: { model: paperModel },
  estimate: { responseTokens: 25_000 },
};

const pilotVariants = [
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

const alternatives = "Table “Alternative diversity mechanisms”";

/** The paper's pilots: two puzzles, short responses, and the ways to keep diversity against each other, each at its best step. */
export const pilotsPreset: Preset = {
  ...paperPreset,
  name: "pilots",
  record: {
    "puzzles.training": stated(
      ["bridges=7x7d0", "undead=4x4de"],
      "appendix “Alternative diversity mechanisms”: Bridges and Undead; sizes as in the main runs",
    ),
    "puzzles.larger": stated(["bridges=8x8d0", "undead=5x5de"], "ours: as in the main runs, without Pattern"),
    "corpus.maxTokens": stated(12_000, "ours: what the pilots' budget can hold"),
    "rl.steps": stated(20, "ours: the appendix follows the pilots up to step 20"),
    "rl.maxTokens": stated(12_000, "appendix “Alternative diversity mechanisms”: 12k tokens a response"),
    variants: stated(pilotVariants, `${alternatives}; the entropy coefficient is ours`),
    "evaluation.maxTokens": stated(12_000, "ours: the pilots' budget"),
    "evaluation.benchmarks": stated(["olymmath-en-hard"], `${alternatives}: OlymMATH-Hard`),
    "evaluation.steps": stated(
      Object.fromEntries(pilotVariants.map(({ name }) => [name, "best" as const])),
      `${alternatives}: the best step`,
    ),
  },
};

export const miniPreset: Preset = {
  name: "mini",
  record: miniRecord,
  usual: { engine: "embedded", teacher: "narrated" },
  estimate: {
    responseTokens: 150,
    // Fitted to the seconds of the stages (docs/notebook.md): SFT 48, RL 147 and 158, an evaluation 35.
    speed: { sampled: 11_500, scored: 90_000, trained: 13_500 },
    speedFrom: "two idle cores with the embedded engine",
  },
};

/** A preset's values as settings, before anything is set over them. */
export function presetSettings({ record }: Preset): RecipeSettingsInput {
  const settings: Record<string, unknown> = {};
  for (const [path, { value }] of Object.entries(record)) putSetting(settings, path, value);
  return settings;
}
