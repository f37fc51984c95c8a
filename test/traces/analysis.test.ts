// Measures over checkpoints: hand-made traces with the numbers worked out beside them, and the paper's own tables where
// it gives enough to build them.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { checkFiles } from "../../src/base/integrity.ts";
import { Random } from "../../src/base/random.ts";
import { mannWhitney } from "../../src/base/statistics.ts";
import { newProblemsIntervals } from "../../src/evaluation/intervals.ts";
import { inputChange, isSameFile } from "../../src/imports/inputs.ts";
import { noOddities } from "../../src/imports/read-slice.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { primitives } from "../../src/rollouts/primitives.ts";
import { puzzlePools } from "../../src/runs/recipe-names.ts";
import { analyze, comparePair } from "../../src/traces/analysis/analysis.ts";
import { analysisIn, readAnalysis, readRecords, writeAnalysis } from "../../src/traces/analysis/analysis-folder.ts";
import { queryAnalysis } from "../../src/traces/analysis/analysis-query.ts";
import { focusOf } from "../../src/traces/analysis/claims.ts";
import { measureNames, measuresOf } from "../../src/traces/analysis/measures.ts";
import { splitOf } from "../../src/traces/analysis/problem-split.ts";
import { defaultPairs, readingPairs } from "../../src/traces/analysis/reading-pairs.ts";
import { checkpointsOf } from "../../src/traces/analysis/workspace.ts";
import { type LabelerDescription, labelerId } from "../../src/traces/labeler.ts";
import { paperSegmentation } from "../../src/traces/segmentation.ts";
import { paperAlphabet, readSequence } from "../../src/traces/sequence.ts";
import type { TraceRecord } from "../../src/traces/trace-record.ts";

function record(
  checkpoint: string,
  problem: string,
  attempt: number,
  sequence: string,
  more: Partial<TraceRecord> = {},
): TraceRecord {
  return {
    checkpoint,
    problem,
    attempt,
    stage: "evaluation",
    sequence,
    tokens: 100 * sequence.length,
    labeledBy: labelerId(unmeasured),
    confidence: 0.8,
    abstained: 0,
    slice: 0,
    ordinal: attempt,
    ...more,
  };
}

test("checkpoints come in the order of their making, however the files were read", () => {
  const orderOf = (...given: (string | [name: string, step: number])[]) => [
    ...checkpointsOf(
      given.map((one) =>
        typeof one === "string" ? record(one, "p", 0, "P") : record(one[0], "p", 0, "P", { step: one[1] }),
      ),
    ).keys(),
  ];
  expect(orderOf("novelty", "sft", "vanilla", "base")).toEqual(["base", "sft", "vanilla", "novelty"]);
  expect(orderOf("ckpt-10", "ckpt-5", "start", "ckpt-100")).toEqual(["start", "ckpt-5", "ckpt-10", "ckpt-100"]);
  expect(orderOf("b-2", "a-2", "b-1", "a-1")).toEqual(["b-1", "b-2", "a-1", "a-2"]);
  expect(orderOf(["x", 20], "before", ["y", 3])).toEqual(["before", "y", "x"]);
  expect(orderOf("mine", "another", "7")).toEqual(["mine", "another", "7"]);
});

const collection = (records: readonly TraceRecord[]) => ({
  records,
  labelers: [unmeasured],
  taxonomy: paperTaxonomy,
  inputs: [],
  skipped: [],
  oddities: noOddities(),
  spans: records.reduce((total, { sequence }) => total + sequence.length, 0),
});
const unmeasured: LabelerDescription = {
  kind: "classifier",
  name: "hand",
  version: "1",
  about: "labels by hand",
  taxonomy: "paper",
};
const options = { replicates: 300, motifsPerLength: 5 };

