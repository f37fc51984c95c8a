// What is said of the paper: the one rule of verdicts, its rate of false ones under no effect, and how often its intervals hold
// the truth, on simulated problems whose rollouts are alike.
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { bootstrapped, differenceOf, mean } from "../../src/base/statistics.ts";
import { passDifferences } from "../../src/evaluation/comparison.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { analyze, comparePair } from "../../src/traces/analysis/analysis.ts";
import { claims } from "../../src/traces/analysis/claims.ts";
import { differenceWithin, stratified } from "../../src/traces/analysis/contrasts.ts";
import { adjusted, judged, judgedOverSeeds, verdictTotals } from "../../src/traces/analysis/verdicts.ts";

import { labelerId } from "../../src/traces/labeler.ts";
import type { TraceRecord } from "../../src/traces/trace-record.ts";

const exact = { kind: "grammar", name: "by hand", version: "0", about: "", taxonomy: "reasoning primitives" } as const;
const replicates = 400;
/** Many more by hand (`VERDICT_RUNS=2000`), which prints the rate by number of problems. */
const runs = Number(process.env.VERDICT_RUNS ?? 200);
const attempts = 8;
const sizes = [8, 12, 20, 40, 100];

type Simulated = { readonly estimate: ReturnType<typeof bootstrapped>[number]; readonly problems: number };

/** Counts of a label: problems differ, rollouts of a problem are alike, and the two checkpoints differ in nothing. */
function measureChange(random: Random, problems: number, change = 0): Simulated {
  const side = (rates: readonly number[]) => ({
    sums: Float64Array.from(rates, (rate) => {
      let total = 0;
      // A rollout holds the label up to three times.
      for (let i = 0; i < 3 * attempts; i++) total += random.chance(rate) ? 1 : 0;
      return total;
    }),
    counts: new Float64Array(rates.length).fill(attempts),
  });
  const rates = Array.from({ length: problems }, () => random.uniform() ** 3);
  const moved = rates.map((rate) =>
    Math.min(1, Math.max(0, rate + 0.3 * random.normal() * rate * (1 - rate) + change)),
  );
  const [estimate] = bootstrapped([differenceOf(side(rates), side(moved))], { replicates });
  return { estimate, problems };
}

/** Some problems have many attempts and most of the counts, and the two checkpoints are of one kind. */
function unevenChange(random: Random, problems: number): Simulated {
  const rates = Array.from({ length: problems }, () => random.uniform() ** 4 * 3);
  const side = () => {
    const counts = Float64Array.from(rates, () => 1 + random.below(32));
    const sums = counts.map((traces, i) => {
      // Rollouts of a problem go together.
      const level = -Math.log(1 - random.uniform()) * rates[i];
      return Math.round(level * traces);
    });
    return { sums, counts };
  };
  const [estimate] = bootstrapped([differenceOf(side(), side())], { replicates });
  return { estimate, problems };
}

/** Solved and depth drawn apart, each of a level of its problem: within problems they have nothing to do with each other. */
function depthOfSolved(random: Random, problems: number): Simulated {
  const traces = Array.from({ length: problems * attempts }, (_, i) => i);
  const of = Uint32Array.from(traces, (i) => Math.floor(i / attempts));
  const level = Array.from({ length: problems }, () => ({ skill: random.uniform(), depth: 5 + 3 * random.normal() }));
  const solved = traces.map((i) => random.chance(level[of[i]].skill));
  const depth = traces.map((i) => Math.max(0, Math.round(level[of[i]].depth + 2 * random.normal())));
  const index = { problems: level.map((_, i) => `p${i}`), of };
  const values = stratified(
    { problems: index },
    traces,
    (i) => solved[i],
    (i) => depth[i],
  );
  const [estimate] = bootstrapped([differenceWithin(values)], { replicates });
  return { estimate, problems: Array.from(values.counts).filter((weight) => weight > 0).length };
}

function passChange(random: Random, problems: number): Simulated {
  const pairs = Array.from({ length: problems }, () => {
    const rate = random.uniform() ** 2;
    const count = () => ({
      attempts,
      correct: Array.from({ length: attempts }, () => random.chance(rate)).filter(Boolean).length,
    });
    return { first: count(), second: count() };
  });
  const [{ difference, newProblems }] = passDifferences(pairs, [attempts]);
  return { estimate: { value: difference, ...newProblems }, problems };
}

