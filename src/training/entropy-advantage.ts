// The entropy-shaped advantage (Cheng et al. 2025, arXiv:2506.14758): uncertain tokens count more.
//
//   A'_t = A + min(α · H_t, |A|/κ)
//
// The bonus is never negative and, with κ > 1, never flips a sign: it raises the push on right answers and weakens the
// penalty on wrong ones. H_t is a constant here, without gradient.

type EntropyAdvantageOptions = {
  /** α */
  readonly weight: number;
  /** κ: the bonus is at most this fraction, 1/κ, of the advantage. */
  readonly limit: number;
};

export function entropyAdvantages(
  advantage: number,
  entropies: ArrayLike<number>,
  { weight, limit }: EntropyAdvantageOptions,
): Float64Array {
  const most = Math.abs(advantage) / limit;
  return Float64Array.from(entropies, (entropy) => advantage + Math.min(weight * entropy, most));
}