describe("measures of one trace", () => {
  test("SCKCKHBKO, worked by hand", () => {
    // Trigrams: SCK CKC KCK CKH KHB HBK BKO → exploitation 1 (CKC), verification 1 (KCK), recovery 2 (KHB, HBK).
    // Runs: SCKCK = 5, K = 1 → depth 5, mean 3; without setup CKCK = 4.
    const values = measuresOf(readSequence("SCKCKHBKO"), 900);
    expect(Object.fromEntries(measureNames().map((name, i) => [name, values[i]]))).toMatchObject({
      spans: 9,
      tokens: 900,
      setup: 1,
      compute: 2,
      check: 3,
      hypothesize: 1,
      backtrack: 1,
      other: 1,
      "recovery primitives": 2,
      "exploitation trigrams": 1,
      "verification trigrams": 1,
      "recovery trigrams": 2,
      "compute→check": 2,
      "check→compute→check": 1,
      "traces with recovery": 1,
      "chain depth": 5,
      "chain depth without setup": 4,
      "mean exploit run": 3,
    });
  });
});

describe("checkpoints", () => {
  // Two problems. sft: CK (solved), CKC (not), H (not), empty (not). gspo: CKCKCK twice, both solved.
  const records = [
    record("sft", "a", 0, "CK", { correct: true, puzzle: "bridges", size: "7x7" }),
    record("sft", "a", 1, "CKC", { correct: false, puzzle: "bridges", size: "7x7" }),
    record("sft", "b", 0, "H", { correct: false, puzzle: "bridges", size: "8x8" }),
    record("sft", "b", 1, "", { correct: false, puzzle: "bridges", size: "8x8" }),
    record("gspo", "a", 0, "CKCKCK", { correct: true }),
    record("gspo", "b", 0, "CKCKCK", { correct: true }),
  ];
  const [analysis] = analyze(collection(records), options).scopes;
  const [sft, gspo] = analysis.checkpoints;

  test("a bare answer is a trace with none of anything", () => {
    const bare = [
      record("base", "a", 0, "CKC", { correct: true }),
      record("base", "a", 1, "", { correct: true, bare: true }),
      record("base", "b", 0, "", { correct: false, bare: true }),
      record("base", "b", 1, "", { correct: false }),
    ];
    const [base] = analyze(collection(bare), options).scopes[0].checkpoints;
    expect(base).toMatchObject({ traces: 3, emptyTraces: 1, gradedTraces: 4, solvedTraces: 2 });
    expect(base.measures.compute.value).toBeCloseTo(2 / 3, 12);
    expect(base.measures["chain depth"].value).toBeCloseTo(3 / 3, 12);
    expect(base.measures["mean exploit run"].value).toBe(3);
  });

  test("means are over traces with at least one span; an empty response is an attempt and nothing else", () => {
    expect(sft).toMatchObject({
      checkpoint: "sft",
      traces: 3,
      emptyTraces: 1,
      problems: 2,
      gradedTraces: 4,
      solvedTraces: 1,
      gradedProblems: 2,
    });
    expect(sft.measures.compute.value).toBeCloseTo((1 + 2 + 0) / 3, 12);
    expect(sft.measures["chain depth"].value).toBeCloseTo((2 + 3 + 0) / 3, 12);
    // H has no exploit run, so the mean run is over two traces.
    expect(sft.measures["mean exploit run"].value).toBeCloseTo((2 + 3) / 2, 12);
    // Depths 0, 2, 3: the 90th percentile lies at position 1.8 → 2 + 0.8.
    expect(sft.depthPercentile90.value).toBeCloseTo(2.8, 12);
    // Spans: C 3, K 2, H 1 of 6.
    expect(sft.composition.compute).toBeCloseTo(50, 12);
    // Two problems of one depth do not say that others have it.
    const reach = 6 * (1 - 0.025 ** (1 / 2));
    expect(gspo.measures["chain depth"]).toEqual({
      value: 6,
      low: expect.closeTo(6 - reach, 12),
      high: expect.closeTo(6 + reach, 12),
    });
  });

  test("pass@k up to the fewest attempts of any problem", () => {
    // a: 1 of 2, b: 0 of 2 → pass@1 = 1/4, pass@2 = 1/2.
    const values = (passes: typeof sft.passAtK) => Object.entries(passes).map(([k, { value }]) => [k, value]);
    expect(values(sft.passAtK)).toEqual([
      ["1", 0.25],
      ["2", 0.5],
    ]);
    expect(values(gspo.passAtK)).toEqual([["1", 1]]);
  });

  test("depth by success, by puzzle and by size", () => {
    expect(sft.depthBySuccess).toMatchObject({
      solved: { traces: 1, depth: { value: 2 } },
      unsolved: { traces: 2, depth: { value: 1.5 } },
      u: 1,
      p: mannWhitney([2], [3, 0])!.p,
    });
    expect(sft.depthCounts).toEqual([1, 0, 1, 1]);
    expect(sft.depthByPuzzle.map(({ size, traces, depth }) => [size, traces, depth.value])).toEqual([
      ["7x7", 2, 2.5],
      ["8x8", 1, 0],
    ]);
  });

  test("two checkpoints on two problems are too few to speak of change", () => {
    expect(analysis.comparisons[0].words[1]).toContain("too few to tell a change from luck");
    expect(analysis.correlations).toEqual([]);
  });
});

