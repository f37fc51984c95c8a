// The paper's experiment, with every number in one place. Where a number stands in the paper is said in `docs/recipes.md`;
// what the paper does not state is marked here as ours.
import { z } from "zod";
import { paperPuzzles } from "../../problems/paper-puzzles.ts";
import type { ObjectiveInput } from "../../training/objective.ts";
import { type RlOptions, rlOptionsSchema } from "../../training/rl-options.ts";
import type { SftOptions } from "../../training/sft-loop.ts";
import { sftOptionsSchema } from "../../training/sft-options.ts";

const count = z.number().int().positive();
const share = z.number().min(0).max(1);
const puzzles = z.array(z.string().regex(/^\w+=\S+$/, "expected name=params, for example bridges=7x7d0")).min(1);

export const paperSchema = z.strictObject({
  seed: z.number().int().default(1),
  puzzles: z
    .strictObject({
      training: puzzles.default(paperPuzzles.map(({ puzzle, params }) => `${puzzle}=${params}`)),
      larger: puzzles.default(["bridges=8x8d0", "undead=5x5de", "pattern=5x5"]),
    })
    .prefault({}),
  lora: z
    .strictObject({ rank: count.default(64), sftAlpha: count.default(64), rlAlpha: count.default(128) })
    .prefault({}),
  contextLength: count.default(32_000),
  corpus: z
    .strictObject({
      /** Ours: the paper does not state how many puzzles its teacher was asked, nor how often each. */
      puzzles: count.default(8_000),
      attempts: count.default(1),
      maxTokens: count.default(28_000),
      /** Ours; DeepSeek's reasoning models ignore it. */
      temperature: z.number().nonnegative().default(0.8),
      /** For the narrating teacher alone. */
      narration: z
        .strictObject({
          style: z.enum(["plain", "prose"]).default("prose"),
          guessing: share.default(0.5),
          slips: share.default(0.02),
          maxSteps: count.default(2_000),
        })
        .prefault({}),
    })
    .prefault({}),
  sft: z
    .strictObject({
      epochs: count.default(8),
      tracesPerStep: count.default(32),
      learningRate: z.number().positive().default(2e-4),
      /** Ours: how many held-out puzzles choose the epoch, and how they are sampled. */
      heldOutPerPuzzle: count.default(25),
      temperature: z.number().nonnegative().default(0),
      stepsPerCheckpoint: count.default(50),
    })
    .prefault({}),
  rl: z
    .strictObject({
      steps: count.default(70),
      problemsPerStep: count.default(128),
      rolloutsPerProblem: count.default(8),
      /** The paper's mini-batch of 1,024 is all rollouts of a step. */
      rolloutsPerUpdate: count.default(1024),
      epochs: count.default(4),
      learningRate: z.number().positive().default(5e-5),
      learningRateFloor: share.default(0.3),
      temperature: z.number().positive().default(0.8),
      maxPromptTokens: count.default(3_000),
      maxTokens: count.default(28_000),
      clipBelow: z.number().positive().default(2.5e-3),
      clipAbove: z.number().positive().default(5e-3),
      kl: z.number().nonnegative().default(1e-3),
      /** Ours: as verl does, and 1 for servers that cannot score at a temperature. */
      scoringTemperature: z.union([z.literal("sampling"), z.number().positive()]).default("sampling"),
      stepsPerCheckpoint: count.default(5),
    })
    .prefault({}),
  novelty: z
    .strictObject({
      weight: z.number().positive().default(0.1),
      tokens: count.default(100),
      clip: z.number().positive().default(2),
    })
    .prefault({}),
  evaluation: z
    .strictObject({
      temperature: z.number().nonnegative().default(0.6),
      maxTokens: count.default(25_000),
      rollouts: count.default(32),
      heldOutPerPuzzle: count.default(200),
      /** Ours: the paper does not state how many. */
      largerPerPuzzle: count.default(100),
      benchmarks: z
        .array(z.string())
        .default([
          ...["olymmath-en-hard", "hmmt", "omega-explorative", "olymmath-en-easy", "aime-2025"],
          ...["omega-compositional", "omega-transformative"],
        ]),
      /** Of each OMEGA split, the same ones for every policy. */
      omegaProblems: count.default(100),
      /** Which steps of the two RL runs are judged; the last ones unless said. */
      vanillaStep: count.optional(),
      noveltyStep: count.optional(),
    })
    .prefault({}),
});
export type PaperSettings = z.output<typeof paperSchema>;
export type PaperSettingsInput = z.input<typeof paperSchema>;

export const policies = ["base", "sft", "vanilla", "novelty"] as const;
export type PolicyName = (typeof policies)[number];
export type Variant = "vanilla" | "novelty";

/** HMMT combined is 123 problems in the paper: four contests. */
export const combinedBenchmarks: Readonly<Record<string, readonly string[]>> = {
  hmmt: ["hmmt-feb-2024", "hmmt-feb-2025", "hmmt-nov-2025", "hmmt-feb-2026"],
};

export function sftOptions({ seed, sft, rl }: PaperSettings): SftOptions {
  return sftOptionsSchema.parse({
    epochs: sft.epochs,
    sequencesPerStep: sft.tracesPerStep,
    learningRate: sft.learningRate,
    seed,
    stepsPerCheckpoint: sft.stepsPerCheckpoint,
    heldOut: { rolloutsPerProblem: 1, sampling: { temperature: sft.temperature, maxTokens: rl.maxTokens } },
  });
}

export function rlOptions({ seed, rl, novelty }: PaperSettings, variant: Variant): RlOptions {
  const bonus =
    variant === "vanilla"
      ? ({ kind: "none" } as const)
      : ({
          kind: "novelty",
          weight: novelty.weight,
          top: { tokens: novelty.tokens },
          clip: novelty.clip,
          scoringTemperature: 1,
        } as const);
  const objective: ObjectiveInput = {
    algorithm: "gspo",
    clip: { below: rl.clipBelow, above: rl.clipAbove },
    kl: { coefficient: rl.kl },
    advantage: { estimator: "group", bonus },
  };
  return rlOptionsSchema.parse({
    objective,
    steps: rl.steps,
    problemsPerStep: rl.problemsPerStep,
    rolloutsPerProblem: rl.rolloutsPerProblem,
    rolloutsPerUpdate: rl.rolloutsPerUpdate,
    epochs: rl.epochs,
    learningRate: rl.learningRate,
    schedule: { shape: "cosine", floor: rl.learningRateFloor },
    sampling: { temperature: rl.temperature, maxTokens: rl.maxTokens },
    scoringTemperature: rl.scoringTemperature,
    // Both variants draw the same problems and the same seeds: what differs is the bonus.
    seed,
    stepsPerCheckpoint: rl.stepsPerCheckpoint,
  });
}
