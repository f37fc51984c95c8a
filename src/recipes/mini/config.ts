// What the miniature does, with every number in one place. Sizes are for two cores and eleven minutes.
import { z } from "zod";
import { rlOptionsSchema, samplingAheadSchema } from "../../training/rl-options.ts";
import type { SftOptions } from "../../training/sft-loop.ts";
import { paperVariants, type Variant, variantObjective, variantsSchema } from "../variants.ts";
import { worldSizes, worlds } from "./world.ts";

const count = z.number().int().positive();

export const miniSchema = z.strictObject({
  seed: z.number().int().default(1),
  /** `large`: a model ten times as large on larger boards, for a GPU. */
  size: z.enum(worldSizes).default("small"),
  corpus: z
    .strictObject({
      traces: count.default(3_200),
      /**
       * Share of traces that guess before they must. The rarer a guess, the more it surprises the SFT model, which is what the
       * bonus pays for; the more of them, the more plain RL has to gain by leaving them out.
       */
      guessing: z.number().min(0).max(1).default(0.45),
      errorRate: z.number().min(0).max(1).default(0.01),
    })
    .prefault({}),
  sft: z
    .strictObject({
      epochs: count.default(1),
      tracesPerStep: count.default(32),
      learningRate: z.number().positive().default(3e-4),
      validationPerPuzzle: count.default(8),
    })
    .prefault({}),
  rl: z
    .strictObject({
      steps: count.default(15),
      problemsPerStep: count.default(28),
      rolloutsPerProblem: count.default(8),
      epochs: count.default(2),
      learningRate: z.number().positive().default(9e-5),
      /** Small batches shake the policy; what they shook loose settles again when the steps grow small. */
      learningRateFloor: z.number().min(0).max(1).default(0.05),
      temperature: z.number().positive().default(0.8),
      /** Stronger than the paper's 1e-3, at which the bonus does not keep recovery alive in a model this small. */
      kl: z.number().nonnegative().default(0.1),
      samplingAhead: samplingAheadSchema.optional(),
    })
    .prefault({}),
  novelty: z
    .strictObject({
      weight: z.number().positive().default(0.1),
      /** The paper's 100 tokens are a 250th of its traces; short traces need a larger share. */
      share: z.number().gt(0).lte(1).default(0.1),
    })
    .prefault({}),
  /** The RL runs; GSPO without and with the bonus unless given. */
  variants: variantsSchema.optional(),
  evaluation: z
    .strictObject({
      /** That of training. The paper's 0.6 is for models a thousand times larger: at 0.6 this one drops a quarter of its guesses. */
      temperature: z.number().positive().default(0.8),
      heldOutPerPuzzle: count.default(32),
      heldOutRollouts: count.default(8),
      searchPerPuzzle: count.default(50),
      searchRollouts: count.default(8),
      largerPerPuzzle: count.default(8),
      mathematics: count.default(84),
      otherRollouts: count.default(8),
    })
    .prefault({}),
});
export type MiniConfig = z.output<typeof miniSchema>;
export type MiniConfigInput = z.input<typeof miniSchema>;

export const variantsOf = ({ variants }: MiniConfig): readonly Variant[] => variants ?? paperVariants;

export function sftOptions({ seed, size, sft, evaluation }: MiniConfig): SftOptions {
  return {
    epochs: sft.epochs,
    sequencesPerStep: sft.tracesPerStep,
    learningRate: sft.learningRate,
    schedule: { shape: "cosine", warmupSteps: 5, floor: 0.1 },
    weightDecay: 0,
    maxGradientNorm: 1,
    seed,
    stepsPerCheckpoint: 20,
    validation: {
      rolloutsPerProblem: 2,
      sampling: { temperature: evaluation.temperature, maxTokens: worlds[size].maxTokens },
    },
  };
}

export function rlOptions({ seed, size, rl, novelty }: MiniConfig, variant: Variant) {
  const objective = variantObjective(variant, {
    gspo: { algorithm: "gspo", kl: { coefficient: rl.kl } },
    novelty: { kind: "novelty", weight: novelty.weight, top: { share: novelty.share } },
  });
  return rlOptionsSchema.parse({
    objective,
    steps: rl.steps,
    problemsPerStep: rl.problemsPerStep,
    rolloutsPerProblem: rl.rolloutsPerProblem,
    rolloutsPerUpdate: rl.problemsPerStep * rl.rolloutsPerProblem,
    epochs: rl.epochs,
    learningRate: rl.learningRate,
    schedule: { floor: rl.learningRateFloor },
    sampling: { temperature: rl.temperature, maxTokens: worlds[size].maxTokens },
    samplingAhead: rl.samplingAhead,
    // Both variants draw the same problems and the same seeds: what differs is the bonus.
    seed,
    stepsPerCheckpoint: 2,
  });
}
