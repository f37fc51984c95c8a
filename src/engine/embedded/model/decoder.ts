// One forward pass of a decoder, written once for training, scoring and reading a prompt: tokens in, hidden rows out.
import type { Value } from "../graph/builder.ts";
import { attention, type QueryBlocks } from "../graph/operations/attention.ts";
import {
  embed,
  mergeHeads,
  plus,
  type RotaryTables,
  rmsNorm,
  rotary,
  splitHeads,
  swiglu,
  viewed,
} from "../graph/operations/layers.ts";
import type { Tape } from "../graph/tape.ts";
import { type AttentionKind, type DecoderConfig, normPlacement, queryKeyNorm } from "./decoder-config.ts";
import { embeddingName, layerPrefix, type ProjectionName, projectionsOf } from "./parameters.ts";

/** The weights as values of the graph. A projection may be more than one matrix (LoRA), so it is a function. */
export type DecoderWeights = {
  parameter(name: string): Value;
  project(tape: Tape, x: Value, path: string, residual?: Value): Value;
};

export type SequenceInputs = {
  /** batch x length. */
  readonly tokens: Value;
  readonly tables: Readonly<Record<AttentionKind, RotaryTables>>;
  readonly masks: Readonly<Record<AttentionKind, Value>>;
  readonly blocks: QueryBlocks;
  readonly probabilities: "keep" | "recompute";
};

/** Keys and values of one layer, batch x key heads x length x head size, keys already turned. */
type LayerCache = { readonly keys: Value; readonly values: Value };

export function decoderHidden(
  tape: Tape,
  config: DecoderConfig,
  weights: DecoderWeights,
  inputs: SequenceInputs,
): { readonly hidden: Value; readonly embedded: Value; readonly caches: readonly LayerCache[] } {
  const embedded = embed(tape, weights.parameter(embeddingName), inputs.tokens, "rows");
  const position = tape.graph.integers([0]);
  const caches: LayerCache[] = [];
  let x = embedded;
  config.layers.forEach((kind, layer) => {
    const attend = (q: Value, k: Value, v: Value): Value => {
      const toHeads = (rows: Value, heads: number) => splitHeads(tape, rows, inputs.tokens, heads, config.headSize);
      const queries = rotary(tape, toHeads(q, config.heads), inputs.tables[kind], position);
      const keys = rotary(tape, toHeads(k, config.keyHeads), inputs.tables[kind], position);
      const values = toHeads(v, config.keyHeads);
      caches.push({ keys, values });
      const attended = attention(tape, queries, keys, values, {
        scale: attentionScale(config),
        blocks: inputs.blocks,
        mask: inputs.masks[kind],
        probabilities: inputs.probabilities,
      });
      return mergeHeads(tape, attended, inputs.tokens, q);
    };
    x = decoderLayer(tape, config, weights, layer, x, attend);
  });
  return { hidden: x, embedded, caches };
}

export const attentionScale = (config: DecoderConfig) => 1 / Math.sqrt(config.headSize);

/** One layer around whatever attention does with the projected queries, keys and values (each rows x heads·size). */
export function decoderLayer(
  tape: Tape,
  config: DecoderConfig,
  weights: DecoderWeights,
  layer: number,
  x: Value,
  attend: (q: Value, k: Value, v: Value) => Value,
): Value {
  const prefix = layerPrefix(layer);
  const paths = projectionsOf(config);
  const project = (input: Value, name: ProjectionName, residual?: Value) =>
    weights.project(tape, input, prefix + paths[name].path, residual);
  const norm = (input: Value, name: string) =>
    rmsNorm(tape, input, weights.parameter(`${prefix}${name}.weight`), config.normEpsilon);

  const attentionOf = (input: Value, residual?: Value) => {
    const q = queryKeyNormed(tape, config, project(input, "q_proj"), (rows) => norm(rows, "self_attn.q_norm"));
    const k = queryKeyNormed(tape, config, project(input, "k_proj"), (rows) => norm(rows, "self_attn.k_norm"));
    return project(attend(q, k, project(input, "v_proj")), "o_proj", residual);
  };
  const feedForwardOf = (input: Value, residual?: Value) =>
    project(swiglu(tape, project(input, "gate_proj"), project(input, "up_proj")), "down_proj", residual);

  if (normPlacement(config.family) === "before") {
    const attended = attentionOf(norm(x, "input_layernorm"), x);
    return feedForwardOf(norm(attended, "post_attention_layernorm"), attended);
  }
  const attended = plus(tape, x, norm(attentionOf(x), "post_attention_layernorm"));
  return plus(tape, attended, norm(feedForwardOf(attended), "post_feedforward_layernorm"));
}

function queryKeyNormed(tape: Tape, config: DecoderConfig, rows: Value, norm: (rows: Value) => Value): Value {
  switch (queryKeyNorm(config.family)) {
    case "none":
      return rows;
    case "all heads":
      return norm(rows);
    case "each head":
      return viewed(tape, norm(viewed(tape, rows, [`heads·${rows.shape[0]}`, config.headSize])), rows.shape);
  }
}
