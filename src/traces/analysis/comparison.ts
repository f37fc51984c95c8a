// Two checkpoints side by side: what rose, what fell, what is within noise, in numbers and in words, and which of the
// changes could be the classifier's own mistakes.
import { weightedRatio } from "../../base/statistics.ts";
import { type Primitive, primitives } from "../../rollouts/primitives.ts";
import type { ClassifierDescription } from "../span-classifier.ts";
import { type CorrectedDifference, correctedDifferences } from "./classifier-error.ts";
import { type ClusteredValues, clusteredValues, type ProblemIndex } from "./clusters.ts";
import { differenceOf, type Estimate, estimates, meanOf, type Resampling } from "./estimates.ts";
import { type MeasureColumns, type MeasureName, measureNames } from "./measures.ts";

export type Change = "rose" | "fell" | "within noise" | "too few problems" | "not measured";

/** An interval over fewer problems than this says more about luck than about checkpoints. */
const fewestProblems = 8;

export type MeasureChange = {
  readonly measure: MeasureName;
  readonly first: number;
  readonly second: number;
  readonly difference: Estimate;
  readonly change: Change;
  /** Primitives only, and only where the classifier's confusions are known. */
  readonly corrected?: CorrectedDifference;
};

export type Comparison = {
  readonly first: string;
  readonly second: string;
  /** Asked of both. Where there are enough of them, nothing else is compared. */
  readonly sharedProblems: number;
  readonly onlyShared: boolean;
  readonly traces: readonly [number, number];
  readonly changes: readonly MeasureChange[];
  readonly words: readonly string[];
};

export type ComparisonSide = { readonly name: string; readonly chosen: readonly number[] };

/** Draws for the classifier's error; each one unfolds the counts of both sides. */
const errorDraws = 400;

export function comparison(
  before: ComparisonSide,
  after: ComparisonSide,
  columns: MeasureColumns,
  problems: ProblemIndex,
  classifier: ClassifierDescription,
  resampling: Resampling,
): Comparison {
  const random = resampling.random.child("comparison", before.name, after.name);
  const shared = sharedProblems(before, after, columns, problems);
  const onlyShared = shared.size >= fewestProblems;
  const [first, second] = [before, after].map(({ name, chosen }) => {
    const read = chosen.filter((i) => !Number.isNaN(columns.spans[i]));
    return { name, chosen: onlyShared ? read.filter((i) => shared.has(problems.of[i])) : read };
  });
  const values = (side: ComparisonSide, name: MeasureName) => clusteredValues(columns[name], side.chosen, problems);
  const pairs = new Map(measureNames.map((name) => [name, [values(first, name), values(second, name)] as const]));
  const statistics = Object.fromEntries(
    measureNames.map((name) => {
      const [a, b] = pairs.get(name)!;
      return [name, differenceOf(meanOf(a), meanOf(b))];
    }),
  ) as Record<MeasureName, ReturnType<typeof meanOf>>;
  const differences = estimates(problems.problems.length, statistics, { ...resampling, random });
  const corrected = correctedByLabel(pairs, problems, classifier, resampling, random.child("classifier"));
  const enough = [first, second].every(
    ({ chosen }) => new Set(chosen.map((i) => problems.of[i])).size >= fewestProblems,
  );

  const changes = measureNames.map((measure): MeasureChange => {
    const [a, b] = pairs.get(measure)!;
    const difference = differences[measure];
    return {
      measure,
      first: overall(a),
      second: overall(b),
      difference,
      change: enough ? changeOf(difference) : "too few problems",
      corrected: corrected?.get(measure as Primitive),
    };
  });
  const found = {
    first: first.name,
    second: second.name,
    sharedProblems: shared.size,
    onlyShared,
    traces: [first.chosen.length, second.chosen.length] as const,
    changes,
  };
  return { ...found, words: comparisonWords(found, classifier) };
}

function sharedProblems(
  first: ComparisonSide,
  second: ComparisonSide,
  columns: MeasureColumns,
  { of }: ProblemIndex,
): Set<number> {
  const asked = ({ chosen }: ComparisonSide) =>
    new Set(chosen.filter((i) => !Number.isNaN(columns.spans[i])).map((i) => of[i]));
  const theirs = asked(second);
  return new Set([...asked(first)].filter((problem) => theirs.has(problem)));
}

function overall({ sums, counts }: ClusteredValues): number {
  return weightedRatio(new Uint32Array(sums.length).fill(1), sums, counts);
}

function changeOf({ value, low, high }: Estimate): Change {
  if (Number.isNaN(value)) return "not measured";
  return low > 0 ? "rose" : high < 0 ? "fell" : "within noise";
}

