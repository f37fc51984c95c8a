// The classifier's mistakes propagated to counts. It gives label g to a span that is a with chance P(g|a), known from its
// confusion matrix; observed counts are o_g = Σ_a t_a·P(g|a). The counts t that explain o best are found by
// expectation-maximization, and P itself is drawn from what its finite matrix allows.
import type { Random } from "../../base/random.ts";
import { percentileOfSorted } from "../../base/statistics.ts";
import type { Confusions } from "../classifier/quality.ts";
import type { Estimate } from "./estimates.ts";

type Rates = readonly (readonly number[])[];

const maxRounds = 300;
/** Counts that move by less than this share of all have settled. */
const settled = 1e-7;

/** Non-negative true counts, in the order of the rows of `rates` (actual by given, rows summing to 1). */
export function unfoldedCounts(
  observed: readonly number[],
  rates: Rates,
  { rounds = maxRounds, start }: { readonly rounds?: number; readonly start?: readonly number[] } = {},
): number[] {
  const size = observed.length;
  const total = observed.reduce((a, b) => a + b, 0);
  // Flat and in place: an analysis unfolds tens of thousands of times.
  const flat = new Float64Array(size * size);
  for (let actual = 0; actual < size; actual++) flat.set(rates[actual], actual * size);
  // A count that starts at zero stays there, so a little of everything is always in it.
  const counts = Float64Array.from(
    { length: size },
    (_, i) => (start === undefined ? total : 0.95 * size * start[i] + 0.05 * total) / size,
  );
  const ratios = new Float64Array(size);
  for (let round = 0; round < rounds; round++) {
    ratios.fill(0);
    for (let actual = 0, at = 0; actual < size; actual++)
      for (let given = 0; given < size; given++) ratios[given] += counts[actual] * flat[at++];
    for (let given = 0; given < size; given++) ratios[given] = ratios[given] > 0 ? observed[given] / ratios[given] : 0;
    let moved = 0;
    for (let actual = 0, at = 0; actual < size; actual++) {
      let factor = 0;
      for (let given = 0; given < size; given++) factor += flat[at++] * ratios[given];
      moved = Math.max(moved, Math.abs(counts[actual] * (factor - 1)));
      counts[actual] *= factor;
    }
    if (moved <= settled * total) break;
  }
  return Array.from(counts);
}

/** The rates of a confusion matrix of counts; a label nobody has seen is taken to be recognized. */
export function confusionRates(confusion: readonly (readonly number[])[]): number[][] {
  return confusion.map((row, actual) => {
    const total = row.reduce((a, b) => a + b, 0);
    return row.map((count, given) => (total === 0 ? (given === actual ? 1 : 0) : count / total));
  });
}

/** A little for every cell, so that a confusion nobody has seen yet is not impossible. */
const pseudoCount = 0.1;
/** A source's own confusions are read as if this many spans of each label more had been confused as all sources do. */
const borrowed = 5;

/**
 * Rates as they might be on traces of one more source: those of a source picked at random, because confusions differ more
 * between sources than counting them explains, and each row from its Dirichlet posterior, for the few spans it was made from.
 */
export function drawnRates({ whole, sources }: Confusions, random: Random): number[][] {
  const own = sources.length > 1 ? random.pick(sources) : undefined;
  const rates = confusionRates(whole);
  const counts = own?.map((row, actual) => row.map((count, given) => count + borrowed * rates[actual][given])) ?? whole;
  return counts.map((row, actual) => {
    const seen = row.reduce((a, b) => a + b, 0) > 0;
    const draws = row.map((count, given) => gammaDraw((seen ? count : given === actual ? 1 : 0) + pseudoCount, random));
    const total = draws.reduce((a, b) => a + b, 0);
    return draws.map((draw) => draw / total);
  });
}

/** Marsaglia and Tsang's method. */
function gammaDraw(shape: number, random: Random): number {
  if (shape < 1) return gammaDraw(shape + 1, random) * random.uniform() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = random.uniform();
    if (Math.log(1 - u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

export type CorrectedDifference = {
  /** The change in true counts per trace that explains what was observed, with the errors of labels and of sampling. */
  readonly difference: Estimate;
  /** The whole interval is on one side of 0. */
  readonly certain: boolean;
};

/**
 * For each label, second − first in corrected counts. `observed(draw)` gives both checkpoints' mean counts in one
 * resampling of the problems; draw 0 is the sample itself.
 */
export function correctedDifferences(
  confusions: Confusions,
  observed: (draw: number) => readonly [readonly number[], readonly number[]],
  draws: number,
  random: Random,
): CorrectedDifference[] {
  const changeOf = ([first, second]: readonly number[][]) => second.map((count, label) => count - first[label]);
  const rates = confusionRates(confusions.whole);
  const sample = observed(0).map((counts) => unfoldedCounts(counts, rates));
  const values = changeOf(sample);
  // Other draws lie near the sample: starting there, a few rounds are enough.
  const samples = Array.from({ length: draws }, (_, i) => {
    const drawn = drawnRates(confusions, random.child("rates", i));
    return changeOf(
      observed(i + 1).map((counts, side) => unfoldedCounts(counts, drawn, { rounds: 60, start: sample[side] })),
    );
  });
  return values.map((value, label) => {
    const sorted = Float64Array.from(samples, (sample) => sample[label]).sort();
    const [low, high] = [percentileOfSorted(sorted, 2.5), percentileOfSorted(sorted, 97.5)];
    return { difference: { value, low, high }, certain: low > 0 || high < 0 };
  });
}
