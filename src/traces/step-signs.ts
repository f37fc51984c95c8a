// What a rollout shows beside its labels, and what a step shows of all of its rollouts: what alarms go by.
import { mean } from "../base/statistics.ts";
import { tagOddity } from "../grading/reasoning.ts";
import type { Trace } from "../imports/trace.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { type Alarm, alarmsOf, type StepSigns } from "../training/alarms.ts";
import { recoveryMoves } from "../training/curves.ts";
import type { TrainingPoint, TrainingSeries } from "./analysis/training-series.ts";
import { isGarbled } from "./garbled.ts";
import type { TraceRecord } from "./trace-record.ts";

/** One letter each: garbled, truncated, in a box or tags, told otherwise by its trainer, told the same. */
const letters = { garbled: "g", truncated: "t", boxed: "b", disagreeing: "d", agreeing: "a" } as const;

export function signsOfTrace({
  response,
  correct,
  recorded,
  truncated,
  language,
}: Trace): Pick<TraceRecord, "signs" | "digest"> {
  const both = correct !== undefined && recorded !== undefined;
  const shown: Record<keyof typeof letters, boolean> = {
    garbled: language !== "terse" && isGarbled(response),
    truncated: truncated === true || tagOddity(response) === "unclosed",
    boxed: /\\boxed\s*\{|<answer>[\s\S]*<\/answer>/.test(response),
    disagreeing: both && correct !== recorded,
    agreeing: both && correct === recorded,
  };
  const signs = Object.entries(letters).flatMap(([name, letter]) =>
    shown[name as keyof typeof letters] ? [letter] : [],
  );
  return { signs: signs.join(""), digest: digestOf(response.trim()) };
}

/** FNV-1a: equal texts have equal ones, and among the attempts at one problem hardly any others. */
function digestOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Of the rollouts of one step; shares of nothing are absent. */
export function stepSigns(records: readonly TraceRecord[]): Omit<StepSigns, "step" | "recovery" | "tokens"> {
  const groups = new Map<string, TraceRecord[]>();
  for (const one of records) groups.set(one.problem, [...(groups.get(one.problem) ?? []), one]);
  const several = [...groups.values()].filter(({ length }) => length > 1);
  const graded = several.filter((group) => group.every(({ correct }) => correct !== undefined));
  const told = records.filter(({ signs }) => signs !== undefined);
  const shareOf = <Item>(items: readonly Item[], holds: (item: Item) => boolean) =>
    items.length === 0 ? undefined : items.filter(holds).length / items.length;
  const has = (letter: string) => (one: TraceRecord) => one.signs!.includes(letter);
  const shares = {
    allRight: shareOf(graded, (group) => group.every(({ correct }) => correct)),
    allWrong: shareOf(graded, (group) => !group.some(({ correct }) => correct)),
    garbled: shareOf(told, has(letters.garbled)),
    truncated: shareOf(told, has(letters.truncated)),
    unboxed: shareOf(told, (one) => !has(letters.boxed)(one)),
    disagreeing: shareOf(
      told.filter((one) => /[ad]/.test(one.signs!)),
      has(letters.disagreeing),
    ),
    identical: several.length === 0 ? undefined : mean(several.map(twins)),
  };
  return Object.fromEntries(Object.entries(shares).filter(([, share]) => share !== undefined));
}

/** The share of a group that another of it repeats. */
function twins(group: readonly TraceRecord[]): number {
  const counts = new Map<number | undefined, number>();
  for (const { digest } of group) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  return group.filter(({ digest }) => digest !== undefined && counts.get(digest)! > 1).length / group.length;
}

/** A step of somebody's training as alarms see it. */
function signsOf({ step, measures, signs }: TrainingPoint, { labels, recover }: Taxonomy): StepSigns {
  const counts = Object.fromEntries(labels.map(({ name }) => [name, measures[name].value]));
  return { ...signs, step, recovery: recoveryMoves(counts, recover), tokens: measures.tokens?.value };
}

export type SeriesAlarm = Alarm & { readonly series: string };

export const alarmsOfSeries = ({ series, points }: TrainingSeries, taxonomy: Taxonomy): SeriesAlarm[] =>
  alarmsOf(
    points.map((point) => signsOf(point, taxonomy)),
    taxonomy.recover,
  ).map((alarm) => ({ ...alarm, series }));
