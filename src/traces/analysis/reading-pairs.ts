// Pairs of traces worth reading side by side, chosen as the paper's appendix chooses them. Depth pairs: both right, the
// same opening, each as deep as is usual for its checkpoint. Recovery pairs: a problem only the second solves, a failure
// of the first against a success of the second that visibly recovers.
import { recoveryPrimitives } from "../../rollouts/primitives.ts";
import { chainDepth } from "../depth.ts";
import { codeOf, readSequence } from "../sequence.ts";
import type { TraceRecord } from "../trace-record.ts";
import { splitOf } from "./problem-split.ts";

export type DepthWindow = readonly [number, number];

export type PairOptions = {
  /** How many opening primitives both must share. */
  readonly sharedOpening: number;
  /** Depths that count as usual for each side; around its mean where not given. */
  readonly firstDepth?: DepthWindow;
  readonly secondDepth?: DepthWindow;
  readonly pairs: number;
};

/** The paper's windows are 2–4 around a mean of 3.2 and 5–9 around one of 6.6. */
export const defaultPairs: PairOptions = { sharedOpening: 2, pairs: 4 };

export type ReadingPair = {
  readonly kind: "depth" | "recovery";
  readonly problem: string;
  /** Primitives that both open with. */
  readonly opening: number;
  readonly first: TraceRecord;
  readonly second: TraceRecord;
  readonly firstDepth: number;
  readonly secondDepth: number;
};

const recovery = recoveryPrimitives.map((primitive) => codeOf[primitive]);

export function readingPairs(
  first: readonly TraceRecord[],
  second: readonly TraceRecord[],
  options: PairOptions = defaultPairs,
): ReadingPair[] {
  return [...depthPairs(first, second, options), ...recoveryPairs(first, second, options)];
}

function depthPairs(
  first: readonly TraceRecord[],
  second: readonly TraceRecord[],
  options: PairOptions,
): ReadingPair[] {
  const [meanFirst, meanSecond] = [meanDepth(first), meanDepth(second)];
  const windows = [options.firstDepth ?? around(meanFirst), options.secondDepth ?? around(meanSecond)];
  const candidates = couples(
    first.filter((record) => record.correct === true && within(depthOf(record), windows[0])),
    second.filter((record) => record.correct === true && within(depthOf(record), windows[1])),
    options.sharedOpening,
  );
  const distance = ({ firstDepth, secondDepth }: ReadingPair) =>
    Math.abs(firstDepth - meanFirst) + Math.abs(secondDepth - meanSecond);
  return best(candidates, options.pairs, "depth", (a, b) => b.opening - a.opening || distance(a) - distance(b));
}

function recoveryPairs(
  first: readonly TraceRecord[],
  second: readonly TraceRecord[],
  options: PairOptions,
): ReadingPair[] {
  const unique = splitOf(first, second)["only second"];
  const candidates = couples(
    first.filter((record) => record.correct === false && unique.has(record.problem)),
    // A success without a visible recovery was a clean first attempt, and would mislead.
    second.filter((record) => record.correct === true && unique.has(record.problem) && recovers(record)),
    options.sharedOpening,
  );
  // Short failures can be read whole.
  const length = ({ first, second }: ReadingPair) => first.sequence.length + second.sequence.length;
  return best(candidates, options.pairs, "recovery", (a, b) => b.opening - a.opening || length(a) - length(b));
}

function couples(first: readonly TraceRecord[], second: readonly TraceRecord[], opening: number): ReadingPair[] {
  const byProblem = new Map<string, TraceRecord[]>();
  for (const record of second) byProblem.set(record.problem, [...(byProblem.get(record.problem) ?? []), record]);
  return first.flatMap((one) =>
    (byProblem.get(one.problem) ?? [])
      .map(
        (other): ReadingPair => ({
          kind: "depth",
          problem: one.problem,
          opening: commonOpening(one.sequence, other.sequence),
          first: one,
          second: other,
          firstDepth: depthOf(one),
          secondDepth: depthOf(other),
        }),
      )
      .filter((pair) => pair.opening >= opening),
  );
}

/** The best of each problem first, so that four pairs are four problems where there are four. */
function best(
  candidates: readonly ReadingPair[],
  wanted: number,
  kind: ReadingPair["kind"],
  order: (a: ReadingPair, b: ReadingPair) => number,
): ReadingPair[] {
  const sorted = [...candidates].sort(
    (a, b) => order(a, b) || a.first.attempt - b.first.attempt || a.second.attempt - b.second.attempt,
  );
  const seen = new Set<string>();
  const fresh = sorted.filter(({ problem }) => !seen.has(problem) && seen.add(problem));
  const rest = sorted.filter((pair) => !fresh.includes(pair));
  return [...fresh, ...rest].slice(0, wanted).map((pair) => ({ ...pair, kind }));
}

function commonOpening(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return length;
}

const depthOf = ({ sequence }: TraceRecord): number => chainDepth(readSequence(sequence));

const recovers = ({ sequence }: TraceRecord): boolean => readSequence(sequence).some((code) => recovery.includes(code));

function meanDepth(records: readonly TraceRecord[]): number {
  const read = records.filter(({ sequence }) => sequence !== "");
  return read.reduce((total, record) => total + depthOf(record), 0) / Math.max(1, read.length);
}

/** A third of the mean to either side, at least one: 3.2 gives 2–5, 6.6 gives 4–9. */
function around(mean: number): DepthWindow {
  const reach = Math.max(1, mean / 3);
  return [Math.floor(mean - reach), Math.ceil(mean + reach)];
}

const within = (depth: number, [low, high]: DepthWindow): boolean => depth >= low && depth <= high;
