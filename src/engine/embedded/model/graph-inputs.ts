// What every graph of a decoder takes in: the weights by name, and the tables of rotary positions.
import type { GraphBuilder, Value } from "../graph/builder.ts";
import { linear, rmsNorm } from "../graph/operations/layers.ts";
import { gemm, logarithm, mul, reduceLast, softmax, sub } from "../graph/operators.ts";
import type { Tape } from "../graph/tape.ts";
import { type Adapters, adapterSpecs } from "./adapters.ts";
import type { DecoderWeights } from "./decoder.ts";
import type { AttentionKind, DecoderConfig } from "./decoder-config.ts";
import { finalNormName, type Parameters, parameterSpecs, vocabularyName } from "./parameters.ts";

export function tableInputs(g: GraphBuilder, config: DecoderConfig) {
  const half = config.headSize / 2;
  return forKinds(config, (kind) => ({
    cosines: g.input(`cosines:${kind}`, ["positions", half]),
    sines: g.input(`sines:${kind}`, ["positions", half]),
  }));
}

/** Only for the kinds of attention that some layer has. */
export function forKinds<T>(config: DecoderConfig, make: (kind: AttentionKind) => T): Record<AttentionKind, T> {
  const made: Partial<Record<AttentionKind, T>> = {};
  for (const kind of new Set(config.layers)) made[kind] = make(kind);
  return made as Record<AttentionKind, T>;
}

/** Weights as inputs of the graph, or laid down in it where `frozen` gives their numbers. */
export function weightInputs(
  tape: Tape,
  config: DecoderConfig,
  adapters?: Adapters,
  frozen?: Parameters,
): DecoderWeights {
  const g = tape.graph;
  const values = new Map<string, Value>();
  const specs = [...parameterSpecs(config), ...(adapters === undefined ? [] : adapterSpecs(config, adapters))];
  for (const { name, shape } of specs) {
    const known = frozen?.get(name);
    values.set(name, known === undefined ? g.input(name, shape) : g.frozen(name, known.data, known.shape));
  }
  const parameter = (name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the model has no parameter ${name}`);
    return value;
  };
  return {
    parameter,
    project: (tape, x, path, residual) => {
      const base = linear(tape, x, parameter(`${path}.weight`), { residual });
      const down = values.get(`${path}.lora_A.weight`);
      const up = values.get(`${path}.lora_B.weight`);
      if (adapters === undefined || down === undefined || up === undefined) return base;
      return linear(tape, linear(tape, x, down), up, { residual: base, scale: adapters.alpha / adapters.rank });
    },
  };
}

/** rows x vocabulary, after the last norm. */
export function logits(tape: Tape, config: DecoderConfig, weights: DecoderWeights, rows: Value): Value {
  const normed = rmsNorm(tape, rows, weights.parameter(finalNormName), config.normEpsilon);
  return gemm(tape.graph, normed, weights.parameter(vocabularyName(config)), { transposeB: true });
}

/**
 * What a token is drawn from: the softmax at each row's own temperature, and the logarithms of the sums under it and
 * under the plain one.
 */
export function outputDistribution(g: GraphBuilder, logits: Value): void {
  const inverseTemperatures = g.input("inverseTemperatures", [logits.shape[0], 1]);
  const tempered = mul(g, logits, inverseTemperatures);
  const probabilities = softmax(g, tempered);
  g.output("probabilities", probabilities);
  g.output("temperedTotals", logTotals(g, tempered, probabilities));
  g.output("plainTotals", logTotals(g, logits, softmax(g, logits)));
}

/** The largest logit has the largest probability, exp(logit − total), which never underflows. */
function logTotals(g: GraphBuilder, logits: Value, probabilities: Value): Value {
  return sub(g, reduceLast(g, "ReduceMax", logits), logarithm(g, reduceLast(g, "ReduceMax", probabilities)));
}
