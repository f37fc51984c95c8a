// Lists, sets and tuples: in order where order was meant, else by matching every item of one with an item of the other.

import { contains, type Expression } from "../expressions/expression.ts";
import type { Value } from "../expressions/value.ts";
import { toDouble } from "../numbers/big-float.ts";
import { allOf, type Comparison, different, equal, type Outcome, undecided } from "./comparison.ts";
import { floatValue } from "./numeric-agreement.ts";
import { assignmentOf } from "./resolve.ts";

export type Compare = (gold: Value, prediction: Value) => Comparison;

const longest = 60;
const longestOfNumbers = 300;

export function compareInOrder(gold: readonly Value[], prediction: readonly Value[], compare: Compare): Comparison {
  if (gold.length !== prediction.length) return different(`${gold.length} parts and ${prediction.length} parts`);
  return allOf(gold.map((item, index) => () => compare(item, prediction[index])));
}

/** Equal as sets: duplicates count once, and a perfect matching of the rest exists. */
export function compareUnordered(gold: readonly Value[], prediction: readonly Value[], compare: Compare): Comparison {
  const numbers = [...gold, ...prediction].every((item) => !Number.isNaN(roughSize(item)));
  if (Math.max(gold.length, prediction.length) > (numbers ? longestOfNumbers : longest)) {
    const inOrder = gold.length === prediction.length && compareInOrder(gold, prediction, compare).outcome === "equal";
    return inOrder ? equal("the same items") : undecided("lists too long to match in any order");
  }
  const quick: Compare = (x, y) => (farApart(x, y) ? different("far apart") : compare(x, y));
  const [a, b] = [distinct(gold, quick), distinct(prediction, quick)];
  if (a.length !== b.length) return different(`${a.length} different items and ${b.length} different items`);
  const outcomes = a.map((item) => b.map((other) => quick(item, other).outcome));
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

/** x = 1, y = 2 names different quantities; x₁ = 1, x₂ = 2 and x = 1, x = 2 list values of one. */
export function namesDiffer(names: readonly string[]): boolean {
  const bare = names.map((name) => name.replace(/_.*$/, "").replace(/\(\d+\)$/, ""));
  return new Set(bare).size === names.length && names.length > 1;
}
