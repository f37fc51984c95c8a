// Two checkpoints side by side: what rose, what fell, what is within noise, in numbers and in words. Where a labeler of known
// quality labeled, all of it is corrected for the labeler's mistakes, and what the labels say as given stands beside it.
import { type ClusteredValues, mean, onBothSides } from "../../base/statistics.ts";
import { endsOf, fewestAttempts, pairedProblems, passDifferences } from "../../evaluation/comparison.ts";
import { intervalOfMean } from "../../evaluation/intervals.ts";
import { passAtK } from "../../evaluation/pass-at-k.ts";
import type { Domain } from "../../imports/trace.ts";
import { displayName } from "../../runs/recipe-names.ts";
import { isExact, type LabelerDescription, qualityWords } from "../labeler.ts";
import { unsureLabel } from "../sequence.ts";
import { clusteredValues, problemCount } from "./clusters.ts";
import { differenceOf, type Estimate, estimates, type Statistic } from "./estimates.ts";
import {
  depthMeasure,
  type MeasureColumns,
  type MeasureName,
  measureNames,
  mostOf,
  recoveryMeasure,
} from "./measures.ts";
import { solveCounts } from "./solve-counts.ts";
import { type Judgment, judged, minProblems, type Verdict } from "./verdicts.ts";
import type { Workspace } from "./workspace.ts";

/** What the verdicts of `verdicts.ts` are called here. */
export const changeWords = {
  ...{ shown: "rose", reversed: "fell", "not shown": "within noise" },
  "cannot be tested here": "too few problems",
} as const;
export type Change = (typeof changeWords)[Verdict] | "not measured";

type Changed = Judgment & {
  readonly first: number;
  readonly second: number;
  /** Paired: both on the same problems, drawn together. */
  readonly difference: Estimate;
  readonly change: Change;
};

export type MeasureChange = Changed & { readonly measure: MeasureName };

type PassChange = Changed & { readonly k: number; readonly problems: number };

export type Comparison = {
  readonly first: string;
  readonly second: string;
  /** Asked of both. Nothing else is compared, unless both ends of a training run were asked problems of one source. */
  readonly sharedProblems: number;
  readonly onlyShared: boolean;
  /** Asked of one side alone. */
  readonly unshared: { readonly first: readonly string[]; readonly second: readonly string[] };
  readonly traces: readonly [number, number];
  readonly labeledBy: readonly string[];
  readonly changes: readonly MeasureChange[];
  /** Spans left unsure, where some were, and habits by their words: beside the measures, not among them. */
  readonly beside: readonly MeasureChange[];
  /** pass@1 and pass@k at the largest k, on problems that both were graded on. */
  readonly passes: readonly PassChange[];
  /** How much more the largest k gains than the first attempt does. */
  readonly growth?: { readonly k: number; readonly difference: Estimate; readonly problems: number };
  /** How much of the change in chain depth is that fewer or more traces make a move of recovery, which break chains. */
  readonly depthByShare?: Estimate;
  readonly words: readonly string[];
};

type Side = { readonly name: string; readonly chosen: readonly number[] };

export function comparison(
  work: Workspace,
  firstName: string,
  secondName: string,
  /** Whether other problems may stand for those that are not shared. */
  alike = false,
): Comparison {
  const { drawn, beside, problems, alphabet, records } = work;
  const columns = { ...work.columns, ...beside };
  const [before, after] = [firstName, secondName].map(
    (name): Side => ({ name, chosen: work.of(name).filter((i) => !Number.isNaN(columns.spans[i])) }),
  );
  const [ours, theirs] = [before, after].map(({ chosen }) => new Set(chosen.map((i) => problems.of[i])));
  const shared = new Set([...ours].filter((problem) => theirs.has(problem)));
  const onlyShared = !alike || shared.size >= minProblems;
  const unshared = (own: ReadonlySet<number>) =>
    [...own]
      .filter((problem) => !shared.has(problem))
      .sort((a, b) => a - b)
      .map((problem) => problems.problems[problem]);
  const [first, second] = [before, after].map(({ name, chosen }) => ({
    name,
    chosen: onlyShared ? chosen.filter((i) => shared.has(problems.of[i])) : chosen,
  }));
  const names = [...measureNames(alphabet), ...Object.keys(beside)];
  const values = (side: Side, name: MeasureName, from: MeasureColumns) =>
    clusteredValues(beside[name] ?? from[name], side.chosen, problems);
  const differences = estimates(work, (from) =>
    Object.fromEntries(
      names.map((name) => [name, differenceOf(values(first, name, from), values(second, name, from))]),
    ),
  );
  const likely = drawn.length > 0 ? drawn : [columns];
  const overall = (side: Side, name: MeasureName) =>
    Math.max(0, Math.min(mostOf(name), mean(likely.map((from) => ratio(values(side, name, from))))));
  const labelers = [...new Set([...first.chosen, ...second.chosen].map((i) => records[i].labeledBy))].sort();
  const kinds = new Set([...before.chosen, ...after.chosen].map((i) => records[i].kind));
  const about = kinds.size === 1 ? [...kinds][0] : undefined;
  const sizes = [first, second].map(({ chosen }) => problemCount(work, chosen));
  const all = (shared.size === 0 && onlyShared ? [] : names).map((measure): MeasureChange => {
    const difference = differences[measure];
    return {
      measure,
      first: overall(first, measure),
      second: overall(second, measure),
      ...changed(difference, Math.min(...sizes)),
    };
  });
  const shares = estimates(work, (from, draw) => ({
    share: depthByShare(work, first, second, from, draw === undefined ? from : work.likely[draw]),
  }));
  const found = {
    first: first.name,
    second: second.name,
    sharedProblems: shared.size,
    onlyShared,
    unshared: { first: unshared(ours), second: unshared(theirs) },
    traces: [first.chosen.length, second.chosen.length] as const,
    labeledBy: labelers,
    changes: all.filter(({ measure }) => !(measure in work.beside)),
    beside: all.filter(({ measure }) => measure in work.beside),
    ...(Number.isFinite(shares.share.value) && { depthByShare: shares.share }),
    ...passChanges(work, firstName, secondName),
  };
  return { ...found, words: comparisonWords(found, work.labelers, about) };
}

