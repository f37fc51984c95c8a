// Two parsed forms are the same when they were built the same, number by exact number. Never decided from what is shown.
import { equals, type Rational } from "../numbers/rational.ts";
import { contains, type Expression, freeSymbols } from "./expression.ts";
import type { Value } from "./value.ts";

/** Every field of both, to the end; `places` says how a number was written, not which one it is. */
function sameStructure(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isRational(a) && isRational(b)) return equals(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  return (
    left.length === right.length &&
    left.every(([name, value], index) => right[index][0] === name && sameStructure(value, right[index][1]))
  );
}

const isRational = (value: object): value is Rational =>
  "numerator" in value && "denominator" in value && "numerator" in value && typeof value.numerator === "bigint";

const fieldsOf = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([name, field]) => name !== "places" && field !== undefined)
    .sort(([x], [y]) => (x < y ? -1 : 1));

export const sameExpression = (a: Expression, b: Expression): boolean => sameStructure(a, b);

/** A text that two expressions share exactly when they were built the same. For keys of maps; never shown. */
export function identityOf(form: Expression | Value): string {
  return JSON.stringify(form, (name, value) =>
    typeof value === "bigint" ? value.toString(36) : name === "places" ? undefined : value,
  );
}

/** What an expression leaves open: its free symbols, and every undefined function at its arguments. */
export function unknownsOf(expression: Expression): Set<string> {
  const found = freeSymbols(expression);
  contains(expression, (part) => {
    if (part.kind === "apply") found.add(identityOf(part));
    return false;
  });
  return found;
}

/** Whether it is one number, known in principle: f(1) is none. */
export const isConstantExpression = (expression: Expression): boolean =>
  freeSymbols(expression).size === 0 && !contains(expression, (part) => part.kind === "apply");
