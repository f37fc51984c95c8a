// Functions of whole numbers and fractions that have an exact value.
import { binomial, doubleFactorial, factorial, greatestCommonDivisor } from "../numbers/integers.ts";
import { absolute, compare, floor, isOne, isWhole, isZero, negate, type Rational, whole } from "../numbers/rational.ts";
import type { FunctionName } from "./expression.ts";

/** The value of a function at fractions, or nothing where it is not a fraction or too large to write out. */
export function exactCall(name: FunctionName, values: readonly Rational[]): Rational | undefined {
  const [a, b] = values;
  const wholes = values.every(isWhole) ? values.map((value) => value.numerator / value.denominator) : undefined;
  const asRational = (value: bigint | undefined) => (value === undefined ? undefined : whole(value));
  switch (name) {
    case "abs":
      return absolute(a);
    case "sign":
      return whole(a.numerator < 0n ? -1 : a.numerator > 0n ? 1 : 0);
    case "floor":
      return whole(floor(a));
    case "ceil":
      return whole(-floor(negate(a)));
    case "re":
    case "conjugate":
      return a;
    case "im":
      return whole(0);
    case "max":
      return values.reduce((x, y) => (compare(x, y) >= 0 ? x : y));
    case "min":
      return values.reduce((x, y) => (compare(x, y) <= 0 ? x : y));
    case "ln":
      return isOne(a) ? whole(0) : undefined;
    default:
      break;
  }
  if (wholes === undefined) return undefined;
  switch (name) {
    case "factorial":
      return asRational(factorial(wholes[0]));
    case "double-factorial":
      return asRational(doubleFactorial(wholes[0]));
    case "binomial":
      return asRational(binomial(wholes[0], wholes[1]));
    case "gcd":
      return whole(wholes.reduce(greatestCommonDivisor));
    case "lcm":
      return whole(
        wholes.reduce((x, y) => (x === 0n || y === 0n ? 0n : absoluteBig((x * y) / greatestCommonDivisor(x, y)))),
      );
    case "mod":
      return b === undefined || isZero(b)
        ? undefined
        : whole(((wholes[0] % wholes[1]) + absoluteBig(wholes[1])) % absoluteBig(wholes[1]));
    default:
      return undefined;
  }
}

const absoluteBig = (value: bigint): bigint => (value < 0n ? -value : value);
