// The paper's experiment as one record: every value, and its place in the paper or that it is ours. `run paper`, `train`,
// `teach`, `export` and the defaults of training read their values here; no other file states one.
import { paperReward } from "../grading/reward.ts";

export type Stated = {
  readonly value: unknown;
  readonly from: string;
  /** What holds while there is no value. */
  readonly unset?: string;
};
export const stated = <T>(value: T, from: string) => ({ value, from });
const optional = (unset: string, from: string) => ({ value: undefined, unset, from });

const accuracyTable = "Table “In-domain puzzle accuracy”";
const curves = "Appendix “Additional benchmark curves”";
const narrating = "ours: for the narrating teacher";

type StatedVariant = { name: string; title?: string; color?: string; objective?: Record<string, unknown> };

/** The two RL runs of the paper: what a variant changes of the recipe's objective. */
const gspo: StatedVariant = { name: "vanilla" };
const withNovelty: StatedVariant = { name: "novelty", objective: { advantage: { bonus: { kind: "novelty" } } } };

/** By the path that `--set` knows a setting by. */
export const paperRecord = {
  seed: stated(1, "ours: not stated"),
  "puzzles.training": stated(
    ["bridges=7x7d0", "pattern=4x4", "undead=4x4de", "galaxies=3x3dn"],
    `sizes: ${accuracyTable}; difficulties: ours`,
  ),
  "puzzles.teaching": optional(
    "as `puzzles.training`",
    "appendix “Depth shift on puzzles”: RL has harder puzzles than SFT; which ones is not stated",
  ),
  "puzzles.larger": stated(
    ["bridges=8x8d0", "undead=5x5de", "pattern=5x5"],
    "sizes: Figure “pass@k across the recipe”; difficulties: ours",
  ),
  "puzzles.search": stated(
    [] as string[],
    "ours: puzzles that deduction line by line does not solve; the paper has no such set",
  ),
  "puzzles.stages": stated(
    "apart" as "apart" | "shared",
    "ours: SFT and RL share no puzzle; `shared` draws both from all train puzzles",
  ),
  "puzzles.searchShare": optional(
    "as they come",
    "ours: of RL's puzzles, how many deduction line by line does not solve; with it, it solves all others",
  ),
  "lora.rank": stated(64, "Tables “Stage 1” and “Stage 2”"),
  "lora.sftAlpha": stated(64, "Table “Stage 1 (SFT) hyperparameters”"),
  "lora.rlAlpha": stated(128, "Table “Stage 2 (RL) hyperparameters”"),
  contextLength: stated(32_000, "Table “Stage 1”: max sequence length"),
  "optimizer.beta1": stated(0.9, "ours: not stated; AdamW's usual"),
  "optimizer.beta2": stated(0.999, "ours: not stated; AdamW's usual"),
  "optimizer.epsilon": stated(1e-8, "ours: not stated; AdamW's usual"),
  "corpus.puzzles": stated(8_000, "ours: not stated"),
  "corpus.attempts": stated(1, "ours: not stated"),
  "corpus.traces": optional("what is kept of `corpus.puzzles`", "ours: narrated until so many are kept"),
  "corpus.maxTokens": stated(28_000, "Table “Stage 1”: corpus filtered to 28k tokens"),
  "corpus.temperature": stated(0.8, "ours: not stated; DeepSeek's reasoning models ignore it"),
  "corpus.narration.style": stated("prose" as "prose" | "plain" | "terse", narrating),
  "corpus.narration.guessing": stated(0.5, narrating),
  "corpus.narration.errorRate": stated(0.02, narrating),
  "corpus.narration.maxSteps": stated(2_000, narrating),
  "sft.epochs": stated(8, "Table “Stage 1”: 8 trained, the best by held-out pass@1 used"),
  "sft.tracesPerStep": stated(32, "Table “Stage 1”: train batch size"),
  "sft.learningRate": stated(2e-4, "Table “Stage 1”"),
  "sft.schedule": stated("constant" as "constant" | "linear" | "cosine", "ours: not stated"),
  "sft.warmupSteps": stated(0, "ours: not stated"),
  "sft.learningRateFloor": stated(0.3, "ours: as in RL; without effect while the schedule is constant"),
  "sft.weightDecay": stated(0, "ours: not stated"),
  "sft.maxGradientNorm": stated(1, "ours: not stated"),
  "sft.validationPerPuzzle": stated(25, "ours: not stated"),
  "sft.validationRollouts": stated(1, `${accuracyTable}: greedy`),
  "sft.temperature": stated(0, `${accuracyTable}: greedy`),
  "sft.stepsPerCheckpoint": stated(50, "ours: how much work a kill may cost"),
  "rl.steps": stated(70, "Table “Stage 2”: total steps"),
  "rl.problemsPerStep": stated(128, "Table “Stage 2”: train batch size"),
  "rl.rolloutsPerProblem": stated(8, "Table “Stage 2”"),
  "rl.rolloutsPerUpdate": stated(1024, "Table “Stage 2”: PPO mini-batch; it is all rollouts of a step"),
  "rl.epochs": stated(4, "Table “Stage 2”: PPO epochs"),
  "rl.learningRate": stated(5e-5, "Table “Stage 2”"),
  "rl.schedule": stated("cosine" as const, "Table “Stage 2”: cosine"),
  "rl.learningRateFloor": stated(0.3, "Table “Stage 2”: cosine, min ratio"),
  "rl.weightDecay": stated(0, "ours: not stated"),
  "rl.maxGradientNorm": stated(1, "ours: not stated"),
  "rl.temperature": stated(0.8, "Table “Stage 2”: sampling"),
  "rl.topP": stated(1, "Table “Stage 2”: sampling"),
  "rl.maxPromptTokens": stated(3_000, "Table “Stage 2”"),
  "rl.maxTokens": stated(28_000, "Table “Stage 2”"),
  "rl.clipBelow": stated(2.5e-3, "Table “Stage 2”: GSPO clip ratios"),
  "rl.clipAbove": stated(5e-3, "Table “Stage 2”: GSPO clip ratios"),
  "rl.kl": stated(1e-3, "Table “Stage 2”: low-variance KL"),
  "rl.klClamp": stated("verl" as const, "ours: not stated; as verl does"),
  "rl.advantageDivisor": stated("sample" as const, "ours: not stated; as verl does"),
  "rl.advantageEpsilon": stated(1e-6, "ours: not stated; as verl does"),
  "rl.advantageFloor": stated(0, "ours: not stated; rewards of a group that spread less are divided by this"),
  "rl.scoringTemperature": stated(
    "sampling" as const,
    "ours: not stated; as verl does, and 1 for servers that cannot score at a temperature",
  ),
  "rl.problems": stated([] as string[], "ours: the paper trains on `puzzles.training` alone"),
  "rl.heldOutShare": stated(0.1, "ours: of the questions in `rl.problems`"),
  "rl.stepsPerCheckpoint": stated(5, `steps 10 and 15 are reported in ${accuracyTable}`),
  "reward.exact": stated(paperReward.exact, "Table “Stage 2”: reward"),
  "reward.completion": stated(paperReward.completion, "Table “Stage 2”: reward"),
  "reward.format": stated(paperReward.format, "Table “Stage 2”: reward"),
  "reward.changedCell": stated(paperReward.changedCell, "Appendix “Training hyperparameters”: completion"),
  "reward.completionPower": stated(paperReward.completionPower, "Appendix “Training hyperparameters”: completion, p"),
  "reward.completionBy": stated(
    paperReward.completionBy,
    "Appendix “Training hyperparameters”: completion, by cells; `classes` is ours",
  ),
  variants: stated([gspo, withNovelty], "Section 8: GSPO, and GSPO with the bonus; others are ours"),
  "novelty.weight": stated(0.1, "Section 8 and Figure “novelty-bonus algorithm”: α"),
  "novelty.tokens": stated(100, "Section 8: k"),
  "novelty.share": optional("`novelty.tokens`", "ours: a share of the trace instead of a number of tokens"),
  "novelty.clip": stated(2, "Figure “novelty-bonus algorithm”: z-clip"),
  "novelty.divisor": stated("sample" as const, "ours: not stated"),
  "novelty.scoringTemperature": stated(1, "ours: not stated; the reference as it is"),
  "evaluation.temperature": stated(0.6, "Section 3: setup and evaluation"),
  "evaluation.maxTokens": stated(25_000, `${curves}: evaluation cost note`),
  "evaluation.rollouts": stated(32, "Section 3: setup and evaluation"),
  "evaluation.rolloutsOf": stated(
    {} as Record<string, number>,
    "ours: by set (`held-out`, `search`, `larger` or a benchmark), where it is not `evaluation.rollouts`",
  ),
  "evaluation.heldOutPerPuzzle": stated(200, accuracyTable),
  "evaluation.largerPerPuzzle": stated(100, "ours: not stated"),
  "evaluation.searchPerPuzzle": stated(100, "ours: of `puzzles.search`"),
  "evaluation.syntheticProblems": stated(100, "ours: of the benchmark `synthetic`"),
  "evaluation.benchmarks": stated(
    [
      ...["olymmath-en-hard", "hmmt", "omega-explorative", "olymmath-en-easy", "aime-2025"],
      ...["omega-compositional", "omega-transformative"],
    ],
    `Section 3 and ${curves.replace("Appendix", "appendix")}`,
  ),
  "evaluation.hmmt": stated(
    ["hmmt-feb-2024", "hmmt-feb-2025", "hmmt-nov-2025", "hmmt-feb-2026"],
    "ours: “HMMT combined” has 123 problems; which contests is not stated",
  ),
  "evaluation.omegaProblems.explorative": stated(134, "Figure “pass@k across the recipe”: N = 134"),
  "evaluation.omegaProblems.compositional": stated(100, `${curves}: sub-sampled to 100`),
  "evaluation.omegaProblems.transformative": stated(100, `${curves}: sub-sampled to 100`),
  "evaluation.steps": stated(
    {} as Record<string, number[] | "best">,
    `${accuracyTable}: vanilla at its best step, novelty at 10 and 15; ours: the last one, which is always judged`,
  ),
  "evaluation.best.by": stated("held-out" as const, `ours: ${accuracyTable} does not say by what`),
  "evaluation.best.rollouts": stated(1, `${accuracyTable}: greedy`),
  "evaluation.best.temperature": stated(0, `${accuracyTable}: greedy`),
  "evaluation.greedy": stated([] as string[], `${accuracyTable}: puzzles greedily; ours: they are sampled`),
} satisfies Readonly<Record<string, Stated>>;

export type PaperPath = keyof typeof paperRecord;

export const paperValue = <P extends PaperPath>(path: P): (typeof paperRecord)[P]["value"] => paperRecord[path].value;

export const paperModel = "allenai/OLMo-3-7B-Instruct-SFT";

const shownItem = (item: unknown): string =>
  typeof item === "object" && item !== null && "name" in item ? String(item.name) : String(item);

/** A value as tables show it. */
export function shownSetting(path: string, value: unknown): string {
  const stated: Stated | undefined = (paperRecord as Readonly<Record<string, Stated>>)[path];
  if (value === undefined) return stated?.unset ?? "none";
  if (Array.isArray(value)) return value.map(shownItem).join(" ") || "none";
  if (typeof value !== "object" || value === null) return String(value);
  return (
    Object.entries(value)
      .map(([key, one]) => `${key}=${shownItem(one)}`)
      .join(" ") || "none"
  );
}
