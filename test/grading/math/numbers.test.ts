// The grader's own arithmetic against other means: decimal.js for real functions, plain definitions for whole numbers.
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arithmetic, type BigFloat, toRational } from "../../../src/grading/math/numbers/big-float.ts";
import { ComplexArithmetic, real } from "../../../src/grading/math/numbers/complex.ts";
import {
  binomial,
  bitLength,
  doubleFactorial,
  factorial,
  factorize,
} from "../../../src/grading/math/numbers/integers.ts";
import {
  add,
  compare,
  divide,
  floor,
  multiply,
  power,
  rational,
  roundedTo,
  toNumber,
} from "../../../src/grading/math/numbers/rational.ts";

const Digits = Decimal.clone({ precision: 110 });
const bits = 256;
const floats = arithmetic(bits);

const asDecimal = (value: BigFloat): Decimal => {
  const { numerator, denominator } = toRational(value);
  return new Digits(numerator.toString()).div(denominator.toString());
};

/** A fraction that both sides can hold exactly, so that they answer the same question. */
const argument = fc
  .tuple(fc.integer({ min: 1, max: 2 ** 30 }), fc.integer({ min: 0, max: 40 }), fc.boolean())
  .map(([mantissa, shift, negative]) => ({ mantissa: BigInt(negative ? -mantissa : mantissa), exponent: 8 - shift }));

/** Agreement relative to the value, or absolute below one. */
function expectClose(ours: BigFloat, theirs: Decimal): void {
  const scale = Decimal.max(theirs.abs(), 1);
  expect(asDecimal(ours).minus(theirs).abs().div(scale).toNumber()).toBeLessThan(1e-72);
}

const functions: readonly (readonly [
  string,
  (x: BigFloat) => BigFloat,
  (x: Decimal) => Decimal,
  (x: number) => boolean,
])[] = [
  ["exp", (x) => floats.exp(x), (x) => x.exp(), (x) => Math.abs(x) < 200],
  ["ln", (x) => floats.ln(x), (x) => x.ln(), (x) => x > 0],
  ["square root", (x) => floats.squareRoot(x), (x) => x.sqrt(), (x) => x > 0],
  ["sine", (x) => floats.sineAndCosine(x).sin, (x) => x.sin(), (x) => Math.abs(x) < 1e6],
  ["cosine", (x) => floats.sineAndCosine(x).cos, (x) => x.cos(), (x) => Math.abs(x) < 1e6],
  ["arctangent", (x) => floats.arctangent(x), (x) => x.atan(), () => true],
];

describe("real functions to 256 bits", () => {
  it.each(functions)("%s agrees with decimal.js", (_, ours, theirs, defined) => {
    fc.assert(
      fc.property(argument, (x) => {
        const decimal = asDecimal(x);
        fc.pre(defined(decimal.toNumber()));
        expectClose(ours(x), theirs(decimal));
      }),
      { numRuns: 25 },
    );
  });

  it("knows π", () => {
    expectClose(floats.pi(), Digits.acos(-1));
  });

  it("reduces a large angle", () => {
    // mpmath: mp.dps = 60; sin(mpf(10)**30)
    const expected = new Digits("-0.09011690191213805803038642895298733027439633299304345");
    expect(
      asDecimal(floats.sineAndCosine(floats.whole(10n ** 30n)).sin)
        .minus(expected)
        .abs()
        .toNumber(),
    ).toBeLessThan(1e-50);
  });

  it("divides and rounds to the last bits", () => {
    fc.assert(
      fc.property(argument, argument, (a, b) => {
        expectClose(floats.divide(a, b), asDecimal(a).div(asDecimal(b)));
      }),
      { numRuns: 50 },
    );
  });
});