describe("intervals of pass@k are those of an evaluation", () => {
  const solvedBy = (checkpoint: string, problems: number, correct: (problem: number, attempt: number) => boolean) =>
    Array.from({ length: 8 * problems }, (_, i) => {
      const [problem, attempt] = [Math.floor(i / 8), i % 8];
      return record(checkpoint, `p${problem}`, attempt, "CK", { correct: correct(problem, attempt) });
    });
  const scopeOf = (records: TraceRecord[]) => analyze(collection(records), { ...options, replicates: 2000 }).scopes[0];

  test("always and never are not certainty", () => {
    const always = solvedBy("after", 8, () => true);
    const never = solvedBy("before", 8, () => false);
    const [before, after] = scopeOf([...never, ...always]).checkpoints.map(({ passAtK }) => passAtK[8]);
    expect(after).toEqual({ value: 1, low: expect.closeTo(0.025 ** (1 / 8), 12), high: 1 });
    expect(before).toEqual({ value: 0, low: 0, high: expect.closeTo(1 - 0.025 ** (1 / 8), 12) });
  });

  test("neither is a change of none", () => {
    const [same] = scopeOf([...solvedBy("before", 8, () => true), ...solvedBy("after", 8, () => true)]).comparisons;
    const most = 1 - 0.025 ** (1 / 8);
    expect(same.passes.at(-1)).toMatchObject({
      k: 8,
      difference: { value: 0, low: expect.closeTo(-most, 12), high: expect.closeTo(most, 12) },
    });
  });

  test("in between, percentiles are widened for few problems", () => {
    const [nine] = scopeOf(solvedBy("nine", 9, (problem, attempt) => attempt < problem)).checkpoints;
    const counts = Array.from({ length: 9 }, (_, correct) => ({ attempts: 8, correct }));
    const [evaluated] = newProblemsIntervals(counts, [1]);
    expect(nine.passAtK[1]).toMatchObject(evaluated);
  });

  test("a single problem has none, in numbers and in words", () => {
    const graded = (checkpoint: string) => [
      ...solvedBy(checkpoint, 1, (_, attempt) => attempt > 3),
      ...Array.from({ length: 8 }, (_, i) => record(checkpoint, `ungraded ${i}`, 0, "CK")),
    ];
    const { checkpoints, comparisons } = scopeOf([...graded("before"), ...graded("after")]);
    expect(checkpoints[0].passAtK[1]).toEqual({ value: expect.closeTo(0.5, 12), low: Number.NaN, high: Number.NaN });
    expect(comparisons[0].words[1]).toContain("pass@1 50.0% → 50.0% (+0.0 points, too few problems)");
  });
});

