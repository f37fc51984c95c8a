// The settings of the recipe: what may be set, and within which bounds. The paper's values, and where each stands in the
// paper, are in `problems/paper.ts`; those of the miniature and of the pilots are presets over them.
import { z } from "zod";
import { type PaperPath, paperValue } from "../problems/paper.ts";
import { optimizerSchema, type RlOptions, rlOptionsSchema } from "../training/rl-options.ts";
import { type SftOptions, sftOptionsSchema } from "../training/sft-options.ts";
import { paperVariants, variantNamed, variantObjective, variantsSchema } from "./variants.ts";

/** Paths whose value in the paper is of this type. */
type PathOf<T> = { [P in PaperPath]: ReturnType<typeof paperValue<P>> extends T ? P : never }[PaperPath];

const count = (path: PathOf<number>) => z.number().int().positive().default(paperValue(path));
const positive = (path: PathOf<number>) => z.number().positive().default(paperValue(path));
const nonnegative = (path: PathOf<number>) => z.number().nonnegative().default(paperValue(path));
const share = (path: PathOf<number>) => z.number().min(0).max(1).default(paperValue(path));
const divisor = (path: "rl.advantageDivisor" | "novelty.divisor") =>
  z.enum(["sample", "population"]).default(paperValue(path));
const shape = (path: "sft.schedule" | "rl.schedule") =>
  z.enum(["constant", "linear", "cosine"]).default(paperValue(path));
/** Steps of a variant or epochs of `sft`, or the best one. */
const keptSteps = z.union([z.literal("best"), z.array(z.number().int().nonnegative())]);
const world = z.string().regex(/^\w+=\S+$/, "expected name=params, for example bridges=7x7d0");
const worlds = (path: "puzzles.training" | "puzzles.larger" | "puzzles.search") =>
  z
    .array(world)
    .min(path === "puzzles.training" ? 1 : 0)
    .default([...paperValue(path)]);

/** Every field has a default, so that a section left out is an empty one. */
const section = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const fields = z.strictObject(shape);
  return fields.prefault({} as z.input<typeof fields>);
};

/** What the loops take as it is here; the rest of their options is put together below. */
const rlLoop = rlOptionsSchema.omit({
  ...{
    objective: true,
    sampling: true,
    schedule: true,
    optimizer: true,
    seed: true,
    alarms: true,
  },
}).shape;
const sftLoop = sftOptionsSchema.omit({
  ...{ sequencesPerStep: true, schedule: true, optimizer: true, seed: true, validation: true },
}).shape;

export const recipeSchema = z.strictObject({
  seed: z.number().int().default(paperValue("seed")),
  puzzles: section({
    training: worlds("puzzles.training"),
    /** SFT's, where they are not RL's. */
    teaching: z.array(world).min(1).optional(),
    larger: worlds("puzzles.larger"),
    /** Where puzzles that need search are looked for. */
    search: worlds("puzzles.search"),
    /** Whether a train puzzle belongs to SFT or to RL, or to both. */
    stages: z.enum(["apart", "shared"]).default(paperValue("puzzles.stages")),
    /** Of RL's puzzles, how many need search (they come from `search`); the others do not. As they come unless given. */
    searchShare: z.number().min(0).max(1).optional(),
  }),
  lora: section({
    /** 0 trains all weights. */
    rank: z.number().int().nonnegative().default(paperValue("lora.rank")),
    sftAlpha: count("lora.sftAlpha"),
    rlAlpha: count("lora.rlAlpha"),
  }),
  contextLength: count("contextLength"),
  /** Of both stages. */
  optimizer: optimizerSchema.prefault({}),
  corpus: section({
    puzzles: count("corpus.puzzles"),
    attempts: count("corpus.attempts"),
    /** Narrated until so many are kept, each puzzle `attempts` times, however many puzzles that takes. */
    traces: z.number().int().positive().optional(),
    maxTokens: count("corpus.maxTokens"),
    temperature: nonnegative("corpus.temperature"),
    narration: section({
      style: z.enum(["terse", "plain", "prose"]).default(paperValue("corpus.narration.style")),
      guessing: share("corpus.narration.guessing"),
      errorRate: share("corpus.narration.errorRate"),
      maxSteps: count("corpus.narration.maxSteps"),
    }),
  }),
  sft: section({
    ...sftLoop,
    tracesPerStep: count("sft.tracesPerStep"),
    schedule: shape("sft.schedule"),
    warmupSteps: z.number().int().nonnegative().default(paperValue("sft.warmupSteps")),
    learningRateFloor: share("sft.learningRateFloor"),
    /** How many held-out puzzles of a kind choose the epoch, and how they are sampled. */
    validationPerPuzzle: count("sft.validationPerPuzzle"),
    validationRollouts: count("sft.validationRollouts"),
    temperature: nonnegative("sft.temperature"),
  }),
  rl: section({
    ...rlLoop,
    schedule: shape("rl.schedule"),
    learningRateFloor: share("rl.learningRateFloor"),
    temperature: positive("rl.temperature"),
    topP: z.number().gt(0).lte(1).default(paperValue("rl.topP")),
    maxPromptTokens: count("rl.maxPromptTokens"),
    maxTokens: count("rl.maxTokens"),
    clipBelow: positive("rl.clipBelow"),
    clipAbove: positive("rl.clipAbove"),
    kl: nonnegative("rl.kl"),
    klClamp: z.enum(["verl", "none"]).default(paperValue("rl.klClamp")),
    advantageDivisor: divisor("rl.advantageDivisor"),
    advantageEpsilon: nonnegative("rl.advantageEpsilon"),
    advantageFloor: nonnegative("rl.advantageFloor"),
    /** Sources to train on instead of `puzzles.training`, with weights: `questions.jsonl*2`; `puzzles` stands for those. */
    problems: z.array(z.string().min(1)).default([...paperValue("rl.problems")]),
    heldOutShare: share("rl.heldOutShare"),
  }),
  reward: section({
    exact: nonnegative("reward.exact"),
    completion: nonnegative("reward.completion"),
    format: nonnegative("reward.format"),
    changedCell: positive("reward.changedCell"),
    completionPower: positive("reward.completionPower"),
    completionBy: z.enum(["cells", "classes"]).default(paperValue("reward.completionBy")),
  }),
  novelty: section({
    weight: positive("novelty.weight"),
    tokens: count("novelty.tokens"),
    /** Of a trace, instead of `tokens`. */
    share: z.number().gt(0).lte(1).optional(),
    clip: positive("novelty.clip"),
    divisor: divisor("novelty.divisor"),
    scoringTemperature: positive("novelty.scoringTemperature"),
  }),
  variants: variantsSchema.default([...paperVariants]),
  evaluation: section({
    temperature: nonnegative("evaluation.temperature"),
    maxTokens: count("evaluation.maxTokens"),
    rollouts: count("evaluation.rollouts"),
    rolloutsOf: z.record(z.string(), z.number().int().positive()).default({ ...paperValue("evaluation.rolloutsOf") }),
    heldOutPerPuzzle: count("evaluation.heldOutPerPuzzle"),
    largerPerPuzzle: count("evaluation.largerPerPuzzle"),
    searchPerPuzzle: count("evaluation.searchPerPuzzle"),
    syntheticProblems: count("evaluation.syntheticProblems"),
    benchmarks: z.array(z.string()).default([...paperValue("evaluation.benchmarks")]),
    /** The contests that `hmmt` stands for. */
    hmmt: z
      .array(z.string())
      .min(1)
      .default([...paperValue("evaluation.hmmt")]),
    /** Of each OMEGA split, the same ones for every policy. */
    omegaProblems: section({
      explorative: count("evaluation.omegaProblems.explorative"),
      compositional: count("evaluation.omegaProblems.compositional"),
      transformative: count("evaluation.omegaProblems.transformative"),
    }),
    /** By policy: kept steps that are judged besides the last one, each in a folder of its own. */
    steps: z.record(z.string(), keptSteps).default({ ...paperValue("evaluation.steps") }),
    /** How `best` is found: on the held-out puzzles that choose and do not judge, or by the rollouts of training. */
    best: section({
      by: z.enum(["held-out", "training"]).default(paperValue("evaluation.best.by")),
      rollouts: count("evaluation.best.rollouts"),
      temperature: nonnegative("evaluation.best.temperature"),
    }),
    /** Sets that are also asked once at temperature 0: a benchmark, `held-out` or `larger`. */
    greedy: z.array(z.string()).default([...paperValue("evaluation.greedy")]),
  }),
});
export type RecipeSettings = z.output<typeof recipeSchema>;
export type RecipeSettingsInput = z.input<typeof recipeSchema>;

