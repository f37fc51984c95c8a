// pass@k against listing every set of attempts; majority voting; the two intervals.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { jackknifeVariance, newProblemsIntervals, sameProblemsInterval } from "../../src/evaluation/intervals.ts";
import { majorityVote } from "../../src/evaluation/majority.ts";
import { meanPassAtK, passAtK } from "../../src/evaluation/pass-at-k.ts";
import { passAtKByListing } from "./brute-force.ts";

describe("pass@k", () => {
  it("agrees with listing every set, for all small n, c, k", () => {
    for (let attempts = 1; attempts <= 10; attempts++) {
      for (let correct = 0; correct <= attempts; correct++) {
        for (let k = 1; k <= attempts; k++) {
          expect(passAtK({ attempts, correct }, k)).toBeCloseTo(passAtKByListing(attempts, correct, k), 12);
        }
      }
    }
  });

  it("refuses k > n instead of clamping", () => {
    expect(() => passAtK({ attempts: 4, correct: 1 }, 5)).toThrow(
      "pass@5 needs at least 5 attempts at every problem, there are 4",
    );
    expect(() => passAtK({ attempts: 4, correct: 1 }, 0)).toThrow("at least 1");
    expect(() => passAtK({ attempts: 4, correct: 1 }, 1.5)).toThrow("whole number");
  });

  it("pass@1 is the solve rate and pass@n whether any attempt is right", () => {
    expect(passAtK({ attempts: 32, correct: 5 }, 1)).toBeCloseTo(5 / 32, 14);
    expect(passAtK({ attempts: 32, correct: 1 }, 32)).toBe(1);
    expect(passAtK({ attempts: 32, correct: 0 }, 32)).toBe(0);
  });

  it("stays exact with many attempts", () => {
    // 1 − C(9990, 5000)/C(10000, 5000) by the product of ten ratios.
    let fail = 1;
    for (let i = 0; i < 10; i++) fail *= (5000 - i) / (10_000 - i);
    expect(passAtK({ attempts: 10_000, correct: 10 }, 5000)).toBeCloseTo(1 - fail, 13);
  });

  it("never falls with k or with more right attempts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.nat(), fc.nat(), (attempts, right, size) => {
        const correct = right % attempts;
        const k = 1 + (size % (attempts - 1));
        expect(passAtK({ attempts, correct }, k + 1)).toBeGreaterThanOrEqual(passAtK({ attempts, correct }, k) - 1e-12);
        expect(passAtK({ attempts, correct: correct + 1 }, k)).toBeGreaterThanOrEqual(
          passAtK({ attempts, correct }, k),
        );
      }),
    );
  });

  it("does not move when attempts are added at the same rate, in expectation", () => {
    // Exact mean over all outcomes of n draws with chance p is 1 − (1−p)^k, whatever n ≥ k is.
    const p = 0.23;
    const k = 3;
    for (const attempts of [3, 5, 9]) {
      let mean = 0;
      let ways = 1;
      for (let correct = 0; correct <= attempts; correct++) {
        mean += ways * p ** correct * (1 - p) ** (attempts - correct) * passAtK({ attempts, correct }, k);
        ways = (ways * (attempts - correct)) / (correct + 1);
      }
      expect(mean).toBeCloseTo(1 - (1 - p) ** k, 12);
    }
  });

  it("averages over problems", () => {
    expect(
      meanPassAtK(
        [
          { attempts: 2, correct: 1 },
          { attempts: 4, correct: 0 },
        ],
        1,
      ),
    ).toBe(0.25);
  });
});

describe("majority vote", () => {
  it.each([
    [{ correct: 3, wrong: [2, 1] }, 1],
    [{ correct: 2, wrong: [3] }, 0],
    [{ correct: 2, wrong: [2, 2, 1] }, 1 / 3],
    [{ correct: 0, wrong: [] }, 0],
    [{ correct: 1, wrong: [] }, 1],
  ])("%o → %d", (votes, share) => expect(majorityVote(votes)).toBeCloseTo(share, 12));
});