test("the interval of a mean covers the truth about as often as it says", () => {
  // Problems differ (normal), rollouts of one problem are alike: only resampling problems can cover.
  const random = Random.from("coverage");
  let covered = 0;
  const rounds = 120;
  for (let round = 0; round < rounds; round++) {
    const records: TraceRecord[] = [];
    for (let problem = 0; problem < 40; problem++) {
      const length = 10 + Math.round(3 * random.normal());
      for (let attempt = 0; attempt < 4; attempt++) {
        records.push(record("one", `p${problem}`, attempt, "C".repeat(Math.max(1, length + random.below(2)))));
      }
    }
    const { low, high } = analyze(collection(records), {
      ...options,
      replicates: 200,
      motifsPerLength: 0,
    }).scopes[0].checkpoints[0].measures.spans;
    if (low <= 10.5 && 10.5 <= high) covered += 1;
  }
  expect(covered / rounds).toBeGreaterThan(0.87);
  expect(covered / rounds).toBeLessThan(0.995);
});

describe("comparison", () => {
  const many = (checkpoint: string, sequence: (problem: number) => string) =>
    Array.from({ length: 30 }, (_, problem) =>
      record(checkpoint, `p${problem}`, 0, sequence(problem), { correct: problem % 3 === 0 }),
    );
  const sft = many("sft", (p) => (p % 2 === 0 ? "SCKHBCK" : "SCHKBCK"));
  const gspo = many("gspo", (p) => (p % 2 === 0 ? "SCKCKCK" : "SCKCKCKK"));
  const confusion = primitives.map((_, i) => primitives.map((_, j) => (i === j ? 90 : 1)));
  const quality = {
    measured: "by hand",
    spans: 882,
    accuracy: 0.9,
    macroF1: 0.9,
    f1: {},
    examples: {},
    domains: {},
    confusion,
    calibrationError: 0,
    coverage: [],
  };

  const compared = (labeler: LabelerDescription) =>
    comparePair([...sft, ...gspo], { taxonomy: paperTaxonomy, labelers: [labeler], options }, ["sft", "gspo"]);

  test("says what rose, what fell, and what is noise", () => {
    const { comparison } = compared({ ...unmeasured, quality });
    const change = Object.fromEntries(comparison.changes.map(({ measure, change }) => [measure, change]));
    expect(change).toMatchObject({
      hypothesize: "fell",
      backtrack: "fell",
      "chain depth": "rose",
      check: "rose",
      setup: "within noise",
      plan: "within noise",
    });
    const words = comparison.words.join("\n");
    expect(words).toContain("From SFT to gspo, on the 30 problems that both were asked (30 and 30 traces");
    expect(words).toMatch(/Rose: .*chain depth/);
    expect(words).toMatch(/hypothesize 0\.9\d → 0\.00 \(−[^;]*%; as labeled −1\.00 \[−1\.12, −0\.88\]\)/);
    expect(words).toContain("Numbers are corrected for its mistakes");
  });

  test("how much of a change in depth is a change in the share of moves, by hand", () => {
    // With a hypothesis depth 1 on both sides, without it 3: all of the change is that fewer traces make one.
    const side = (checkpoint: string, withMove: number) => many(checkpoint, (p) => (p < withMove ? "CHC" : "CCC"));
    const of = (...records: TraceRecord[][]) =>
      comparePair(records.flat(), { taxonomy: paperTaxonomy, labelers: [unmeasured], options }, ["sft", "gspo"])
        .comparison;
    const shares = of(side("sft", 20), side("gspo", 10));
    expect(shares.depthByShare!.value).toBeCloseTo(2 / 3, 12);
    expect(shares.changes.find(({ measure }) => measure === "chain depth")!.difference.value).toBeCloseTo(2 / 3, 12);
    // The same shares, and deeper chains of one kind: none of it.
    const deeper = many("gspo", (p) => (p < 20 ? "CHC" : "CCCCC"));
    expect(of(side("sft", 20), deeper).depthByShare!.value).toBeCloseTo(0, 12);
  });

  test("an unmeasured classifier is said to be one", () => {
    const { comparison } = compared(unmeasured);
    expect(comparison.words.at(-1)).toContain("whose error has not been measured");
  });
});

