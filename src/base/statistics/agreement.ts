// How far raters agree beyond chance, and what they confuse.

/** `counts[actual][given]`, with the labels' order. */
export type ConfusionMatrix = { readonly labels: readonly string[]; readonly counts: readonly (readonly number[])[] };

export function confusionMatrix(
  labels: readonly string[],
  actual: readonly string[],
  given: readonly string[],
): ConfusionMatrix {
  const indexOf = new Map(labels.map((label, i) => [label, i]));
  const counts = labels.map(() => labels.map(() => 0));
  for (let i = 0; i < actual.length; i++) {
    const row = indexOf.get(actual[i]);
    const column = indexOf.get(given[i]);
    if (row !== undefined && column !== undefined) counts[row][column] += 1;
  }
  return { labels, counts };
}

export function percentAgreement(first: readonly string[], second: readonly string[]): number {
  let same = 0;
  for (let i = 0; i < first.length; i++) if (first[i] === second[i]) same += 1;
  return (100 * same) / first.length;
}

/** Two raters: (observed − expected agreement) / (1 − expected). NaN when chance alone already explains everything, or there is nothing. */
export function cohenKappa(first: readonly string[], second: readonly string[]): number {
  const labels = [...new Set([...first, ...second])];
  const { counts } = confusionMatrix(labels, first, second);
  const n = first.length;
  // Counted in whole numbers, so that "everything" is exactly that: n² and n times what agrees.
  let same = 0;
  let expected = 0;
  for (let i = 0; i < labels.length; i++) {
    same += counts[i][i];
    const row = counts[i].reduce((a, b) => a + b, 0);
    expected += row * counts.reduce((total, other) => total + other[i], 0);
  }
  return n * n === expected ? Number.NaN : (n * same - expected) / (n * n - expected);
}

/**
 * Any number of raters, the same for every subject: `votes[subject][category]` counts them.
 * NaN when chance alone already explains everything, or there is nothing.
 */
export function fleissKappa(votes: readonly (readonly number[])[]): number {
  if (votes.length === 0) return Number.NaN;
  const subjects = votes.length;
  const raters = votes[0].reduce((a, b) => a + b, 0);
  let agreeing = 0;
  const totals = votes[0].map(() => 0);
  for (const row of votes) {
    row.forEach((count, category) => {
      agreeing += count * (count - 1);
      totals[category] += count;
    });
  }
  const all = subjects * raters;
  // One category has everything: exactly so, because these are whole numbers.
  if (totals.includes(all)) return Number.NaN;
  const observed = agreeing / (all * (raters - 1));
  const expected = totals.reduce((sum, total) => sum + (total / all) ** 2, 0);
  return (observed - expected) / (1 - expected);
}