/**
 * A mean of two kinds of traces changes with their shares and with the means of each kind. What the shares make of it, at the
 * kinds' means over both sides (Kitagawa 1955): (p₂ − p₁)·(mean of those with − mean of those without).
 */
function depthByShare(
  { problems }: Workspace,
  first: Side,
  second: Side,
  from: MeasureColumns,
  likely: MeasureColumns,
): Statistic {
  const columns = [first, second].flatMap(({ chosen }) =>
    [true, false].flatMap((recovers) => {
      const members = chosen.filter((i) => likely[recoveryMeasure][i] > 0 === recovers);
      const { sums, counts } = clusteredValues(from[depthMeasure], members, problems);
      return [sums, counts];
    }),
  );
  return {
    columns,
    range: onBothSides,
    of: ([s1, n1, t1, m1, s2, n2, t2, m2]) =>
      (n2 / (n2 + m2) - n1 / (n1 + m1)) * ((s1 / n1 + s2 / n2) / 2 - (t1 / m1 + t2 / m2) / 2),
  };
}

const ratio = ({ sums, counts }: ClusteredValues): number => total(sums) / total(counts);
const total = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

/** What a difference over so many problems comes to. */
function changed(difference: Estimate, problems: number) {
  const judgment = judged(difference, problems, "rises");
  const change: Change = Number.isNaN(difference.value) ? "not measured" : changeWords[judgment.verdict];
  return { difference, change, ...judgment };
}

function passChanges({ records, of }: Workspace, first: string, second: string): Pick<Comparison, "passes" | "growth"> {
  const [a, b] = [first, second].map((name) => [...solveCounts(of(name).map((i) => records[i])).values()]);
  const { pairs } = pairedProblems(a, b);
  if (pairs.length === 0) return { passes: [] };
  const problems = pairs.length;
  const k = fewestAttempts(pairs);
  const passes = passDifferences(pairs, endsOf(k)).map(({ k, first, second, difference: value, newProblems }) => {
    return { k, first, second, problems, ...changed({ value, ...newProblems }, problems) };
  });
  if (k === 1) return { passes };
  const gains = pairs.map(
    (pair) => passAtK(pair.second, k) - passAtK(pair.first, k) - (passAtK(pair.second, 1) - passAtK(pair.first, 1)),
  );
  const difference = { value: mean(gains), ...intervalOfMean(gains, { low: -2, high: 2 }) };
  return { passes, growth: { k, difference, problems } };
}

// ---- In words --------------------------------------------------------------------------------------------------------

const rounded = (value: number): string => {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
};
const signed = (value: number) => (value >= 0 ? `+${rounded(value)}` : `−${rounded(-value)}`);

const withInterval = ({ value, low, high }: Omit<Estimate, "raw">) =>
  `${signed(value)} [${signed(low)}, ${signed(high)}]`;

function inWords({ measure, first, second, difference }: MeasureChange): string {
  const percent =
    first > 0 ? `, ${second >= first ? "+" : "−"}${Math.abs((100 * (second - first)) / first).toFixed(0)}%` : "";
  const given = difference.raw === undefined ? "" : `; as labeled ${withInterval(difference.raw)}`;
  return `${measure} ${rounded(first)} → ${rounded(second)} (${withInterval(difference)}${percent}${given})`;
}

function passWords({ k, first, second, difference, change }: PassChange): string {
  const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
  const points = (value: number) => `${value >= 0 ? "+" : "−"}${Math.abs(100 * value).toFixed(1)}`;
  const { value, low, high } = difference;
  // A single problem has no interval.
  const interval = Number.isNaN(low) ? "" : ` [${points(low)}, ${points(high)}]`;
  return `pass@${k} ${percent(first)} → ${percent(second)} (${points(value)}${interval} points, ${change})`;
}

