// An RL stage as exports want it: the options of training, the paper's where nobody says otherwise, and what training leaves to
// the engine from the paper's record.
import { ConfigurationError } from "../../base/errors.ts";
import { paperValue } from "../../problems/paper.ts";
import { type RlOptions, rlOptionsSchema } from "../../training/rl-options.ts";
import { paperNovelty } from "../novelty-requests.ts";

export function stageOf(given: RlOptions = rlOptionsSchema.parse({})) {
  const { objective, sampling, schedule, ...options } = given;
  if (objective.algorithm !== "gspo")
    throw new ConfigurationError(`exports train with GSPO; the settings say ${objective.algorithm}`);
  const { advantage } = objective;
  const bonus = advantage.estimator === "group" && advantage.bonus.kind === "novelty" ? advantage.bonus : undefined;
  if (bonus !== undefined && !("tokens" in bonus.top))
    throw new ConfigurationError(
      'the trainers\' bonus counts tokens: set objective.advantage.bonus.top to {"tokens": 100}',
    );
  const rolloutsPerStep = options.problemsPerStep * options.rolloutsPerProblem;
  const rolloutsPerUpdate = Math.min(options.rolloutsPerUpdate, rolloutsPerStep);
  if (rolloutsPerStep % rolloutsPerUpdate !== 0)
    throw new ConfigurationError(
      `${rolloutsPerStep} rollouts a step are no whole number of updates of ${rolloutsPerUpdate}; set rolloutsPerUpdate to a divisor`,
    );
  if (rolloutsPerUpdate % options.rolloutsPerProblem !== 0)
    throw new ConfigurationError(
      `an update of ${rolloutsPerUpdate} rollouts would cut a group of ${options.rolloutsPerProblem}; set rolloutsPerUpdate to a multiple`,
    );
  const novelty = paperNovelty();
  const { adapter, tokens } = {
    adapter: { rank: paperValue("lora.rank"), alpha: paperValue("lora.rlAlpha"), modules: "all-linear" },
    tokens: paperValue("rl.maxPromptTokens") + sampling.maxTokens,
  };
  return {
    ...options,
    ...sampling,
    topP: sampling.topP ?? paperValue("rl.topP"),
    promptTokens: paperValue("rl.maxPromptTokens"),
    /** Prompt and response together: the paper's 31,000. */
    tokens,
    lowestLearningRate: schedule.floor,
    /** The paper's learning rate is an adapter's. Where all weights are trained we take a tenth of it; that is our choice. */
    learningRateOfAllWeights: options.learningRate / 10,
    /** By which the reward server's record counts steps. */
    rolloutsPerStep,
    /** At most all of a step, as our own loop has it. */
    rolloutsPerUpdate,
    clip: objective.clip,
    kl: objective.kl.coefficient,
    adapter,
    novelty:
      bonus === undefined
        ? novelty
        : {
            ...novelty,
            weight: bonus.weight,
            clip: bonus.clip,
            divisor: bonus.divisor,
            ...("tokens" in bonus.top && bonus.top),
          },
  };
}

export type Stage = ReturnType<typeof stageOf>;

/** Of an update. */
export function rolloutsOfOneGpu({ rolloutsPerUpdate }: Stage, gpus: number): number {
  const share = rolloutsPerUpdate / gpus;
  if (Number.isInteger(share)) return share;
  throw new ConfigurationError(`${rolloutsPerUpdate} rollouts an update cannot be shared by ${gpus} GPUs`);
}

/** How many cards share one sequence, so that no card holds more than about 8,000 of its 31,000 tokens. */
export function sequenceParallel(gpus: number): number {
  return [4, 2, 1].find((size) => gpus % size === 0) ?? 1;
}

/** Tokens a card computes at once: one whole sequence, shared, rounded up to 1,024. */
export function tokensPerGpu({ tokens }: Stage, gpus: number): number {
  return Math.ceil(tokens / sequenceParallel(gpus) / 1024) * 1024;
}
