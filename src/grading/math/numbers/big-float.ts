// Real numbers to any chosen precision, as a whole number times a power of two, and the elementary functions of them.
// Plain BigInt arithmetic: at 256 bits it is far faster than decimal digits in arrays, and exponents never overflow.
import { bitLength } from "./integers.ts";
import type { Rational } from "./rational.ts";

/** mantissa · 2^exponent */
export type BigFloat = { readonly mantissa: bigint; readonly exponent: number };

/** A function was asked for a value it has not got, or one too large to hold: the caller decides what that means. */
export class NoValue extends Error {}

export const floatZero: BigFloat = { mantissa: 0n, exponent: 0 };

/** Within one of the true length, and quick: good enough to decide where to round. */
function roughLength(value: bigint): number {
  const rough = Number(value);
  if (Number.isFinite(rough)) return rough === 0 ? 0 : Math.floor(Math.log2(Math.abs(rough))) + 1;
  return bitLength(value);
}

/** The power of two just above the magnitude; -Infinity for zero. */
export function magnitude(a: BigFloat): number {
  return a.mantissa === 0n ? Number.NEGATIVE_INFINITY : roughLength(a.mantissa) + a.exponent;
}

export const isNegative = (a: BigFloat): boolean => a.mantissa < 0n;
export const isFloatZero = (a: BigFloat): boolean => a.mantissa === 0n;
export const negateFloat = (a: BigFloat): BigFloat => ({ mantissa: -a.mantissa, exponent: a.exponent });
export const absoluteFloat = (a: BigFloat): BigFloat => (a.mantissa < 0n ? negateFloat(a) : a);

export function toDouble(a: BigFloat): number {
  const excess = roughLength(a.mantissa) - 64;
  if (excess <= 0) return Number(a.mantissa) * 2 ** a.exponent;
  return Number(a.mantissa >> BigInt(excess)) * 2 ** (a.exponent + excess);
}

/** The number written exactly: a binary fraction. Only for exponents of reasonable size. */
export function toRational(a: BigFloat): Rational {
  return a.exponent >= 0
    ? { numerator: a.mantissa << BigInt(a.exponent), denominator: 1n }
    : { numerator: a.mantissa, denominator: 1n << BigInt(-a.exponent) };
}

const shiftBy = (value: bigint, bits: number): bigint => (bits >= 0 ? value << BigInt(bits) : value >> BigInt(-bits));

const constants = new Map<string, { readonly bits: number; readonly value: bigint }>();

/** A constant as value · 2^-bits, computed once at the largest precision asked for so far. */
function constant(name: "pi" | "ln2", bits: number): bigint {
  const known = constants.get(name);
  if (known !== undefined && known.bits >= bits) return known.value >> BigInt(known.bits - bits);
  const working = bits + 64;
  const scale = 1n << BigInt(working);
  const inverseSeries = (x: bigint, alternating: boolean) => {
    let term = scale / x;
    let sum = term;
    for (let k = 3n, sign = -1n; term !== 0n; k += 2n, sign = -sign) {
      term /= x * x;
      sum += (alternating ? sign : 1n) * (term / k);
    }
    return sum;
  };
  // Machin: π/4 = 4 arctan 1/5 − arctan 1/239; ln 2 = 2 artanh 1/3.
  const value =
    (name === "pi" ? 4n * (4n * inverseSeries(5n, true) - inverseSeries(239n, true)) : 2n * inverseSeries(3n, false)) >>
    32n;
  constants.set(name, { bits: working - 32, value });
  return value >> BigInt(working - 32 - bits);
}

const largestExponent = 2 ** 40;

/** Arithmetic that keeps so many bits. Results are right to a few units in the last place. */
export class FloatArithmetic {
  readonly bits: number;

  constructor(bits: number) {
    this.bits = bits;
  }

  round(mantissa: bigint, exponent: number): BigFloat {
    const excess = roughLength(mantissa) - this.bits;
    if (excess <= 0) return { mantissa, exponent };
    const half = 1n << BigInt(excess - 1);
    return { mantissa: (mantissa + half) >> BigInt(excess), exponent: exponent + excess };
  }

  whole(value: bigint | number): BigFloat {
    return this.round(BigInt(value), 0);
  }

