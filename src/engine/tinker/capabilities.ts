// What a Tinker server does where servers differ: one record per kind. `probe.ts` measures the same fields by experiment,
// and training refuses a server whose measured behaviour is not what its record says.

export const serverKinds = ["repertoire", "tinker", "skyrl-jax", "skyrl-fsdp", "tuft"] as const;
export type ServerKind = (typeof serverKinds)[number];

export const optimizerFields = ["learningRate", "betas", "epsilon", "weightDecay", "maxGradientNorm"] as const;
export type OptimizerField = (typeof optimizerFields)[number];

export type Capabilities = {
  /** The body of forward_backward that we send. */
  readonly wire: "protobuf" | "json";
  /**
   * How the weights of cross-entropy become a loss. `token-sum`: Σ w·(−lp). `sequence-normalised`: each sequence is divided
   * by its own weights and the mean over sequences is taken at the step, so importance sampling must carry ours.
   */
  readonly reduction: "token-sum" | "sequence-normalised";
  /** Cross-entropy with a weight below 0 lowers the log-prob, or breaks. */
  readonly negativeWeights: "honoured" | "broken";
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
};

/** The protocol as it is written down; servers are described by where they leave it. */
const documented: Capabilities = {
  wire: "protobuf",
  reduction: "token-sum",
  negativeWeights: "honoured",
  promptLogprobs: "with-first",
  sampledLogprobs: "raw",
  optimizerFields,
  extendedScoring: false,
  samplesFromTrainingWeights: false,
  severalModels: true,
};

export const capabilities: Readonly<Record<ServerKind, Capabilities>> = {
  repertoire: { ...documented, extendedScoring: true, samplesFromTrainingWeights: true },
  tinker: documented,
  "skyrl-jax": {
    ...documented,
    reduction: "sequence-normalised",
    negativeWeights: "broken",
    promptLogprobs: "without-first",
    optimizerFields: ["learningRate", "betas", "epsilon", "weightDecay"],
  },
  "skyrl-fsdp": { ...documented, optimizerFields: ["learningRate"], severalModels: false },
  tuft: { ...documented, sampledLogprobs: "tempered" },
};
