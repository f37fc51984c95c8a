// Whether two expressions have the same value, by evaluating them to more and more digits. Where they agree, the remaining
// difference is rounding and shrinks with the precision; where they differ, it stays.

import { Evaluation, type FunctionChoice, type SymbolValues } from "../expressions/evaluate.ts";
import type { Expression } from "../expressions/expression.ts";
import {
  absoluteFloat,
  arithmetic,
  type BigFloat,
  isFloatZero,
  magnitude,
  NoValue,
  toRational,
} from "../numbers/big-float.ts";
import { ComplexArithmetic, complexMagnitude, isReal } from "../numbers/complex.ts";
import type { Rational } from "../numbers/rational.ts";
import type { Effort } from "./effort.ts";

export type Agreement =
  | { readonly kind: "equal"; readonly digits: number }
  | { readonly kind: "different" }
  | { readonly kind: "undecided"; readonly because: string }
  /** One of the two has no value here. */
  | { readonly kind: "no-value"; readonly because: string }
  /** One of the two is not real here. */
  | { readonly kind: "not-real" };

type Look = {
  readonly difference: number;
  readonly size: number;
  readonly noise: number;
  readonly bits: number;
  readonly real: boolean;
};

const most = 12_000;

/** Where two expressions are looked at: values for their symbols, and for their undefined functions. */
export type Place = { readonly assignment: SymbolValues; readonly world: FunctionChoice };

const nowhere: Place = { assignment: new Map(), world: 0 };

function look(a: Expression, b: Expression, place: Place, bits: number, effort: Effort): Look {
  // Longer numbers cost more, but not in proportion.
  const spend = (steps: number) => effort.spend(steps * (1 + bits / 1_000));
  const evaluation = new Evaluation(bits, place.assignment, spend, place.world);
  const [x, y] = [evaluation.of(a), evaluation.of(b)];
  const size = Math.max(complexMagnitude(x), complexMagnitude(y));
  const c = new ComplexArithmetic(arithmetic(bits));
  const apart = complexMagnitude(c.subtract(x, y));
  // Absolute precision below 1 for large numbers, enough for small exact terms beside large ones, and, where nothing is apart
  // yet, for what extreme arguments leave.
  const left = isApart(apart, size, evaluation.noise) ? 0 : 3 * evaluation.reach - 64;
  const needed = Math.max(evaluation.neededBits, size, left);
  if (needed + 64 > bits) {
    if (needed + 192 > most) throw new NoValue("a number with more digits than are worth computing");
    return look(a, b, place, Math.ceil(needed + 192), effort);
  }
  // A difference that rounded to nothing is as small as the rounding, not smaller.
  const difference = Math.max(apart, size - bits, evaluation.noise);
  return { difference, size, noise: evaluation.noise, bits, real: isReal(x) && isReal(y) && !evaluation.leftTheReals };
}

/** Plainly apart: both the difference and the numbers stand far above any rounding. */
const isApart = (difference: number, size: number, noise: number): boolean =>
  difference > Math.max(-40, size - 30, noise + 40);

/** `realOnly`: say so instead of comparing where a value is not real. */
export function numericAgreement(
  a: Expression,
  b: Expression,
  effort: Effort,
  place: Place = nowhere,
  realOnly = false,
  startBits = 256,
): Agreement {
  try {
    let before = look(a, b, place, startBits, effort);
    if (realOnly && !before.real) return { kind: "not-real" };
    if (isApart(before.difference, before.size, before.noise)) return { kind: "different" };
    for (let round = 0; round < 4; round++) {
      const after = look(a, b, place, before.bits + 192 * (round + 1), effort);
      const gained = after.bits - before.bits;
      const shrunk = before.difference - after.difference;
      if (after.difference === Number.NEGATIVE_INFINITY || shrunk > 0.4 * gained) {
        const clear = after.size === Number.NEGATIVE_INFINITY ? after.bits : Math.max(after.size, 0) - after.difference;
        const bits = Math.min(after.bits, Number.isFinite(clear) ? clear : after.bits);
        if (bits > 170) return { kind: "equal", digits: Math.floor(bits * 0.30103) };
      } else if (shrunk < 16 && after.difference > before.difference - 16) return { kind: "different" };
      before = after;
    }
    return {
      kind: "undecided",
      because: `they agree to ${Math.floor(before.bits * 0.3)} digits, and more were not tried`,
    };
  } catch (error) {
    if (error instanceof NoValue) return { kind: "no-value", because: error.message };
    throw error;
  }
}

/** A constant's value as a nearby fraction, to so many bits; nothing when it has none or is not real. */
export function approximated(
  expression: Expression,
  bits = 256,
  assignment: SymbolValues = new Map(),
): Rational | undefined {
  const value = floatValue(expression, bits, assignment);
  if (value === undefined || (!isFloatZero(value) && Math.abs(magnitude(value)) > 100_000)) return undefined;
  return toRational(value);
}

export function floatValue(
  expression: Expression,
  bits = 256,
  assignment: SymbolValues = new Map(),
): BigFloat | undefined {
  try {
    const value = new Evaluation(bits, assignment).of(expression);
    if (isReal(value)) return value.re;
    // √(sin π) and the like: an imaginary part that is nothing but rounding.
    const slack = magnitude(absoluteFloat(value.im)) - Math.max(0, magnitude(value.re));
    return slack < -bits / 3 ? value.re : undefined;
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}
