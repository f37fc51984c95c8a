// An expression as a fraction of two polynomials, exactly. Two expressions whose difference has numerator zero are equal,
// and where nothing but variables, radicals and one transcendental constant occurs the converse holds too.

import { bitLength, factorize } from "../numbers/integers.ts";
import {
  absolute,
  add,
  compare,
  divide,
  floor,
  isOne,
  isWhole,
  isZero,
  multiply,
  negate,
  one,
  type Rational,
  rational,
  power as rationalPower,
  sizeInBits,
  subtract,
  whole,
} from "../numbers/rational.ts";
import { exactCall } from "./exact-functions.ts";
import { type Expression, type FunctionName, number, renamed, substituted } from "./expression.ts";
import {
  type Atom,
  atomsOf,
  constantOf,
  isConstant,
  leadingTerm,
  type Polynomial,
  PolynomialArithmetic,
  polynomialKey,
  TooLarge,
} from "./polynomial.ts";

export type Fraction = { readonly numerator: Polynomial; readonly denominator: Polynomial };

const largestPowerBits = 400_000;
const longestSeries = 2_000;

/** Builds normal forms for one comparison; throws TooLarge where exactness would cost too much. */
export class NormalForms {
  readonly polynomials: PolynomialArithmetic;
  readonly #unit: Polynomial;
  /** False once a radicand was met whose factors are unknown: its roots may not be independent. */
  factored = true;

  readonly #spend: (steps: number) => void;

  /** `spend` is told of every step and may throw to end the work. */
  constructor(spend: (steps: number) => void = () => {}) {
    this.#spend = spend;
    this.polynomials = new PolynomialArithmetic(spend);
    this.#unit = this.polynomials.constant(one);
  }

  of(expression: Expression): Fraction {
    switch (expression.kind) {
      case "number":
        return this.#constant(expression.value);
      case "symbol":
        if (expression.name === "i") return this.#atom("i:");
        if (expression.name === "…") throw new TooLarge("dots that may stand for anything");
        return this.#atom(expression.name === "e" ? "c:e" : `v:${expression.name}`);
      case "constant":
        if (expression.name === "infinity") throw new TooLarge("infinity is not a number");
        return this.#atom("c:pi");
      case "sum":
        return expression.terms.map((term) => this.of(term)).reduce((a, b) => this.add(a, b));
      case "negate":
        return this.negate(this.of(expression.of));
      case "product":
        return expression.factors.map((factor) => this.of(factor)).reduce((a, b) => this.multiply(a, b));
      case "quotient":
        return this.divide(this.of(expression.numerator), this.of(expression.denominator));
      case "power":
        return this.#power(this.of(expression.base), this.of(expression.exponent), false);
      case "root":
        return this.#power(
          this.of(expression.radicand),
          this.divide(this.#constant(one), this.of(expression.index)),
          true,
        );
      case "percent":
        return this.multiply(this.of(expression.of), this.#constant(rational(1n, 100n)));
      case "call":
        return this.#call(expression.name, expression.args);
      case "apply":
        return this.#application(expression.name, expression.args);
      case "series":
        return this.#series(expression);
      case "degrees":
      case "plus-minus":
      case "matrix":
        throw new TooLarge(`${expression.kind} has no normal form`);
    }
  }

  add(a: Fraction, b: Fraction): Fraction {
    const p = this.polynomials;
    if (a.denominator === b.denominator || polynomialKey(a.denominator) === polynomialKey(b.denominator))
      return { numerator: p.add(a.numerator, b.numerator), denominator: a.denominator };
    return {
      numerator: p.add(p.multiply(a.numerator, b.denominator), p.multiply(b.numerator, a.denominator)),
      denominator: p.multiply(a.denominator, b.denominator),
    };
  }

  negate(a: Fraction): Fraction {
    return { numerator: this.polynomials.negate(a.numerator), denominator: a.denominator };
  }

  subtract(a: Fraction, b: Fraction): Fraction {
    return this.add(a, this.negate(b));
  }

  multiply(a: Fraction, b: Fraction): Fraction {
    const p = this.polynomials;
    const denominator =
      a.denominator === this.#unit
        ? b.denominator
        : b.denominator === this.#unit
          ? a.denominator
          : p.multiply(a.denominator, b.denominator);
    return { numerator: p.multiply(a.numerator, b.numerator), denominator };
  }

  divide(a: Fraction, b: Fraction): Fraction {
    const p = this.polynomials;
    if (b.numerator.size === 0) throw new TooLarge("division by zero");
    if (b.numerator.size === 1)
      return {
        numerator: p.multiply(p.multiply(a.numerator, b.denominator), p.inverse(b.numerator)),
        denominator: a.denominator,
      };
    return { numerator: p.multiply(a.numerator, b.denominator), denominator: p.multiply(a.denominator, b.numerator) };
  }

  /** The rational number it is, if it is one. */
  rationalValue(a: Fraction): Rational | undefined {
    if (!isConstant(a.numerator) || !isConstant(a.denominator)) return undefined;
    return divide(constantOf(a.numerator), constantOf(a.denominator));
  }

  key(a: Fraction): string {
    const lead = leadingTerm(a.denominator).coefficient;
    const scale = divide(one, lead);
    return `${polynomialKey(this.polynomials.scale(a.numerator, scale))}//${polynomialKey(this.polynomials.scale(a.denominator, scale))}`;
  }

  /** f(1) and f(2) have nothing to do with one another; f(sin²x + cos²x) and f(1) may. */
  #application(name: string, args: readonly Expression[]): Fraction {
    const forms = args.map((argument) => this.of(argument));
    const known = forms.every((form) => isConstant(form.denominator) && isIndependent(form.numerator));
    const keys = forms.map((form) => this.key(form)).join("; ");
    return this.#opaque(`${known && this.factored ? "u" : "o"}:apply ${JSON.stringify(name)}(${keys})`);
  }