  fraction(a: Rational): BigFloat {
    if (a.denominator === 1n) return this.round(a.numerator, 0);
    const shift = this.bits + 4 + bitLength(a.denominator) - bitLength(a.numerator);
    const quotient =
      shift >= 0 ? (a.numerator << BigInt(shift)) / a.denominator : a.numerator / (a.denominator << BigInt(-shift));
    return this.round(quotient, -shift);
  }

  add(a: BigFloat, b: BigFloat): BigFloat {
    if (a.mantissa === 0n) return b;
    if (b.mantissa === 0n) return a;
    const gap = magnitude(a) - magnitude(b);
    if (gap > this.bits + 4) return a;
    if (gap < -this.bits - 4) return b;
    const exponent = Math.min(a.exponent, b.exponent);
    return this.round(
      shiftBy(a.mantissa, a.exponent - exponent) + shiftBy(b.mantissa, b.exponent - exponent),
      exponent,
    );
  }

  subtract(a: BigFloat, b: BigFloat): BigFloat {
    return this.add(a, negateFloat(b));
  }

  multiply(a: BigFloat, b: BigFloat): BigFloat {
    return this.round(a.mantissa * b.mantissa, this.#checked(a.exponent + b.exponent));
  }

  divide(a: BigFloat, b: BigFloat): BigFloat {
    if (b.mantissa === 0n) throw new NoValue("division by zero");
    const shift = Math.max(0, this.bits + 4 + roughLength(b.mantissa) - roughLength(a.mantissa));
    return this.round((a.mantissa << BigInt(shift)) / b.mantissa, this.#checked(a.exponent - b.exponent - shift));
  }

  compare(a: BigFloat, b: BigFloat): number {
    const difference = this.subtract(a, b).mantissa;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  squareRoot(a: BigFloat): BigFloat {
    if (a.mantissa < 0n) throw new NoValue("square root of a negative number");
    if (a.mantissa === 0n) return floatZero;
    let shift = 2 * this.bits + 4 - roughLength(a.mantissa);
    if ((a.exponent - shift) % 2 !== 0) shift += 1;
    const value = shiftBy(a.mantissa, shift);
    const length = roughLength(value);
    // A double's root is right to 50 bits; every Newton step doubles that.
    const drop = Math.max(0, (length - 100) & ~1);
    let root = BigInt(Math.floor(Math.sqrt(Number(value >> BigInt(drop))))) << BigInt(drop / 2);
    for (let known = 48; known < this.bits + 8; known *= 2) root = (root + value / root) >> 1n;
    return this.round(root, (a.exponent - shift) / 2);
  }

  pi(): BigFloat {
    return { mantissa: constant("pi", this.bits + 8), exponent: -this.bits - 8 };
  }

  exp(a: BigFloat): BigFloat {
    if (a.mantissa === 0n) return this.whole(1);
    const size = magnitude(a);
    if (size > 45) throw new NoValue("an exponential too large to hold");
    const working = this.bits + 40 + Math.max(0, size);
    const x = shiftBy(a.mantissa, a.exponent + working);
    const ln2 = constant("ln2", working);
    const doublings = x / ln2;
    const halvings = Math.ceil(Math.sqrt(this.bits)) >> 1;
    const rest = (x - doublings * ln2) >> BigInt(halvings);
    const scale = 1n << BigInt(working);
    let term = scale;
    let sum = scale;
    for (let k = 1n; term !== 0n; k++) {
      term = ((term * rest) >> BigInt(working)) / k;
      sum += term;
      if (term === -1n) break;
    }
    for (let i = 0; i < halvings; i++) sum = (sum * sum) >> BigInt(working);
    return this.round(sum, this.#checked(Number(doublings) - working));
  }

  ln(a: BigFloat): BigFloat {
    if (a.mantissa <= 0n) throw new NoValue("logarithm of a number that is not positive");
    const distance = magnitude(this.subtract(a, this.whole(1)));
    if (distance === Number.NEGATIVE_INFINITY) return floatZero;
    // Near 1 the logarithm is as small as the distance, so that many bits more are needed.
    const fine = arithmetic(this.bits + 16 + Math.min(this.bits, Math.max(0, -distance)));
    const power = magnitude(a);
    const reduced: BigFloat = { mantissa: a.mantissa, exponent: a.exponent - power };
    const rough = Math.log(toDouble(reduced));
    let y: BigFloat = { mantissa: BigInt(Math.round(rough * 2 ** 52)), exponent: -52 };
    // Halley's step triples the number of right bits: y += 2 (x − e^y) / (x + e^y).
    for (let known = 45; known < fine.bits; known *= 3) {
      const e = fine.exp(y);
      const step = fine.divide(fine.subtract(reduced, e), fine.add(reduced, e));
      y = fine.add(y, { mantissa: step.mantissa, exponent: step.exponent + 1 });
    }
    const ln2: BigFloat = { mantissa: constant("ln2", fine.bits + 32), exponent: -fine.bits - 32 };
    const sum = fine.add(y, fine.multiply(ln2, fine.whole(power)));
    return this.round(sum.mantissa, sum.exponent);
  }

  sineAndCosine(a: BigFloat): { readonly sin: BigFloat; readonly cos: BigFloat } {
    if (a.mantissa === 0n) return { sin: floatZero, cos: this.whole(1) };
    const size = magnitude(a);
    if (size > 20_000) throw new NoValue("an angle too large to reduce");
    const working = this.bits + 40 + Math.max(0, size, Math.min(this.bits, -size));
    const x = shiftBy(a.mantissa, a.exponent + working);
    const quarter = constant("pi", working) >> 1n;
    const turns = (2n * x + quarter) / (2n * quarter) - (2n * x + quarter < 0n ? 1n : 0n);
    const rest = x - turns * quarter;
    const square = (rest * rest) >> BigInt(working);
    const series = (first: bigint, start: bigint) => {
      let term = first;
      let sum = first;
      for (let k = start; term !== 0n && term !== -1n; k += 2n) {
        term = -((term * square) >> BigInt(working)) / (k * (k + 1n));
        sum += term;
      }
      return sum;
    };
    const sine = series(rest, 2n);
    const cosine = series(1n << BigInt(working), 1n);
    const [s, c] = [sine, cosine].map((value) => this.round(value, -working));
    switch (((turns % 4n) + 4n) % 4n) {
      case 0n:
        return { sin: s, cos: c };
      case 1n:
        return { sin: c, cos: negateFloat(s) };
      case 2n:
        return { sin: negateFloat(s), cos: negateFloat(c) };
      default:
        return { sin: negateFloat(c), cos: s };
    }
  }

  arctangent(a: BigFloat): BigFloat {
    if (a.mantissa === 0n) return floatZero;
    const fine = arithmetic(this.bits + 24);
    const unit = fine.whole(1);
    let x = a;
    let halvings = 0;
    // atan x = 2 atan( x / (1 + √(1+x²)) ), until the series is short.
    while (magnitude(x) > -8) {
      x = fine.divide(x, fine.add(unit, fine.squareRoot(fine.add(unit, fine.multiply(x, x)))));
      halvings++;
    }
    const square = fine.multiply(x, x);
    let power = x;
    let sum = x;
    for (let k = 3; magnitude(power) > magnitude(x) - fine.bits; k += 2) {
      power = negateFloat(fine.multiply(power, square));
      sum = fine.add(sum, fine.divide(power, fine.whole(k)));
    }
    return this.round(sum.mantissa, sum.exponent + halvings);
  }

  /** The angle of the point (x, y), in (-π, π]. */
  angle(y: BigFloat, x: BigFloat): BigFloat {
    const pi = this.pi();
    const half: BigFloat = { mantissa: pi.mantissa, exponent: pi.exponent - 1 };
    if (x.mantissa === 0n) {
      if (y.mantissa === 0n) return floatZero;
      return y.mantissa > 0n ? half : negateFloat(half);
    }
    const angle = this.arctangent(this.divide(y, x));
    if (x.mantissa > 0n) return angle;
    return y.mantissa >= 0n ? this.add(angle, pi) : this.subtract(angle, pi);
  }

  floor(a: BigFloat): bigint {
    if (magnitude(a) > this.bits) throw new NoValue("a floor beyond the precision");
    return shiftBy(a.mantissa, a.exponent);
  }

  #checked(exponent: number): number {
    if (Math.abs(exponent) > largestExponent) throw new NoValue("a number too large or too small to hold");
    return exponent;
  }
}

const byPrecision = new Map<number, FloatArithmetic>();

export function arithmetic(bits: number): FloatArithmetic {
  let found = byPrecision.get(bits);
  if (found === undefined) {
    found = new FloatArithmetic(bits);
    // A handful of precisions are used again and again; the odd ones come and go.
    if (byPrecision.size < 64) byPrecision.set(bits, found);
  }
  return found;
}
