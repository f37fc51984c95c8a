// The value of an expression to a chosen precision, given values for its symbols. Pure arithmetic on our own tree:
// nothing that was written in an answer is ever run as code.
import {
  arithmetic,
  type BigFloat,
  floatZero,
  isFloatZero,
  isNegative,
  magnitude,
  NoValue,
} from "../numbers/big-float.ts";
import { type Complex, ComplexArithmetic, complexMagnitude, isReal, real } from "../numbers/complex.ts";
import { bitLength } from "../numbers/integers.ts";
import { divide, isWhole, type Rational } from "../numbers/rational.ts";
import type { Expression, FunctionName } from "./expression.ts";
import { functionValue, wholePart } from "./functions.ts";

/** What the symbols stand for: fractions, or complex numbers with fractions for parts. */
export type SymbolValues = ReadonlyMap<string, Rational | { readonly re: Rational; readonly im: Rational }>;

/** Which of many arbitrary choices of all undefined functions is meant: two expressions in f agree if they do in every one. */
export type FunctionChoice = number;

const mostSteps = 120_000;

/** What the parts of an expression cost beside an addition. */
const stepCost: Partial<Record<Expression["kind"], number>> = { call: 50, power: 40, root: 40, quotient: 2, symbol: 2 };

function boundedSteps(): (steps: number) => void {
  let left = mostSteps;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new NoValue("too many steps");
  };
}
const longestSeries = 5_000;
const exponential = /^(?:exp|sinh|cosh|tanh|coth|sech|csch)$/;

/** One evaluation: a precision, the symbols' values, and a bound on the work. */
export class Evaluation {
  readonly #c: ComplexArithmetic;
  readonly #symbols: Map<string, Complex>;
  readonly #spend: (steps: number) => void;
  readonly #world: FunctionChoice;
  /** A root or logarithm of a negative number was taken on the way, even if the result is real again. */
  leftTheReals = false;
  /** The precision below which a small exact term of a sum would have been lost. */
  neededBits = 0;

  /** How far from 1 the largest or smallest number on the way is, in bits: √(10^100 + 1) and 10^50 differ only far behind the point. */
  reach = 0;

  /** The size of the rounding that the largest sum on the way has left. */
  noise = Number.NEGATIVE_INFINITY;