describe("with no effect", () => {
  test.each([
    ["the change of a label", measureChange],
    ["the change of a label that few problems carry", unevenChange],
    ["the depth of solved traces", depthOfSolved],
    ["the change of pass@k", passChange],
  ])("%s gets a verdict in at most six of a hundred runs", (name, simulate) => {
    let said = 0;
    for (const problems of sizes) {
      const before = said;
      for (let run = 0; run < runs; run++) {
        const { estimate, problems: counted } = simulate(Random.from(`${name} ${problems} ${run}`), problems);
        const { verdict } = judged(estimate, counted, "rises");
        if (verdict === "shown" || verdict === "reversed") said += 1;
      }
      if (runs > 200) console.log(name, problems, (100 * (said - before)) / runs);
    }
    expect(said / (runs * sizes.length)).toBeLessThanOrEqual(0.06);
  });
});

test("two policies alike are not told apart on problems that were chosen by who solves them", () => {
  let said = 0;
  for (let run = 0; run < 60; run++) {
    const random = Random.from(`alike ${run}`);
    const records = Array.from({ length: 2 * 90 * 4 }, (_, i): TraceRecord => {
      const [problem, attempt] = [Math.floor(i / 4) % 90, i % 4];
      // A trace that recovers is right more often.
      const recovers = random.chance(0.3);
      return {
        ...{ checkpoint: i < 360 ? "sft" : "rl", problem: `p${problem}`, attempt, stage: "evaluation" },
        ...{ sequence: recovers ? "PHCB" : "PCCK", correct: random.chance(recovers ? 0.3 : 0.05) },
        ...{ tokens: 10, labeledBy: labelerId(exact), abstained: 0, slice: 0, ordinal: i },
      };
    });
    const { split } = comparePair(
      records,
      { taxonomy: paperTaxonomy, labelers: [exact], options: { replicates, motifsPerLength: 1 } },
      ["sft", "rl"],
    );
    const { difference, problems } = split.recoveryWhere.one;
    if (judged(difference, problems, "rises").verdict !== "not shown") said += 1;
  }
  // Judged where the second alone solves, it would be most of them.
  expect(said).toBeLessThanOrEqual(7);
});

test("differences by seed get a verdict in at most six of a hundred repetitions of three to ten seeds", () => {
  const random = Random.from("seeds");
  let said = 0;
  for (const seeds of [3, 5, 10])
    for (let run = 0; run < 1000; run++) {
      const values = Array.from({ length: seeds }, () => random.normal());
      if (judgedOverSeeds(values, "rises").verdict !== "not shown") said += 1;
    }
  expect(said / 3000).toBeLessThanOrEqual(0.06);
  expect(said / 3000).toBeGreaterThanOrEqual(0.04);
});

test("seeds that do not differ say nothing of other seeds, whatever the last digits of their mean are", () => {
  expect(judgedOverSeeds([0.1, 0.1, 0.1], "rises").verdict).toBe("cannot be tested here");
});

test("intervals of a change hold the truth about as often as they say, also over few problems", () => {
  for (const problems of [8, 30]) {
    let held = 0;
    for (let run = 0; run < 2 * runs; run++) {
      const { low, high } = measureChange(Random.from(`held ${problems} ${run}`), problems).estimate;
      if (low <= 0 && 0 <= high) held += 1;
    }
    expect(held / (2 * runs)).toBeGreaterThan(0.92);
  }
});

test("the smallest effect that a run would have seen is one that it mostly sees", () => {
  const problems = 30;
  const typical = Array.from({ length: 50 }, (_, run) => measureChange(Random.from(`size ${run}`), problems).estimate);
  const detectable = mean(typical.map((one) => judged(one, problems, "rises").detectable!));
  let seen = 0;
  for (let run = 0; run < runs; run++) {
    const { estimate } = measureChange(Random.from(`power ${run}`), problems);
    const shifted = {
      value: estimate.value + detectable,
      low: estimate.low + detectable,
      high: estimate.high + detectable,
    };
    if (judged(shifted, problems, "rises").verdict === "shown") seen += 1;
  }
  expect(seen / runs).toBeGreaterThan(0.65);
  expect(seen / runs).toBeLessThan(0.95);
});

