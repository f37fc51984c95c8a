// The values of named functions at complex numbers. Where a function has several values the principal one is meant.
import { type BigFloat, floatZero, isFloatZero, isNegative, NoValue, negateFloat } from "../numbers/big-float.ts";
import { type Complex, type ComplexArithmetic, isReal, real } from "../numbers/complex.ts";
import { binomial } from "../numbers/integers.ts";
import { whole } from "../numbers/rational.ts";
import { exactCall } from "./exact-functions.ts";
import type { FunctionName } from "./expression.ts";

type Rule = (c: ComplexArithmetic, a: Complex, b: Complex, all: readonly Complex[]) => Complex;

export function functionValue(c: ComplexArithmetic, name: FunctionName, values: readonly Complex[]): Complex {
  const [a, b] = values;
  if (a === undefined || (b === undefined && needsTwo.has(name))) throw new NoValue(`too few arguments for ${name}`);
  return rules[name](c, a, b, values);
}

const needsTwo = new Set<FunctionName>(["binomial", "mod"]);

const reciprocal = (c: ComplexArithmetic, a: Complex): Complex => c.divide(c.one, a);
const half = (c: ComplexArithmetic, a: Complex): Complex => c.divide(a, real(c.floats.whole(2)));
const rightAngle = (c: ComplexArithmetic): Complex => half(c, real(c.floats.pi()));

function realPart(value: Complex): BigFloat {
  if (!isReal(value)) throw new NoValue("a real number was needed");
  return value.re;
}

export function wholePart(c: ComplexArithmetic, value: Complex): bigint {
  const found = c.wholeNumber(value);
  if (found === undefined) throw new NoValue("a whole number was needed");
  return found;
}

function exactly(c: ComplexArithmetic, value: bigint | undefined): Complex {
  if (value === undefined) throw new NoValue("a number too large to write out");
  return real(c.floats.whole(value));
}

/** The floor; a value that is whole to within the precision is that whole number. */
function floored(c: ComplexArithmetic, value: Complex): bigint {
  return c.wholeNumber(value) ?? c.floats.floor(realPart(value));
}

function binomialValue(c: ComplexArithmetic, n: Complex, k: Complex): Complex {
  const below = wholePart(c, k);
  const above = c.wholeNumber(n);
  const exact = above === undefined ? undefined : binomial(above, below);
  if (exact !== undefined) return exactly(c, exact);
  if (below < 0n || below > 200n) throw new NoValue("a binomial coefficient this large");
  let result = c.one;
  for (let j = 0n; j < below; j++)
    result = c.divide(c.multiply(result, c.subtract(n, real(c.floats.whole(j)))), real(c.floats.whole(j + 1n)));
  return result;
}

const sinh: Rule = (c, a) => half(c, c.subtract(c.exp(a), c.exp(c.negate(a))));
const cosh: Rule = (c, a) => half(c, c.add(c.exp(a), c.exp(c.negate(a))));

function extreme(c: ComplexArithmetic, values: readonly Complex[], sign: 1 | -1): Complex {
  return values.reduce((x, y) => (sign * c.floats.compare(realPart(x), realPart(y)) <= 0 ? x : y));
}

const ofWholeNumbers =
  (name: FunctionName): Rule =>
  (c, _a, _b, all) =>
    exactly(
      c,
      exactCall(
        name,
        all.map((value) => whole(wholePart(c, value))),
      )?.numerator,
    );

const notAMatrix: Rule = () => {
  throw new NoValue("a matrix was needed");
};

const rules: Readonly<Record<FunctionName, Rule>> = {
  sin: (c, a) => c.sine(a),
  cos: (c, a) => c.cosine(a),
  tan: (c, a) => c.divide(c.sine(a), c.cosine(a)),
  cot: (c, a) => c.divide(c.cosine(a), c.sine(a)),
  sec: (c, a) => reciprocal(c, c.cosine(a)),
  csc: (c, a) => reciprocal(c, c.sine(a)),
  arcsin: (c, a) => real(c.arcsine(a)),
  arccos: (c, a) => c.subtract(rightAngle(c), real(c.arcsine(a))),
  arctan: (c, a) => c.arctangent(a),
  arccot: (c, a) => c.subtract(rightAngle(c), c.arctangent(a)),
  arcsec: (c, a) => c.subtract(rightAngle(c), real(c.arcsine(reciprocal(c, a)))),
  arccsc: (c, a) => real(c.arcsine(reciprocal(c, a))),
  sinh,
  cosh,
  tanh: (c, a, b, all) => c.divide(sinh(c, a, b, all), cosh(c, a, b, all)),
  coth: (c, a, b, all) => c.divide(cosh(c, a, b, all), sinh(c, a, b, all)),
  sech: (c, a, b, all) => reciprocal(c, cosh(c, a, b, all)),
  csch: (c, a, b, all) => reciprocal(c, sinh(c, a, b, all)),
  arsinh: (c, a) => c.ln(c.add(a, c.squareRoot(c.add(c.multiply(a, a), c.one)))),
  arcosh: (c, a) => c.ln(c.add(a, c.squareRoot(c.subtract(c.multiply(a, a), c.one)))),
  artanh: (c, a) => half(c, c.ln(c.divide(c.add(c.one, a), c.subtract(c.one, a)))),
  exp: (c, a) => c.exp(a),
  cis: (c, a) => c.exp(c.multiply(a, { re: floatZero, im: c.floats.whole(1) })),
  ln: (c, a) => c.ln(a),
  log: (c, a, b) => c.divide(c.ln(a), b === undefined ? real(c.floats.ln(c.floats.whole(10))) : c.ln(b)),
  abs: (c, a) => real(c.absolute(a)),
  sign: (c, a) => real(c.floats.whole(isFloatZero(realPart(a)) ? 0 : isNegative(a.re) ? -1 : 1)),
  floor: (c, a) => exactly(c, floored(c, a)),
  ceil: (c, a) => exactly(c, -floored(c, c.negate(a))),
  factorial: ofWholeNumbers("factorial"),
  "double-factorial": ofWholeNumbers("double-factorial"),
  binomial: binomialValue,
  gcd: ofWholeNumbers("gcd"),
  lcm: ofWholeNumbers("lcm"),
  mod: (c, a, b) => c.subtract(a, c.multiply(b, exactly(c, floored(c, c.divide(a, b))))),
  min: (c, _a, _b, all) => extreme(c, all, 1),
  max: (c, _a, _b, all) => extreme(c, all, -1),
  re: (_c, a) => real(a.re),
  im: (_c, a) => real(a.im),
  arg: (c, a) => real(c.angle(a)),
  conjugate: (_c, a) => ({ re: a.re, im: negateFloat(a.im) }),
  det: notAMatrix,
  transpose: notAMatrix,
};
