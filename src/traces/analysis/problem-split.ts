// Problems by who solves them: both checkpoints, only one, or neither; and how each of them reasons on each part.
import type { TraceRecord } from "../trace-record.ts";
import { clusteredValues, type ProblemIndex } from "./clusters.ts";
import { type Estimate, estimates, meanOf, type Resampling } from "./estimates.ts";
import type { MeasureColumns, MeasureName } from "./measures.ts";
import { solveCounts, solvedProblems } from "./solve-counts.ts";

export const splitParts = ["both", "only first", "only second", "neither"] as const;
export type SplitPart = (typeof splitParts)[number];

/** What the paper reports on each part. */
export const splitMeasures = [
  "hypothesize",
  "backtrack",
  "recovery trigrams",
  "exploitation trigrams",
  "verification trigrams",
  "check→compute→check",
  "chain depth",
] as const satisfies readonly MeasureName[];

export type SplitSide = {
  readonly checkpoint: string;
  readonly traces: number;
  readonly solvedTraces: number;
  /** Traces that hold a recovery trigram, among all, the solved and the failed. */
  readonly withRecovery: { readonly all: number; readonly solved: number; readonly failed: number };
  readonly all: Readonly<Record<(typeof splitMeasures)[number], Estimate>>;
  readonly solved: Readonly<Record<(typeof splitMeasures)[number], Estimate>>;
};

export type ProblemSplit = {
  readonly first: string;
  readonly second: string;
  readonly parts: Readonly<
    Record<SplitPart, { readonly problems: readonly string[]; readonly first: SplitSide; readonly second: SplitSide }>
  >;
};

export function splitOf(
  first: readonly TraceRecord[],
  second: readonly TraceRecord[],
): Record<SplitPart, ReadonlySet<string>> {
  const [a, b] = [solveCounts(first), solveCounts(second)];
  const [solvedA, solvedB] = [solvedProblems(a), solvedProblems(b)];
  // Only problems that both were graded on can be compared.
  const shared = [...a.keys()].filter((problem) => b.has(problem));
  const part = (inA: boolean, inB: boolean) =>
    new Set(shared.filter((problem) => solvedA.has(problem) === inA && solvedB.has(problem) === inB));
  return {
    both: part(true, true),
    "only first": part(true, false),
    "only second": part(false, true),
    neither: part(false, false),
  };
}

export function problemSplit(
  names: readonly [string, string],
  chosen: readonly [readonly number[], readonly number[]],
  records: readonly TraceRecord[],
  columns: MeasureColumns,
  problems: ProblemIndex,
  resampling: Resampling,
): ProblemSplit {
  const [first, second] = chosen.map((indices) => indices.map((i) => records[i]));
  const split = splitOf(first, second);
  const side = (part: SplitPart, which: 0 | 1): SplitSide => {
    const members = chosen[which].filter((i) => split[part].has(records[i].problem) && records[i].sequence !== "");
    const solved = members.filter((i) => records[i].correct === true);
    const failed = members.filter((i) => records[i].correct === false);
    const withRecovery = (indices: readonly number[]) =>
      indices.filter((i) => columns["traces with recovery"][i] > 0).length;
    const measured = (indices: readonly number[], name: string) =>
      estimates(
        problems.problems.length,
        Object.fromEntries(
          splitMeasures.map((measure) => [measure, meanOf(clusteredValues(columns[measure], indices, problems))]),
        ) as Record<(typeof splitMeasures)[number], ReturnType<typeof meanOf>>,
        { ...resampling, random: resampling.random.child("split", part, names[which], name) },
      );
    return {
      checkpoint: names[which],
      traces: members.length,
      solvedTraces: solved.length,
      withRecovery: { all: withRecovery(members), solved: withRecovery(solved), failed: withRecovery(failed) },
      all: measured(members, "all"),
      solved: measured(solved, "solved"),
    };
  };
  const partOf = (part: SplitPart) => ({ problems: [...split[part]], first: side(part, 0), second: side(part, 1) });
  return {
    first: names[0],
    second: names[1],
    parts: {
      both: partOf("both"),
      "only first": partOf("only first"),
      "only second": partOf("only second"),
      neither: partOf("neither"),
    },
  };
}
