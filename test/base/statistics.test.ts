import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import * as statistics from "../../src/base/statistics.ts";

type Golden = {
  readonly test: string;
  readonly call: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs differ by the call they belong to
  readonly inputs: any;
  readonly expected: readonly (number | string | null)[];
};

const goldens: Golden[] = JSON.parse(readFileSync(new URL("./statistics-goldens.json", import.meta.url), "utf8"));

const ours: Record<string, (inputs: Golden["inputs"]) => readonly number[]> = {
  mannWhitney: ({ x, y }) => {
    const result = statistics.mannWhitney(x, y)!;
    return [result.u, result.p];
  },
  pearson: ({ x, y }) => Object.values(statistics.pearson(x, y)!),
  spearman: ({ x, y }) => Object.values(statistics.spearman(x, y)!),
  fisherExact: ({ table }) => {
    const result = statistics.fisherExact(table);
    return [result.oddsRatio ?? Number.NaN, result.p];
  },
  percentile: ({ values, percent }) => [statistics.percentile(values, percent)],
  rankAverage: ({ values }) => [...statistics.rankAverage(values).ranks],
  benjaminiHochberg: ({ p }) => statistics.benjaminiHochberg(p),
  clopperPearsonInterval: ({ successes, trials, level }) =>
    Object.values(statistics.clopperPearsonInterval(successes, trials, level)),
  erfc: ({ x }) => [statistics.erfc(x)],
  normalTail: ({ x }) => [statistics.normalTail(x)],
  logGamma: ({ x }) => [statistics.logGamma(x)],
  normalQuantile: ({ q }) => [statistics.normalQuantile(q)],
  regularizedBeta: ({ x, a, b }) => [statistics.regularizedBeta(x, a, b)],
  studentTwoSided: ({ t, df }) => [statistics.studentTwoSided(t, df)],
};

function sameTo(tolerance: number, actual: number, expected: number | string | null): boolean {
  if (expected === null) return Number.isNaN(actual);
  const value = Number(expected);
  if (!Number.isFinite(value)) return actual === value;
  return Math.abs(actual - value) <= tolerance * Math.max(1e-12, Math.abs(value));
}

describe("agrees with SciPy to 1e-9, relative", () => {
  for (const name of Object.keys(ours)) {
    test(name, () => {
      const cases = goldens.filter((golden) => golden.test === name);
      expect(cases.length).toBeGreaterThan(0);
      for (const golden of cases) {
        const actual = ours[name](golden.inputs);
        const agrees =
          actual.length === golden.expected.length && actual.every((v, i) => sameTo(1e-9, v, golden.expected[i]));
        expect(agrees, `${golden.call} on ${JSON.stringify(golden.inputs)}: ${actual} against ${golden.expected}`).toBe(
          true,
        );
      }
    });
  }
  test("no golden is left unread", () => {
    expect([...new Set(goldens.map((golden) => golden.test))].sort()).toEqual(Object.keys(ours).sort());
  });
});

const numbers = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 });

test("U counts the pairs in which the first value is above, ties a half", () => {
  fc.assert(
    fc.property(numbers, numbers, (x, y) => {
      let pairs = 0;
      for (const a of x) for (const b of y) pairs += a > b ? 1 : a === b ? 0.5 : 0;
      expect(statistics.mannWhitney(x, y)!.u).toBeCloseTo(pairs, 9);
    }),
  );
});

test("the exact U distribution is the one of every way to deal the ranks", () => {
  // Every 3-subset of ranks 1..7 as the first sample; P(U >= u) counted.
  const subsets: number[][] = [];
  for (let a = 1; a <= 7; a++)
    for (let b = a + 1; b <= 7; b++) for (let c = b + 1; c <= 7; c++) subsets.push([a, b, c]);
  const uOf = (first: number[]) => first.reduce((s, v) => s + v, 0) - 6;
  for (const first of subsets) {
    const second = [1, 2, 3, 4, 5, 6, 7].filter((v) => !first.includes(v));
    const further = Math.max(uOf(first), 12 - uOf(first));
    const atLeast = subsets.filter((other) => uOf(other) >= further).length / subsets.length;
    expect(statistics.mannWhitney(first, second)!.p).toBeCloseTo(Math.min(1, 2 * atLeast), 12);
  }
});

test("an empty sample has no test and no mean", () => {
  expect(statistics.mannWhitney([], [1])).toBeUndefined();
  expect(statistics.mean([])).toBeNaN();
  expect(statistics.percentile([], 50)).toBeNaN();
  expect(statistics.pearson([1, 1, 1], [1, 2, 3])).toBeUndefined();
});

test("percentiles of counts are those of the sample written out", () => {
  fc.assert(
    fc.property(numbers, fc.double({ min: 0, max: 100, noNaN: true }), (values, percent) => {
      const counts = new Array(7).fill(0);
      for (const value of values) counts[value] += 1;
      expect(statistics.percentileOfCounts(counts, percent)).toBeCloseTo(statistics.percentile(values, percent), 9);
    }),
  );
});

test("Holm steps down: 0.01·3, max(0.03, 0.02·2), max(0.04, 0.03)", () => {
  expect(statistics.holm([0.02, 0.01, 0.03])).toEqual([0.04, 0.03, 0.04]);
});

