// Lists, sets and tuples: in order where order was meant, else by matching every item of one with an item of the other.

import type { Value } from "../expressions/value.ts";
import { allOf, type Comparison, different, equal, type Outcome, undecided } from "./comparison.ts";
import { assignmentOf } from "./resolve.ts";

export type Compare = (gold: Value, prediction: Value) => Comparison;

const longest = 120;

export function compareInOrder(gold: readonly Value[], prediction: readonly Value[], compare: Compare): Comparison {
  if (gold.length !== prediction.length) return different(`${gold.length} parts and ${prediction.length} parts`);
  return allOf(gold.map((item, index) => () => compare(item, prediction[index])));
}

/** Equal as sets: duplicates count once, and a perfect matching of the rest exists. */
export function compareUnordered(gold: readonly Value[], prediction: readonly Value[], compare: Compare): Comparison {
  if (gold.length > longest || prediction.length > longest) {
    return gold.length === prediction.length
      ? compareInOrder(gold, prediction, compare)
      : undecided("lists too long to match");
  }
  const [a, b] = [distinct(gold, compare), distinct(prediction, compare)];
  if (a.length !== b.length) return different(`${a.length} different items and ${b.length} different items`);
  const outcomes = a.map((item) => b.map((other) => compare(item, other).outcome));
  if (matchable(outcomes, ["equal"])) return equal("the same items");
  if (matchable(outcomes, ["equal", "undecided"])) return undecided("some items could not be told apart");
  return different("some item of the one is missing in the other");
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
