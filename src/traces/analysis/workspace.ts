// The records of one scope ready for measuring: columns of measures, problems to resample, members of each checkpoint.
import type { LabellerDescription } from "../labeller.ts";
import type { Alphabet } from "../sequence.ts";
import type { TraceRecord } from "../trace-record.ts";
import { type ProblemIndex, problemIndex } from "./clusters.ts";
import { type Draws, drawsOf, type Resampling } from "./estimates.ts";
import { type MeasureColumns, measureColumns } from "./measures.ts";

export type Workspace = {
  readonly records: readonly TraceRecord[];
  readonly alphabet: Alphabet;
  readonly columns: MeasureColumns;
  readonly problems: ProblemIndex;
  /** Of the problems, made once for everything that is estimated. */
  readonly draws: Draws;
  readonly resampling: Resampling;
  /** In the order in which they are shown. */
  readonly checkpoints: readonly string[];
  /** Places of a checkpoint's records. */
  readonly of: (checkpoint: string) => readonly number[];
  readonly labellers: ReadonlyMap<string, LabellerDescription>;
};

export function workspace(
  records: readonly TraceRecord[],
  alphabet: Alphabet,
  labellers: ReadonlyMap<string, LabellerDescription>,
  resampling: Resampling,
): Workspace {
  const members = checkpointsOf(records);
  const problems = problemIndex(records);
  return {
    records,
    alphabet,
    columns: measureColumns(records, alphabet),
    problems,
    draws: drawsOf(problems.problems.length, { ...resampling, random: resampling.random.child("problems") }),
    resampling,
    checkpoints: [...members.keys()],
    of: (checkpoint) => members.get(checkpoint) ?? [],
    labellers,
  };
}

/** In the order in which they appear; checkpoints with a training step by that step. */
export function checkpointsOf(records: readonly TraceRecord[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  records.forEach(({ checkpoint }, i) => {
    const members = found.get(checkpoint);
    if (members === undefined) found.set(checkpoint, [i]);
    else members.push(i);
  });
  const stepOf = (name: string) => records[found.get(name)![0]].step;
  const entries = [...found];
  if (entries.every(([name]) => stepOf(name) !== undefined)) entries.sort(([a], [b]) => stepOf(a)! - stepOf(b)!);
  return new Map(entries);
}