describe("intervals", () => {
  it("the jackknife variance agrees with deleting every attempt in turn", () => {
    for (let attempts = 2; attempts <= 9; attempts++) {
      for (let correct = 0; correct <= attempts; correct++) {
        for (let k = 1; k < attempts; k++) {
          const left = Array.from({ length: attempts }, (_, deleted) =>
            passAtK({ attempts: attempts - 1, correct: deleted < correct ? correct - 1 : correct }, k),
          );
          const center = left.reduce((a, b) => a + b, 0) / attempts;
          const expected =
            ((attempts - 1) / attempts) * left.reduce((total, value) => total + (value - center) ** 2, 0);
          expect(jackknifeVariance({ attempts, correct }, k)).toBeCloseTo(expected, 13);
        }
      }
    }
  });

  it("for k = 1 it is the textbook variance of a rate", () => {
    expect(jackknifeVariance({ attempts: 20, correct: 7 }, 1)).toBeCloseTo((0.35 * 0.65) / 19, 14);
  });

  it("same problems, new rollouts is undefined where no attempt is to spare", () => {
    const counts = [
      { attempts: 32, correct: 3 },
      { attempts: 32, correct: 0 },
    ];
    expect(sameProblemsInterval(counts, 32)).toBeUndefined();
    expect(sameProblemsInterval(counts, 31)).toBeDefined();
    expect(() => jackknifeVariance(counts[0], 32)).toThrow("needs more than 32 attempts");
  });

  it("new problems: contains the estimate, is the same every time, and narrows with more problems", () => {
    const few = Array.from({ length: 20 }, (_, i) => ({ attempts: 8, correct: i % 5 }));
    const many = Array.from({ length: 500 }, (_, i) => ({ attempts: 8, correct: i % 5 }));
    const interval = (counts: typeof few) => newProblemsIntervals(counts, [1, 4]);
    for (const [i, k] of [1, 4].entries()) {
      const [narrow, wide] = [interval(many)[i], interval(few)[i]];
      expect(wide.low).toBeLessThan(meanPassAtK(few, k));
      expect(wide.high).toBeGreaterThan(meanPassAtK(few, k));
      expect(narrow.high - narrow.low).toBeLessThan((wide.high - wide.low) / 3);
    }
    expect(interval(few)).toEqual(interval(few));
  });

  it("never and always are not certainty", () => {
    const all = (correct: number) => Array.from({ length: 100 }, () => ({ attempts: 32, correct }));
    // 100 problems without a success: up to 1 − 0.025^(1/100) of all such problems may be solvable.
    expect(newProblemsIntervals(all(0), [8])).toEqual([{ low: 0, high: 1 - 0.025 ** 0.01 }]);
    expect(newProblemsIntervals(all(32), [8])).toEqual([{ low: 0.025 ** 0.01, high: 1 }]);
    // 3,200 attempts without one: a common rate p with (1 − p)^3200 = 0.025 gives pass@8 of 1 − (1 − p)^8.
    expect(sameProblemsInterval(all(0), 8)).toEqual({ low: 0, high: 1 - 0.025 ** (8 / 3200) });
    const { low, high } = sameProblemsInterval(all(32), 1)!;
    expect(low).toBeCloseTo(0.025 ** (1 / 3200), 12);
    expect(high).toBe(1);
    const mixed = sameProblemsInterval([...all(0), ...all(32)], 1)!;
    expect(mixed.low).toBeLessThan(0.5);
    expect(mixed.high).toBeGreaterThan(0.5);
    expect(mixed.high - mixed.low).toBeLessThan(0.01);
  });

  it("never and always are covered as often as they say, whatever the rates", () => {
    // Chance that the true pass@k lies beyond the bound although nothing was solved: at most 2.5% by design.
    for (const rate of [0.0005, 0.002, 0.01]) {
      const [problems, attempts, k] = [20, 16, 4];
      const counts = Array.from({ length: problems }, () => ({ attempts, correct: 0 }));
      const bound = sameProblemsInterval(counts, k)!.high;
      const allMissed = (1 - rate) ** (problems * attempts);
      expect(1 - (1 - rate) ** k <= bound || allMissed <= 0.025).toBe(true);
    }
  });

  it("new problems: nothing can be said from a single problem", () => {
    const [interval] = newProblemsIntervals([{ attempts: 4, correct: 1 }], [1]);
    expect(Number.isNaN(interval.low)).toBe(true);
  });

  it("covers a known truth about as often as it says (coarse; the benchmark measures it closely)", () => {
    const random = Random.from("coverage");
    const truth = 0.4;
    let [overProblems, overRollouts] = [0, 0];
    const trials = 200;
    for (let trial = 0; trial < trials; trial++) {
      const rates = Array.from({ length: 30 }, () => (random.chance(truth) ? 0.9 : 0.1));
      const counts = rates.map((rate) => ({
        attempts: 16,
        correct: Array.from({ length: 16 }, () => random.chance(rate)).filter(Boolean).length,
      }));
      const [interval] = newProblemsIntervals(counts, [1], { replicates: 300 });
      const expected = truth * 0.9 + (1 - truth) * 0.1;
      if (interval.low <= expected && expected <= interval.high) overProblems += 1;
      const fixed = rates.reduce((a, b) => a + b, 0) / rates.length;
      const same = sameProblemsInterval(counts, 1)!;
      if (same.low <= fixed && fixed <= same.high) overRollouts += 1;
    }
    expect(overProblems / trials).toBeGreaterThan(0.9);
    expect(overRollouts / trials).toBeGreaterThan(0.9);
  });
});
