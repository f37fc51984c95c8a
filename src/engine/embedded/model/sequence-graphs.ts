// The graphs that read whole sequences: scoring (tokens to log-probs), training (the same and gradients), and reading a
// prompt (tokens to a cache).
import { GraphBuilder, type Value } from "../graph/builder.ts";
import { rmsNorm, selectRows } from "../graph/operations/layers.ts";
import { scoreTokens, type TokenHead, trainTokens } from "../graph/operations/token-head.ts";
import { Tape } from "../graph/tape.ts";
import type { Graph } from "../onnx/model.ts";
import { type Adapters, adapterSpecs } from "./adapters.ts";
import { type DecoderWeights, decoderHidden, type SequenceInputs } from "./decoder.ts";
import type { DecoderConfig } from "./decoder-config.ts";
import { forKinds, logits, tableInputs, weightInputs } from "./graph-inputs.ts";
import { embeddingName, finalNormName, type ParameterSpec, parameterSpecs, vocabularyName } from "./parameters.ts";

export const sumName = (parameter: string) => `sum:${parameter}`;
export const gradientName = (parameter: string) => `gradient:${parameter}`;

type SequenceGraphOptions = {
  readonly config: DecoderConfig;
  readonly adapters?: Adapters;
  /** Into how many blocks of queries attention is cut. */
  readonly blocks: number;
};

export function trainableSpecs(config: DecoderConfig, adapters?: Adapters): ParameterSpec[] {
  return adapters === undefined ? parameterSpecs(config) : adapterSpecs(config, adapters);
}

/** Adds Σ weight·∇logprob (and entropies') to the sums, which are bound as inputs and outputs over the same memory. */
export function trainingGraph(
  options: SequenceGraphOptions & {
    readonly entropies: boolean;
    readonly probabilities: SequenceInputs["probabilities"];
  },
): Graph {
  const { config, adapters } = options;
  const g = new GraphBuilder("training");
  const tape = new Tape(g);
  const weights = weightInputs(tape, config, adapters);
  const trainable = trainableSpecs(config, adapters);
  const separateEmbedding = adapters === undefined && !config.tied;
  for (const { name, shape } of trainable) {
    const outsideGraph = separateEmbedding && name === embeddingName;
    tape.trainable(weights.parameter(name), outsideGraph ? undefined : g.input(sumName(name), shape));
  }
  const { hidden, embedded } = decoderHidden(tape, config, weights, sequenceInputs(g, options, options.probabilities));
  const head = trainTokens(tape, headInputs(tape, config, weights, hidden), {
    logprob: g.input("weights", ["selected", 1]),
    ...(options.entropies ? { entropy: g.input("entropyWeights", ["selected", 1]) } : {}),
  });
  outputHead(g, head);
  for (const { name } of trainable) {
    if (separateEmbedding && name === embeddingName) continue;
    g.output(gradientName(name), tape.gradientOf(weights.parameter(name)));
  }
  if (adapters === undefined) g.output("embeddedGradient", tape.gradientOf(embedded));
  return g.build();
}

export function scoringGraph(options: SequenceGraphOptions & { readonly entropies: boolean }): Graph {
  const { config } = options;
  const g = new GraphBuilder("scoring");
  const tape = new Tape(g);
  const weights = weightInputs(tape, config, options.adapters);
  const { hidden } = decoderHidden(tape, config, weights, sequenceInputs(g, options, "keep"));
  outputHead(g, scoreTokens(tape, headInputs(tape, config, weights, hidden), options.entropies));
  return g.build();
}

/** One prompt: keys and values of every position, and the logits after the last. */
export function promptGraph(options: SequenceGraphOptions): Graph {
  const { config } = options;
  const g = new GraphBuilder("prompt");
  const tape = new Tape(g);
  const weights = weightInputs(tape, config, options.adapters);
  const { hidden, caches } = decoderHidden(tape, config, weights, sequenceInputs(g, options, "keep"));
  const last = selectRows(tape, hidden, g.input("selected", ["selected"], "int64"));
  g.output("logits", logits(tape, config, weights, last));
  caches.forEach(({ keys, values }, layer) => {
    g.output(`keys:${layer}`, keys);
    g.output(`values:${layer}`, values);
  });
  return g.build();
}

function sequenceInputs(
  g: GraphBuilder,
  options: SequenceGraphOptions,
  probabilities: SequenceInputs["probabilities"],
): SequenceInputs {
  const { config } = options;
  return {
    tokens: g.input("tokens", ["batch", "length"], "int32"),
    tables: tableInputs(g, config),
    masks: forKinds(config, (kind) => g.input(`mask:${kind}`, ["length", "length"])),
    blocks: {
      start: g.integers([0]),
      ends: Array.from({ length: options.blocks }, (_, i) => g.input(`end:${i}`, [1], "int64")),
    },
    probabilities,
  };
}

function headInputs(tape: Tape, config: DecoderConfig, weights: DecoderWeights, hidden: Value) {
  const g = tape.graph;
  const rows = selectRows(tape, hidden, g.input("selected", ["selected"], "int64"));
  return {
    hidden: rmsNorm(tape, rows, weights.parameter(finalNormName), config.normEpsilon),
    vocabulary: weights.parameter(vocabularyName(config)),
    targets: g.input("targets", ["selected", 1], "int32"),
    inverseTemperature: g.input("inverseTemperature", []),
  };
}

function outputHead(g: GraphBuilder, head: TokenHead): void {
  g.output("logprobs", head.logprobs);
  if (head.entropies !== undefined) g.output("entropies", head.entropies);
}
