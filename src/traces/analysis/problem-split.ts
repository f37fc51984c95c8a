// Problems by who solves them: both checkpoints, only one, or neither; and how each of them reasons on each part.
import { pairedProblems } from "../../evaluation/comparison.ts";
import { categoryMeasure } from "../categories.ts";
import type { Alphabet } from "../sequence.ts";
import { isMeasured, type TraceRecord } from "../trace-record.ts";
import { clusteredValues, problemCount } from "./clusters.ts";
import type { Contrast } from "./contrasts.ts";
import { differenceOf, type Estimate, estimates, meanOf, overEnough } from "./estimates.ts";
import { depthMeasure, type MeasureName, mostOf, recoveringMeasure } from "./measures.ts";
import { solveCounts } from "./solve-counts.ts";
import type { Workspace } from "./workspace.ts";

export const splitParts = ["both", "only first", "only second", "neither"] as const;
export type SplitPart = (typeof splitParts)[number];

/** What the paper reports on each part: the moves of recovery, the trigrams, the chain it follows by name, depth. */
export function splitMeasures(alphabet: Alphabet): MeasureName[] {
  const { taxonomy, categories, motifs } = alphabet;
  return [
    ...taxonomy.recover,
    ...categories.filter(({ length }) => length === 3).map(categoryMeasure),
    ...motifs.map(({ name }) => name),
    depthMeasure,
  ];
}

export type SplitSide = {
  readonly checkpoint: string;
  readonly traces: number;
  readonly solvedTraces: number;
  /** Traces that hold a recovery trigram, among all, the solved and the failed. */
  readonly withRecovery: { readonly all: number; readonly solved: number; readonly failed: number };
  readonly all: Readonly<Record<MeasureName, Estimate>>;
  readonly solved: Readonly<Record<MeasureName, Estimate>>;
};

export type ProblemSplit = {
  readonly first: string;
  readonly second: string;
  /**
   * Of traces with recovery, second − first: on the problems that exactly one of them solves, and in solved traces of those that
   * both do. On what the second alone solves it would be chosen by its own outcome: two runs of one policy differ there.
   */
  readonly recoveryWhere: { readonly one: Contrast; readonly both: Contrast };
  readonly parts: Readonly<
    Record<SplitPart, { readonly problems: readonly string[]; readonly first: SplitSide; readonly second: SplitSide }>
  >;
};

export function splitOf(
  first: readonly TraceRecord[],
  second: readonly TraceRecord[],
): Record<SplitPart, ReadonlySet<string>> {
  const { pairs } = pairedProblems([...solveCounts(first).values()], [...solveCounts(second).values()]);
  const part = (inFirst: boolean, inSecond: boolean) =>
    new Set(
      pairs
        .filter((pair) => pair.first.correct > 0 === inFirst && pair.second.correct > 0 === inSecond)
        .map(({ problem }) => problem),
    );
  return {
    both: part(true, true),
    "only first": part(true, false),
    "only second": part(false, true),
    neither: part(false, false),
  };
}

export function problemSplit(work: Workspace, names: readonly [string, string]): ProblemSplit {
  const { records, columns, problems, alphabet } = work;
  const chosen = names.map(work.of);
  const split = splitOf(...(chosen.map((indices) => indices.map((i) => records[i])) as [TraceRecord[], TraceRecord[]]));
  const measured = splitMeasures(alphabet);
  const side = (part: SplitPart, which: 0 | 1): SplitSide => {
    const members = chosen[which].filter((i) => split[part].has(records[i].problem) && isMeasured(records[i]));
    const solved = members.filter((i) => records[i].correct === true);
    const failed = members.filter((i) => records[i].correct === false);
    const withRecovery = (indices: readonly number[]) =>
      indices.filter((i) => columns[recoveringMeasure][i] > 0).length;
    const means = (indices: readonly number[]) => {
      const found = estimates(work, (columns) =>
        Object.fromEntries(
          measured.map((measure) => [
            measure,
            meanOf(clusteredValues(columns[measure], indices, problems), mostOf(measure)),
          ]),
        ),
      );
      return overEnough(found, problemCount(work, indices));
    };
    return {
      checkpoint: names[which],
      traces: members.length,
      solvedTraces: solved.length,
      withRecovery: { all: withRecovery(members), solved: withRecovery(solved), failed: withRecovery(failed) },
      all: means(members),
      solved: means(solved),
    };
  };
  const contrastOn = (counts: (record: TraceRecord) => boolean): Contrast => {
    const [first, second] = chosen.map((indices) => indices.filter((i) => counts(records[i])));
    const share = (from: Workspace["columns"], members: readonly number[]) =>
      clusteredValues(from[recoveringMeasure], members, problems);
    const { change } = estimates(work, (from) => ({ change: differenceOf(share(from, first), share(from, second)) }));
    return { difference: change, problems: problemCount(work, [...first, ...second]) };
  };
  const partOf = (part: SplitPart) => ({
    problems: [...split[part]].sort(),
    first: side(part, 0),
    second: side(part, 1),
  });
  return {
    first: names[0],
    second: names[1],
    recoveryWhere: {
      one: contrastOn(({ problem }) => split["only first"].has(problem) || split["only second"].has(problem)),
      both: contrastOn(({ problem, correct }) => correct === true && split.both.has(problem)),
    },
    parts: {
      both: partOf("both"),
      "only first": partOf("only first"),
      "only second": partOf("only second"),
      neither: partOf("neither"),
    },
  };
}
