// The last layer: log-probability and entropy of the tokens that followed, and the gradient of
// Σ weight·logprob + Σ entropyWeight·entropy. Logits exist only for the rows that are asked for.
import type { Value } from "../builder.ts";
import {
  add,
  exponential,
  gatherElements,
  gemm,
  logSoftmax,
  mul,
  negate,
  reduceLast,
  replaceElements,
  sub,
} from "../operators.ts";
import type { Tape } from "../tape.ts";

export type TokenHead = {
  /** Each rows x 1. */
  readonly logprobs: Value;
  readonly entropies?: Value;
};

type TokenHeadInputs = {
  /** rows x width. */
  readonly hidden: Value;
  /** vocabulary x width. */
  readonly vocabulary: Value;
  /** rows x 1, the token that followed. */
  readonly targets: Value;
  /** A scalar: logits are multiplied by it. */
  readonly inverseTemperature: Value;
};

/** rows x 1 each; without `entropy` no entropy is computed. */
type TokenWeights = { readonly logprob: Value; readonly entropy?: Value };

/** Forward alone, for scoring. */
export function scoreTokens(tape: Tape, inputs: TokenHeadInputs, entropies: boolean): TokenHead {
  const { logprobs } = distribution(tape, inputs);
  const g = tape.graph;
  return {
    logprobs: gatherElements(g, logprobs, inputs.targets),
    ...(entropies ? { entropies: entropyOf(tape, logprobs, exponential(g, logprobs)) } : {}),
  };
}

/** Forward, and the backward pass of everything before it. */
export function trainTokens(tape: Tape, inputs: TokenHeadInputs, weights: TokenWeights): TokenHead {
  const g = tape.graph;
  const { hidden, vocabulary, targets, inverseTemperature } = inputs;
  const { scaled, logits, logprobs } = distribution(tape, inputs);
  const probabilities = exponential(g, logprobs);
  const targetLogprobs = gatherElements(g, logprobs, targets);
  const entropies = weights.entropy === undefined ? undefined : entropyOf(tape, logprobs, probabilities);

  tape.record(logits, [hidden, vocabulary], (dLogits, contribute) => {
    contribute(vocabulary, (soFar) => gemm(g, dLogits, scaled, { transposeA: true, plus: soFar }));
    contribute(hidden, (soFar) => tape.sum(soFar, mul(g, gemm(g, dLogits, vocabulary), inverseTemperature)));
  });

  // d logprob / d logits = onehot − p, and d entropy / d logits = −p·(log p + entropy).
  const pull =
    entropies === undefined || weights.entropy === undefined
      ? weights.logprob
      : add(g, mul(g, add(g, logprobs, entropies), weights.entropy), weights.logprob);
  const away = mul(g, probabilities, entropies === undefined ? negate(g, pull) : pull);
  const dLogits = entropies === undefined ? away : negate(g, away);
  const atTarget = add(g, gatherElements(g, dLogits, targets), weights.logprob);
  tape.backward(logits, replaceElements(g, dLogits, targets, atTarget));
  return { logprobs: targetLogprobs, entropies };
}

function distribution(tape: Tape, inputs: TokenHeadInputs) {
  // Scaling the hidden rows is cheaper than scaling the logits.
  const scaled = mul(tape.graph, inputs.hidden, inputs.inverseTemperature);
  const logits = gemm(tape.graph, scaled, inputs.vocabulary, { transposeB: true });
  return { scaled, logits, logprobs: logSoftmax(tape.graph, logits) };
}

function entropyOf(tape: Tape, logprobs: Value, probabilities: Value): Value {
  const g = tape.graph;
  return sub(g, g.scalar(0), reduceLast(g, "ReduceSum", mul(g, probabilities, logprobs)));
}
