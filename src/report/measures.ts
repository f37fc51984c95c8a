// Numbers of traces: what is counted in each, and means over many with an interval that draws problems, not traces, again,
// because attempts at one problem are not independent.
import { Random } from "../base/random.ts";
import { bootstrapClustersJointly } from "../base/statistics/bootstrap.ts";
import { primitives } from "../rollouts/primitives.ts";
import { trigramCategories, trigramCategoryCounts } from "../traces/categories.ts";
import { chainDepth, exploitationWithoutSetup, meanExploitRun } from "../traces/depth.ts";
import { type MotifName, namedMotifs, nonOverlappingCount } from "../traces/motifs.ts";
import { type PrimitiveSequence, primitiveCounts } from "../traces/sequence.ts";
import type { Measured } from "./charts/marks.ts";
import type { TraceRecord } from "./records.ts";

export const motifNames = Object.keys(namedMotifs) as MotifName[];

export const measures = [
  ...primitives,
  ...trigramCategories,
  ...motifNames,
  "chain depth",
  "chain depth without setup",
  "mean exploit run",
] as const;
export type Measure = (typeof measures)[number];

/** NaN where a trace has no such thing (the mean run of a trace without runs); it is then left out of the mean. */
export function traceMeasures(sequence: PrimitiveSequence): Float64Array {
  const categories = trigramCategoryCounts(sequence);
  return Float64Array.from([
    ...primitiveCounts(sequence),
    ...trigramCategories.map((category) => categories[category]),
    ...motifNames.map((name) => nonOverlappingCount(sequence, namedMotifs[name])),
    chainDepth(sequence),
    chainDepth(sequence, exploitationWithoutSetup),
    meanExploitRun(sequence) ?? Number.NaN,
  ]);
}

export type Means = {
  readonly traces: number;
  readonly problems: number;
  /** Undefined where no trace has the measure. */
  readonly of: (measure: Measure) => Measured | undefined;
};

const replicates = 1000;

export function meansOf(traces: readonly TraceRecord[]): Means {
  const clusters = new Map<string, { sums: Float64Array; counts: Float64Array }>();
  for (const { problem, sequence } of traces) {
    let cluster = clusters.get(problem);
    if (cluster === undefined) {
      cluster = { sums: new Float64Array(measures.length), counts: new Float64Array(measures.length) };
      clusters.set(problem, cluster);
    }
    const values = traceMeasures(sequence);
    for (let m = 0; m < values.length; m++) {
      if (Number.isNaN(values[m])) continue;
      cluster.sums[m] += values[m];
      cluster.counts[m] += 1;
    }
  }
  // By name: the order in which rollouts were written must not move an interval.
  const all = [...clusters].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cluster]) => cluster);
  const estimates = bootstrapClustersJointly(
    all.length,
    measures.length,
    (weights, out) => {
      const below = new Float64Array(measures.length);
      out.fill(0);
      for (let c = 0; c < all.length; c++) {
        if (weights[c] === 0) continue;
        for (let m = 0; m < out.length; m++) {
          out[m] += weights[c] * all[c].sums[m];
          below[m] += weights[c] * all[c].counts[m];
        }
      }
      for (let m = 0; m < out.length; m++) out[m] /= below[m];
    },
    // A fixed stream: the same traces give the same intervals, whenever the report is made.
    { random: Random.from("report means"), replicates },
  );
  return {
    traces: traces.length,
    problems: all.length,
    of: (measure) => {
      const { value, low, high } = estimates[measures.indexOf(measure)];
      if (Number.isNaN(value)) return undefined;
      // Of a single problem nothing can be said about others.
      return all.length < 2 ? { value } : { value, low, high };
    },
  };
}

/** The same, remembered: many figures ask for the same traces. */
export function rememberedMeans(): (key: string, traces: () => readonly TraceRecord[]) => Means {
  const known = new Map<string, Means>();
  return (key, traces) => {
    let means = known.get(key);
    if (means === undefined) {
      means = meansOf(traces());
      known.set(key, means);
    }
    return means;
  };
}