/** In the order in which they are made. */
export const policiesOf = ({ variants }: Pick<RecipeSettings, "variants">): string[] => [
  ...["base", "sft"],
  ...variants.map(({ name }) => name),
];

/** Sets that are judged besides benchmarks. */
export const puzzleSetNames = ["held-out", "search", "larger"] as const;

/** How many problems of a benchmark are asked, where it is not all of them. */
export function problemCount(set: string, { omegaProblems }: RecipeSettings["evaluation"]): number | undefined {
  const split = /^omega-(explorative|compositional|transformative)(?:-in)?$/.exec(set)?.[1];
  return split === undefined ? undefined : omegaProblems[split as keyof typeof omegaProblems];
}

export function sftOptions({ seed, sft, rl, optimizer }: RecipeSettings): SftOptions {
  const { tracesPerStep, schedule, warmupSteps, learningRateFloor, temperature, ...rest } = sft;
  const { validationPerPuzzle, validationRollouts, ...same } = rest;
  return sftOptionsSchema.parse({
    ...same,
    sequencesPerStep: tracesPerStep,
    schedule: { shape: schedule, warmupSteps, floor: learningRateFloor },
    optimizer,
    seed,
    validation: { rolloutsPerProblem: validationRollouts, sampling: { temperature, maxTokens: rl.maxTokens } },
  });
}

export function rlOptions({ seed, rl, novelty, optimizer, variants }: RecipeSettings, variant: string): RlOptions {
  const { schedule, learningRateFloor, temperature, topP, maxTokens, clipBelow, clipAbove, kl, klClamp, ...rest } = rl;
  const { advantageDivisor, advantageEpsilon, advantageFloor, maxPromptTokens, problems, heldOutShare, ...same } = rest;
  const { tokens, share, ...bonus } = novelty;
  const objective = variantObjective(variantNamed(variants, variant), {
    gspo: {
      algorithm: "gspo",
      clip: { below: clipBelow, above: clipAbove },
      kl: { coefficient: kl, clamp: klClamp },
      advantage: {
        normalization: {
          by: "deviation",
          divisor: advantageDivisor,
          epsilon: advantageEpsilon,
          floor: advantageFloor,
        },
      },
    },
    novelty: { ...bonus, kind: "novelty", top: share === undefined ? { tokens } : { share } },
  });
  return rlOptionsSchema.parse({
    ...same,
    objective,
    schedule: { shape: schedule, floor: learningRateFloor },
    optimizer,
    sampling: { temperature, maxTokens, ...(topP < 1 && { topP }) },
    // All variants draw the same problems and the same seeds: what differs is the objective.
    seed,
  });
}
