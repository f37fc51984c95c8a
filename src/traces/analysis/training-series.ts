// How the repertoire develops while a policy is trained: every measure at every step, by training run.
import { mean } from "../../base/statistics.ts";
import { stepOfName } from "../../imports/step-name.ts";
import type { StepSigns } from "../../training/alarms.ts";
import { stepSigns } from "../step-signs.ts";
import { isMeasured, type TraceRecord } from "../trace-record.ts";
import { clusteredValues, problemIndex } from "./clusters.ts";
import { type Estimate, estimates, meanOf, type Statistic } from "./estimates.ts";
import { type MeasureName, measureNames, mostOf, recoveryMeasure } from "./measures.ts";
import { passCurve, solveCounts } from "./solve-counts.ts";
import type { Workspace } from "./workspace.ts";

export type TrainingPoint = {
  readonly step: number;
  readonly traces: number;
  readonly problems: number;
  readonly measures: Readonly<Record<MeasureName, Estimate>>;
  /** Of the rollouts of this step; absent where nobody graded them. */
  readonly passAtK: Readonly<Record<string, number>>;
  /** Mean reward or score of the rollouts that have one; absent where none has. */
  readonly score?: number;
  /** What alarms go by, besides measures. */
  readonly signs?: Omit<StepSigns, "step" | "recovery" | "tokens">;
};

/** What a measure (or `solved`) changes by from the first step to the last, by its slope over all of them. */
type TrainingTrend = { readonly measure: string; readonly change: Estimate; readonly problems: number };

export type TrainingSeries = {
  readonly series: string;
  readonly points: readonly TrainingPoint[];
  readonly trends: readonly TrainingTrend[];
};

/** A step without a run is of the run that was given. */
export const seriesOf = (record: TraceRecord): string => stepOfName(record).series || "training";

export function trainingSeries(work: Workspace): TrainingSeries[] {
  const { records, alphabet } = work;
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
    trends: trendsOf(work, steps),
    points: [...steps]
      .sort(([a], [b]) => a - b)
      .map(([step, members]): TrainingPoint => {
        // Every step has problems of its own.
        const own = problemIndex(members.map((i) => records[i]));
        const places = new Uint32Array(records.length);
        members.forEach((i, place) => {
          places[i] = own.of[place];
        });
        const index = { problems: own.problems, of: places };
        const read = members.filter((i) => isMeasured(records[i]));
        return {
          step,
          traces: members.length,
          problems: own.problems.length,
          measures: estimates({ ...work, replicates: Math.min(500, work.replicates) }, (columns) =>
            Object.fromEntries(
              names.map((measure) => [
                measure,
                meanOf(clusteredValues(columns[measure], read, index), mostOf(measure)),
              ]),
            ),
          ),
          passAtK: passCurve(solveCounts(members.map((i) => records[i]))),
          ...meanScore(members.map((i) => records[i])),
          signs: stepSigns(members.map((i) => records[i])),
        };
      }),
  }));
}

/** Its steps ask different problems, and of different kinds: within a kind the slope does not move with the mix. */
function trendsOf(work: Workspace, steps: ReadonlyMap<number, readonly number[]>): TrainingTrend[] {
  const { records, alphabet, problems } = work;
  const all = [...steps.keys()];
  const span = Math.max(...all) - Math.min(...all);
  if (span === 0) return [];
  const members = [...steps.values()].flat().filter((i) => isMeasured(records[i]));
  const kinds = [...new Set(members.map((i) => kindOf(records[i])))];
  const graded = Float64Array.from(records, ({ correct }) => (correct === undefined ? Number.NaN : Number(correct)));
  const measures = [...alphabet.taxonomy.recover, recoveryMeasure, "solved"];
  const own = [...new Set(members.map((i) => problems.of[i]))].sort((a, b) => a - b);
  const places = new Map(own.map((problem, place) => [problem, place]));
  const trendOf = (column: ArrayLike<number>, most = Number.POSITIVE_INFINITY): Statistic => {
    // By kind: traces, Σx, Σy, Σxy, Σx².
    const sums = kinds.flatMap(() => Array.from({ length: 5 }, () => new Float64Array(own.length)));
    for (const i of members) {
      const [x, y] = [records[i].step! / span, column[i]];
      if (Number.isNaN(y)) continue;
      const kind = 5 * kinds.indexOf(kindOf(records[i]));
      const place = places.get(problems.of[i])!;
      [1, x, y, x * y, x * x].forEach((term, t) => {
        sums[kind + t][place] += term;
      });
    }
    // A line through shares may end where no share can be.
    const of = (totals: Float64Array) => Math.max(-most, Math.min(most, slopeWithin(totals)));
    return { columns: sums, of, range: { low: -most, high: most } };
  };
  const found = estimates(work, (columns) =>
    Object.fromEntries(
      measures.map((measure) => [measure, measure === "solved" ? trendOf(graded, 1) : trendOf(columns[measure])]),
    ),
  );
  return measures.map((measure) => ({ measure, change: found[measure], problems: own.length }));
}

const kindOf = ({ puzzle, set }: TraceRecord): string => puzzle ?? set ?? "";

function slopeWithin(totals: Float64Array): number {
  let [above, below] = [0, 0];
  for (let kind = 0; kind < totals.length; kind += 5) {
    const [n, x, y, xy, xx] = totals.subarray(kind, kind + 5);
    if (n === 0) continue;
    above += xy - (x * y) / n;
    below += xx - (x * x) / n;
  }
  return above / below;
}

function meanScore(records: readonly TraceRecord[]): Pick<TrainingPoint, "score"> {
  const scores = records.flatMap(({ score }) => score ?? []);
  return scores.length === 0 ? {} : { score: mean(scores) };
}
