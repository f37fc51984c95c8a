// What a Tinker server does where servers differ. Training refuses a server whose measured behaviour is not what its
// record says.

export type ServerKind = "repertoire" | "tinker" | "skyrl-jax" | "skyrl-fsdp" | "tuft";

export type Capabilities = {
  /** Body of forward_backward. */
  readonly wire: "protobuf" | "json";
  /**
   * How weights become a loss. `token-sum`: Σ w·(−lp). `sequence-normalised`: each sequence is divided by its own weights
   * and the mean over sequences is taken at the step, so the importance-sampling form must carry ours.
   */
  readonly reduction: "token-sum" | "sequence-normalised";
  /** Prompt log-probs start with an empty entry for the first token, or leave it out. */
  readonly promptLogprobs: "with-first" | "without-first";
  /** Log-probs of sampled tokens at another temperature than 1. */
  readonly sampledLogprobs: "raw" | "tempered";
  /** Optimizer fields that act at every step; the others are fixed when the model is made. */
  readonly optimizerFields: readonly ("learningRate" | "betas" | "epsilon" | "weightDecay" | "maxGradientNorm")[];
  /** Scoring at a temperature, entropies and their gradient, and skipping the prompt: ours alone. */
  readonly extendedScoring: boolean;
  /** A sampling session can be opened on weights saved for training. */
  readonly samplesFromTrainingWeights: boolean;
};

const everyField = ["learningRate", "betas", "epsilon", "weightDecay", "maxGradientNorm"] as const;

export const capabilities: Readonly<Record<ServerKind, Capabilities>> = {
  repertoire: {
    wire: "protobuf",
    reduction: "token-sum",
    promptLogprobs: "with-first",
    sampledLogprobs: "raw",
    optimizerFields: everyField,
    extendedScoring: true,
    samplesFromTrainingWeights: true,
  },
  tinker: {
    wire: "protobuf",
    reduction: "token-sum",
    promptLogprobs: "with-first",
    sampledLogprobs: "raw",
    optimizerFields: everyField,
    extendedScoring: false,
    samplesFromTrainingWeights: false,
  },
  "skyrl-jax": {
    wire: "protobuf",
    reduction: "sequence-normalised",
    promptLogprobs: "without-first",
    sampledLogprobs: "raw",
    optimizerFields: ["learningRate", "betas", "epsilon", "weightDecay"],
    extendedScoring: false,
    samplesFromTrainingWeights: false,
  },
  "skyrl-fsdp": {
    wire: "protobuf",
    reduction: "token-sum",
    promptLogprobs: "with-first",
    sampledLogprobs: "raw",
    optimizerFields: ["learningRate"],
    extendedScoring: false,
    samplesFromTrainingWeights: false,
  },
  tuft: {
    wire: "protobuf",
    reduction: "token-sum",
    promptLogprobs: "with-first",
    sampledLogprobs: "tempered",
    optimizerFields: everyField,
    extendedScoring: false,
    samplesFromTrainingWeights: false,
  },
};
