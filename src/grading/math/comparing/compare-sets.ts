// Sets of real numbers in whatever way they were written: intervals, unions, inequalities, points, conditions.

import type { Value } from "../expressions/value.ts";
import { absolute, compare, rational, subtract } from "../numbers/rational.ts";
import { type Comparison, different, equal, undecided } from "./comparison.ts";
import { isScanned, solutionOf } from "./inequalities.ts";
import { approximated } from "./numeric-agreement.ts";
import { isInequality, nameOf } from "./resolve.ts";
import { combined, isConstantEnd, point, type Segment, Unordered, wholeLine } from "./segments.ts";

/** The value as a set of reals; nothing when it is not one, or its ends are not constants. */
function segmentsOf(value: Value, listMeaning: "union" | "intersection" = "union"): readonly Segment[] | undefined {
  switch (value.kind) {
    case "interval":
      return isConstantEnd(value.from) && isConstantEnd(value.to) ? [value] : undefined;
    case "tuple": {
      const [from, to, ...more] = value.items;
      if (more.length > 0 || from?.kind !== "expression" || to?.kind !== "expression") return undefined;
      if (!isConstantEnd(from.expression) || !isConstantEnd(to.expression)) return undefined;
      return [{ from: from.expression, to: to.expression, closedFrom: false, closedTo: false }];
    }
    case "expression":
      return isConstantEnd(value.expression) ? [point(value.expression)] : undefined;
    case "list":
      return ofAll(value.items, value.joined === "and" ? "intersection" : listMeaning, value.items.some(isInequality));
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
      const element = value.element.kind === "membership" ? segmentsOf(value.element) : wholeLine;
      const conditions = ofAll(value.conditions, "intersection", true);
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

function ofAll(
  items: readonly Value[],
  operator: "union" | "intersection",
  conditions: boolean,
): readonly Segment[] | undefined {
  let result: readonly Segment[] | undefined;
  for (const item of items) {
    const set = segmentsOf(item);
    if (set === undefined) return undefined;
    if (result === undefined) result = set;
    else result = conditions && operator === "intersection" ? combined(operator, result, set) : [...result, ...set];
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
  compareEnds: (a: Segment["from"], b: Segment["from"]) => Comparison,
): Comparison {
  try {
    for (const meaning of ["union", "intersection"] as const) {
      const [a, b] = [segmentsOf(gold, meaning), segmentsOf(prediction, meaning)];
      if (a === undefined || b === undefined) return undecided("not sets of real numbers with constant ends");
      const result = compareSegments(combined("union", a, []), combined("union", b, []), compareEnds);
      if (result.outcome !== "different" || meaning === "intersection") return result;
      if (!hasAmbiguousList(gold) && !hasAmbiguousList(prediction)) return result;
    }
  } catch (error) {
    if (!(error instanceof Unordered)) throw error;
  }
  return undecided("the ends could not be put in order");
}

/** "x > 2, x < 5" leaves open whether both must hold. */
const hasAmbiguousList = (value: Value): boolean =>
  value.kind === "list" && value.joined === "comma" && value.items.length > 1 && value.items.every(isInequality);

function compareSegments(
  a: readonly Segment[],
  b: readonly Segment[],
  compareEnds: (a: Segment["from"], b: Segment["from"]) => Comparison,
): Comparison {
  if (a.length !== b.length) return different("the sets have a different number of pieces");
  let open: Comparison | undefined;
  for (let i = 0; i < a.length; i++) {
    if (a[i].closedFrom !== b[i].closedFrom || a[i].closedTo !== b[i].closedTo)
      return different("an end belongs to one of the sets only");
    for (const [x, y] of [
      [a[i].from, b[i].from],
      [a[i].to, b[i].to],
    ] as const) {
      const result = isScanned(x) || isScanned(y) ? compareScanned(x, y) : compareEnds(x, y);
      if (result.outcome === "different") return different("the sets end at different numbers");
      if (result.outcome === "undecided") open = result;
    }
  }
  return open ?? equal("the same set of numbers");
}

/** Ends of which one was found by scanning: as close as scanning gets. */
function compareScanned(x: Segment["from"], y: Segment["from"]): Comparison {
  const [a, b] = [approximated(x), approximated(y)];
  if (a === undefined || b === undefined) return different("only one of them is a number");
  const close = compare(absolute(subtract(a, b)), rational(1n, 10n ** 24n)) < 0;
  return close ? equal("they agree to 24 places") : different("their values differ");
}
