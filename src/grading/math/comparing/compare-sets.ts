// Sets of real numbers in whatever way they were written: intervals, unions, inequalities, points, conditions.

import { isConstantExpression as isConstantEnd, unknownsOf } from "../expressions/identity.ts";
import type { List, Value } from "../expressions/value.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";
import { infiniteSign, orderOf } from "./exact.ts";
import { solutionOf } from "./inequalities.ts";
import { isInequality, nameOf } from "./resolve.ts";
import { combined, point, type Segment, Unordered, wholeLine } from "./segments.ts";

/** The value as a set of reals; nothing when it is not one, or its ends are not constants. */
function segmentsOf(value: Value): readonly Segment[] | undefined {
  switch (value.kind) {
    case "interval":
      return isConstantEnd(value.from) && isConstantEnd(value.to) ? [rising(value)] : undefined;
    case "tuple": {
      const [from, to, ...more] = value.items;
      if (more.length > 0 || from?.kind !== "expression" || to?.kind !== "expression") return undefined;
      if (!isConstantEnd(from.expression) || !isConstantEnd(to.expression)) return undefined;
      return [rising({ from: from.expression, to: to.expression, closedFrom: false, closedTo: false })];
    }
    case "expression":
      return isConstantEnd(value.expression) ? [point(value.expression)] : undefined;
    case "list":
      return ofList(value);
    case "named-set":
      return value.name === "reals" ? wholeLine : value.name === "empty" ? [] : undefined;
    case "set-operation": {
      const [left, right] = [segmentsOf(value.left), segmentsOf(value.right)];
      if (left === undefined || right === undefined) return undefined;
      // Pieces of a union may overlap here; whoever compares them settles that once for all.
      return value.operator === "union" ? [...left, ...right] : combined(value.operator, left, right);
    }
    case "membership": {
      const set = segmentsOf(value.set);
      if (set === undefined || nameOf(value.element) === undefined) return undefined;
      return value.negated ? combined("difference", wholeLine, set) : set;
    }
    case "set-builder": {
      const name = value.element.kind === "membership" ? nameOf(value.element.element) : nameOf(value.element);
      // {x | k < 1} says nothing about x.
      if (
        value.conditions.some(
          (condition) =>
            condition.kind === "relation" && [...unknownsIn(condition)].some((unknown) => unknown !== name),
        )
      )
        return undefined;
      const element = value.element.kind === "membership" ? segmentsOf(value.element) : wholeLine;
      const conditions = intersectionOf(value.conditions);
      return element === undefined || conditions === undefined
        ? undefined
        : combined("intersection", element, conditions);
    }
    case "relation":
      return isInequality(value) ? solutionOf(value)?.segments : undefined;
    default:
      return undefined;
  }
}

/** An interval has its smaller end first: (3, 2) is a point of the plane, and [6, 5) is a slip, not the empty set. */
function rising(segment: Segment): Segment {
  // Infinity is no number that could belong to the set.
  if ((segment.closedFrom && infiniteSign(segment.from)) || (segment.closedTo && infiniteSign(segment.to)))
    throw new Unordered();
  const order = orderOf(segment.from, segment.to);
  if (order === -1 || (order === 0 && segment.closedFrom && segment.closedTo)) return segment;
  throw new Unordered();
}

/** A list of numbers is a set of points; a list of conditions one set; a list of sets stays several sets. */
function ofList({ items, joined }: List): readonly Segment[] | undefined {
  if (items.every((item) => item.kind === "expression")) return unionOf(items);
  if (!items.every(isInequality))
    return joined === "or" && items.every((item) => item.kind !== "expression") ? unionOf(items) : undefined;
  if (new Set(items.map((item) => [...unknownsIn(item)].sort().join(" "))).size > 1) return undefined;
  // x ≠ 2, x ≠ 3 denies both, whatever stands between them.
  const denials = items.some((item) => item.kind === "relation" && item.operators.includes("!="));
  if (joined === "or" && !denials) return unionOf(items);
  const all = intersectionOf(items);
  // "x < 2, x > 5" cannot both hold, so that either is meant.
  return joined === "and" || denials || all === undefined || all.length > 0 ? all : unionOf(items);
}

/** What the sides of a relation leave open. */
export function unknownsIn(value: Value): Set<string> {
  const sides = value.kind === "relation" ? value.sides : value.kind === "list" ? value.items : [];
  const found = new Set<string>();
  for (const side of sides)
    for (const name of side.kind === "expression" ? unknownsOf(side.expression) : unknownsIn(side)) found.add(name);
  return found;
}

function unionOf(items: readonly Value[]): readonly Segment[] | undefined {
  const sets = items.map(segmentsOf);
  return sets.includes(undefined) ? undefined : (sets as (readonly Segment[])[]).flat();
}

function intersectionOf(items: readonly Value[]): readonly Segment[] | undefined {
  let result: readonly Segment[] = wholeLine;
  for (const item of items) {
    const set = segmentsOf(item);
    if (set === undefined) return undefined;
    result = combined("intersection", result, set);
  }
  return result;
}

export const isSetLike = (value: Value): boolean =>
  value.kind === "interval" ||
  value.kind === "set-operation" ||
  value.kind === "named-set" ||
  value.kind === "set-builder" ||
  value.kind === "membership" ||
  (value.kind === "list" &&
    value.items.length > 0 &&
    value.items.every((item) => isSetLike(item) || isInequality(item)));

/** Sets equal as sets: the same stretches with the same ends. */
export function compareSets(
  gold: Value,
  prediction: Value,
  compareEnds: (a: Segment["from"], b: Segment["from"]) => Equivalence,
): Equivalence {
  try {
    const [a, b] = [segmentsOf(gold), segmentsOf(prediction)];
    if (a === undefined || b === undefined) return undecided("not sets of real numbers with constant ends");
    return compareSegments(combined("union", a, []), combined("union", b, []), compareEnds);
  } catch (error) {
    if (!(error instanceof Unordered)) throw error;
    return undecided("the ends could not be put in order");
  }
}

function compareSegments(
  a: readonly Segment[],
  b: readonly Segment[],
  compareEnds: (a: Segment["from"], b: Segment["from"]) => Equivalence,
): Equivalence {
  if (a.length !== b.length) return different("the sets have a different number of pieces");
  let open: Equivalence | undefined;
  for (let i = 0; i < a.length; i++) {
    if (a[i].closedFrom !== b[i].closedFrom || a[i].closedTo !== b[i].closedTo)
      return different("an end belongs to one of the sets only");
    for (const [x, y] of [
      [a[i].from, b[i].from],
      [a[i].to, b[i].to],
    ] as const) {
      const result = compareEnds(x, y);
      if (result.outcome === "different") return different("the sets end at different numbers");
      if (result.outcome === "undecided") open = result;
    }
  }
  return open ?? equal("the same set of numbers");
}