test("the split of the paper's table: 20 both, 16 only the second, 9 only the first, 55 neither", () => {
  const solves = (checkpoint: string, solved: (p: number) => boolean) =>
    Array.from({ length: 100 }, (_, p) => record(checkpoint, `p${p}`, 0, "C", { correct: solved(p) }));
  const split = splitOf(
    solves("vanilla", (p) => p < 20 || (p >= 36 && p < 45)),
    solves("novelty", (p) => p < 36),
  );
  expect([split.both.size, split["only second"].size, split["only first"].size, split.neither.size]).toEqual([
    20, 16, 9, 55,
  ]);
});

test("motifs rise with pass@k where they do: correlations over five checkpoints", () => {
  // pass@1 is 0, 1/4, 1/2, 3/4, 1 of four problems; the share of CK in the traces rises with it.
  const sequences = ["PPPP", "PPCK", "PCKP", "CKCK", "CKCK"];
  const records = sequences.flatMap((sequence, c) =>
    Array.from({ length: 4 }, (_, p) => record(`c${c}`, `p${p}`, 0, sequence, { correct: p < c })),
  );
  const [{ correlations }] = analyze(collection(records), { ...options, motifsPerLength: 20 }).scopes;
  const of = (what: string) => correlations.find((row) => row.what === what && row.k === 1);
  expect(of("check")?.spearman?.r).toBeCloseTo(0.9486832980505138, 9); // ranks 1 2.5 2.5 4.5 4.5 against 1 2 3 4 5
  expect(of("plan")?.spearman?.r).toBeCloseTo(-0.9486832980505138, 9);
  // C0 has none, C1 and C2 one of three windows, the others two of three.
  expect(of("motif compute→check")?.pearson?.r).toBeGreaterThan(0.9);
});

describe("pairs to read", () => {
  const first = [
    record("sft", "22", 0, "CK", { correct: true }),
    record("sft", "22", 1, "PC", { correct: true }),
    record("sft", "4", 0, "CK", { correct: false }),
    record("sft", "4", 1, "CKCKCKCKCKSS", { correct: false }),
  ];
  const second = [
    record("gspo", "22", 0, "CKCKCKEKCKZ", { correct: true }),
    record("gspo", "22", 1, "SKCKCKC", { correct: true }),
    record("gspo", "4", 0, "CKHCCKKZBKCKZ", { correct: true }),
    record("gspo", "4", 1, "CKCKCKCKZ", { correct: true }),
  ];
  const pairs = readingPairs(first, second, paperAlphabet, {
    sharedOpening: 2,
    firstDepth: [2, 4],
    secondDepth: [5, 9],
    pairs: 2,
  });

  test("depth: both right, two shared opening primitives, each as deep as usual", () => {
    expect(pairs.filter(({ kind }) => kind === "depth")).toMatchObject([
      { problem: "22", opening: 2, firstDepth: 2, secondDepth: 6, first: { attempt: 0 }, second: { attempt: 0 } },
    ]);
  });

  test("depth: where usual depths overlap, equal traces are no pair, and the deeper checkpoint's trace is the deeper", () => {
    const sft = ["PCKZ", "PCKCZ", "PCKCKZ"].map((sequence, i) => record("sft", "7", i, sequence, { correct: true }));
    const rl = ["PCKZ", "PCKCZ", "PCKCKCZ"].map((sequence, i) => record("rl", "7", i, sequence, { correct: true }));
    const chosen = readingPairs(sft, rl, paperAlphabet, { sharedOpening: 2, pairs: 4 });
    expect(chosen).toMatchObject([{ firstDepth: 4, secondDepth: 5, opening: 5 }]);
    expect(readingPairs(sft, sft, paperAlphabet, { sharedOpening: 2, pairs: 4 })).toEqual([]);
  });

  test("recovery: a failure against a success that recovers, on a problem only the second solves", () => {
    // Attempt 1 of the second solves it too, without a recovery, and is passed over.
    expect(pairs.filter(({ kind }) => kind === "recovery")).toMatchObject([
      { problem: "4", first: { correct: false, attempt: 0 }, second: { correct: true, attempt: 0 } },
    ]);
  });

  test("recovery: a success that recovers no more than the failure is none", () => {
    const failures = ["PCHBKHBZ", "PCKZ"].map((sequence, i) => record("sft", "7", i, sequence, { correct: false }));
    const success = [record("rl", "7", 0, "PCHCKZ", { correct: true })];
    const chosen = readingPairs(failures, success, paperAlphabet, { sharedOpening: 2, pairs: 4 });
    expect(chosen.map(({ kind, first }) => [kind, first.attempt])).toEqual([["recovery", 1]]);
    expect(readingPairs(failures.slice(0, 1), success, paperAlphabet, { sharedOpening: 2, pairs: 4 })).toEqual([]);
  });
});

