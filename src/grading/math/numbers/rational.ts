// Exact fractions of whole numbers of any size.
import { bitLength, greatestCommonDivisor } from "./integers.ts";

/** The denominator is positive. Large fractions may be left unreduced: their common divisor costs more than it saves. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint };

const reducedUpToBits = 2_048;

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError("a fraction with denominator 0");
  if (denominator === 1n) return { numerator, denominator };
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  if (n === 0n) return zero;
  if (bitLength(n) > reducedUpToBits || bitLength(d) > reducedUpToBits) {
    return n % d === 0n ? { numerator: n / d, denominator: 1n } : { numerator: n, denominator: d };
  }
  const divisor = greatestCommonDivisor(n, d);
  return divisor === 1n ? { numerator: n, denominator: d } : { numerator: n / divisor, denominator: d / divisor };
}

const zero: Rational = { numerator: 0n, denominator: 1n };
export const one: Rational = { numerator: 1n, denominator: 1n };
export const whole = (value: bigint | number): Rational => ({ numerator: BigInt(value), denominator: 1n });

export const isZero = (a: Rational): boolean => a.numerator === 0n;
export const isOne = (a: Rational): boolean => a.numerator === a.denominator;
export const isWhole = (a: Rational): boolean => a.denominator === 1n || a.numerator % a.denominator === 0n;

export function add(a: Rational, b: Rational): Rational {
  if (a.denominator === b.denominator) return rational(a.numerator + b.numerator, a.denominator);
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export const negate = (a: Rational): Rational => ({ numerator: -a.numerator, denominator: a.denominator });
export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));
export const multiply = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);
export const divide = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);
export const absolute = (a: Rational): Rational => (a.numerator < 0n ? negate(a) : a);

export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

export const equals = (a: Rational, b: Rational): boolean => compare(a, b) === 0;

/** A whole power; a negative one of zero throws. */
export function power(a: Rational, exponent: number): Rational {
  if (exponent < 0) return rational(a.denominator ** BigInt(-exponent), a.numerator ** BigInt(-exponent));
  return { numerator: a.numerator ** BigInt(exponent), denominator: a.denominator ** BigInt(exponent) };
}

export function floor(a: Rational): bigint {
  const quotient = a.numerator / a.denominator;
  return a.numerator < 0n && a.numerator % a.denominator !== 0n ? quotient - 1n : quotient;
}

/** To so many decimal places, halves away from zero, as a whole number of the last place. */
export function roundedTo(a: Rational, places: number): bigint {
  const scaled = 2n * a.numerator * 10n ** BigInt(places);
  const magnitude = ((scaled < 0n ? -scaled : scaled) + a.denominator) / (2n * a.denominator);
  return scaled < 0n ? -magnitude : magnitude;
}

export const sizeInBits = (a: Rational): number => bitLength(a.numerator) + bitLength(a.denominator);

/** The nearest double, also where both halves of the fraction overflow one. */
export function toNumber(a: Rational): number {
  const excess = Math.max(bitLength(a.numerator), bitLength(a.denominator)) - 1_000;
  if (excess <= 0) return Number(a.numerator) / Number(a.denominator);
  const shift = bitLength(a.numerator) - bitLength(a.denominator);
  // Bring the quotient near 2^64, divide exactly, and put the exponent back.
  const up = BigInt(Math.max(0, 64 - shift));
  const down = BigInt(Math.max(0, shift - 64));
  const quotient = (a.numerator << up) / (a.denominator << down);
  return Number(quotient) * 2 ** (shift - 64);
}
