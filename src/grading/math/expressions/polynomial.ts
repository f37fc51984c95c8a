// Sums of products of named quantities with exact coefficients. Exponents may be fractions, so that roots of primes are
// quantities like any other: products of p^(k/n) with 0 ≤ k/n < 1 over different primes are linearly independent over the
// rationals (Besicovitch 1940), which makes "is this sum of radicals zero?" a question about coefficients.
import {
  add as addRational,
  compare,
  divide as divideRational,
  floor,
  isZero,
  multiply as multiplyRational,
  one,
  type Rational,
  rational,
  power as rationalPower,
  sizeInBits,
  subtract,
  whole,
} from "../numbers/rational.ts";

/**
 * A quantity by name. The letter says what may be done with it: `v:` a variable, `c:` the constants π and e, `p:` a prime,
 * `i:` the imaginary unit, `u:` an undefined function at arguments known exactly, `q:` anything else known to be positive,
 * `o:` anything else.
 */
export type Atom = string;
type Term = { readonly coefficient: Rational; readonly atoms: readonly (readonly [Atom, Rational])[] };
export type Polynomial = ReadonlyMap<string, Term>;

/** The exact way costs more than it is worth; the caller goes on to numbers. */
export class TooLarge extends Error {}

const mostTerms = 1_000;
const mostBits = 400_000;
const mostSteps = 60_000;

const keyOf = (atoms: Term["atoms"]): string =>
  atoms.map(([atom, exponent]) => `${atom}^${exponent.numerator}/${exponent.denominator}`).join("*");

/** Counts the work of one comparison and gives up when there is too much of it. */
export class PolynomialArithmetic {
  readonly #spend: (steps: number) => void;
  #steps = 0;

  constructor(spend: (steps: number) => void) {
    this.#spend = spend;
  }

  constant(value: Rational): Polynomial {
    return isZero(value) ? new Map() : new Map([["", { coefficient: value, atoms: [] }]]);
  }

  atom(name: Atom, exponent: Rational = one): Polynomial {
    return this.#collected([this.#settled(one, [[name, exponent]])]);
  }

  add(a: Polynomial, b: Polynomial): Polynomial {
    return this.#collected([...a.values(), ...b.values()]);
  }

  scale(a: Polynomial, factor: Rational): Polynomial {
    return this.multiply(a, this.constant(factor));
  }

  negate(a: Polynomial): Polynomial {
    return this.scale(a, whole(-1));
  }

  subtract(a: Polynomial, b: Polynomial): Polynomial {
    return this.add(a, this.negate(b));
  }

  multiply(a: Polynomial, b: Polynomial): Polynomial {
    if (a.size * b.size > mostTerms * 4) throw new TooLarge("too many terms");
    const terms: Term[] = [];
    for (const left of a.values()) for (const right of b.values()) terms.push(this.#product(left, right));
    return this.#collected(terms);
  }

  power(a: Polynomial, exponent: number): Polynomial {
    if (exponent > 1 && a.size > 1 && a.size ** Math.min(exponent, 8) > 1e12) throw new TooLarge("too many terms");
    let result = this.constant(one);
    let square = a;
    for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = this.multiply(result, square);
      if (rest > 1) square = this.multiply(square, square);
    }
    return result;
  }

  /** 1 / term, for a polynomial of one term. */
  inverse(a: Polynomial): Polynomial {
    const [term] = a.values();
    const atoms = term.atoms.map(
      ([atom, exponent]) => [atom, rational(-exponent.numerator, exponent.denominator)] as const,
    );
    return this.#collected([this.#settled(divideRational(one, term.coefficient), atoms)]);
  }