test("five checkpoints in perfect order are 2 of 120 orders, and many looks cost; four say nothing", () => {
  const records = ["P", "CK", "CKCK", "CKCKCK", "CKCKCKCK"].flatMap((sequence, c) =>
    Array.from({ length: 4 }, (_, p) => record(`c${c}`, `p${p}`, 0, sequence, { correct: p < c })),
  );
  const [{ correlations }] = analyze(collection(records), { ...options, motifsPerLength: 20 }).scopes;
  const check = correlations.find(({ what }) => what === "check");
  expect(check?.spearman?.r).toBeCloseTo(1, 12);
  expect(check?.spearman?.p).toBe(2 / 120);
  const tested = correlations.filter(({ spearman }) => spearman !== undefined);
  expect(tested.length).toBeGreaterThan(10);
  for (const { spearman, adjustedP } of tested) expect(adjustedP).toBeGreaterThanOrEqual(spearman!.p);
  const four = records.filter(({ checkpoint }) => checkpoint !== "c4");
  expect(analyze(collection(four), options).scopes[0].correlations).toEqual([]);
});

test("intervals do not depend on the order in which records were written", () => {
  const random = Random.from("order");
  const records = Array.from({ length: 60 }, (_, i) =>
    record(i % 2 === 0 ? "a" : "b", `p${i % 10}`, i, "CKHB".repeat(1 + random.below(3)), {
      correct: random.chance(0.5),
    }),
  );
  const shuffled = Random.from("another")
    .shuffle([...records])
    .sort((a, b) => (a.checkpoint < b.checkpoint ? -1 : 1));
  const [one, other] = [
    records.filter((r) => r.checkpoint === "a").concat(records.filter((r) => r.checkpoint === "b")),
    shuffled,
  ].map((list) => analyze(collection(list), options).scopes[0]);
  expect(other.checkpoints).toEqual(one.checkpoints);
  expect(other.comparisons).toEqual(one.comparisons);
});

test("sets are looked at on their own, and kinds together", () => {
  const sets = [
    ["bridges 7x7", "puzzle"],
    ["undead 4x4", "puzzle"],
    ["hard", "mathematics"],
  ] as const;
  const records = sets.flatMap(([set, kind], s) =>
    Array.from({ length: 3 }, (_, p) => record("one", `${set} ${p}`, 0, "C".repeat(s + 1), { set, kind })),
  );
  const { scopes } = analyze(collection(records), options);
  expect(scopes.map(({ scope, checkpoints }) => [scope.name, checkpoints[0].measures.compute.value])).toEqual([
    ["everything", 2],
    ["all puzzles", 1.5],
    ["bridges 7x7", 1],
    ["undead 4x4", 2],
    ["hard", 3],
  ]);
});

test("inputs that grew, shrank, changed, came or went are noticed", () => {
  const file = (path: string, bytes: number, sha256 = "x") => ({ path, bytes, sha256 });
  const then = [file("a", 10), file("b", 20)];
  expect(inputChange(then, then)).toBeUndefined();
  expect(isSameFile(file("a", 10), file("moved", 10))).toBe(true);
  expect(isSameFile(file("a", 10), file("a", 11))).toBe(false);
  expect(isSameFile(file("a", 10), file("a", 10, "y"))).toBe(false);
  expect(inputChange(then, [file("a", 11), then[1]])).toBe("a has grown");
  expect(inputChange(then, [file("a", 9), then[1]])).toBe("a has shrunk");
  expect(inputChange(then, [file("a", 10, "y"), then[1]])).toBe("a has changed");
  expect(inputChange(then, [...then, file("c", 1)])).toBe("c is new");
  expect(inputChange(then, [then[0]])).toBe("b is gone");
});

