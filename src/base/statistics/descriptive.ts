// One sample summarized: means, spread, percentiles. An empty sample has none of these, which is NaN and never 0.

type Sample = ArrayLike<number>;

export function sum(values: Sample): number {
  // Neumaier's compensated sum: long samples of small numbers keep their last digits.
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

export function mean(values: Sample): number {
  return sum(values) / values.length;
}

/** Divided by n − `degreesTaken`: 1 for a sample (the default), 0 for a population. */
export function variance(values: Sample, degreesTaken = 1): number {
  const center = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - center) ** 2;
  return values.length > degreesTaken ? squares / (values.length - degreesTaken) : Number.NaN;
}

export function standardDeviation(values: Sample, degreesTaken = 1): number {
  return Math.sqrt(variance(values, degreesTaken));
}

/** The `percent`-th percentile by linear interpolation, as NumPy's default. */
export function percentile(values: Sample, percent: number): number {
  return percentileOfSorted(Float64Array.from(values).sort(), percent);
}

export function percentileOfSorted(sorted: Sample, percent: number): number {
  if (sorted.length === 0) return Number.NaN;
  const position = (percent / 100) * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

/**
 * The same percentile when `value` occurs `counts[value]` times: what a histogram of small integers needs.
 * Equal to `percentile` of the sample written out.
 */
export function percentileOfCounts(counts: Sample, percent: number): number {
  const size = sum(counts);
  if (size === 0) return Number.NaN;
  const position = (percent / 100) * (size - 1);
  const below = Math.floor(position);
  const lower = valueAt(counts, below);
  const upper = below + 1 < size ? valueAt(counts, below + 1) : lower;
  return lower + (position - below) * (upper - lower);
}

function valueAt(counts: Sample, index: number): number {
  let passed = 0;
  for (let value = 0; value < counts.length; value++) {
    passed += counts[value];
    if (index < passed) return value;
  }
  return counts.length - 1;
}

export function median(values: Sample): number {
  return percentile(values, 50);
}