  /** Multiplied by whatever powers of its atoms are below one, so that only whole polynomials remain. */
  withoutNegativePowers(a: Polynomial): Polynomial {
    const lowest = new Map<Atom, Rational>();
    for (const { atoms } of a.values())
      for (const [atom, exponent] of atoms)
        if (exponent.numerator < 0n && compare(exponent, lowest.get(atom) ?? whole(0)) < 0) lowest.set(atom, exponent);
    let result = a;
    for (const [atom, exponent] of lowest)
      result = this.multiply(result, this.atom(atom, rational(-exponent.numerator, exponent.denominator)));
    return result;
  }

  #product(a: Term, b: Term): Term {
    this.#step();
    const atoms: (readonly [Atom, Rational])[] = [];
    let [i, j] = [0, 0];
    while (i < a.atoms.length || j < b.atoms.length) {
      const [left, right] = [a.atoms[i], b.atoms[j]];
      if (right === undefined || (left !== undefined && left[0] < right[0])) {
        atoms.push(left);
        i++;
      } else if (left === undefined || right[0] < left[0]) {
        atoms.push(right);
        j++;
      } else {
        atoms.push([left[0], addRational(left[1], right[1])]);
        i++;
        j++;
      }
    }
    return this.#settled(multiplyRational(a.coefficient, b.coefficient), atoms);
  }

  /** Whole powers of primes and of i move into the coefficient, and powers of zero vanish. */
  #settled(coefficient: Rational, atoms: Term["atoms"]): Term {
    let factor = coefficient;
    const kept: (readonly [Atom, Rational])[] = [];
    for (const [atom, exponent] of atoms) {
      if (isZero(exponent)) continue;
      if (atom.startsWith("p:")) {
        const wholePart = floor(exponent);
        if (wholePart !== 0n)
          factor = multiplyRational(factor, rationalPower(whole(BigInt(atom.slice(2))), Number(wholePart)));
        const rest = subtract(exponent, whole(wholePart));
        if (!isZero(rest)) kept.push([atom, rest]);
      } else if (atom === "i:") {
        const quarter = Number(((exponent.numerator % 4n) + 4n) % 4n);
        if (quarter >= 2) factor = multiplyRational(factor, whole(-1));
        if (quarter % 2 === 1) kept.push([atom, one]);
      } else kept.push([atom, exponent]);
    }
    const bits = sizeInBits(factor);
    if (bits > mostBits) throw new TooLarge("a number too large to hold exactly");
    this.#spend(1 + bits / 60);
    return { coefficient: factor, atoms: kept };
  }

  #collected(terms: readonly Term[]): Polynomial {
    const result = new Map<string, Term>();
    for (const term of terms) {
      this.#step();
      const key = keyOf(term.atoms);
      const known = result.get(key);
      const coefficient = known === undefined ? term.coefficient : addRational(known.coefficient, term.coefficient);
      if (isZero(coefficient)) result.delete(key);
      else result.set(key, { coefficient, atoms: term.atoms });
    }
    if (result.size > mostTerms) throw new TooLarge("too many terms");
    return result;
  }

  #step(): void {
    if (++this.#steps > mostSteps) throw new TooLarge("too many steps");
  }
}

export const isConstant = (a: Polynomial): boolean => a.size === 0 || (a.size === 1 && a.has(""));
export const constantOf = (a: Polynomial): Rational => a.get("")?.coefficient ?? whole(0);

/** The same text for the same polynomial. */
export function polynomialKey(a: Polynomial): string {
  return [...a.entries()]
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(
      ([key, { coefficient }]) =>
        `${coefficient.numerator.toString(36)}/${coefficient.denominator.toString(36)}*${key}`,
    )
    .join("+");
}

export function atomsOf(a: Polynomial): Set<Atom> {
  return new Set([...a.values()].flatMap((term) => term.atoms.map(([atom]) => atom)));
}

/** The term that comes first in the order of keys: a fixed choice, to scale by. */
export function leadingTerm(a: Polynomial): Term {
  let best: string | undefined;
  for (const key of a.keys()) if (best === undefined || key > best) best = key;
  return a.get(best!)!;
}
