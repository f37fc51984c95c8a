// Ranks of a sample where equal values share the mean of the ranks they cover.

type Ranking = {
  /** 1-based, in the order of the input. */
  readonly ranks: Float64Array;
  /** Sizes of the groups of equal values, in ascending order of the value; ones included. */
  readonly tieSizes: readonly number[];
};

export function rankAverage(values: ArrayLike<number>): Ranking {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  const tieSizes: number[] = [];
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]] === values[order[start]]) end += 1;
    for (let i = start; i < end; i++) ranks[order[i]] = (start + 1 + end) / 2;
    tieSizes.push(end - start);
    start = end;
  }
  return { ranks, tieSizes };
}
