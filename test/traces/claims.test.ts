// What is said of the paper: the one rule of verdicts, its rate of false ones under no effect, and how often its intervals hold
// the truth, on simulated problems whose rollouts are alike.
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { bootstrapped, differenceOf, mean } from "../../src/base/statistics.ts";
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

/** Every checkpoint is one policy; problems differ in skill, in moves and in how often they are asked, and their traces are alike. */
function nullRecords(random: Random, problems: number): TraceRecord[] {
  const about = { tokens: 0, labeledBy: labelerId(exact), abstained: 0, slice: 0, ordinal: 0 };
  const traces = (
    count: number,
    own: Random,
    trace: Omit<TraceRecord, "sequence" | "correct" | "attempt" | keyof typeof about>,
  ) => {
    const [skill, search, chain] = [own.uniform() ** 2, own.uniform() ** 2, 1 + 3 * own.uniform()];
    return (checkpoint: string, draw: Random) =>
      Array.from({ length: count }, (_, attempt): TraceRecord => {
        let sequence = "P";
        for (let part = 0; part < 4; part++) {
          const searches = draw.chance(search);
          if (searches) sequence += "H";
          for (let left = -chain * Math.log(1 - draw.uniform()); left > 0; left--)
            sequence += draw.chance(0.7) ? "C" : "K";
          if (searches && draw.chance(0.5)) sequence += "B";
        }
        const tokens = 20 * sequence.length * (1 + draw.below(3));
        return { ...about, ...trace, checkpoint, attempt, sequence, tokens, correct: draw.chance(skill) };
      });
  };
  const evaluated = (["puzzle", "mathematics"] as const).flatMap((kind) =>
    Array.from({ length: problems }, (_, p) => {
      const own = random.child(kind, p);
      const set = kind === "puzzle" ? "held-out puzzles" : "mathematics";
      const asked = traces(2 + own.below(6), own, {
        problem: `${kind} ${p}`,
        stage: "evaluation",
        kind,
        set,
        checkpoint: "",
      });
      return ["base", "sft", "vanilla", "noise", "novelty"].map((name) => asked(name, own.child(name)));
    }).flat(2),
  );
  const trained = ["vanilla", "novelty"].flatMap((name) =>
    Array.from({ length: 2 * problems }, (_, p) => {
      const [own, step] = [random.child(name, p), Math.floor(p / 2)];
      const problem = {
        problem: `${name} ${p}`,
        stage: "training",
        kind: "puzzle",
        set: "training",
        step,
        checkpoint: "",
      } as const;
      return traces(4, own, { ...problem, puzzle: ["pattern", "undead"][p % 2] })(`${name} step ${step}`, own);
    }).flat(),
  );
  return [...evaluated, ...trained];
}

test.each([
  [8, 8],
  [12, 6],
  [20, 4],
  [40, 2],
  [100, 1],
])(
  "with no effect on %i problems at most six of a hundred claims of any kind get a verdict, and hardly one stands",
  (problems, fewest) => {
    const many = Math.max(fewest, Math.round((fewest * runs) / 200));
    const kinds = new Map<string, { said: number; all: number }>();
    const look = (kind: string, said: boolean) => {
      for (const name of [kind, "all"]) {
        const own = kinds.get(name) ?? { said: 0, all: 0 };
        kinds.set(name, { said: own.said + Number(said), all: own.all + 1 });
      }
    };
    for (let run = 0; run < many; run++) {
      const records = nullRecords(Random.from(`none ${problems} ${run}`), problems);
      const input = {
        taxonomy: paperTaxonomy,
        labelers: [exact],
        inputs: [],
        spans: 0,
        skipped: [],
        oddities: {} as never,
      };
      const { claims: found, scopes } = analyze({ ...input, records }, { replicates, motifsPerLength: 1 });
      for (const { findings, verdict, adjusted: p } of found) {
        const [{ test: asked, direction }] = findings;
        // That nothing is lost, or that two are alike, is true here.
        const wrong = verdict === "reversed" || (verdict === "shown" && typeof direction === "string");
        look(Object.keys(asked)[0], wrong);
        look("standing", wrong && p! < 0.05);
      }
      for (const { correlations } of scopes.slice(0, 1))
        for (const { spearman } of correlations) if (spearman !== undefined) look("correlation", spearman.p < 0.05);
    }
    if (runs > 200)
      console.log(problems, Object.fromEntries([...kinds].map(([kind, { said, all }]) => [kind, (100 * said) / all])));
    const rate = (kind: string) => kinds.get(kind)!.said / kinds.get(kind)!.all;
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining(["measure", "pass", "within", "recoveryWhere", "trend", "correlation"]),
    );
    expect(rate("all")).toBeLessThanOrEqual(0.06);
    expect(rate("standing")).toBeLessThanOrEqual(0.002);
  },
);

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
      const values = Array.from({ length: seeds }, () => ({ value: random.normal() }));
      if (judgedOverSeeds(values, "rises").verdict !== "not shown") said += 1;
    }
  expect(said / 3000).toBeLessThanOrEqual(0.06);
  expect(said / 3000).toBeGreaterThanOrEqual(0.04);
});

test("seeds that do not differ say nothing of other seeds, whatever the last digits of their mean are", () => {
  const same = [0.1, 0.1, 0.1].map((value) => ({ value }));
  expect(judgedOverSeeds(same, "rises").verdict).toBe("cannot be tested here");
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

  test("is none of a change that the labels as given do not show: it rests on the labeler's confusions alone", () => {
    const given = (value: number) => ({ ...estimate(0.8, 0.4), raw: estimate(value, 0.1) });
    for (const direction of ["rises", "falls", { alike: 0.05 }] as const)
      for (const value of [0, -0.2])
        expect(judged(given(value), 30, direction)).toMatchObject({ verdict: "not shown", p: 1 });
    expect(judged(given(0.05), 30, "rises")).toMatchObject({ verdict: "shown" });
    expect(judged(given(0), 3, "rises").verdict).toBe("cannot be tested here");
    const seeds = (raw: number) => [0.7, 0.8, 0.9].map((value) => ({ value, raw: { value: raw } }));
    expect(judgedOverSeeds(seeds(0), "rises").verdict).toBe("not shown");
    expect(judgedOverSeeds(seeds(0.3), "rises").verdict).toBe("shown");
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