  #constant(value: Rational): Fraction {
    return { numerator: this.polynomials.constant(value), denominator: this.#unit };
  }

  #atom(name: Atom, exponent: Rational = one): Fraction {
    return { numerator: this.polynomials.atom(name, exponent), denominator: this.#unit };
  }

  #opaque(name: Atom): Fraction {
    return this.#atom(name);
  }

  /** `principalRoot`: a root sign takes the real root of a negative number where its index is odd. */
  #power(base: Fraction, exponent: Fraction, principalRoot: boolean): Fraction {
    const fixed = this.rationalValue(exponent);
    if (fixed === undefined) return this.#symbolicPower(base, exponent);
    const baseValue = this.rationalValue(base);
    if (baseValue !== undefined) return this.#rationalPower(baseValue, fixed);
    if (isWhole(fixed)) return this.#wholePower(base, fixed);
    const monomial = this.#rootOfTerm(base, fixed);
    if (monomial !== undefined) return monomial;
    return this.#opaque(
      `o:${principalRoot ? "root" : "power"} ${this.key(base)} ^ ${fixed.numerator}/${fixed.denominator}`,
    );
  }

  #wholePower(base: Fraction, exponent: Rational): Fraction {
    const size = Number(exponent.numerator / exponent.denominator);
    if (Math.abs(size) > 100_000) throw new TooLarge("an exponent too large to expand");
    const p = this.polynomials;
    const raised: Fraction = {
      numerator: p.power(base.numerator, Math.abs(size)),
      denominator: p.power(base.denominator, Math.abs(size)),
    };
    return size >= 0 ? raised : this.divide(this.#constant(one), raised);
  }

  #rationalPower(base: Rational, exponent: Rational): Fraction {
    if (isZero(base)) {
      if (exponent.numerator <= 0n) throw new TooLarge("zero to a power that is not positive");
      return this.#constant(base);
    }
    if (isWhole(exponent)) {
      const size = exponent.numerator / exponent.denominator;
      const magnitude = size < 0n ? -size : size;
      if (magnitude > 1_000_000n || sizeInBits(base) * Number(magnitude) > largestPowerBits) {
        if (isOne(absolute(base))) return this.#constant(magnitude % 2n === 0n ? one : base);
        return this.#opaque(`${base.numerator > 0n ? "q" : "o"}:${base.numerator}/${base.denominator}^${size}`);
      }
      return this.#constant(rationalPower(base, Number(size)));
    }
    if (base.numerator < 0n) {
      const root = this.#rationalPower(negate(base), exponent);
      if (exponent.denominator % 2n === 1n) return exponent.numerator % 2n === 0n ? root : this.negate(root);
      if (exponent.denominator === 2n) return this.multiply(this.#atom("i:", whole(exponent.numerator)), root);
      return this.#opaque(`o:${base.numerator}/${base.denominator}^${exponent.numerator}/${exponent.denominator}`);
    }
    if (bitLength(exponent.numerator) > 18) throw new TooLarge("an exponent too large to expand");
    return this.multiply(
      this.#primePowers(base.numerator, exponent),
      this.#primePowers(base.denominator, negate(exponent)),
    );
  }

  #primePowers(value: bigint, exponent: Rational): Fraction {
    if (value === 1n) return this.#constant(one);
    const { primes, complete } = factorize(value);
    if (!complete) this.factored = false;
    return primes
      .map(([prime, times]) => this.#atom(`p:${prime}`, multiply(exponent, whole(times))))
      .reduce((a, b) => this.multiply(a, b));
  }

  /** The root of one positive term: √(4x) = 2√x. More than one variable, or an even power of one, may hide a sign. */
  #rootOfTerm(base: Fraction, exponent: Rational): Fraction | undefined {
    if (base.numerator.size !== 1 || !isConstant(base.denominator)) return undefined;
    const [term] = base.numerator.values();
    const coefficient = divide(term.coefficient, constantOf(base.denominator));
    if (coefficient.numerator < 0n) return undefined;
    const variables = term.atoms.filter(([atom]) => /^[vo]:/.test(atom));
    if (term.atoms.some(([atom]) => /^[iou]:/.test(atom))) return undefined;
    if (variables.length > 1 || variables.some(([, times]) => !isOne(times))) return undefined;
    return term.atoms
      .map(([atom, times]) => this.#atom(atom, multiply(times, exponent)))
      .reduce((a, b) => this.multiply(a, b), this.#rationalPower(coefficient, exponent));
  }

  /** 2^(2n+1) = 2 · (2^n)²: every term of the exponent becomes a power of its own. */
  #symbolicPower(base: Fraction, exponent: Fraction): Fraction {
    const plain = isConstant(exponent.denominator);
    const baseValue = this.rationalValue(base);
    const splits = plain && exponent.numerator.size <= 8;
    const lead = splits ? constantOf(exponent.denominator) : one;
    if (splits && baseValue !== undefined && baseValue.numerator > 0n) {
      const parts: [bigint, Rational][] = [
        ...factorize(baseValue.numerator).primes.map(([prime, times]) => [prime, whole(times)] as [bigint, Rational]),
        ...factorize(baseValue.denominator).primes.map(
          ([prime, times]) => [prime, whole(-times)] as [bigint, Rational],
        ),
      ];
      let result = this.#constant(one);
      for (const [prime, times] of parts) {
        const scaled = this.polynomials.scale(exponent.numerator, divide(times, lead));
        result = this.multiply(result, this.#powerOf(`${prime}`, this.#constant(whole(prime)), scaled));
      }
      return result;
    }
    const single =
      base.numerator.size === 1 && isConstant(base.denominator) ? [...base.numerator.values()][0] : undefined;
    if (
      splits &&
      single !== undefined &&
      isOne(single.coefficient) &&
      single.atoms.length === 1 &&
      isOne(single.atoms[0][1])
    ) {
      const [atom] = single.atoms[0];
      if (/^[vc]:/.test(atom))
        return this.#powerOf(atom, base, this.polynomials.scale(exponent.numerator, divide(one, lead)));
    }
    return this.#opaque(`o:(${this.key(base)})^(${this.key(exponent)})`);
  }

  #powerOf(name: string, base: Fraction, exponent: Polynomial): Fraction {
    let result = this.#constant(one);
    for (const term of exponent.values()) {
      if (term.atoms.length === 0) {
        result = this.multiply(result, this.#power(base, this.#constant(term.coefficient), false));
        continue;
      }
      const shape = term.atoms.map(([atom, times]) => `${atom}^${times.numerator}/${times.denominator}`).join("*");
      const positive = !term.atoms.some(([atom]) => atom === "i:") && !name.startsWith("v:");
      if (!positive && !isWhole(term.coefficient)) throw new TooLarge("a fractional power of what may be negative");
      result = this.multiply(result, this.#atom(`${positive ? "q" : "o"}:${name}^[${shape}]`, term.coefficient));
    }
    return result;
  }

  #call(name: FunctionName, args: readonly Expression[]): Fraction {
    if (name === "exp") return this.#power(this.#atom("c:e"), this.of(args[0]), false);
    const forms = args.map((argument) => this.of(argument));
    const values = forms.map((form) => this.rationalValue(form));
    if (values.every((value) => value !== undefined)) {
      const exact = exactCall(name, values);
      if (exact !== undefined) {
        this.#spend(sizeInBits(exact) / 20);
        return this.#constant(exact);
      }
    }
    if (name === "ln") return this.#logarithm(forms[0]);
    if (name === "log" && forms.length === 2) return this.divide(this.#logarithm(forms[0]), this.#logarithm(forms[1]));
    // A factorial too large to write out is still a positive number.
    const positive = name === "factorial" && values[0] !== undefined && isWhole(values[0]) && values[0].numerator > 0n;
    return this.#opaque(`${positive ? "q" : "o"}:${name}(${forms.map((form) => this.key(form)).join("; ")})`);
  }

  /** ln of a product of positive constants is a sum: ln 12 = 2 ln 2 + ln 3. */
  #logarithm(of: Fraction): Fraction {
    const single = of.numerator.size === 1 && isConstant(of.denominator);
    const [term] = of.numerator.values();
    if (single && term.atoms.every(([atom]) => /^[pc]:/.test(atom)) && term.coefficient.numerator > 0n) {
      const coefficient = divide(term.coefficient, constantOf(of.denominator));
      let result = this.#constant(whole(0));
      const plus = (atom: string, times: Rational) => {
        const part = atom === "c:e" ? this.#constant(one) : this.#opaque(`o:ln ${atom}`);
        result = this.add(result, this.multiply(part, this.#constant(times)));
      };
      for (const [atom, times] of term.atoms) plus(atom, times);
      for (const [prime, times] of factorize(coefficient.numerator).primes)
        if (prime !== 1n) plus(`p:${prime}`, whole(times));
      for (const [prime, times] of factorize(coefficient.denominator).primes)
        if (prime !== 1n) plus(`p:${prime}`, whole(-times));
      return result;
    }
    return this.#opaque(`o:ln(${this.key(of)})`);
  }

  /** A finite sum or product over numbers is written out; any other keeps its shape, with the variable renamed. */
  #series(series: Expression & { readonly kind: "series" }): Fraction {
    const [from, to] = [this.of(series.from), this.of(series.to)];
    const [first, last] = [this.rationalValue(from), this.rationalValue(to)];
    if (first !== undefined && last !== undefined && isWhole(first) && isWhole(last)) {
      const length = compare(last, first) < 0 ? 0 : Number(floor(subtract(last, first))) + 1;
      if (length > longestSeries) throw new TooLarge("too many terms to write out");
      let result = this.#constant(series.operator === "sum" ? whole(0) : one);
      for (let k = 0; k < length; k++) {
        const term = this.of(substituted(series.body, new Map([[series.variable, number(add(first, whole(k)))]])));
        result = series.operator === "sum" ? this.add(result, term) : this.multiply(result, term);
      }
      return result;
    }
    const body = renamed(series.body, new Map([[series.variable, "•"]]));
    return this.#opaque(`o:${series.operator} ${this.key(from)}..${this.key(to)} ${this.key(this.of(body))}`);
  }
}

/** The fraction that an expression comes to, if it is one and can be worked out. */
export function rationalOf(expression: Expression): Rational | undefined {
  try {
    const forms = new NormalForms();
    return forms.rationalValue(forms.of(expression));
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** Whether different polynomials in these atoms are different functions, or only look so. */
export function isIndependent(polynomial: Polynomial): boolean {
  const atoms = atomsOf(polynomial);
  if (atoms.has("c:pi") && atoms.has("c:e")) return false;
  return [...atoms].every((atom) => /^[vpicu]:/.test(atom));
}
