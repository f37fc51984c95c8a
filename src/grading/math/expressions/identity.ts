// Two parsed forms are the same when they were built the same, number by exact number. Never decided from what is shown.
import { contains, type Expression, freeSymbols } from "./expression.ts";
import type { Value } from "./value.ts";

export const sameExpression = (a: Expression, b: Expression): boolean => a === b || identityOf(a) === identityOf(b);

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
