// The graph of one decoding step: one token more for each of many sequences, each with its own length.
import { GraphBuilder, type Value } from "../graph/builder.ts";
import {
  add,
  batchedMatmul,
  concat,
  gatherRows,
  mul,
  reduceLast,
  replaceElements,
  reshape,
  rotate,
  slice,
  softmax,
} from "../graph/operators.ts";
import { Tape } from "../graph/tape.ts";
import type { Graph } from "../onnx/model.ts";
import type { Adapters } from "./adapters.ts";
import { attentionScale, decoderLayer } from "./decoder.ts";
import type { DecoderConfig } from "./decoder-config.ts";
import { forKinds, logits, outputDistribution, tableInputs, weightInputs } from "./graph-inputs.ts";
import { embeddingName, type Parameters } from "./parameters.ts";

/**
 * The caches are inputs; only what the step adds to them comes out (`added`: keys and values of each layer in turn),
 * because an output is always copied. Row 0 of every cache stands for the new token itself: its value is
 * zero there, and its score is put in place of the one the cache gives.
 */
export function decodingGraph(
  config: DecoderConfig,
  options: { adapters?: Adapters; frozen?: Parameters } = {},
): Graph {
  const g = new GraphBuilder("decoding");
  const tape = new Tape(g);
  const weights = weightInputs(tape, config, options.adapters, options.frozen);
  const tokens = g.input("tokens", ["rows"], "int32");
  const positions = g.input("positions", ["rows", 1], "int64");
  const tables = tableInputs(g, config);
  const masks = forKinds(config, (kind) => g.input(`mask:${kind}`, ["rows", 1, 1, 1, "cached"]));
  const { heads, keyHeads, headSize } = config;
  const group = heads / keyHeads;
  const scale = g.scalar(attentionScale(config));
  const first = g.input("first", ["rows", keyHeads, group, 1, 1], "int32");

  const added: Value[] = [];
  let x = gatherRows(g, weights.parameter(embeddingName), tokens);
  config.layers.forEach((kind, layer) => {
    // The axis of size 1 lets every query head of a group be a product of its own with the group's keys: products of one
    // row read a cache as it lies, while those of several would have it repacked first.
    const cacheShape = ["rows", keyHeads, 1, "cached", headSize];
    const cachedKeys = g.input(`cachedKeys:${layer}`, cacheShape);
    const cachedValues = g.input(`cachedValues:${layer}`, cacheShape);
    const { cosines, sines } = tables[kind];
    x = decoderLayer(tape, config, weights, layer, x, (q, k, v) => {
      const turn = (rows: Value, count: number) =>
        rotate(g, reshape(g, rows, ["rows", count, 1, headSize]), positions, cosines, sines);
      const queries = reshape(g, turn(mul(g, q, scale), heads), ["rows", keyHeads, group, 1, headSize]);
      const key = turn(k, keyHeads);
      const value = reshape(g, v, ["rows", keyHeads, 1, 1, headSize]);
      added.push(reshape(g, key, ["rows", keyHeads * headSize]), v);

      const own = reduceLast(g, "ReduceSum", mul(g, queries, reshape(g, key, value.shape)));
      const scores = add(g, batchedMatmul(g, queries, cachedKeys, { transposeB: true }), masks[kind]);
      const probabilities = softmax(g, replaceElements(g, scores, first, own));
      const ownShare = slice(g, probabilities, 4, g.integers([0]), g.integers([1]), 1);
      const attended = add(g, batchedMatmul(g, probabilities, cachedValues), mul(g, ownShare, value));
      return reshape(g, attended, ["rows", heads * headSize]);
    });
  });
  g.output("added", concat(g, added, 1));
  outputDistribution(g, logits(tape, config, weights, x));
  return g.build();
}
