// Lists, sets and tuples: in order where order was meant, else by matching every item of one with an item of the other.

import { contains, type Expression, number } from "../expressions/expression.ts";
import { rationalOf } from "../expressions/normal-form.ts";
import { expressionValue, type List, type Value } from "../expressions/value.ts";
import { toDouble } from "../numbers/big-float.ts";
import {
  absolute,
  add,
  compare as compareRationals,
  divide,
  equals,
  isZero,
  multiply,
  type Rational,
  rational,
  subtract,
} from "../numbers/rational.ts";
import { allOf, different, type Equivalence, equal, type Outcome, undecided } from "./comparison.ts";
import { floatValue } from "./numeric-agreement.ts";
import { assignmentOf } from "./resolve.ts";

type Compare = (gold: Value, prediction: Value) => Equivalence;

const zero = rational(0n);
const longest = 60;
const longestOfNumbers = 300;

export function compareInOrder(left: readonly Value[], right: readonly Value[], compare: Compare): Equivalence {
  const [gold, prediction] = [withoutDots(left), withoutDots(right)];
  if (gold.length !== prediction.length) {
    const parts = `${gold.length} parts and ${prediction.length} parts`;
    return [...gold, ...prediction].some(isDots) ? undecided(`${parts}, with dots among them`) : different(parts);
  }
  return allOf(gold.map((item, index) => () => compare(item, prediction[index])));
}

/** Equal in some order: a perfect matching exists. Repetitions count except in sets and between alternatives. */
export function compareUnordered(gold: List, prediction: List, compare: Compare): Equivalence {
  const [left, right] = [withoutDots(gold.items), withoutDots(prediction.items)];
  const numbers = [...left, ...right].every((item) => !Number.isNaN(roughSize(item)));
  if (Math.max(left.length, right.length) > (numbers ? longestOfNumbers : longest)) {
    const inOrder = left.length === right.length && compareInOrder(left, right, compare).outcome === "equal";
    return inOrder ? equal("the same items") : undecided("lists too long to match in any order");
  }
  const quick: Compare = (x, y) => (farApart(x, y) ? different("far apart") : compare(x, y));
  const onceEach = gold.joined === "set";
  const [a, b] = (
    [
      [gold, left],
      [prediction, right],
    ] as const
  ).map(([{ joined }, items]) => (onceEach || joined === "set" || joined === "or" ? distinct(items, quick) : items));
  if (a.length === b.length) return matched(a, b, quick);
  if ([...a, ...b].some(isDots)) return undecided("dots that may stand for anything");
  const [fewerA, fewerB] = [distinct(a, quick), distinct(b, quick)];
  const said = `${a.length} items and ${b.length} items`;
  if (fewerA.length !== fewerB.length || fewerA.length < a.length) return different(said);
  const once = matched(fewerA, fewerB, quick);
  // A solution given twice is one solution; a number given twice may be a root of order two, or data.
  if (once.outcome === "different" || b.every((item) => item.kind === "tuple")) return once;
  return undecided(`the same items, but ${said}`);
}

const isDots = (item: Value): boolean =>
  item.kind === "expression" && item.expression.kind === "symbol" && item.expression.name === "…";

/**
 * What dots in a list stand for: every item of a progression that ends, and of one that does not only as many items before them
 * as say which it is. {1, 2, …, 10} is {1, 2, 3, …, 10}. As they are where they may stand for anything.
 */
