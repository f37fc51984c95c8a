// The paper's RL stage as exports want it: training's own defaults, and the rest from the paper's record.
import { paperValue } from "../../problems/paper.ts";
import { rlOptionsSchema } from "../../training/rl-options.ts";
import { paperNovelty } from "../novelty-requests.ts";

export function paperStage() {
  const { objective, sampling, schedule, ...options } = rlOptionsSchema.parse({});
  if (objective.algorithm !== "gspo") throw new Error("the paper's objective is GSPO");
  return {
    ...options,
    ...sampling,
    topP: sampling.topP ?? paperValue("rl.topP"),
    promptTokens: paperValue("rl.maxPromptTokens"),
    lowestLearningRate: schedule.floor,
    clip: objective.clip,
    kl: objective.kl.coefficient,
    adapter: { rank: paperValue("lora.rank"), alpha: paperValue("lora.rlAlpha"), modules: "all-linear" },
    novelty: paperNovelty(),
  };
}

/** Prompt and response together: 31,000 tokens. */
export function paperTokens(): number {
  const { promptTokens, maxTokens } = paperStage();
  return promptTokens + maxTokens;
}

/** What a step samples, by which the reward server's record counts steps. */
export function rolloutsPerStep(): number {
  const { problemsPerStep, rolloutsPerProblem } = paperStage();
  return problemsPerStep * rolloutsPerProblem;
}

/** The paper's learning rate is an adapter's. Where all weights are trained we take a tenth of it; that is our choice. */
export const learningRateOfAllWeights = (): number => paperStage().learningRate / 10;

/** How many cards share one sequence, so that no card holds more than about 8,000 of its 31,000 tokens. */
export function sequenceParallel(gpus: number): number {
  return [4, 2, 1].find((size) => gpus % size === 0) ?? 1;
}

/** Tokens a card computes at once: one whole sequence, shared, rounded up to 1,024. */
export function tokensPerGpu(gpus: number): number {
  return Math.ceil(paperTokens() / sequenceParallel(gpus) / 1024) * 1024;
}
