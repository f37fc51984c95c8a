// Values gathered by problem, because rollouts of one problem are not independent: what every interval resamples.

/** Problems in a fixed order, and which one each record belongs to. */
export type ProblemIndex = { readonly problems: readonly string[]; readonly of: Uint32Array };

export function problemIndex(records: readonly { readonly problem: string }[]): ProblemIndex {
  // Sorted, so that intervals do not depend on the order in which records were written.
  const problems = [...new Set(records.map(({ problem }) => problem))].sort();
  const numbers = new Map(problems.map((problem, i) => [problem, i]));
  return { problems, of: Uint32Array.from(records, ({ problem }) => numbers.get(problem)!) };
}

export const problemCount = (
  { problems: { of } }: { readonly problems: ProblemIndex },
  records: readonly number[],
): number => new Set(records.map((i) => of[i])).size;

type ClusteredArrays = { readonly sums: Float64Array; readonly counts: Float64Array };

/** Sums and counts by problem over some of the records; values that are not numbers are left out. */
export function clusteredValues(
  values: ArrayLike<number>,
  chosen: readonly number[],
  { problems, of }: ProblemIndex,
): ClusteredArrays {
  const sums = new Float64Array(problems.length);
  const counts = new Float64Array(problems.length);
  for (const record of chosen) {
    const value = values[record];
    if (Number.isNaN(value)) continue;
    sums[of[record]] += value;
    counts[of[record]] += 1;
  }
  return { sums, counts };
}

/** How often each whole value occurs, a column a value, by problem. */
export function clusteredHistogram(
  values: ArrayLike<number>,
  chosen: readonly number[],
  { problems, of }: ProblemIndex,
): Float64Array[] {
  let largest = 0;
  for (const record of chosen) if (values[record] > largest) largest = values[record];
  const columns = Array.from({ length: largest + 1 }, () => new Float64Array(problems.length));
  for (const record of chosen) if (!Number.isNaN(values[record])) columns[values[record]][of[record]] += 1;
  return columns;
}