describe("a verdict", () => {
  const estimate = (value: number, reach: number) => ({ value, low: value - reach, high: value + reach });

  test("takes direction and significance from one estimate", () => {
    expect(judged(estimate(2, 1), 30, "rises").verdict).toBe("shown");
    expect(judged(estimate(2, 1), 30, "falls").verdict).toBe("reversed");
    expect(judged(estimate(1, 2), 30, "rises").verdict).toBe("not shown");
    for (const [value, reach] of [
      [2, 1.99],
      [2, 2.01],
      [-3, 2.99],
      [-3, 3.01],
    ]) {
      const { verdict, p } = judged(estimate(value, reach), 12, "rises");
      expect(p! < 0.05).toBe(verdict !== "not shown");
    }
  });

  test("is none below eight problems", () => {
    expect(judged(estimate(2, 1), 7, "rises")).toEqual({ verdict: "cannot be tested here" });
    expect(judged({ value: 2, low: Number.NaN, high: Number.NaN }, 9, "rises").verdict).toBe("cannot be tested here");
  });

  test("of what should not fall needs the loss to be excluded, not to be unseen", () => {
    const keeps = { keeps: 0.02 };
    expect(judged(estimate(0, 0.01), 50, keeps).verdict).toBe("shown");
    expect(judged(estimate(0, 0.05), 50, keeps).verdict).toBe("not shown");
    expect(judged(estimate(-0.04, 0.02), 50, keeps).verdict).toBe("reversed");
    expect(judged(estimate(-0.02, 0.015), 50, keeps)).toMatchObject({
      verdict: "reversed",
      p: expect.closeTo(0.01, 2),
    });
  });

  test("of two that are alike needs any difference to be excluded", () => {
    const alike = { alike: 0.05 };
    expect(judged(estimate(0.01, 0.03), 50, alike).verdict).toBe("shown");
    expect(judged(estimate(0.01, 0.05), 50, alike)).toMatchObject({ verdict: "not shown" });
    for (const side of [1, -1]) expect(judged(estimate(0.06 * side, 0.05), 50, alike).verdict).toBe("reversed");
    for (const [value, reach] of [
      [0.02, 0.0299],
      [-0.02, 0.0301],
      [0.07, 0.0699],
      [0.07, 0.0701],
    ]) {
      const { verdict, p } = judged(estimate(value, reach), 12, alike);
      expect(p! < 0.05).toBe(verdict !== "not shown");
    }
  });

  test("is adjusted for the number of looks, of which those that could not be tested are none", () => {
    expect(adjusted([0.01, undefined, 0.04])).toEqual([0.02, undefined, 0.04]);
    expect(
      verdictTotals([
        { verdict: "shown", adjusted: 0.01 },
        { verdict: "reversed", adjusted: 0.3 },
        { verdict: "cannot be tested here" },
      ]),
    ).toBe("1 shown, 1 reversed, 1 cannot be tested here; adjusted for 2 looks (Holm) 1 of 2 stand");
  });
});

describe("what a move is worth", () => {
  type Trace = { readonly problem: number; readonly made: boolean; readonly solved: boolean; readonly length: number };
  const worth = (traces: readonly Trace[], atEqualLength = false) => {
    const problems = [...new Set(traces.map(({ problem }) => problem))].map(String);
    const index = { problems, of: Uint32Array.from(traces, ({ problem }) => problem) };
    const values = stratified(
      { problems: index },
      traces.map((_, i) => i),
      (i) => traces[i].made,
      (i) => (traces[i].solved ? 1 : 0),
      atEqualLength ? (i) => traces[i].length : undefined,
    );
    const [estimate] = bootstrapped([differenceWithin(values)], { replicates });
    return judged(estimate, problems.length, "rises").verdict;
  };
  const random = Random.from("worth");
  const simulate = (
    solves: (made: boolean, easy: boolean, long: boolean) => number,
    madeWhen = (_easy: boolean) => 0.5,
  ) =>
    Array.from({ length: 40 * attempts }, (_, i): Trace => {
      const easy = i % 2 === 0;
      const made = random.chance(madeWhen(easy));
      const long = random.chance(made ? 0.8 : 0.2);
      return { problem: i % 40, made, solved: random.chance(solves(made, easy, long)), length: Number(long) };
    });

  test("is shown where it is needed", () => expect(worth(simulate((made) => (made ? 0.5 : 0.02)))).toBe("shown"));
  test("is not what hard problems ask for: made where it is hard, it does nothing", () => {
    const said = Array.from({ length: 60 }, () =>
      worth(
        simulate(
          (_, easy) => (easy ? 0.9 : 0.1),
          (easy) => (easy ? 0.1 : 0.9),
        ),
      ),
    ).filter((verdict) => verdict !== "not shown");
    expect(said.length).toBeLessThanOrEqual(6);
  });
  test("is not that its traces are longer", () => {
    const traces = simulate((_made, _easy, long) => (long ? 0.2 : 0.7));
    expect([worth(traces), worth(traces, true)]).toEqual(["reversed", "not shown"]);
  });
});