describe("complex functions", () => {
  const complex = new ComplexArithmetic(floats);
  const small = fc.tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -200, max: 200 })).map(([re, im]) => ({
    re: floats.fraction(rational(BigInt(re), 64n)),
    im: floats.fraction(rational(BigInt(im), 64n)),
  }));
  const expectNear = (a: { re: BigFloat; im: BigFloat }, b: { re: BigFloat; im: BigFloat }) => {
    expectClose(a.re, asDecimal(b.re));
    expectClose(a.im, asDecimal(b.im));
  };

  it("square roots square back", () => {
    fc.assert(
      fc.property(small, (z) => expectNear(complex.multiply(complex.squareRoot(z), complex.squareRoot(z)), z)),
      { numRuns: 40 },
    );
  });

  it("logarithms exponentiate back", () => {
    fc.assert(
      fc.property(small, (z) => {
        fc.pre(z.re.mantissa !== 0n || z.im.mantissa !== 0n);
        expectNear(complex.exp(complex.ln(z)), z);
      }),
      { numRuns: 40 },
    );
  });

  it("sine squared and cosine squared make one", () => {
    fc.assert(
      fc.property(small, (z) => {
        const [s, c] = [complex.sine(z), complex.cosine(z)];
        expectNear(complex.add(complex.multiply(s, s), complex.multiply(c, c)), real(floats.whole(1)));
      }),
      { numRuns: 40 },
    );
  });
});

describe("whole numbers", () => {
  it("factorials, double factorials and binomials follow their recurrences", () => {
    for (let n = 1n; n < 60n; n++) {
      expect(factorial(n)).toBe(n * factorial(n - 1n)!);
      if (n > 1n) expect(doubleFactorial(n)).toBe(n * doubleFactorial(n - 2n)!);
      for (let k = 1n; k <= n; k++) expect(binomial(n, k)).toBe(binomial(n - 1n, k - 1n)! + binomial(n - 1n, k)!);
    }
  });

  it("lengths in bits are those of the binary digits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), (n) => {
        expect(bitLength(n)).toBe(n === 0n ? 0 : n.toString(2).length);
      }),
    );
  });

  it("factors multiply back, and are prime", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 100_000_000 }), (n) => {
        const { primes, complete } = factorize(BigInt(n));
        expect(complete).toBe(true);
        expect(primes.reduce((product, [prime, times]) => product * prime ** BigInt(times), 1n)).toBe(BigInt(n));
        for (const [prime] of primes) for (let d = 2n; d * d <= prime; d++) expect(prime % d).not.toBe(0n);
      }),
      { numRuns: 40 },
    );
  });
});

describe("fractions", () => {
  const fraction = fc
    .tuple(fc.bigInt({ min: -1000n, max: 1000n }), fc.bigInt({ min: 1n, max: 1000n }))
    .map(([n, d]) => rational(n, d));

  it("follow the laws of arithmetic", () => {
    fc.assert(
      fc.property(fraction, fraction, fraction, (a, b, c) => {
        expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)));
        expect(compare(a, b)).toBe(Math.sign(toNumber(a) - toNumber(b)));
        if (b.numerator !== 0n) expect(multiply(divide(a, b), b)).toEqual(a);
        expect(power(a, 3)).toEqual(multiply(a, multiply(a, a)));
      }),
    );
  });

  it("round half away from zero", () => {
    expect(roundedTo(rational(1n, 3n), 4)).toBe(3333n);
    expect(roundedTo(rational(-5n, 2n), 0)).toBe(-3n);
    expect(roundedTo(rational(5n, 2n), 0)).toBe(3n);
    expect(roundedTo(rational(2n, 3n), 2)).toBe(67n);
  });

  it("have floors", () => {
    expect([rational(7n, 2n), rational(-7n, 2n), rational(-4n, 2n)].map(floor)).toEqual([3n, -4n, -2n]);
  });

  it("become doubles even when both halves are beyond them", () => {
    expect(toNumber(rational(3n ** 2000n, 3n ** 2001n))).toBeCloseTo(1 / 3, 15);
  });
});
