// One checkpoint: every measure with its interval, how its depth splits by success, by puzzle and by board size, its pass
// curve, and its motifs.
import { mannWhitney, mean } from "../../base/statistics.ts";
import { primitives } from "../../rollouts/primitives.ts";
import type { TraceRecord } from "../trace-record.ts";
import { clusteredHistogram, clusteredValues, type ProblemIndex } from "./clusters.ts";
import { type Estimate, estimates, meanOf, percentileOf, type Resampling } from "./estimates.ts";
import { type MeasureColumns, type MeasureName, measureNames } from "./measures.ts";
import { passCurve, solveCounts, solvedProblems } from "./solve-counts.ts";

export type DepthGroup = {
  readonly puzzle?: string;
  readonly size?: string;
  readonly set?: string;
  readonly traces: number;
  readonly solvedTraces: number;
  readonly depth: Estimate;
  readonly solvedDepth: Estimate;
};

/** The table of depth by success: two-sided and unadjusted, as the paper gives it. */
export type DepthBySuccess = {
  readonly solved: { readonly traces: number; readonly mean: number };
  readonly unsolved: { readonly traces: number; readonly mean: number };
  readonly u?: number;
  readonly p?: number;
};

export type CheckpointSummary = {
  readonly checkpoint: string;
  readonly step?: number;
  /** With at least one span. */
  readonly traces: number;
  readonly emptyTraces: number;
  readonly problems: number;
  readonly gradedTraces: number;
  readonly solvedTraces: number;
  readonly solvedProblems: number;
  readonly passAtK: Readonly<Record<string, number>>;
  readonly measures: Readonly<Record<MeasureName, Estimate>>;
  readonly depthPercentile90: Estimate;
  /** Percent of all labelled spans, `other` included, as the paper's table of settings. */
  readonly composition: Readonly<Record<string, number>>;
  readonly depthBySuccess: DepthBySuccess;
  readonly depthByPuzzle: readonly DepthGroup[];
  readonly depthBySet: readonly DepthGroup[];
  readonly meanConfidence: number;
  readonly abstainedSpans: number;
};

export function checkpointSummary(
  checkpoint: string,
  records: readonly TraceRecord[],
  chosen: readonly number[],
  columns: MeasureColumns,
  problems: ProblemIndex,
  resampling: Resampling,
): CheckpointSummary {
  const own = chosen.map((i) => records[i]);
  const read = chosen.filter((i) => records[i].sequence !== "");
  const graded = own.filter(({ correct }) => correct !== undefined);
  const counts = solveCounts(own);
  const depth = columns["chain depth"];

  const statistics = {
    ...Object.fromEntries(measureNames.map((name) => [name, meanOf(clusteredValues(columns[name], read, problems))])),
    "depth p90": percentileOf(clusteredHistogram(depth, read, problems), 90),
  } as Record<MeasureName | "depth p90", ReturnType<typeof meanOf>>;
  const { "depth p90": depthPercentile90, ...measures } = estimates(problems.problems.length, statistics, {
    ...resampling,
    random: resampling.random.child("checkpoint", checkpoint),
  });

  const totals = primitives.map((name) => read.reduce((sum, i) => sum + columns[name][i], 0));
  const spans = totals.reduce((a, b) => a + b, 0);
  return {
    checkpoint,
    step: own[0]?.step,
    traces: read.length,
    emptyTraces: chosen.length - read.length,
    problems: new Set(own.map(({ problem }) => problem)).size,
    gradedTraces: graded.length,
    solvedTraces: graded.filter(({ correct }) => correct).length,
    solvedProblems: solvedProblems(counts).size,
    passAtK: passCurve(counts),
    measures: measures as Record<MeasureName, Estimate>,
    depthPercentile90,
    composition: Object.fromEntries(primitives.map((name, code) => [name, (100 * totals[code]) / spans])),
    depthBySuccess: depthBySuccess(records, read, depth),
    depthByPuzzle: depthGroups(records, read, depth, problems, resampling, ({ puzzle, size }) =>
      puzzle === undefined ? undefined : { puzzle, size },
    ),
    depthBySet: depthGroups(records, read, depth, problems, resampling, ({ set }) =>
      set === undefined ? undefined : { set },
    ),
    meanConfidence: mean(read.map((i) => records[i].confidence)),
    abstainedSpans: own.reduce((total, { abstained }) => total + abstained, 0),
  };
}

function depthBySuccess(records: readonly TraceRecord[], read: readonly number[], depth: Float64Array): DepthBySuccess {
  const solved = read.filter((i) => records[i].correct === true).map((i) => depth[i]);
  const unsolved = read.filter((i) => records[i].correct === false).map((i) => depth[i]);
  const test = mannWhitney(solved, unsolved);
  return {
    solved: { traces: solved.length, mean: mean(solved) },
    unsolved: { traces: unsolved.length, mean: mean(unsolved) },
    u: test?.u,
    p: test?.p,
  };
}

type GroupKey = Pick<DepthGroup, "puzzle" | "size" | "set">;

function depthGroups(
  records: readonly TraceRecord[],
  read: readonly number[],
  depth: Float64Array,
  problems: ProblemIndex,
  resampling: Resampling,
  keyOf: (record: TraceRecord) => GroupKey | undefined,
): DepthGroup[] {
  const groups = new Map<string, { key: GroupKey; members: number[] }>();
  for (const i of read) {
    const key = keyOf(records[i]);
    if (key === undefined) continue;
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, members: [] };
    group.members.push(i);
    groups.set(name, group);
  }
  const collator = new Intl.Collator("en", { numeric: true });
  return [...groups]
    .sort(([a], [b]) => collator.compare(a, b))
    .map(([name, { key, members }]) => {
      const solved = members.filter((i) => records[i].correct === true);
      const { all, right } = estimates(
        problems.problems.length,
        {
          all: meanOf(clusteredValues(depth, members, problems)),
          right: meanOf(clusteredValues(depth, solved, problems)),
        },
        { ...resampling, random: resampling.random.child("depth of", name) },
      );
      return { ...key, traces: members.length, solvedTraces: solved.length, depth: all, solvedDepth: right };
    });
}