test("an analysis goes into a folder and comes back, and SQL reads its tables", async () => {
  const folder = await mkdtemp(join(tmpdir(), "analysis-"));
  try {
    const records = [
      record("sft", "a", 0, "SCKHB", { correct: true, set: "hard", step: 3 }),
      record("sft", "b", 0, "", { correct: false, set: "hard", step: 3 }),
      record("it's", "a", 0, "CK"),
    ];
    const analysis = analyze(collection(records), options);
    const plan = {
      segmentation: paperSegmentation,
      abstainBelow: 0,
      labeledBy: "classifier:any@1",
      pairs: defaultPairs,
    };
    await writeAnalysis(folder, { analysis, records, pairs: [], plan });
    expect(await readRecords(folder)).toEqual(records);
    expect(await readRecords(folder, ["it's"])).toEqual([records[2]]);
    const back = await readAnalysis(folder);
    expect(back).toEqual(JSON.parse(JSON.stringify(analysis), (_, value) => (value === null ? Number.NaN : value)));
    expect(back.training).toHaveLength(1);
    const rows = await queryAnalysis(
      folder,
      "SELECT checkpoint, chain_depth, check_compute_check, hypothesize FROM traces WHERE sequence LIKE '%HB%'",
    );
    expect(rows).toEqual([{ checkpoint: "sft", chain_depth: 3, check_compute_check: 0, hypothesize: 1 }]);
    // A response without a span has no depth, rather than one of 0.
    expect(await queryAnalysis(folder, "SELECT count(*) AS n FROM traces WHERE chain_depth IS NULL")).toEqual([
      { n: 1 },
    ]);
    const counted = "SELECT checkpoint, avg(correct) AS solved FROM traces GROUP BY 1 ORDER BY 1";
    expect(await queryAnalysis(folder, counted)).toEqual([
      { checkpoint: "it's", solved: null },
      { checkpoint: "sft", solved: 0.5 },
    ]);
    const joined =
      "SELECT DISTINCT m.checkpoint FROM measures m JOIN traces t ON m.checkpoint = t.checkpoint ORDER BY 1";
    expect((await queryAnalysis(folder, joined)).map(({ checkpoint }) => checkpoint)).toEqual(["it's", "sft"]);
    await expect(queryAnalysis(folder, "SELECT depth FROM trace")).rejects.toThrow(/cannot be answered: .*trace/i);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the run that comes with the project, unpacked, lists no file that it does not have, and answers SQL", async () => {
  const folder = await mkdtemp(join(tmpdir(), "miniature-"));
  try {
    const files = unzipSync(await readFile(join(import.meta.dirname, "../../examples/miniature.zip")));
    for (const [name, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    for (const name of Object.keys(files))
      if (basename(name) === "files.json") await checkFiles(dirname(join(folder, name)));
    const rows = await queryAnalysis(analysisIn(folder), "SELECT DISTINCT checkpoint FROM traces");
    expect(rows.map(({ checkpoint }) => checkpoint)).toEqual(["base", "sft", "vanilla", "novelty"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe("a recipe whose sets are one puzzle and size each", () => {
  // As `run paper` has them: boards as in training, and larger ones.
  const sets = { "bridges 7x7d0": "KCK", "undead 4x4de": "KCK", "bridges 8x8d0": "KCKCK" };
  const asked = (problems: number, of: (checkpoint: string, set: string) => Partial<TraceRecord>) =>
    ["sft", "vanilla"].flatMap((checkpoint) =>
      Object.entries(sets).flatMap(([set, sequence]) =>
        Array.from({ length: problems }, (_, p) => ({
          ...record(checkpoint, `${set}/${p}`, 0, sequence, { set, kind: "puzzle" as const }),
          ...of(checkpoint, set),
        })),
      ),
    );
  const pools = puzzlePools([
    { puzzles: { training: ["bridges=7x7d0", "undead=4x4de"], larger: ["bridges=8x8d0"], search: [] } },
  ]);

  test("is looked at by what the puzzles are asked for: larger boards are no held-out ones", () => {
    const right = (checkpoint: string, set: string) => ({ correct: checkpoint === "vanilla" && set.endsWith("8x8d0") });
    const { scopes, claims } = analyze({ ...collection(asked(9, right)), pools });
    expect(scopes.map(({ scope }) => [scope.name, scope.sets])).toEqual([
      ["everything", undefined],
      ["all puzzles", Object.keys(sets)],
      ["held-out puzzles", ["bridges 7x7d0", "undead 4x4de"]],
      ["larger puzzles", ["bridges 8x8d0"]],
      ...Object.keys(sets).map((set) => [set, [set]]),
    ]);
    expect(focusOf(scopes).puzzles?.scope.name).toBe("held-out puzzles");
    expect(focusOf(scopes).puzzles?.checkpoints[0].measures["chain depth"].value).toBe(3);
    const of = (claim: string) => claims.find((one) => one.claim === claim);
    expect(of("vanilla GSPO solves more puzzles than SFT")).toMatchObject({
      scope: "held-out puzzles",
      verdict: "not shown",
    });
    expect(of("vanilla GSPO carries over to larger boards")).toMatchObject({
      scope: "larger puzzles",
      verdict: "shown",
    });
  });

  test("is asked of another vocabulary as well: what falls in both is no artifact of one", () => {
    const told = (sft: string, plain: string) =>
      analyze({
        ...collection(
          asked(9, (checkpoint) =>
            checkpoint === "sft"
              ? { sequence: "KHBCK", habits: sft, abstained: 2 }
              : { sequence: "KCCCK", habits: plain, abstained: 1 },
          ),
        ),
        pools,
      });
    const of = (claim: string, { claims }: ReturnType<typeof told>) =>
      claims.find((one) => one.claim === claim && one.scope === "held-out puzzles");
    const both = told("VFBFV", "VFFFV");
    expect(of("vanilla GSPO suppresses backtrack", both)).toMatchObject({
      verdict: "shown",
      otherWords: { verdict: "shown", evidence: expect.stringContaining("1.00 → 0.00 per trace") },
    });
    expect(of("vanilla GSPO suppresses backtrack", told("VFFFV", "VFBFV"))?.otherWords?.verdict).toBe("reversed");
    // Nothing among the habits is a hypothesis, and labels that are exact need no second opinion.
    expect(of("vanilla GSPO suppresses hypothesize", both)?.otherWords).toBeUndefined();
    const exact = analyze({ ...collection(asked(9, () => ({}))), pools });
    for (const { otherWords } of exact.claims) expect(otherWords).toBeUndefined();
    const [change] = both.scopes[0].comparisons;
    expect(change.beside.find(({ measure }) => measure === "unsure")).toMatchObject({ first: 2, second: 1 });
    expect(change.words.join(" ")).toContain("Without a sure label, and counted under none: spans 2.00 → 1.00");
    expect(exact.scopes[0].comparisons[0].beside).toEqual([]);
  });

  test("shows nothing on too few problems, however clear it looks", () => {
    const all = (checkpoint: string) => ({
      correct: checkpoint === "vanilla",
      ...(checkpoint === "sft" && { sequence: "KHBCK" }),
    });
    const verdicts = (problems: number) =>
      analyze({ ...collection(asked(problems, all)), pools }).claims.filter(
        ({ scope }) => scope === "larger puzzles" || scope === "held-out puzzles",
      );
    const few = verdicts(3);
    expect(few.length).toBeGreaterThan(5);
    // Section 5.1 included: a test of traces would have called three problems significant.
    for (const { verdict } of few) expect(verdict).toBe("cannot be tested here");
    expect(few[0].evidence).toMatch(/problems, fewer than 8$/);
    expect(
      verdicts(8)
        .filter(({ verdict }) => verdict === "shown")
        .map(({ claim }) => claim),
    ).toContain("vanilla GSPO suppresses hypothesize");
  });
});
