// What goes with success within a problem: pooled traces mix easy problems with hard ones, and then whatever hard problems ask
// for goes with failure. Each problem (or each of its lengths) is a stratum, weighed as Mantel and Haenszel weigh it.
import { type ClusteredValues, meanOf, type Statistic } from "../../base/statistics.ts";
import { categoryMeasure } from "../categories.ts";
import { type Estimate, estimates } from "./estimates.ts";
import { depthMeasure, type MeasureColumns, type MeasureName, recoveringMeasure } from "./measures.ts";
import type { Workspace } from "./workspace.ts";

export type Contrast = { readonly difference: Estimate; readonly problems: number };

/** P(right | move) − P(right | no move) in the same problem. */
export type Necessity = {
  readonly move: MeasureName;
  readonly with: { readonly traces: number; readonly solved: number };
  readonly without: { readonly traces: number; readonly solved: number };
  readonly within: Contrast;
  /** And with traces of about the same length only. */
  readonly matched: Contrast;
};

export type Contrasts = {
  readonly checkpoint: string;
  readonly necessity: readonly Necessity[];
  /** Of solved traces against unsolved ones of the same problem. */
  readonly depthOfSolved: Contrast;
  readonly recoveryOfSolved: Contrast;
  /** The chance that two right traces of one problem do not make the same moves. */
  readonly rightWays: Contrast;
};

/** Traces of one stratum differ in length by less than this factor. */
const sameLength = 1.25;

export function contrasts(work: Workspace, checkpoint: string): Contrasts {
  const { records, alphabet } = work;
  const given = work.columns;
  const graded = work.of(checkpoint).filter((i) => records[i].correct !== undefined && !Number.isNaN(given.spans[i]));
  const solved = (i: number) => records[i].correct === true;
  const length = (i: number) => Math.floor(Math.log(Math.max(1, given.tokens[i])) / Math.log(sameLength));
  const moves = [
    ...alphabet.labels.filter((label) => label !== alphabet.taxonomy.break),
    ...alphabet.categories.filter(({ name }) => name === "recovery").map(categoryMeasure),
  ];
  const right = (i: number) => (solved(i) ? 1 : 0);
  const valuesOf = (columns: MeasureColumns, likely: MeasureColumns): Record<string, ClusteredValues> => ({
    ...Object.fromEntries(
      moves.flatMap((move) => {
        const made = (i: number) => likely[move][i] > 0;
        return [
          [`within ${move}`, stratified(work, graded, made, right)],
          [`matched ${move}`, stratified(work, graded, made, right, length)],
        ];
      }),
    ),
    [depthMeasure]: stratified(work, graded, solved, (i) => columns[depthMeasure][i]),
    [recoveringMeasure]: stratified(work, graded, solved, (i) => columns[recoveringMeasure][i]),
    [waysMeasure]: differentPairs(work, graded.filter(solved), (i) =>
      alphabet.labels.map((label) => Number(likely[label][i] > 0)).join(""),
    ),
  });
  const values = valuesOf(given, given);
  const found = estimates(work, (columns, draw) =>
    Object.fromEntries(
      Object.entries(draw === undefined ? values : valuesOf(columns, work.likely[draw])).map(
        ([name, own]): [string, Statistic] => [
          name,
          name === waysMeasure
            ? meanOf(own, 1)
            : differenceWithin(own, counted.has(name) ? Number.POSITIVE_INFINITY : 1),
        ],
      ),
    ),
  );
  const contrast = (name: string): Contrast => ({
    difference: found[name],
    problems: Array.from(values[name].counts).filter((weight) => weight > 0).length,
  });
  const side = (members: readonly number[]) => ({ traces: members.length, solved: members.filter(solved).length });
  return {
    checkpoint,
    necessity: moves.map((move) => ({
      move,
      with: side(graded.filter((i) => given[move][i] > 0)),
      without: side(graded.filter((i) => !(given[move][i] > 0))),
      within: contrast(`within ${move}`),
      matched: contrast(`matched ${move}`),
    })),
    depthOfSolved: contrast(depthMeasure),
    recoveryOfSolved: contrast(recoveringMeasure),
    rightWays: contrast(waysMeasure),
  };
}

const waysMeasure = "right ways";
/** What is counted; all else here are shares of traces. */
const counted = new Set([depthMeasure]);

/** By problem, the share of pairs of its traces that are of two kinds. */
function differentPairs(
  { problems }: Pick<Workspace, "problems">,
  members: readonly number[],
  kindOf: (trace: number) => string,
): ClusteredValues {
  const kinds = problems.problems.map(() => new Map<string, number>());
  for (const i of members) {
    const own = kinds[problems.of[i]];
    const kind = kindOf(i);
    own.set(kind, (own.get(kind) ?? 0) + 1);
  }
  const pairs = (count: number) => (count * (count - 1)) / 2;
  const all = kinds.map((own) => pairs([...own.values()].reduce((a, b) => a + b, 0)));
  const alike = kinds.map((own) => [...own.values()].reduce((total, one) => total + pairs(one), 0));
  return {
    sums: Float64Array.from(all, (total, p) => (total === 0 ? 0 : 1 - alike[p] / total)),
    counts: Float64Array.from(all, (total) => (total === 0 ? 0 : 1)),
  };
}

/** Of what `stratified` makes. */
export const differenceWithin = (values: ClusteredValues, most = Number.POSITIVE_INFINITY): Statistic => ({
  ...meanOf(values),
  range: { low: -most, high: most },
});

/**
 * By problem, the mean of `value` in the traces that are `inside` minus that in the others of the same stratum: its sum over
 * strata, weighted, and the weights. Strata that have only one kind have no weight.
 */
export function stratified(
  { problems }: Pick<Workspace, "problems">,
  members: readonly number[],
  inside: (trace: number) => boolean,
  value: (trace: number) => number,
  stratumOf: (trace: number) => number = () => 0,
): ClusteredValues {
  type Stratum = { readonly problem: number; readonly totals: [number, number]; readonly traces: [number, number] };
  const strata = new Map<string, Stratum>();
  for (const trace of members) {
    const own = value(trace);
    if (Number.isNaN(own)) continue;
    const problem = problems.of[trace];
    const key = `${problem} ${stratumOf(trace)}`;
    const stratum: Stratum = strata.get(key) ?? { problem, totals: [0, 0], traces: [0, 0] };
    strata.set(key, stratum);
    const side = inside(trace) ? 1 : 0;
    stratum.totals[side] += own;
    stratum.traces[side] += 1;
  }
  const sums = new Float64Array(problems.problems.length);
  const counts = new Float64Array(problems.problems.length);
  for (const { problem, totals, traces } of strata.values()) {
    if (traces[0] === 0 || traces[1] === 0) continue;
    const weight = (traces[0] * traces[1]) / (traces[0] + traces[1]);
    sums[problem] += weight * (totals[1] / traces[1] - totals[0] / traces[0]);
    counts[problem] += weight;
  }
  return { sums, counts };
}
