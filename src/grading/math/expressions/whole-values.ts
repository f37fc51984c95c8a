// The value of a formula at whole numbers: exact where it is short, else its residue modulo a large prime, so that n! and
// 2^(2^n) can be compared at numbers where nobody would write them out.
import { NoValue } from "../numbers/big-float.ts";
import {
  add,
  divide,
  isWhole,
  isZero,
  multiply,
  negate,
  power,
  type Rational,
  sizeInBits,
} from "../numbers/rational.ts";
import { exactCall } from "./exact-functions.ts";
import type { Expression } from "./expression.ts";

/** A fraction, or what is left of one that grew too long. */
type WholeValue = Rational | { readonly residue: bigint };

/** The formula holds something that has no exact value at a whole number: a root, a sine, an unknown function. */
export class NotExact extends Error {}

/** A Mersenne prime: two different values meet modulo it once in 10^38. */
const prime = 2n ** 127n - 1n;
const longestExact = 20_000;
const longestExponent = 4_000n;
const longestSeries = 5_000n;

const remainder = (value: bigint): bigint => ((value % prime) + prime) % prime;

function inverse(value: bigint): bigint {
  let [a, b, x, y] = [remainder(value), prime, 1n, 0n];
  if (a === 0n) throw new NoValue("division by zero");
  while (a !== 1n) {
    const quotient = b / a;
    [a, b, x, y] = [b - quotient * a, a, y - quotient * x, x];
    if (a === 0n) throw new NoValue("division by zero");
  }
  return remainder(x);
}

function raised(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, remainder(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

const residueOf = (value: WholeValue): bigint =>
  "residue" in value ? value.residue : remainder(value.numerator * inverse(value.denominator));

const shortened = (value: Rational): WholeValue =>
  sizeInBits(value) > longestExact ? { residue: residueOf(value) } : value;

function exactly(value: WholeValue): Rational {
  if ("residue" in value) throw new NoValue("a number too large to write out");
  return value;
}

export class WholeEvaluation {
  readonly #symbols: Map<string, WholeValue>;
  readonly #spend: (steps: number) => void;

  constructor(symbols: ReadonlyMap<string, Rational>, spend: (steps: number) => void) {
    this.#symbols = new Map(symbols);
    this.#spend = spend;
  }

  /** Whether both have one value here. */
  agree(a: Expression, b: Expression): boolean {
    const [x, y] = [this.#of(a), this.#of(b)];
    return residueOf(x) === residueOf(y) && ("residue" in x || "residue" in y || isZero(add(x, negate(y))));
  }

  /** What has no exact value may have another. */
  hasValue(expression: Expression): boolean {
    try {
      this.#of(expression);
      return true;
    } catch (error) {
      if (error instanceof NoValue) return false;
      if (error instanceof NotExact) return true;
      throw error;
    }
  }

  #of(expression: Expression): WholeValue {
    this.#spend(1);
    switch (expression.kind) {
      case "number":
        return expression.value;
      case "symbol": {
        const value = this.#symbols.get(expression.name);
        if (value === undefined) throw new NotExact();
        return value;
      }
      case "sum":
        return this.#folded(expression.terms, add, (x, y) => x + y);
      case "product":
        return this.#folded(expression.factors, multiply, (x, y) => x * y);
      case "negate": {
        const of = this.#of(expression.of);
        return "residue" in of ? { residue: remainder(-of.residue) } : negate(of);
      }
      case "percent":
        return this.#quotient(this.#of(expression.of), { numerator: 100n, denominator: 1n });
      case "quotient":
        return this.#quotient(this.#of(expression.numerator), this.#of(expression.denominator));
      case "power":
        return this.#power(this.#of(expression.base), exactly(this.#of(expression.exponent)));
      case "call": {
        const values = expression.args.map((argument) => exactly(this.#of(argument)));
        const value = exactCall(expression.name, values);
        if (value === undefined) {
          if (ofWholeNumbers.test(expression.name)) throw new NoValue(`no value of ${expression.name}`);
          throw new NotExact();
        }
        this.#spend(sizeInBits(value) / 100);
        return shortened(value);
      }
      case "series":
        return this.#series(expression);
      default:
        throw new NotExact();
    }
  }

  #folded(
    parts: readonly Expression[],
    exact: (x: Rational, y: Rational) => Rational,
    modular: (x: bigint, y: bigint) => bigint,
  ): WholeValue {
    return parts.map((part) => this.#of(part)).reduce((x, y) => this.#joined(x, y, exact, modular));
  }

  #joined(
    x: WholeValue,
    y: WholeValue,
    exact: (x: Rational, y: Rational) => Rational,
    modular: (x: bigint, y: bigint) => bigint,
  ): WholeValue {
    if ("residue" in x || "residue" in y) return { residue: remainder(modular(residueOf(x), residueOf(y))) };
    const value = exact(x, y);
    this.#spend(sizeInBits(value) / 500);
    return shortened(value);
  }

  #quotient(above: WholeValue, below: WholeValue): WholeValue {
    if ("residue" in above || "residue" in below)
      return { residue: remainder(residueOf(above) * inverse(residueOf(below))) };
    if (isZero(below)) throw new NoValue("division by zero");
    return shortened(divide(above, below));
  }

  #power(base: WholeValue, exponent: Rational): WholeValue {
    if (!isWhole(exponent)) throw new NotExact();
    const times = exponent.numerator / exponent.denominator;
    const size = times < 0n ? -times : times;
    const nought = "residue" in base ? base.residue === 0n : isZero(base);
    if (nought && times <= 0n) throw new NoValue("zero to the power zero, or division by zero");
    if (!("residue" in base) && size * BigInt(sizeInBits(base)) <= BigInt(longestExact))
      return power(base, Number(times));
    if (size.toString(2).length > longestExponent) throw new NoValue("an exponent too large to write out");
    this.#spend(size.toString(2).length / 4);
    const result = raised(residueOf(base), size);
    return { residue: times < 0n ? inverse(result) : result };
  }

  #series(series: Expression & { readonly kind: "series" }): WholeValue {
    const { operator, variable, from, to } = series;
    const [first, last] = [from, to].map((end) => exactly(this.#of(end)));
    if (!isWhole(first) || !isWhole(last)) throw new NoValue("a sum between fractions");
    const [low, high] = [first, last].map((end) => end.numerator / end.denominator);
    if (high - low > longestSeries) throw new NoValue("a series this long");
    const outer = this.#symbols.get(variable);
    let result: WholeValue = { numerator: operator === "sum" ? 0n : 1n, denominator: 1n };
    for (let k = low; k <= high; k++) {
      this.#symbols.set(variable, { numerator: k, denominator: 1n });
      const term = this.#of(series.body);
      result =
        operator === "sum"
          ? this.#joined(result, term, add, (x, y) => x + y)
          : this.#joined(result, term, multiply, (x, y) => x * y);
    }
    if (outer === undefined) this.#symbols.delete(variable);
    else this.#symbols.set(variable, outer);
    return result;
  }
}

const ofWholeNumbers = /^(?:factorial|double-factorial|binomial|gcd|lcm|mod)$/;