  constructor(
    bits: number,
    assignment: SymbolValues = new Map(),
    spend: (steps: number) => void = boundedSteps(),
    world: FunctionChoice = 0,
  ) {
    this.#spend = spend;
    this.#world = world;
    this.#c = new ComplexArithmetic(arithmetic(bits));
    const floats = arithmetic(bits);
    this.#symbols = new Map(
      [...assignment].map(([name, value]) => [
        name,
        "re" in value ? { re: floats.fraction(value.re), im: floats.fraction(value.im) } : real(floats.fraction(value)),
      ]),
    );
  }

  of(expression: Expression): Complex {
    const value = this.#valueOf(expression);
    if (expression.kind === "number") this.#noteReach(complexMagnitude(value));
    if (expression.kind === "call") this.#noteReach(Math.max(0, complexMagnitude(value)));
    return value;
  }

  #noteReach(bits: number): void {
    if (Number.isFinite(bits)) this.reach = Math.max(this.reach, Math.abs(bits));
  }

  #valueOf(expression: Expression): Complex {
    this.#spend(stepCost[expression.kind] ?? 1);
    const c = this.#c;
    switch (expression.kind) {
      case "number":
        return real(c.floats.fraction(expression.value));
      case "symbol":
        return this.#symbol(expression.name);
      case "constant":
        if (expression.name === "infinity") throw new NoValue("infinity");
        return real(c.floats.pi());
      case "sum":
        return this.#sum(expression.terms);
      case "negate":
        return c.negate(this.of(expression.of));
      case "product":
        return expression.factors.map((factor) => this.of(factor)).reduce((a, b) => c.multiply(a, b));
      case "quotient":
        return c.divide(this.of(expression.numerator), this.of(expression.denominator));
      case "power":
        return this.#power(expression.base, expression.exponent);
      case "root":
        return this.#root(this.of(expression.radicand), this.of(expression.index));
      case "percent":
        return c.divide(this.of(expression.of), real(c.floats.whole(100)));
      case "degrees":
        return c.divide(c.multiply(this.of(expression.of), real(c.floats.pi())), real(c.floats.whole(180)));
      case "call":
        return this.#call(expression.name, expression.args);
      case "apply":
        return this.#unknownFunction(expression.name, expression.args);
      case "series":
        return this.#series(expression);
      case "plus-minus":
      case "matrix":
        throw new NoValue(`${expression.kind} is not one number`);
    }
  }

  #symbol(name: string): Complex {
    const known = this.#symbols.get(name);
    if (known !== undefined) return known;
    if (name === "e") return this.#c.exp(this.#c.one);
    if (name === "i") return { re: floatZero, im: this.#c.floats.whole(1) };
    throw new NoValue(name === "…" ? "dots that may stand for anything" : `no value for ${name}`);
  }

  #sum(terms: readonly Expression[]): Complex {
    const values = terms.map((term) => this.of(term));
    let largest = Number.NEGATIVE_INFINITY;
    for (const value of values) largest = Math.max(largest, complexMagnitude(value));
    this.noise = Math.max(this.noise, largest - this.#c.floats.bits);
    for (let i = 0; i < terms.length; i++) {
      // 1/2006! beside sin 1: known exactly, and lost unless the precision reaches down to it.
      if (isExactNumber(terms[i]) && largest > Number.NEGATIVE_INFINITY) {
        const depth = largest - complexMagnitude(values[i]);
        if (Number.isFinite(depth)) this.neededBits = Math.max(this.neededBits, depth + 64);
      }
    }
    return values.reduce((a, b) => this.#c.add(a, b));
  }

  #power(base: Expression, exponent: Expression): Complex {
    const value = this.of(base);
    const result = this.#raised(value, exponent);
    // What is nothing but rounding, as sin π, has no size of its own.
    if (complexMagnitude(value) > -this.#c.floats.bits / 2) this.#noteReach(complexMagnitude(result));
    return result;
  }

  #raised(value: Complex, exponent: Expression): Complex {
    const c = this.#c;
    const fixed = exactExponent(exponent);
    const raised = fixed === undefined ? this.of(exponent) : undefined;
    const wholeExponent =
      fixed !== undefined && isWhole(fixed) ? fixed.numerator / fixed.denominator : raised && c.wholeNumber(raised);
    if (wholeExponent !== undefined) {
      const size = wholeExponent < 0n ? -wholeExponent : wholeExponent;
      if (size <= 4_096n) {
        if (size === 0n && isReal(value) && isFloatZero(value.re)) throw new NoValue("zero to the power zero");
        return c.wholePower(value, Number(wholeExponent));
      }
      if (isReal(value) && isNegative(value.re)) {
        const magnitudeOf = c.power(c.negate(value), raised ?? this.of(exponent));
        return size % 2n === 0n ? magnitudeOf : c.negate(magnitudeOf);
      }
    }
    if (fixed !== undefined && isReal(value) && isNegative(value.re) && fixed.denominator % 2n === 1n) {
      // A real number to p/q with q odd has a real value, the one that school means.
      const root = c.power(c.negate(value), real(c.floats.fraction(fixed)));
      return fixed.numerator % 2n === 0n ? root : c.negate(root);
    }
    if (fixed !== undefined && fixed.denominator === 2n)
      return c.wholePower(this.#squareRoot(value), Number(fixed.numerator));
    this.#noteNegative(value);
    return c.power(value, raised ?? this.of(exponent));
  }

  #root(radicand: Complex, index: Complex): Complex {
    const c = this.#c;
    const degree = c.wholeNumber(index);
    if (degree === 2n) return this.#squareRoot(radicand);
    const inverse = c.divide(c.one, index);
    if (degree !== undefined && degree % 2n !== 0n && isReal(radicand) && isNegative(radicand.re))
      return c.negate(c.power(c.negate(radicand), inverse));
    this.#noteNegative(radicand);
    return c.power(radicand, inverse);
  }

  #squareRoot(radicand: Complex): Complex {
    this.#noteNegative(radicand);
    return this.#c.squareRoot(radicand);
  }

  #noteNegative(value: Complex): void {
    if (isReal(value) && isNegative(value.re)) this.leftTheReals = true;
  }

  #call(name: FunctionName, args: readonly Expression[]): Complex {
    const values = args.map((argument) => this.of(argument));
    if ((name === "ln" || name === "log") && values.length > 0) this.#noteNegative(values[0]);
    // tanh 150 is 1 but for e^-300.
    if (exponential.test(name)) this.#noteReach(1.45 * 2 ** Math.min(complexMagnitude(values[0]), 20));
    return functionValue(this.#c, name, values);
  }

  /** Some fixed number for every world, name and arguments: two expressions in f agree only if they agree for every f. */
  #unknownFunction(name: string, args: readonly Expression[]): Complex {
    const f = this.#c.floats;
    let hash = 2166136261;
    const mix = (text: string) => {
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    };
    mix(`${this.#world} ${name}`);
    for (const argument of args) {
      const value = this.of(argument);
      mix(`|${this.#settled(value.re)},${this.#settled(value.im)}`);
    }
    hash ^= hash >>> 15;
    const size = f.divide(f.whole((hash >>> 0) + 1), f.whole(1_500_000_007));
    // Of both signs, so that f(1) is not its absolute value; the first bits decide, the others say how large.
    const value = real(hash < 0 ? f.subtract(f.whole(0), size) : size);
    if (this.#world >= 0) return value;
    return { re: value.re, im: f.divide(f.whole((Math.imul(hash, 2654435761) >>> 0) + 1), f.whole(1_500_000_007)) };
  }

  /** An argument without the rounding at its end: what counts as the same argument of an unknown function. */
  #settled(value: BigFloat): string {
    const keep = Math.floor(this.#c.floats.bits * 0.75);
    const excess = bitLength(value.mantissa) - keep;
    if (magnitude(value) < -keep) return "0";
    if (excess <= 0) return trimmedText(value.mantissa, value.exponent);
    const half = 1n << BigInt(excess - 1);
    const rounded =
      value.mantissa < 0n ? -((-value.mantissa + half) >> BigInt(excess)) : (value.mantissa + half) >> BigInt(excess);
    return trimmedText(rounded, value.exponent + excess);
  }

  #series(series: Expression & { readonly kind: "series" }): Complex {
    const from = wholePart(this.#c, this.of(series.from));
    const to = wholePart(this.#c, this.of(series.to));
    if (to - from > BigInt(longestSeries)) throw new NoValue("a series this long");
    const outer = this.#symbols.get(series.variable);
    const c = this.#c;
    let result = series.operator === "sum" ? real(floatZero) : c.one;
    for (let k = from; k <= to; k++) {
      this.#symbols.set(series.variable, real(c.floats.whole(k)));
      const term = this.of(series.body);
      result = series.operator === "sum" ? c.add(result, term) : c.multiply(result, term);
    }
    if (outer === undefined) this.#symbols.delete(series.variable);
    else this.#symbols.set(series.variable, outer);
    return result;
  }
}