test("a fall over training is judged by the slope over all steps, and with the solve rate in one sentence", () => {
  const series = (changes: Readonly<Record<string, readonly [number, number]>>, problems: number) => {
    const points = [0, 40].map((step) => ({ step, traces: 64, problems: 16, measures: {}, passAtK: {} }));
    const trends = Object.entries(changes).map(([measure, [value, reach]]) => {
      return { measure, change: { value, low: value - reach, high: value + reach }, problems };
    });
    return [{ series: "vanilla", points, trends }];
  };
  const verdict = (...given: Parameters<typeof series>) => claims([], series(...given)).map((claim) => claim.verdict);
  expect(verdict({ backtrack: [-1, 0.5] }, 60)).toEqual(["shown"]);
  expect(verdict({ backtrack: [-1, 1.5] }, 60)).toEqual(["not shown"]);
  expect(verdict({ backtrack: [-1, 0.5] }, 6)).toEqual(["cannot be tested here"]);
  const both = (solved: readonly [number, number], recovery: readonly [number, number]) => {
    const [, claim] = claims([], series({ solved, "recovery primitives": recovery }, 60));
    return [claim.verdict, claim.p! < 0.05];
  };
  expect(both([0.2, 0.1], [-1, 0.5])).toEqual(["shown", true]);
  expect(both([0.2, 0.3], [-1, 0.5])).toEqual(["not shown", false]);
  expect(both([0.2, 0.1], [1, 0.5])).toEqual(["reversed", true]);
});

test("what the paper says of its bonus is asked of every pair of variants", () => {
  const random = Random.from("pairs");
  const records = ["sft", "vanilla", "noise", "novelty"].flatMap((checkpoint) =>
    Array.from(
      { length: 40 },
      (_, i): TraceRecord => ({
        ...{
          checkpoint,
          problem: `p${i % 10}`,
          attempt: Math.floor(i / 10),
          stage: "evaluation",
          kind: "mathematics",
          set: "m",
        },
        ...{ sequence: checkpoint === "novelty" ? "PHCB" : "PCCK", correct: random.chance(0.5) },
        ...{ tokens: 10, labeledBy: labelerId(exact), abstained: 0, slice: 0, ordinal: i },
      }),
    ),
  );
  const found = analyze(
    {
      records,
      taxonomy: paperTaxonomy,
      labelers: [exact],
      inputs: [],
      spans: 0,
      ...{ skipped: [], oddities: {} as never },
    },
    { replicates: 100, motifsPerLength: 1 },
  ).claims;
  const hypotheses = found.filter(({ claim }) => claim.includes("more hypothesize than"));
  expect(hypotheses.map(({ claim, verdict }) => [claim, verdict])).toEqual([
    ["the novelty bonus keeps more hypothesize than vanilla GSPO", "shown"],
    ["noise keeps more hypothesize than vanilla GSPO", "cannot be tested here"],
    ["the novelty bonus keeps more hypothesize than noise", "shown"],
  ]);
  expect(found.filter(({ claim }) => claim === "recovery goes with success under noise")).toHaveLength(1);
  expect(found.map(({ claim }) => claim)).toContain(
    "the novelty bonus and noise recover alike on problems that both solve",
  );
});
