// What a Tinker server does where servers differ and the client has to know: one record per kind. Training refuses a server
// over which the client, by this record, does not pass the conformance suite.

export const serverKinds = ["repertoire", "tinker", "skyrl-jax", "skyrl-fsdp", "tuft"] as const;
export type ServerKind = (typeof serverKinds)[number];

export const optimizerFields = ["learningRate", "betas", "epsilon", "weightDecay", "maxGradientNorm"] as const;
export type OptimizerField = (typeof optimizerFields)[number];

export const largestSeeds = { int32: 2 ** 31 - 1, uint32: 2 ** 32 - 1 } as const;

export type Capabilities = {
  /**
   * How the weights of cross-entropy become a loss. `token-sum`: Σ w·(−lp). `sequence-normalized`: each sequence is divided
   * by its own weights and the mean over sequences is taken at the step, so importance sampling must carry ours.
   */
  readonly reduction: "token-sum" | "sequence-normalized";
  /** Prompt log-probs start with an empty entry for the first token, or leave it out. */
  readonly promptLogprobs: "with-first" | "without-first";
  /** Log-probs of sampled tokens at another temperature than 1. */
  readonly sampledLogprobs: "raw" | "tempered";
  /** Optimizer fields that act at every step; the others are fixed when the model is made. */
  readonly optimizerFields: readonly OptimizerField[];
  /** Scoring at a temperature, entropies and their gradient, and skipping the prompt: ours alone. */
  readonly extendedScoring: boolean;
  /** A sampling session can be opened on weights saved for training. */
  readonly samplesFromTrainingWeights: boolean;
  /** A second model can be made while the first one is there. */
  readonly severalModels: boolean;
  /** Seeds of samples; larger ones are folded into this range. */
  readonly seeds: keyof typeof largestSeeds;
  /** Sampling a checkpoint leaves the model that saved it alone, or puts the checkpoint in the place of its live weights. */
  readonly frozenCheckpoints: "apart" | "over-live-weights";
  /** A model that was made anew has no gradient yet, or still that of the one before it in its slot. */
  readonly newModels: "clean" | "with-old-gradients";
  /** Weight decay at the step of one model moves that model alone, or all on the server. */
  readonly weightDecayReach: "own-model" | "all-models";
  /** The scale of adapters is the client's to choose, or the server's. */
  readonly loraAlpha: "chosen" | "fixed";
  /** All weights can be trained, not adapters alone. */
  readonly fullWeights: boolean;
  /** A checkpoint's adapter can be merged into the weights, and a fresh one begun on the result. */
  readonly mergesAdapters: boolean;
};

/** The protocol as it is written down; servers are described by where they leave it. */
const documented: Capabilities = {
  reduction: "token-sum",
  promptLogprobs: "with-first",
  sampledLogprobs: "raw",
  optimizerFields,
  extendedScoring: false,
  samplesFromTrainingWeights: false,
  severalModels: true,
  seeds: "int32",
  frozenCheckpoints: "apart",
  newModels: "clean",
  weightDecayReach: "own-model",
  loraAlpha: "fixed",
  fullWeights: false,
  mergesAdapters: false,
};

export const capabilities: Readonly<Record<ServerKind, Capabilities>> = {
  repertoire: {
    ...documented,
    extendedScoring: true,
    samplesFromTrainingWeights: true,
    seeds: "uint32",
    loraAlpha: "chosen",
    fullWeights: true,
    mergesAdapters: true,
  },
  tinker: documented,
  "skyrl-jax": {
    ...documented,
    reduction: "sequence-normalized",
    promptLogprobs: "without-first",
    optimizerFields: ["learningRate", "betas", "epsilon", "weightDecay"],
    frozenCheckpoints: "over-live-weights",
    newModels: "with-old-gradients",
    weightDecayReach: "all-models",
  },
  "skyrl-fsdp": { ...documented, optimizerFields: ["learningRate"], severalModels: false },
  tuft: { ...documented, sampledLogprobs: "tempered" },
};

/** What a run's settings ask for that this kind of server does not do, each with what happens instead. */
export function ignoredSettings(
  kind: ServerKind,
  asked: { readonly loraAlpha?: number; readonly maxGradientNorm?: number; readonly weightDecay?: number },
): string[] {
  const can = capabilities[kind];
  const acts = (field: OptimizerField) => can.optimizerFields.includes(field);
  return [
    ...(asked.loraAlpha !== undefined && can.loraAlpha === "fixed"
      ? [`the adapters' alpha of ${asked.loraAlpha} is not sent: a ${kind} server has its own (SkyRL and Tinker: 32)`]
      : []),
    ...(asked.maxGradientNorm !== undefined && !acts("maxGradientNorm")
      ? [
          `gradients are not clipped to a norm of ${asked.maxGradientNorm}: a ${kind} server takes no limit from a client`,
        ]
      : []),
    ...((asked.weightDecay ?? 0) > 0 && !acts("weightDecay")
      ? [`the weight decay of ${asked.weightDecay} does not act: a ${kind} server fixes its own when a model is made`]
      : []),
    ...((asked.weightDecay ?? 0) > 0 && can.weightDecayReach === "all-models"
      ? [
          `the weight decay of ${asked.weightDecay} moves every model on a ${kind} server; the reference is reloaded after each step`,
        ]
      : []),
  ];
}