/** One text for one value, however many twos its mantissa ends in. */
function trimmedText(mantissa: bigint, exponent: number): string {
  if (mantissa === 0n) return "0";
  const digits = mantissa.toString(2);
  const zeros = digits.length - digits.replace(/0+$/, "").length;
  return `${digits.slice(0, digits.length - zeros)}e${exponent + zeros}`;
}

function isExactNumber(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
      return true;
    case "negate":
    case "percent":
      return isExactNumber(expression.of);
    case "quotient":
      return isExactNumber(expression.numerator) && isExactNumber(expression.denominator);
    case "product":
      return expression.factors.every(isExactNumber);
    case "power":
      return isExactNumber(expression.base) && isExactNumber(expression.exponent);
    case "call":
      return /^(?:factorial|binomial|double-factorial)$/.test(expression.name) && expression.args.every(isExactNumber);
    default:
      return false;
  }
}

/** The exponent as a fraction where it is written as one. */
function exactExponent(expression: Expression): Rational | undefined {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "negate": {
      const of = exactExponent(expression.of);
      return of === undefined ? undefined : { numerator: -of.numerator, denominator: of.denominator };
    }
    case "quotient": {
      const [above, below] = [exactExponent(expression.numerator), exactExponent(expression.denominator)];
      if (above === undefined || below === undefined || below.numerator === 0n) return undefined;
      return divide(above, below);
    }
    default:
      return undefined;
  }
}
