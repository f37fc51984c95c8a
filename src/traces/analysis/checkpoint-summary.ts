// One checkpoint in one scope: every measure with its interval, how its depth is distributed and splits by success, by puzzle
// and by board size, its pass curve.
import { mannWhitney, mean } from "../../base/statistics.ts";
import { type Alphabet, readSequence } from "../sequence.ts";
import { isMeasured, type TraceRecord } from "../trace-record.ts";
import { clusteredHistogram, clusteredValues, problemCount } from "./clusters.ts";
import { type Estimate, estimates, meanOf, overEnough, percentileOf, type Statistic } from "./estimates.ts";
import { depthMeasure, type MeasureName, measureNames, mostOf } from "./measures.ts";
import { passEstimates, solveCounts } from "./solve-counts.ts";
import type { Workspace } from "./workspace.ts";

export type DepthGroup = {
  readonly puzzle?: string;
  readonly size?: string;
  readonly traces: number;
  readonly solvedTraces: number;
  readonly depth: Estimate;
  readonly solvedDepth: Estimate;
};

/** The table of depth by success: two-sided and unadjusted, as the paper gives it; its test by the labels as given. */
type DepthBySuccess = {
  readonly solved: { readonly traces: number; readonly depth: Estimate };
  readonly unsolved: { readonly traces: number; readonly depth: Estimate };
  readonly u?: number;
  readonly p?: number;
  /** The chance that a solved trace is deeper than an unsolved one. */
  readonly effect?: number;
};

export type CheckpointSummary = {
  readonly checkpoint: string;
  readonly step?: number;
  /** Ids of whoever labeled its traces. */
  readonly labeledBy: readonly string[];
  /** With at least one span, and bare answers. */
  readonly traces: number;
  readonly emptyTraces: number;
  readonly problems: number;
  readonly gradedTraces: number;
  readonly gradedProblems: number;
  readonly solvedTraces: number;
  /** By k, with intervals over problems. */
  readonly passAtK: Readonly<Record<string, Estimate>>;
  readonly measures: Readonly<Record<MeasureName, Estimate>>;
  readonly depthPercentile90: Estimate;
  /** How many traces have each chain depth by the labels as given, from 0. */
  readonly depthCounts: readonly number[];
  /** Percent of all labeled spans, the break included, as the paper's table of settings; corrected as the measures are. */
  readonly composition: Readonly<Record<string, number>>;
  /** Of the spans that are breaks: how many there are, and the share that lies in the last fifth of its trace. */
  readonly breaks: { readonly spans: number; readonly inLastFifth: number };
  readonly depthBySuccess: DepthBySuccess;
  readonly depthByPuzzle: readonly DepthGroup[];
  readonly abstainedSpans: number;
};

export function checkpointSummary(work: Workspace, checkpoint: string): CheckpointSummary {
  const { records, columns, drawn, likely, problems, alphabet } = work;
  const chosen = work.of(checkpoint);
  const own = chosen.map((i) => records[i]);
  const read = chosen.filter((i) => isMeasured(records[i]));
  const solved = read.filter((i) => records[i].correct === true);
  const unsolved = read.filter((i) => records[i].correct === false);
  const graded = own.filter(({ correct }) => correct !== undefined);
  const counts = solveCounts(own);
  const depth = columns[depthMeasure];
  const names = measureNames(alphabet);

  const found = estimates(work, (columns, draw) => {
    const mean = (name: string, members: readonly number[]) =>
      meanOf(clusteredValues(columns[name], members, problems), mostOf(name));
    const depths = (draw === undefined ? columns : likely[draw])[depthMeasure];
    return Object.fromEntries<Statistic>([
      ...names.map((name): [string, Statistic] => [name, mean(name, read)]),
      ["depth p90", percentileOf(clusteredHistogram(depths, read, problems), 90)],
      ["depth solved", mean(depthMeasure, solved)],
      ["depth unsolved", mean(depthMeasure, unsolved)],
    ]);
  });

  const totals = alphabet.labels.map((name) =>
    mean((drawn.length > 0 ? drawn : [columns]).map((own) => read.reduce((sum, i) => sum + own[name][i], 0))),
  );
  const spans = totals.reduce((a, b) => a + b, 0);
  const test = mannWhitney(
    solved.map((i) => depth[i]),
    unsolved.map((i) => depth[i]),
  );
  return {
    checkpoint,
    step: own[0]?.step,
    labeledBy: [...new Set(own.map(({ labeledBy }) => labeledBy))].sort(),
    traces: read.length,
    emptyTraces: chosen.length - read.length,
    problems: new Set(own.map(({ problem }) => problem)).size,
    gradedTraces: graded.length,
    gradedProblems: counts.size,
    solvedTraces: graded.filter(({ correct }) => correct).length,
    passAtK: passEstimates(counts),
    measures: Object.fromEntries(names.map((name) => [name, found[name]])),
    depthPercentile90: found["depth p90"],
    depthCounts: histogram(read.map((i) => depth[i])),
    composition: Object.fromEntries(
      alphabet.labels.map((name, code) => [name, (100 * totals[code]) / Math.max(spans, 1)]),
    ),
    breaks: breakPlaces(own, alphabet),
    depthBySuccess: {
      solved: {
        traces: solved.length,
        ...overEnough({ depth: found["depth solved"] }, problemCount(work, solved)),
      },
      unsolved: {
        traces: unsolved.length,
        ...overEnough({ depth: found["depth unsolved"] }, problemCount(work, unsolved)),
      },
      u: test?.u,
      p: test?.p,
      effect: test?.commonLanguageEffect,
    },
    depthByPuzzle: depthGroups(work, read),
    abstainedSpans: own.reduce((total, { abstained }) => total + abstained, 0),
  };
}

function histogram(values: readonly number[]): number[] {
  const counts = new Array<number>(values.reduce((most, value) => Math.max(most, value), 0) + 1).fill(0);
  for (const value of values) counts[value] += 1;
  return counts;
}

function breakPlaces(records: readonly TraceRecord[], alphabet: Alphabet): CheckpointSummary["breaks"] {
  let spans = 0;
  let late = 0;
  for (const { sequence } of records) {
    const codes = readSequence(sequence, alphabet);
    for (let i = 0; i < codes.length; i++) {
      if (codes[i] !== alphabet.breakCode) continue;
      spans += 1;
      if (i >= 0.8 * codes.length) late += 1;
    }
  }
  return { spans, inLastFifth: spans === 0 ? 0 : late / spans };
}

/** By puzzle and board size. */
function depthGroups(work: Workspace, read: readonly number[]): DepthGroup[] {
  const { records, problems } = work;
  const groups = new Map<string, number[]>();
  for (const i of read) {
    const { puzzle, size } = records[i];
    if (puzzle === undefined) continue;
    const name = JSON.stringify([puzzle, size]);
    groups.set(name, [...(groups.get(name) ?? []), i]);
  }
  const collator = new Intl.Collator("en", { numeric: true });
  return [...groups]
    .sort(([a], [b]) => collator.compare(a, b))
    .map(([, members]) => {
      const { puzzle, size } = records[members[0]];
      const solved = members.filter((i) => records[i].correct === true);
      const depthOf = (some: readonly number[]) =>
        overEnough(
          estimates(work, (columns) => ({ depth: meanOf(clusteredValues(columns[depthMeasure], some, problems)) })),
          problemCount(work, some),
        ).depth;
      const [depth, solvedDepth] = [members, solved].map(depthOf);
      return { puzzle, size, traces: members.length, solvedTraces: solved.length, depth, solvedDepth };
    });
}
