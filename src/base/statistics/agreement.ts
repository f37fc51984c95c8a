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

/** Two raters: (observed − expected agreement) / (1 − expected). NaN when chance alone already explains everything. */
export function cohenKappa(first: readonly string[], second: readonly string[]): number {
  const labels = [...new Set([...first, ...second])];
  const { counts } = confusionMatrix(labels, first, second);
  const n = first.length;
  let observed = 0;
  let expected = 0;
  for (let i = 0; i < labels.length; i++) {
    observed += counts[i][i] / n;
    const row = counts[i].reduce((a, b) => a + b, 0);
    const column = counts.reduce((total, other) => total + other[i], 0);
    expected += (row / n) * (column / n);
  }
  return (observed - expected) / (1 - expected);
}

/**
 * Any number of raters, the same for every subject: `votes[subject][category]` counts them.
 * NaN when chance alone already explains everything.
 */
export function fleissKappa(votes: readonly (readonly number[])[]): number {
  const subjects = votes.length;
  const raters = votes[0].reduce((a, b) => a + b, 0);
  let observed = 0;
  const share = votes[0].map(() => 0);
  for (const row of votes) {
    let squares = 0;
    row.forEach((count, category) => {
      squares += count * count;
      share[category] += count / (subjects * raters);
    });
    observed += (squares - raters) / (raters * (raters - 1)) / subjects;
  }
  const expected = share.reduce((total, p) => total + p * p, 0);
  return (observed - expected) / (1 - expected);
}