function correctedByLabel(
  pairs: ReadonlyMap<MeasureName, readonly [ClusteredValues, ClusteredValues]>,
  problems: ProblemIndex,
  classifier: ClassifierDescription,
  { replicates }: Resampling,
  random: Resampling["random"],
): Map<Primitive, CorrectedDifference> | undefined {
  if (classifier.quality === undefined) return undefined;
  const clusters = problems.problems.length;
  const weights = new Uint32Array(clusters);
  const observed = (draw: number) => {
    weights.fill(draw === 0 ? 1 : 0);
    const draws = random.child("problems", draw);
    if (draw > 0) for (let i = 0; i < clusters; i++) weights[draws.below(clusters)] += 1;
    return [0, 1].map((side) =>
      primitives.map((primitive) => {
        const { sums, counts } = pairs.get(primitive)![side];
        const mean = weightedRatio(weights, sums, counts);
        return Number.isNaN(mean) ? 0 : mean;
      }),
    ) as [number[], number[]];
  };
  const draws = Math.min(errorDraws, replicates);
  const found = correctedDifferences(classifier.quality.confusion, observed, draws, random);
  return new Map(primitives.map((primitive, code) => [primitive, found[code]]));
}

const rounded = (value: number): string => {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
};
const signed = (value: number) => (value >= 0 ? `+${rounded(value)}` : `−${rounded(-value)}`);

function changeWords({ measure, first, second, difference }: MeasureChange): string {
  const percent =
    first > 0 ? `, ${second >= first ? "+" : "−"}${Math.abs((100 * (second - first)) / first).toFixed(0)}%` : "";
  const interval = `[${signed(difference.low)}, ${signed(difference.high)}]`;
  return `${measure} ${rounded(first)} → ${rounded(second)} (${signed(difference.value)} ${interval}${percent})`;
}

function comparisonWords(found: Omit<Comparison, "words">, classifier: ClassifierDescription): string[] {
  const { first, second, traces, sharedProblems, onlyShared, changes } = found;
  const ordered = [...changes].sort((a, b) => relative(b) - relative(a));
  const of = (change: Change) => ordered.filter((entry) => entry.change === change);
  const scope = onlyShared
    ? `on the ${sharedProblems} problems that both were asked`
    : `which share ${sharedProblems} problem${sharedProblems === 1 ? "" : "s"}, so that a change may be one of problems`;
  const words = [
    `From ${first} to ${second}, ${scope} (${traces[0]} and ${traces[1]} traces; means per trace, 95% intervals over problems):`,
  ];
  if (of("too few problems").length > 0) {
    words.push(`Fewer than ${fewestProblems} problems: too few to tell a change from luck.`);
    return words;
  }
  if (of("rose").length > 0) words.push(`Rose: ${of("rose").map(changeWords).join("; ")}.`);
  if (of("fell").length > 0) words.push(`Fell: ${of("fell").map(changeWords).join("; ")}.`);
  const still = changes.filter(({ change }) => change === "within noise").map(({ measure }) => measure);
  if (still.length > 0) words.push(`Within noise: ${still.join(", ")}.`);
  return [...words, ...caveat(changes, classifier)];
}

const relative = ({ first, second }: MeasureChange) => Math.abs(Math.log((second + 0.01) / (first + 0.01)));

function caveat(changes: readonly MeasureChange[], { name, quality }: ClassifierDescription): string[] {
  if (quality === undefined) {
    return [`The labels are ${name}'s, whose error nobody has measured: treat every change with care.`];
  }
  const measured = `accuracy ${quality.accuracy.toFixed(2)}, macro-F1 ${quality.macroF1.toFixed(2)} on ${quality.spans} spans of unseen traces`;
  const moved = changes.filter(({ change, corrected }) => corrected && (change === "rose" || change === "fell"));
  const stands = moved.filter(({ change, corrected }) => agrees(change, corrected!));
  const falls = moved.filter(({ change, corrected }) => !agrees(change, corrected!));
  const names = (list: readonly MeasureChange[]) => list.map(({ measure }) => measure).join(", ");
  const words = [`The labels are by ${name} (${measured}).`];
  if (stands.length > 0)
    words.push(`With its confusions and their uncertainty propagated, these changes stand: ${names(stands)}.`);
  if (falls.length > 0) words.push(`These could be its own mistakes: ${names(falls)}.`);
  words.push("Depth and motifs are made of the same labels; their intervals do not include the classifier's error.");
  return [words.join(" ")];
}

function agrees(change: Change, { difference, certain }: CorrectedDifference): boolean {
  return certain && (change === "rose") === difference.value > 0;
}