test("Cohen's kappa of a worked table: observed 0.7, expected 0.5, kappa 0.4", () => {
  // yes/yes 20, yes/no 5, no/yes 10, no/no 15: p_o = 35/50, p_e = (25·30 + 25·20)/2500 = 0.5.
  const first = [...Array(25).fill("yes"), ...Array(25).fill("no")];
  const second = [...Array(20).fill("yes"), ...Array(5).fill("no"), ...Array(10).fill("yes"), ...Array(15).fill("no")];
  expect(statistics.cohenKappa(first, second)).toBeCloseTo(0.4, 12);
  expect(statistics.percentAgreement(first, second)).toBeCloseTo(70, 12);
});

test("Fleiss' kappa of a worked table of three raters", () => {
  // Rows (3,0), (2,1), (0,3): agreements 1, 1/3, 1 → 7/9; shares 5/9 and 4/9 → 41/81; kappa = (63−41)/(81−41) = 0.55.
  expect(
    statistics.fleissKappa([
      [3, 0],
      [2, 1],
      [0, 3],
    ]),
  ).toBeCloseTo(0.55, 12);
});

test("raters who know one label only, or share nothing, have no kappa, however many there are", () => {
  for (let subjects = 1; subjects <= 60; subjects++)
    for (const raters of [2, 3, 5]) {
      expect(statistics.fleissKappa(Array.from({ length: subjects }, () => [0, raters, 0]))).toBeNaN();
      expect(statistics.cohenKappa(Array(subjects).fill("a"), Array(subjects).fill("a"))).toBeNaN();
    }
  expect(statistics.fleissKappa([])).toBeNaN();
  expect(statistics.cohenKappa([], [])).toBeNaN();
});

describe("bootstrap by cluster", () => {
  const clusteredMean = (sums: ArrayLike<number>, counts: ArrayLike<number>) =>
    statistics.bootstrapped([{ columns: [sums, counts], of: ([sum, count]) => sum / count }], { replicates: 4000 })[0];

  test("equal clusters of one value give the normal interval of a mean", () => {
    const random = Random.from("normal sample");
    const values = Float64Array.from({ length: 400 }, () => random.normal());
    const estimate = clusteredMean(values, new Float64Array(400).fill(1));
    const standardError = statistics.standardDeviation(values) / 20;
    expect(estimate.value).toBeCloseTo(statistics.mean(values), 12);
    expect(estimate.low).toBeCloseTo(estimate.value - 1.96 * standardError, 1);
    expect((estimate.high - estimate.low) / (2 * 1.96 * standardError)).toBeCloseTo(1, 1);
  });

  test("copies within a cluster do not narrow the interval", () => {
    const values = [0, 1, 0, 1, 1, 0, 1, 1, 0, 0];
    const alone = clusteredMean(
      values,
      values.map(() => 1),
    );
    const copied = clusteredMean(
      values.map((v) => 32 * v),
      values.map(() => 32),
    );
    expect(copied).toEqual(alone);
  });

  test("a difference of equal halves is exactly nothing, because clusters are drawn together", () => {
    const half = { sums: [1, 5, 2], counts: [2, 9, 4] };
    const { columns, of } = statistics.differenceOf(half, half);
    expect(statistics.bootstrapped([{ columns, of }])).toEqual([{ value: 0, low: 0, high: 0 }]);
    // Which is no proof that nobody differs.
    const [{ low, high }] = statistics.bootstrapped([statistics.differenceOf(half, half)]);
    expect([low, high]).toEqual([-statistics.unseenShare(3), statistics.unseenShare(3)]);
  });

  test("clusters without data take no part, one has no interval, and none no mean", () => {
    const nobody = [Number.NaN, Number.NaN];
    const ends = ({ low, high }: { readonly low: number; readonly high: number }) => [low, high];
    expect(ends(clusteredMean([4, 0], [2, 0]))).toEqual(nobody);
    expect(clusteredMean([4, 0], [2, 0]).value).toBe(2);
    expect(clusteredMean([4, 0, 1, 2], [2, 0, 2, 1])).toEqual(clusteredMean([4, 1, 2], [2, 2, 1]));
    expect(clusteredMean([], []).value).toBeNaN();
  });

  test("a statistic has the same interval alone and beside others, and fewer replicates are the first of more", () => {
    const random = Random.from("beside");
    const values = () => ({
      sums: Float64Array.from({ length: 30 }, () => random.below(9)),
      counts: Array(30).fill(3),
    });
    const many = [values(), values(), values()].map((own) => statistics.meanOf(own));
    const together = statistics.bootstrapped(many);
    expect(many.map((one) => statistics.bootstrapped([one])[0])).toEqual(together);
    statistics.bootstrapped(many, { replicates: 9000 });
    expect(statistics.bootstrapped(many)).toEqual(together);
  });

  test("what was never seen is bounded, not excluded", () => {
    const never = { sums: new Float64Array(30), counts: new Float64Array(30).fill(8) };
    expect(statistics.bootstrapped([statistics.meanOf(never)])).toEqual([
      { value: 0, low: 0, high: 1 - 0.025 ** (1 / 30) },
    ]);
  });
});
