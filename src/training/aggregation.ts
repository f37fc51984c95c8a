// How the terms of single tokens become one objective. Counts are of the whole optimizer step, never of a micro-batch,
// and a sequence without tokens does not count.

export type Aggregation =
  /** Every token of the step counts the same, so long responses weigh more (DAPO; verl and TRL by default). */
  | { readonly by: "token-mean" }
  /** Every sequence counts the same, its tokens share its weight (the first GRPO; GSPO). */
  | { readonly by: "sequence-mean" }
  /** Every sequence is the sum of its tokens. */
  | { readonly by: "sequence-sum" }
  /** The sum over a constant, usually the longest response allowed (Dr. GRPO, Liu et al. 2025, arXiv:2503.20783). */
  | { readonly by: "constant-length"; readonly tokens: number };

/** The factor of each token of each sequence. */
export function tokenShares(lengths: readonly number[], aggregation: Aggregation): number[] {
  const sequences = lengths.filter((length) => length > 0).length;
  const tokens = lengths.reduce((total, length) => total + length, 0);
  return lengths.map((length) => (length === 0 ? 0 : 1 / termsCounted(length, sequences, tokens, aggregation)));
}

function termsCounted(length: number, sequences: number, tokens: number, aggregation: Aggregation): number {
  switch (aggregation.by) {
    case "token-mean":
      return tokens;
    case "sequence-mean":
      return sequences * length;
    case "sequence-sum":
      return sequences;
    case "constant-length":
      return sequences * aggregation.tokens;
  }
}
