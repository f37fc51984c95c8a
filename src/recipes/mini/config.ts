// The miniature as settings of the recipe: what differs from the paper's values, each with its reason. Sizes are for two cores
// and ten minutes or so.
import { stated } from "../../problems/paper.ts";
import type { PresetRecord } from "../presets.ts";
import { type MiniatureSizes, world } from "./world.ts";

const listed = (sizes: MiniatureSizes): string[] => Object.entries(sizes).map(([name, params]) => `${name}=${params}`);

const ofPuzzle = "each puzzle's own size for small models";
const forTwoCores = "two cores, some ten minutes";

const { training, larger, search, contextLength, maxTokens } = world;

export const miniRecord: PresetRecord = {
  "puzzles.training": stated(listed(training), ofPuzzle),
  "puzzles.larger": stated(listed(larger), `${ofPuzzle}; one step beyond`),
  "puzzles.search": stated(listed(search), `${ofPuzzle}; harder levels, where search is needed more often`),
  "puzzles.stages": stated("shared", "there are too few small boards to split them"),
  "lora.rank": stated(0, "a model this small trains all its weights"),
  contextLength: stated(contextLength, "the model's"),
  "corpus.traces": stated(1_920, "sixty steps switch the mode; a weaker SFT leaves RL more to gain"),
  "corpus.attempts": stated(2, "there are fewer small puzzles than traces to make"),
  "corpus.maxTokens": stated(maxTokens, "what fits into the context"),
  "corpus.narration.style": stated("terse", "the language of the model's vocabulary"),
  "corpus.narration.guessing": stated(
    0.5,
    "the rarer guesses are, the more the bonus pays for them; the more of them there are, the more plain RL gains by dropping them",
  ),
  "corpus.narration.errorRate": stated(0.01, "short traces"),
  "corpus.narration.maxSteps": stated(120, "short traces"),
  "sft.epochs": stated(1, forTwoCores),
  "sft.learningRate": stated(3e-4, "all weights of a small model"),
  "sft.schedule": stated("cosine", "one epoch"),
  "sft.warmupSteps": stated(5, "one epoch"),
  "sft.learningRateFloor": stated(0.1, "one epoch"),
  "sft.validationPerPuzzle": stated(8, forTwoCores),
  "sft.validationRollouts": stated(2, "few puzzles"),
  "sft.temperature": stated(0.8, "as in training"),
  "sft.stepsPerCheckpoint": stated(20, "a minute"),
  "rl.steps": stated(24, forTwoCores),
  "rl.problemsPerStep": stated(
    40,
    "fresh boards tell more than a second pass: with half as many, what plain RL gains is lost to noise",
  ),
  "rl.epochs": stated(1, "a second pass costs nearly as much as fresh rollouts, and says less"),
  "rl.learningRate": stated(8e-5, "all weights of a small model, and few steps"),
  "rl.learningRateFloor": stated(0.05, "small batches are noisy; small final steps average the noise out"),
  "rl.maxPromptTokens": stated(contextLength - maxTokens, "what fits into the context"),
  "rl.maxTokens": stated(maxTokens, "what fits into the context"),
  "rl.kl": stated(
    0.1,
    "stronger than the paper's 1e-3, as steps are few and large; at 0.3 RL changes too little to lose a problem",
  ),
  "rl.advantageFloor": stated(
    0.5,
    "where all rollouts are right the bonus would be the whole signal, and its weight would cancel; also for plain GSPO",
  ),
  "rl.stepsPerCheckpoint": stated(2, "a minute"),
  "novelty.weight": stated(0.4, "the paper's 0.1 and 0.25 keep too few guesses at this dose of RL"),
  "novelty.share": stated(0.1, "the paper's 100 tokens are 1/250 of its traces; short traces need a larger share"),
  "evaluation.temperature": stated(
    0.8,
    "as in training; the paper's 0.6 is for models a thousand times larger: at 0.6 this one drops a quarter of its guesses",
  ),
  "evaluation.maxTokens": stated(maxTokens, "what fits into the context"),
  "evaluation.rollouts": stated(8, forTwoCores),
  "evaluation.heldOutPerPuzzle": stated(16, forTwoCores),
  "evaluation.searchPerPuzzle": stated(16, forTwoCores),
  "evaluation.largerPerPuzzle": stated(4, forTwoCores),
  "evaluation.benchmarks": stated(["synthetic"], "mathematics in the model's vocabulary"),
  "evaluation.syntheticProblems": stated(200, "a question is short, and two in five need search"),
};
