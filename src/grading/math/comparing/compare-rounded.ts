// Constants of which at least one was written as a decimal, which may be a rounded value: equal to so many decimal places,
// and to enough of their own digits that small numbers do not meet by being small.
import { contains, type Expression, hasDecimal } from "../expressions/expression.ts";
import { magnitude } from "../numbers/big-float.ts";
import {
  absolute,
  compare,
  divide,
  isWhole,
  multiply,
  negate,
  type Rational,
  rational,
  roundedTo,
  subtract,
} from "../numbers/rational.ts";
import type { MathOptions } from "../options.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";
import { approximated, floatValue } from "./numeric-agreement.ts";

/** Doubles printed to their last digit differ there by the way they were computed. */
const noiseOfDoubles = rational(1n, 10n ** 12n);

export function compareRounded(a: Expression, b: Expression, options: MathOptions): Equivalence | undefined {
  const [x, y] = [toTheUnit(a), toTheUnit(b)];
  if (x === undefined || y === undefined) return undefined;
  const apart = absolute(subtract(x, y));
  const larger = compare(absolute(x), absolute(y)) > 0 ? absolute(x) : absolute(y);
  const places = options.decimalPlaces;
  // A gold answer with fewer places than are compared was not cut off there.
  const shortest = lastDigit(a);
  const short = shortest !== undefined && compare(shortest, rational(1n, 10n ** BigInt(places))) > 0;
  if (options.mode === "reward" && options.decimalShare === undefined && (short || !hasDecimal(a)))
    return asReward(x, y, options);
  if (options.mode === "evaluation" && options.decimalShare === undefined && wasRounded(a, x, b, y))
    return equal("the gold answer is rounded to its places");
  // Two values a hair apart can still fall on both sides of a rounding edge.
  const hair = rational(1n, 10n ** BigInt(places + 3));
  if (roundedTo(x, places) !== roundedTo(y, places) && compare(apart, hair) > 0)
    return different(`they differ within ${places} decimal places`);
  if (options.decimalShare === Number.POSITIVE_INFINITY) return equal(`equal to ${places} decimal places`);
  const share = options.decimalShare ?? 10 ** ((-2 * places) / 3);
  if (compare(apart, multiply(larger, asRational(share))) > 0)
    return different("they differ by too large a share of their size");
  const last = options.decimalShare === undefined ? lastDigitOfShorter(a, b) : undefined;
  if (last !== undefined && compare(apart, last) >= 0 && compare(apart, multiply(larger, noiseOfDoubles)) > 0)
    return different("they are two decimals with different digits");
  return equal(`equal to ${places} decimal places`);
}

/** A gold answer of three digits and more that is a value without an end, rounded: 30.52 for 1587/52. */
function wasRounded(gold: Expression, x: Rational, prediction: Expression, y: Rational): boolean {
  const last = hasDecimal(prediction) || contains(prediction, isIrrational) ? undefined : lastDigit(gold);
  if (last === undefined || last.denominator === 1n) return false;
  const units = divide(y, last);
  const ends = y.denominator < 10n ** 12n && isWhole(multiply(y, rational(10n ** 12n)));
  return (
    !ends &&
    compare(absolute(x), multiply(last, rational(100n))) >= 0 &&
    roundedTo(units, 0) === roundedTo(divide(x, last), 0)
  );
}

/** π has more digits than anybody rounds to in passing: 3.14 is not meant. */
const isIrrational = ({ kind }: Expression): boolean => !/^(?:number|sum|negate|product|quotient|percent)$/.test(kind);

const rewardPlaces = 9;

/** An exact gold answer is not met by a guess at its digits: nine places for a fraction without an end or a root, none for a whole number or a decimal. */
function asReward(gold: Rational, prediction: Rational, { decimalPlaces }: MathOptions): Equivalence {
  const apart = absolute(subtract(gold, prediction));
  const near = (places: number): boolean =>
    roundedTo(gold, places) === roundedTo(prediction, places) &&
    compare(apart, multiply(absolute(gold), asRational(10 ** ((-2 * places) / 3)))) <= 0;
  // A number that ends within so many places is itself or nothing.
  const ends = roundedTo(gold, 60) % 10n ** 51n === 0n;
  if (!ends && near(rewardPlaces)) return equal(`equal to ${rewardPlaces} decimal places`);
  return near(Math.min(decimalPlaces, 4))
    ? undecided("a rounded number where the gold answer is exact")
    : different("their values differ");
}

const digitsBelowOne = 256;
const mostBits = 12_000;

/** A constant with all its digits before the point and many behind it; nothing where it is too large for that. */
function toTheUnit(expression: Expression): Rational | undefined {
  const value = floatValue(expression, digitsBelowOne);
  if (value === undefined) return undefined;
  const bits = digitsBelowOne + Math.max(0, magnitude(value));
  return bits > mostBits ? undefined : approximated(expression, bits);
}

/** Whether two constants are as close as the caller allows: so far apart, or so large a share of the gold answer. */
export function withinTolerance(
  gold: Expression,
  prediction: Expression,
  { absolute: most = 0, relative = 0 }: NonNullable<MathOptions["tolerance"]>,
): boolean {
  const [x, y] = [approximated(gold), approximated(prediction)];
  if (x === undefined || y === undefined) return false;
  const apart = absolute(subtract(x, y));
  return compare(apart, asRational(most)) <= 0 || compare(apart, multiply(absolute(x), asRational(relative))) <= 0;
}

/** A double as the exact fraction that it is. */
function asRational(value: number): Rational {
  const scale = 2 ** 80;
  return rational(BigInt(Math.round(value * scale)), BigInt(scale));
}

/** What one unit of the last written digit is worth, where both sides are nothing but a written decimal; the larger of the two. */
function lastDigitOfShorter(a: Expression, b: Expression): Rational | undefined {
  const [x, y] = [lastDigit(a), lastDigit(b)];
  if (x === undefined || y === undefined) return undefined;
  return compare(x, y) > 0 ? x : y;
}

function lastDigit(expression: Expression): Rational | undefined {
  switch (expression.kind) {
    case "number": {
      if (expression.places === undefined || Math.abs(expression.places) > 10_000) return undefined;
      const scale = 10n ** BigInt(Math.abs(expression.places));
      return expression.places < 0 ? rational(scale) : rational(1n, scale);
    }
    case "negate":
      return lastDigit(expression.of);
    case "percent": {
      const last = lastDigit(expression.of);
      return last && divide(last, rational(100n));
    }
    case "product": {
      // 2.887 · 10^-6: one decimal and what it is scaled by.
      const [decimal, ...more] = expression.factors.filter(hasDecimal);
      if (decimal === undefined || more.length > 0) return undefined;
      const last = lastDigit(decimal);
      const rest = expression.factors.filter((factor) => factor !== decimal && isPowerOfTen(factor));
      if (last === undefined || rest.length !== expression.factors.length - 1) return undefined;
      return rest.reduce((worth, factor) => {
        const value = approximated(factor);
        return value === undefined ? worth : multiply(worth, value.numerator < 0n ? negate(value) : value);
      }, last);
    }
    default:
      return undefined;
  }
}

const isPowerOfTen = (expression: Expression): boolean =>
  expression.kind === "power" &&
  expression.base.kind === "number" &&
  compare(expression.base.value, rational(10n)) === 0 &&
  expression.base.places === undefined;
