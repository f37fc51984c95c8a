// An RL stage as exports want it: the options of training, the paper's where nobody says otherwise, and what training leaves to
// the engine from the paper's record.
import { isDeepStrictEqual } from "node:util";
import { ConfigurationError } from "../../base/errors.ts";
import { putSetting, settingAt } from "../../base/setting-path.ts";
import { paperValue } from "../../problems/paper.ts";
import { objectiveSchema } from "../../training/objective.ts";
import { type RlOptions, rlOptionsSchema } from "../../training/rl-options.ts";

export function stageOf(given: RlOptions = rlOptionsSchema.parse({})) {
  const { objective, sampling, schedule, ...options } = given;
  if (objective.algorithm !== "gspo")
    throw new ConfigurationError(`exports train with GSPO; the settings say ${objective.algorithm}`);
  const bonus = bonusOf(given);
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

export function bonusOf({ objective: { advantage } }: RlOptions) {
  return advantage.bonus.kind === "novelty" ? advantage.bonus : undefined;
}

/** What makes the rows, what is cut to a step's rollouts, and what our own loop alone heeds: none of it need show in a configuration. */
const notTheTrainers = /^(steps|problemsPerStep|rolloutsPerUpdate|alarms\..*)$/;

/** Changed settings of which nothing that is written depends: training would go on without them, and nobody would be told. */
export function settingsWithoutPlace(options: RlOptions, written: (stage: Stage) => unknown): string[] {
  const bonus = bonusOf(options) && { kind: "novelty" as const };
  const objective = { algorithm: "gspo" as const, advantage: { bonus } };
  const usual = rlOptionsSchema.parse({ objective });
  const asGiven = written(stageOf(options));
  return changedPaths(options, usual).filter((path) => {
    if (notTheTrainers.test(path)) return false;
    const without = structuredClone(options);
    putSetting(without, path, settingAt(usual, path));
    try {
      return isDeepStrictEqual(written(stageOf(without)), asGiven);
    } catch (error) {
      // Other settings go with this one alone.
      if (error instanceof ConfigurationError) return false;
      throw error;
    }
  });
}

/** Records of one kind are compared entry by entry, others as a whole. */
function changedPaths(given: object, usual: object, path = ""): string[] {
  const [a, b] = [given, usual] as Record<string, unknown>[];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => {
    if (isDeepStrictEqual(a[key], b[key])) return [];
    return isRecord(a[key]) && isRecord(b[key]) && sameKind(a[key], b[key])
      ? changedPaths(a[key], b[key], `${path}${key}.`)
      : [`${path}${key}`];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const sameKind = (a: Record<string, unknown>, b: Record<string, unknown>): boolean =>
  ["algorithm", "kind", "by"].every((name) => a[name] === b[name]);

/** The paper's bonus, as training has it. */
export function paperNovelty() {
  const { advantage } = objectiveSchema.parse({
    algorithm: "gspo",
    advantage: { bonus: { kind: "novelty" } },
  });
  if (advantage.bonus.kind !== "novelty" || !("tokens" in advantage.bonus.top))
    throw new Error("the default novelty bonus no longer counts tokens");
  const { weight, clip, divisor, top } = advantage.bonus;
  return { weight, clip, divisor, tokens: top.tokens };
}

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
