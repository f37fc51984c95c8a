// What is known about two constants or expressions without evaluating them to digits: their normal forms, and their order.
import type { Expression } from "../expressions/expression.ts";
import { type Fraction, isIndependent, NormalForms } from "../expressions/normal-form.ts";
import { atomsOf, isConstant, TooLarge } from "../expressions/polynomial.ts";
import { arithmetic, type BigFloat, isFloatZero, isNegative, magnitude, NoValue } from "../numbers/big-float.ts";
import { different, type Equivalence, equal } from "./comparison.ts";
import { Effort } from "./effort.ts";
import { floatValue, numericAgreement } from "./numeric-agreement.ts";

type Exact = { readonly fraction: Fraction; readonly factored: boolean };

const exactForms = new WeakMap<Expression, Exact | "too large">();

/** The normal form of an expression, worked out once: in a list every item meets every other. */
function exactForm(expression: Expression, effort: Effort): Exact | "too large" {
  const known = exactForms.get(expression);
  if (known !== undefined) return known;
  let found: Exact | "too large";
  try {
    const forms = new NormalForms((steps) => effort.spend(steps));
    found = { fraction: forms.of(expression), factored: forms.factored };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    found = "too large";
  }
  exactForms.set(expression, found);
  return found;
}

/** The exact verdict, or nothing where exactness says nothing. */
export function compareExactly(a: Expression, b: Expression, effort: Effort): Equivalence | undefined {
  try {
    const [x, y] = [a, b].map((expression) => exactForm(expression, effort));
    if (x === "too large" || y === "too large") return undefined;
    const forms = new NormalForms((steps) => effort.spend(steps));
    const { numerator, denominator } = forms.subtract(x.fraction, y.fraction);
    if (numerator.size === 0) return equal("equal exactly");
    if (isConstant(numerator) && isConstant(denominator)) return different("they differ by a known number");
    const independent = x.factored && y.factored && isIndependent(numerator) && isIndependent(denominator);
    if (independent) return different("they differ exactly");
    // One product of positive quantities is not zero.
    const positive = [...atomsOf(numerator)].every((atom) => /^[pqc]:/.test(atom));
    return numerator.size === 1 && positive ? different("they differ exactly") : undefined;
  } catch (error) {
    if (error instanceof TooLarge || error instanceof NoValue) return undefined;
    throw error;
  }
}

/** -1, 1 for the infinities, also when they are scaled or shifted by a number: 2·∞. */
export function infiniteSign(expression: Expression): -1 | 1 | undefined {
  if (expression.kind === "constant" && expression.name === "infinity") return 1;
  if (expression.kind !== "negate") return undefined;
  const sign = infiniteSign(expression.of);
  return sign === undefined ? undefined : sign === 1 ? -1 : 1;
}

const roughValues = new WeakMap<Expression, BigFloat>();

/** A constant's value to about 38 digits; kept, because the ends of intervals are compared again and again. */
function roughValue(expression: Expression): BigFloat | undefined {
  const known = roughValues.get(expression);
  if (known !== undefined) return known;
  const value = floatValue(expression, 128);
  if (value !== undefined) roughValues.set(expression, value);
  return value;
}

/** -1, 0, 1 as a is less than, equal to or greater than b; nothing when that cannot be said. */
export function orderOf(a: Expression, b: Expression): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  const [x, y] = [infiniteSign(a), infiniteSign(b)];
  if (x !== undefined || y !== undefined) return x === y ? 0 : (x ?? 0) < (y ?? 0) ? -1 : 1;
  const [left, right] = [roughValue(a), roughValue(b)];
  if (left === undefined || right === undefined) return undefined;
  const apart = arithmetic(128).subtract(left, right);
  const order = isFloatZero(apart) ? 0 : isNegative(apart) ? -1 : 1;
  if (order !== 0 && magnitude(apart) > Math.max(magnitude(left), magnitude(right), 0) - 60) return order;
  const exact = compareExactly(a, b, new Effort());
  if (exact !== undefined) return exact.outcome === "equal" ? 0 : order === 0 ? undefined : order;
  const agreement = numericAgreement(a, b, new Effort());
  if (agreement.kind === "equal") return 0;
  return agreement.kind === "different" && order !== 0 ? order : undefined;
}