function comparisonWords(
  found: Omit<Comparison, "words">,
  labelers: ReadonlyMap<string, LabelerDescription>,
  about: Domain | undefined,
): string[] {
  const { traces, sharedProblems, onlyShared, unshared, changes, beside, passes } = found;
  const [first, second] = [found.first, found.second].map(displayName);
  const ordered = [...changes].sort((a, b) => relative(b) - relative(a));
  const of = (change: Change) => ordered.filter((entry) => entry.change === change);
  if (changes.length === 0)
    return [
      `${first} and ${second} were asked no problem in common, so nothing is compared: ${first} alone was asked ${someOf(unshared.first)}, ${second} alone ${someOf(unshared.second)}.`,
    ];
  const scope = onlyShared
    ? `on the ${sharedProblems} problems that both were asked`
    : `on problems of one source, ${sharedProblems} of them in common`;
  const words = [
    `From ${first} to ${second}, ${scope} (${traces[0]} and ${traces[1]} traces; means per trace, 95% intervals over problems):`,
  ];
  const [ours, theirs] = [unshared.first, unshared.second];
  if (onlyShared && ours.length + theirs.length > 0)
    words.push(`Without ${someOf([...ours, ...theirs])}: only one of them was asked these.`);
  if (of("too few problems").length > 0) {
    words.push(`Fewer than ${minProblems} problems: too few to tell a change from luck.`);
    return words;
  }
  if (passes.length > 0) words.push(`Solves: ${passes.map(passWords).join("; ")}.`);
  if (of("rose").length > 0) words.push(`Rose: ${of("rose").map(inWords).join("; ")}.`);
  if (of("fell").length > 0) words.push(`Fell: ${of("fell").map(inWords).join("; ")}.`);
  const still = of("within noise").map(
    ({ measure, detectable }) =>
      `${measure}${detectable === undefined ? "" : ` (would have seen ${rounded(detectable)})`}`,
  );
  if (still.length > 0) words.push(`Within noise: ${still.join(", ")}.`);
  const unsure = beside.find(({ measure }) => measure === unsureLabel);
  if (unsure !== undefined)
    words.push(`Without a sure label, and counted under none: ${inWords({ ...unsure, measure: "spans" })}.`);
  return [...words, caveat(found, labelers, about)];
}

const mostNamed = 4;

/** `12 problems (a, b, c, d, …)` */
function someOf(problems: readonly string[]): string {
  const named = problems.slice(0, mostNamed).join(", ");
  const more = problems.length > mostNamed ? ", …" : "";
  return `${problems.length} problem${problems.length === 1 ? "" : "s"}${problems.length === 0 ? "" : ` (${named}${more})`}`;
}

const relative = ({ first, second }: MeasureChange) => Math.abs(Math.log((second + 0.01) / (first + 0.01)));

function caveat(
  { changes, labeledBy }: Omit<Comparison, "words">,
  labelers: ReadonlyMap<string, LabelerDescription>,
  about: Domain | undefined,
): string {
  const who = labeledBy.flatMap((id) => labelers.get(id) ?? []);
  const [labeler, ...others] = who;
  if (labeler === undefined) return "These traces are not labeled.";
  if (others.length > 0) {
    const corrected = changes.some(({ difference }) => difference.raw !== undefined);
    const said = corrected ? "each side is corrected for its own labeler's mistakes" : "none is corrected";
    return `The labels are by ${who.map(({ name }) => name).join(" and by ")}: a change may come from the labelers; ${said}.`;
  }
  const { name, quality } = labeler;
  if (isExact(labeler)) return `The labels are by ${name}, exact by construction.`;
  if (quality === undefined)
    return `The labels are by ${name}, whose error has not been measured: treat every change with care.`;
  const measured = `${qualityWords(quality, about)}; ${quality.spans} spans of unseen traces in all`;
  const lost = changes.filter((one) => signIsLost(one.difference)).map(({ measure }) => measure);
  const words = [
    `The labels are by ${name} (${measured}).`,
    "Numbers are corrected for its mistakes, and intervals contain what is not known of them.",
  ];
  if (lost.length > 0)
    words.push(`As labeled these change beyond noise, but its mistakes hide in which direction: ${lost.join(", ")}.`);
  return words.join(" ");
}

/** The labels as given say that it rose or fell, and correction cannot tell which. */
export function signIsLost({ raw, ...corrected }: Estimate): boolean {
  const beyond = ({ low, high }: Omit<Estimate, "raw">) => low > 0 || high < 0;
  return raw !== undefined && beyond(raw) && !beyond(corrected);
}

export const isMoved = ({ change }: { readonly change: Change }): boolean => change === "rose" || change === "fell";
