// Subsets of the real line with constant ends: intervals, points and what unions, intersections and differences make of them.

import { type Expression, infinity, integer, negated, number, product, sum } from "../expressions/expression.ts";
import { rational } from "../numbers/rational.ts";
import { orderOf } from "./exact.ts";

export type Segment = {
  readonly from: Expression;
  readonly to: Expression;
  readonly closedFrom: boolean;
  readonly closedTo: boolean;
};

/** The ends could not be put in order, so that nothing can be said about the set. */
export class Unordered extends Error {}

export const wholeLine: readonly Segment[] = [
  { from: negated(infinity), to: infinity, closedFrom: false, closedTo: false },
];

export const point = (at: Expression): Segment => ({ from: at, to: at, closedFrom: true, closedTo: true });

function order(a: Expression, b: Expression): -1 | 0 | 1 {
  const found = orderOf(a, b);
  if (found === undefined) throw new Unordered();
  return found;
}

/** All ends once, ascending, without the infinities. */
export function sortedEnds(ends: readonly Expression[]): Expression[] {
  const finite = ends.filter((end) => order(end, infinity) < 0 && order(end, negated(infinity)) > 0);
  const sorted: Expression[] = [];
  for (const end of finite) {
    let at = 0;
    while (at < sorted.length && order(sorted[at], end) < 0) at++;
    if (at === sorted.length || order(sorted[at], end) !== 0) sorted.splice(at, 0, end);
  }
  return sorted;
}

/** A point in each gap between neighboring ends, before the first and behind the last. */
function gapPoints(ends: readonly Expression[]): Expression[] {
  if (ends.length === 0) return [integer(0)];
  const middles = ends.slice(1).map((end, index) => product(sum(ends[index], end), number(rational(1n, 2n))));
  return [sum(ends[0], integer(-1)), ...middles, sum(ends[ends.length - 1], integer(1))];
}

/** The set that holds exactly the wanted ends and gaps. `holds` is asked at every end and inside every gap. */
export function segmentsWhere(
  ends: readonly Expression[],
  holds: (at: Expression, isEnd: boolean) => boolean,
): Segment[] {
  const gaps = gapPoints(ends).map((at) => holds(at, false));
  const marks = ends.map((at) => holds(at, true));
  const segments: Segment[] = [];
  let open: { from: Expression; closed: boolean } | undefined = gaps[0]
    ? { from: negated(infinity), closed: false }
    : undefined;
  for (let i = 0; i < ends.length; i++) {
    const [before, here, after] = [gaps[i], marks[i], gaps[i + 1]];
    if (before && here && after) continue;
    if (before) segments.push({ from: open!.from, to: ends[i], closedFrom: open!.closed, closedTo: here });
    if (!before && here && !after) segments.push(point(ends[i]));
    open = after ? { from: ends[i], closed: here } : undefined;
  }
  if (open !== undefined) segments.push({ from: open.from, to: infinity, closedFrom: open.closed, closedTo: false });
  return segments;
}

function holds(segments: readonly Segment[], at: Expression): boolean {
  return segments.some((segment) => {
    const [low, high] = [order(segment.from, at), order(at, segment.to)];
    return (low < 0 || (low === 0 && segment.closedFrom)) && (high < 0 || (high === 0 && segment.closedTo));
  });
}

export function combined(
  operator: "union" | "intersection" | "difference",
  a: readonly Segment[],
  b: readonly Segment[],
): Segment[] {
  const ends = sortedEnds([...a, ...b].flatMap((segment) => [segment.from, segment.to]));
  return segmentsWhere(ends, (at) => {
    const [left, right] = [holds(a, at), holds(b, at)];
    if (operator === "union") return left || right;
    return operator === "intersection" ? left && right : left && !right;
  });
}
