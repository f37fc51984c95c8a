// Causal attention in blocks of queries: each block meets only the keys up to its own end, so of the square of scores
// little more than the lower triangle is computed. Query heads share key heads in groups (Ainslie et al. 2023,
// arXiv:2305.13245).
import type { Value } from "../builder.ts";
import { add, batchedMatmul, concat, mul, reduceLast, reshape, slice, softmax, sub } from "../operators.ts";
import type { Tape } from "../tape.ts";

/** Where the blocks of queries begin and end: the first begins at 0, and each begins where the one before it ends. */
export type QueryBlocks = {
  /** One-element tensors, so that one graph serves every length. */
  readonly ends: readonly Value[];
  readonly start: Value;
};

type AttentionOptions = {
  readonly scale: number;
  readonly blocks: QueryBlocks;
  /** length x length: 0 where the query (row) may see the key (column), a large negative number elsewhere. */
  readonly mask: Value;
  /** Keep the probabilities for the backward rule, or compute them twice and keep memory linear in the length. */
  readonly probabilities: "keep" | "recompute";
};

export function attention(tape: Tape, q: Value, k: Value, v: Value, options: AttentionOptions): Value {
  const g = tape.graph;
  const { scale, blocks, mask } = options;
  const [batch, heads] = q.shape as [string, number];
  const keyHeads = k.shape[1] as number;

  const grouped = (x: Value) => regrouped(x, keyHeads, `${heads / keyHeads}x${x.shape[2]}`);
  const ungrouped = (x: Value, length: string) => regrouped(x, heads, length);
  const regrouped = (x: Value, count: number, length: string) =>
    x.shape[1] === count ? x : reshape(g, x, [batch, count, length, x.shape[3]]);

  // Blocks are cut anew for the backward rule: a copy is cheap, and kept ones would hold a fifth of all activations.
  const whole = blocks.ends.length === 1;
  const parts = blocks.ends.map((end, i) => {
    const start = i === 0 ? blocks.start : blocks.ends[i - 1];
    const length = whole ? (q.shape[2] as string) : `block${i}`;
    const reach = whole ? (q.shape[2] as string) : `reach${i}`;
    const cut = (x: Value, from: Value, size: string) => (whole ? x : slice(g, x, 2, from, end, size));
    const visible = whole
      ? mask
      : g.once(`block ${start.name} … ${end.name} of ${mask.name}`, () =>
          slice(g, slice(g, mask, 0, start, end, length), 1, blocks.start, end, reach),
        );
    const queriesAndKeys = () => ({
      queries: grouped(cut(q, start, length)),
      keys: cut(k, blocks.start, reach),
    });
    const values = () => cut(v, blocks.start, reach);
    const probabilities = (from = queriesAndKeys()) => {
      const scores = ungrouped(batchedMatmul(g, from.queries, from.keys, { transposeB: true, alpha: scale }), length);
      return grouped(softmax(g, add(g, scores, visible)));
    };
    const kept = probabilities();
    const output = batchedMatmul(g, kept, values());
    return { start, end, length, cut, queriesAndKeys, values, output, probabilities, kept };
  });
  const outputs = parts.map((part) => ungrouped(part.output, part.length));
  const result = { ...(whole ? outputs[0] : concat(g, outputs, 2)), shape: q.shape };

  tape.record(result, [q, k, v], (dy, contribute) => {
    // P = softmax(S): dS = P·(dP − Σ dP·P), and the sum over keys of dP·P is the sum over the head of dy·y.
    const dq: Value[] = [];
    let dk: Value | undefined;
    let dv: Value | undefined;
    for (const part of parts) {
      const { queries, keys } = part.queriesAndKeys();
      const dOutput = grouped(part.cut(dy, part.start, part.length));
      const probabilities = options.probabilities === "keep" ? part.kept : part.probabilities({ queries, keys });
      const through = reduceLast(g, "ReduceSum", mul(g, dOutput, part.output));
      const dP = batchedMatmul(g, dOutput, part.values(), { transposeB: true });
      const dS = mul(g, probabilities, sub(g, dP, through));
      dq.push(ungrouped(batchedMatmul(g, dS, keys, { alpha: scale }), part.length));
      dk = extended(dk, batchedMatmul(g, dS, queries, { transposeA: true, alpha: scale }), part);
      dv = extended(dv, batchedMatmul(g, probabilities, dOutput, { transposeA: true }), part);
    }
    const dqWhole = whole ? dq[0] : concat(g, dq, 2);
    contribute(q, (soFar) => tape.sum(soFar, { ...dqWhole, shape: q.shape }));
    contribute(k, (soFar) => tape.sum(soFar, { ...(dk as Value), shape: k.shape }));
    contribute(v, (soFar) => tape.sum(soFar, { ...(dv as Value), shape: v.shape }));
  });
  return result;

  /** The gradient of keys seen by earlier blocks too, and then of those this block is the first to see. */
  function extended(earlier: Value | undefined, own: Value, part: { start: Value; end: Value; length: string }): Value {
    if (earlier === undefined) return own;
    const seen = slice(g, own, 2, blocks.start, part.start, earlier.shape[2]);
    const fresh = slice(g, own, 2, part.start, part.end, part.length);
    return { ...concat(g, [add(g, earlier, seen), fresh], 2), shape: own.shape };
  }
}