function withoutDots(items: readonly Value[]): readonly Value[] {
  const at = items.findIndex(isDots);
  if (at < 2 || items.slice(at + 1).some(isDots) || items.length > at + 2) return items;
  const before = items.slice(0, at).map(plainNumber);
  if (before.includes(undefined)) return items;
  const [first, second, ...more] = before as Rational[];
  const [step, ratio] = [subtract(second, first), isZero(first) ? undefined : divide(second, first)];
  const follows = (next: (term: Rational) => Rational) =>
    more.every((term, i) => equals(term, next(i === 0 ? second : more[i - 1])));
  const arithmetic = !isZero(step) && follows((term) => add(term, step));
  const geometric = !arithmetic && more.length > 0 && ratio !== undefined && follows((term) => multiply(term, ratio));
  if (!arithmetic && !geometric) return items;
  const end = items.length === at + 2 ? plainNumber(items[at + 1]) : undefined;
  if (end === undefined) return [...items.slice(0, arithmetic ? 2 : 3), ...items.slice(at)];
  const all = [first];
  // A term beyond the last one will not come back to it.
  const growing = compareRationals(absolute(second), absolute(first)) > 0;
  const beyond = (term: Rational) =>
    arithmetic
      ? compareRationals(term, end) === compareRationals(step, zero)
      : compareRationals(absolute(term), absolute(end)) === (growing ? 1 : -1);
  while (all.length < longestOfNumbers && !equals(all[all.length - 1], end) && !beyond(all[all.length - 1]))
    all.push(arithmetic ? add(all[all.length - 1], step) : multiply(all[all.length - 1], ratio!));
  return equals(all[all.length - 1], end) && all.length > before.length
    ? all.map((term) => expressionValue(number(term)))
    : items;
}

const plainNumber = (item: Value): Rational | undefined =>
  item.kind === "expression" && item.unit === undefined ? rationalOf(item.expression) : undefined;

function matched(a: readonly Value[], b: readonly Value[], compare: Compare): Equivalence {
  const outcomes = a.map((item) => b.map((other) => compare(item, other).outcome));
  if (matchable(outcomes, ["equal"])) return equal("the same items");
  if (matchable(outcomes, ["equal", "undecided"])) return undecided("some items could not be told apart");
  return different("some item of the one is missing in the other");
}

const sizes = new WeakMap<Value, number>();

/** A rough value of an item that has exactly one reading; not a number otherwise. */
function roughSize(item: Value): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  let size = Number.NaN;
  if (item.kind === "expression" && item.unit === undefined && !contains(item.expression, hasReadings)) {
    const value = floatValue(item.expression, 64);
    if (value !== undefined) size = toDouble(value);
  }
  sizes.set(item, size);
  return size;
}

const hasReadings = (part: Expression): boolean =>
  part.kind === "degrees" ||
  part.kind === "percent" ||
  part.kind === "symbol" ||
  part.kind === "apply" ||
  (part.kind === "call" && part.name === "log");

/** Plainly different numbers, told without the care that close ones need: long lists make many pairs. */
function farApart(a: Value, b: Value): boolean {
  const [x, y] = [roughSize(a), roughSize(b)];
  return Math.abs(x - y) > 0.1 + 0.01 * Math.max(Math.abs(x), Math.abs(y));
}

function distinct(items: readonly Value[], compare: Compare): Value[] {
  const kept: Value[] = [];
  for (const item of items) if (!kept.some((known) => compare(known, item).outcome === "equal")) kept.push(item);
  return kept;
}

/** Whether all rows can be given different columns whose outcome is wanted (augmenting paths). */
function matchable(outcomes: readonly (readonly Outcome[])[], wanted: readonly Outcome[]): boolean {
  const rowOfColumn: number[] = [];
  const place = (row: number, tried: Set<number>): boolean => {
    for (let column = 0; column < outcomes[row].length; column++) {
      if (tried.has(column) || !wanted.includes(outcomes[row][column])) continue;
      tried.add(column);
      if (rowOfColumn[column] === undefined || place(rowOfColumn[column], tried)) {
        rowOfColumn[column] = row;
        return true;
      }
    }
    return false;
  };
  return outcomes.every((_, row) => place(row, new Set()));
}

/** The names that a list of assignments gives, when every item has one. */
export function namesOf(items: readonly Value[]): string[] | undefined {
  const names = items.map((item) => assignmentOf(item)?.name);
  return names.includes(undefined) ? undefined : (names as string[]);
}

/** x₁ and x₂ are two values of x. */
export const bareName = (name: string): string => name.replace(/^(x|z|t|r|lambda)_.*$/, "$1");

/** x = 1, y = 2 and f(1) = 1, f(2) = 2 name different quantities; x₁ = 1, x₂ = 2 and x = 1, x = 2 list roots. */
export function namesDiffer(names: readonly string[]): boolean {
  return new Set(names.map(bareName)).size === names.length && names.length > 1;
}
