// How the repertoire develops while a policy is trained: every measure at every step, by training run.
import { mean } from "../../base/statistics.ts";
import { stepOfName } from "../../imports/step-name.ts";
import { isMeasured, type TraceRecord } from "../trace-record.ts";
import { clusteredValues } from "./clusters.ts";
import { drawsOf, type Estimate, estimates, meanOf } from "./estimates.ts";
import { type MeasureName, measureNames } from "./measures.ts";
import { passCurve, solveCounts } from "./solve-counts.ts";
import type { Workspace } from "./workspace.ts";

export type TrainingPoint = {
  readonly step: number;
  readonly traces: number;
  readonly problems: number;
  readonly measures: Readonly<Record<MeasureName, Estimate>>;
  /** Of the rollouts of this step; absent where nobody graded them. */
  readonly passAtK: Readonly<Record<string, number>>;
  /** Mean reward or score of the rollouts that have one; absent where none has, and in analyses of version 0.1. */
  readonly score?: number;
};

export type TrainingSeries = { readonly series: string; readonly points: readonly TrainingPoint[] };

/** A step without a run is of the run that was given. */
export const seriesOf = (record: TraceRecord): string => stepOfName(record).series || "training";

export function trainingSeries(work: Workspace): TrainingSeries[] {
  const { records, columns, problems, alphabet, resampling } = work;
  const series = new Map<string, Map<number, number[]>>();
  records.forEach((record, i) => {
    if (record.step === undefined) return;
    const name = seriesOf(record);
    const steps = series.get(name) ?? new Map<number, number[]>();
    series.set(name, steps);
    const members = steps.get(record.step);
    if (members === undefined) steps.set(record.step, [i]);
    else members.push(i);
  });
  const names = measureNames(alphabet);
  return [...series].map(([name, steps]) => ({
    series: name,
    points: [...steps]
      .sort(([a], [b]) => a - b)
      .map(([step, members]): TrainingPoint => {
        // Every step has problems of its own: only they are drawn again.
        const own = new Map(
          [...new Set(members.map((i) => problems.of[i]))].sort((a, b) => a - b).map((p, i) => [p, i]),
        );
        const index = {
          problems: [...own.keys()].map((p) => problems.problems[p]),
          of: problems.of.map((p) => own.get(p) ?? 0),
        };
        const read = members.filter((i) => isMeasured(records[i]));
        return {
          step,
          traces: members.length,
          problems: own.size,
          measures: estimates(
            drawsOf(own.size, {
              random: resampling.random.child("training", name, step),
              replicates: Math.min(500, resampling.replicates),
            }),
            Object.fromEntries(
              names.map((measure) => [measure, meanOf(clusteredValues(columns[measure], read, index))]),
            ),
          ),
          passAtK: passCurve(solveCounts(members.map((i) => records[i]))),
          ...meanScore(members.map((i) => records[i])),
        };
      }),
  }));
}

function meanScore(records: readonly TraceRecord[]): Pick<TrainingPoint, "score"> {
  const scores = records.flatMap(({ score }) => score ?? []);
  return scores.length === 0 ? {} : { score: mean(scores) };
}
