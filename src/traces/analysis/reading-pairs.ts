// Pairs of traces worth reading side by side, chosen as the paper's appendix chooses them. Depth pairs: both right, the
// same opening, each as deep as is usual for its checkpoint, the one deeper whose checkpoint is. Recovery pairs: a problem only
// the second solves, a failure of the first against a success of the second that recovers more often than the failure did.
import { chainDepth } from "../depth.ts";
import { type Alphabet, readSequence } from "../sequence.ts";
import type { TraceRecord } from "../trace-record.ts";
import { splitOf } from "./problem-split.ts";

type DepthWindow = readonly [number, number];

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

export const pairKinds = ["depth", "recovery"] as const;

export type ReadingPair = {
  readonly kind: (typeof pairKinds)[number];
  readonly problem: string;
  /** Primitives that both open with. */
  readonly opening: number;
  readonly first: TraceRecord;
  readonly second: TraceRecord;
  readonly firstDepth: number;
  readonly secondDepth: number;
};

export function readingPairs(
  first: readonly TraceRecord[],
  second: readonly TraceRecord[],
  alphabet: Alphabet,
  options: PairOptions = defaultPairs,
): ReadingPair[] {
  const sides = [first, second].map((records) => records.map((record) => read(record, alphabet)));
  return [...depthPairs(sides[0], sides[1], options), ...recoveryPairs(sides[0], sides[1], options)];
}

/** Read once, because every attempt is paired with every other. */
type Read = { readonly record: TraceRecord; readonly depth: number; readonly recoveries: number };

function read(record: TraceRecord, alphabet: Alphabet): Read {
  const codes = readSequence(record.sequence, alphabet);
  const recoveries = codes.filter((code) => (alphabet.recover & (1 << code)) !== 0).length;
  return { record, depth: chainDepth(codes, alphabet.exploit), recoveries };
}

function depthPairs(first: readonly Read[], second: readonly Read[], options: PairOptions): ReadingPair[] {
  const [meanFirst, meanSecond] = [meanDepth(first), meanDepth(second)];
  const windows = [options.firstDepth ?? around(meanFirst), options.secondDepth ?? around(meanSecond)];
  const candidates = couples(
    first.filter(({ record, depth }) => record.correct === true && within(depth, windows[0])),
    second.filter(({ record, depth }) => record.correct === true && within(depth, windows[1])),
    "depth",
    options.sharedOpening,
    // The paper's windows do not overlap; where these do, the longest shared opening would be that of two equal traces.
    (one, other) => Math.sign(other.depth - one.depth) === Math.sign(meanSecond - meanFirst),
  );
  const distance = ({ firstDepth, secondDepth }: ReadingPair) =>
    Math.abs(firstDepth - meanFirst) + Math.abs(secondDepth - meanSecond);
  return best(candidates, options.pairs, (a, b) => b.opening - a.opening || distance(a) - distance(b));
}

function recoveryPairs(first: readonly Read[], second: readonly Read[], options: PairOptions): ReadingPair[] {
  const unique = splitOf(
    first.map(({ record }) => record),
    second.map(({ record }) => record),
  )["only second"];
  const candidates = couples(
    first.filter(({ record }) => record.correct === false && unique.has(record.problem)),
    second.filter(({ record }) => record.correct === true && unique.has(record.problem)),
    "recovery",
    options.sharedOpening,
    // A success that recovers no more than the failure beside it owes nothing to recovery, and would mislead.
    (one, other) => other.recoveries > one.recoveries,
  );
  // Short failures can be read whole.
  const length = ({ first, second }: ReadingPair) => first.sequence.length + second.sequence.length;
  return best(candidates, options.pairs, (a, b) => b.opening - a.opening || length(a) - length(b));
}

function couples(
  first: readonly Read[],
  second: readonly Read[],
  kind: ReadingPair["kind"],
  opening: number,
  isTelling: (one: Read, other: Read) => boolean,
): ReadingPair[] {
  const byProblem = new Map<string, Read[]>();
  for (const one of second) byProblem.set(one.record.problem, [...(byProblem.get(one.record.problem) ?? []), one]);
  return first.flatMap((one) =>
    (byProblem.get(one.record.problem) ?? [])
      .filter((other) => isTelling(one, other))
      .map(
        (other): ReadingPair => ({
          kind,
          problem: one.record.problem,
          opening: commonOpening(one.record.sequence, other.record.sequence),
          first: one.record,
          second: other.record,
          firstDepth: one.depth,
          secondDepth: other.depth,
        }),
      )
      .filter((pair) => pair.opening >= opening && pair.first.sequence !== pair.second.sequence),
  );
}

/** The best pair of each problem, the best problems first: the same problem twice teaches little. */
function best(
  candidates: readonly ReadingPair[],
  wanted: number,
  order: (a: ReadingPair, b: ReadingPair) => number,
): ReadingPair[] {
  const sorted = [...candidates].sort(
    (a, b) =>
      order(a, b) ||
      (a.problem < b.problem ? -1 : a.problem > b.problem ? 1 : 0) ||
      a.first.attempt - b.first.attempt ||
      a.second.attempt - b.second.attempt,
  );
  const seen = new Set<string>();
  return sorted.filter(({ problem }) => !seen.has(problem) && seen.add(problem)).slice(0, wanted);
}

function commonOpening(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return length;
}

function meanDepth(traces: readonly Read[]): number {
  const read = traces.filter(({ record }) => record.sequence !== "");
  return read.reduce((total, { depth }) => total + depth, 0) / Math.max(1, read.length);
}

/** A third of the mean to either side, at least one: 3.2 gives 2–5, 6.6 gives 4–9. */
function around(mean: number): DepthWindow {
  const reach = Math.max(1, mean / 3);
  return [Math.floor(mean - reach), Math.ceil(mean + reach)];
}

const within = (depth: number, [low, high]: DepthWindow): boolean => depth >= low && depth <= high;
