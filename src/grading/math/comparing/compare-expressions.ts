// Are two expressions equal? Exactly where that can be known, else by many digits, else at random points.
import { Random } from "../../../base/random.ts";
import {
  call,
  contains,
  difference,
  type Expression,
  freeSymbols,
  hasDecimal,
  integer,
  mapChildren,
  number,
  pi,
  product,
  renamed,
} from "../expressions/expression.ts";
import { type Fraction, isIndependent, NormalForms } from "../expressions/normal-form.ts";
import { atomsOf, isConstant, leadingTerm, TooLarge } from "../expressions/polynomial.ts";
import { renderedExpression } from "../expressions/render.ts";
import { arithmetic, type BigFloat, isFloatZero, isNegative, magnitude, NoValue } from "../numbers/big-float.ts";
import {
  absolute,
  compare,
  divide,
  isZero,
  multiply,
  type Rational,
  rational,
  roundedTo,
  subtract,
  whole,
} from "../numbers/rational.ts";
import type { MathOptions } from "../options.ts";
import { anyOf, type Comparison, different, equal, undecided } from "./comparison.ts";
import { Effort } from "./effort.ts";
import { type Agreement, approximated, floatValue, numericAgreement } from "./numeric-agreement.ts";

/** What every comparison of one grading shares. */
export type Terms = { readonly options: MathOptions; readonly effort: Effort };

export function compareExpressions(gold: Expression, prediction: Expression, terms: Terms): Comparison {
  const { options, effort } = terms;
  if (effort.exhausted) return undecided("more work than an answer is worth");
  const other = options.strictVariables ? prediction : withNamesOf(prediction, gold);
  return anyOf(
    readingsOf(gold, other, options).map(
      ([a, b]) =>
        () =>
          compareReadings(a, b, terms),
    ),
  );
}

/** Variables renamed in order of appearance, so that f(y) reads as f(x). */
function withNamesOf(expression: Expression, pattern: Expression): Expression {
  const [from, to] = [[...freeSymbols(expression)], [...freeSymbols(pattern)]];
  if (from.length !== to.length) return expression;
  return renamed(expression, new Map(from.map((name, index) => [name, to[index]])));
}

/** An angle in degrees counts as its number and as its radians; a logarithm without a base as ln and as log₁₀. */
function readingsOf(a: Expression, b: Expression, options: MathOptions): [Expression, Expression][] {
  const either = (wanted: (part: Expression) => boolean) => contains(a, wanted) || contains(b, wanted);
  const angles = either((part) => part.kind === "degrees") ? (["number", "radians"] as const) : (["radians"] as const);
  const bases = either(isPlainLog) ? (["natural", "ten"] as const) : (["natural"] as const);
  const percents = options.percentEqualsNumber && either((part) => part.kind === "percent") ? [false, true] : [false];
  return angles.flatMap((angle) =>
    bases.flatMap((base) =>
      percents.map((dropped): [Expression, Expression] => [
        resolved(a, angle, base, dropped),
        resolved(b, angle, base, dropped),
      ]),
    ),
  );
}

const isPlainLog = (part: Expression): boolean => part.kind === "call" && part.name === "log" && part.args.length === 1;
const takesAngle = /^(?:sin|cos|tan|cot|sec|csc|cis)$/;
const degree = product(pi, number(rational(1n, 180n)));

function resolved(
  expression: Expression,
  angle: "number" | "radians",
  base: "natural" | "ten",
  dropPercent: boolean,
): Expression {
  // Most expressions have one reading; handing back the same object lets what is known about it be found again.
  if (!contains(expression, (part) => part.kind === "degrees" || part.kind === "percent" || isPlainLog(part)))
    return expression;
  const visit = (part: Expression, inAngle: boolean): Expression => {
    if (part.kind === "degrees") {
      const of = visit(part.of, inAngle);
      return inAngle || angle === "radians" ? product(of, degree) : of;
    }
    if (part.kind === "percent" && dropPercent) return visit(part.of, inAngle);
    if (isPlainLog(part) && part.kind === "call") {
      const of = visit(part.args[0], inAngle);
      return base === "natural" ? call("ln", of) : call("log", of, integer(10));
    }
    const inside = inAngle || (part.kind === "call" && takesAngle.test(part.name));
    return mapChildren(part, (child) => visit(child, inside));
  };
  return visit(expression, false);
}

function compareReadings(a: Expression, b: Expression, { options, effort }: Terms): Comparison {
  if (renderedExpression(a) === renderedExpression(b)) return equal("the same expression");
  if (isInfinite(a) || isInfinite(b)) return compareInfinite(a, b);
  const exact = compareExactly(a, b, effort);
  if (exact?.outcome === "equal") return exact;
  const symbols = [...freeSymbols(difference(a, b))];
  const constants = symbols.length === 0 && !hasUnknownFunction(a) && !hasUnknownFunction(b);
  if (constants && (hasDecimal(a) || hasDecimal(b))) {
    const rounded = compareRounded(a, b, options);
    if (rounded !== undefined) return rounded;
  }
  if (exact !== undefined) return exact;
  return constants ? compareConstants(a, b, effort) : compareAtPoints(a, b, symbols, effort);
}

const hasUnknownFunction = (expression: Expression): boolean => contains(expression, (part) => part.kind === "apply");
const isInfinite = (expression: Expression): boolean =>
  contains(expression, (part) => part.kind === "constant" && part.name === "infinity");

/** -1, 1 for the infinities, also when they are scaled or shifted by a number: 2·∞. */
function infiniteSign(expression: Expression): -1 | 1 | undefined {
  if (expression.kind === "constant" && expression.name === "infinity") return 1;
  if (expression.kind !== "negate") return undefined;
  const sign = infiniteSign(expression.of);
  return sign === undefined ? undefined : sign === 1 ? -1 : 1;
}

function compareInfinite(a: Expression, b: Expression): Comparison {
  const [x, y] = [infiniteSign(a), infiniteSign(b)];
  if (x !== undefined && x === y) return equal("the same infinity");
  if (x === undefined && y === undefined) return undecided("an expression with infinity in it");
  return different(x === undefined || y === undefined ? "only one of them is infinite" : "opposite infinities");
}

type Exact = { readonly fraction: Fraction; readonly factored: boolean };

const exactForms = new WeakMap<Expression, Exact | "too large">();

/** The normal form of an expression, worked out once: in a list every item meets every other. */
function exactForm(expression: Expression, effort: Effort): Exact | "too large" {
  const known = exactForms.get(expression);
  if (known !== undefined) return known;
  let found: Exact | "too large";
  try {
    const forms = new NormalForms((steps) => effort.spend(steps));
    found = { fraction: forms.of(expression), factored: forms.factored };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    found = "too large";
  }
  exactForms.set(expression, found);
  return found;
}

/** The exact verdict, or nothing where exactness says nothing. */
function compareExactly(a: Expression, b: Expression, effort: Effort): Comparison | undefined {
  try {
    const [x, y] = [exactForm(a, effort), exactForm(b, effort)];
    if (x === "too large" || y === "too large") return undefined;
    const forms = new NormalForms((steps) => effort.spend(steps));
    const { numerator, denominator } = forms.subtract(x.fraction, y.fraction);
    if (numerator.size === 0) return equal("equal exactly");
    if (isConstant(numerator) && isConstant(denominator)) return different("they differ by a known number");
    const independent = x.factored && y.factored && isIndependent(numerator) && isIndependent(denominator);
    if (independent) return different("they differ exactly");
    // One product of positive quantities is not zero.
    const positive = [...atomsOf(numerator)].every((atom) => /^[pqc]:/.test(atom));
    return numerator.size === 1 && positive ? different("they differ exactly") : undefined;
  } catch (error) {
    if (error instanceof TooLarge || error instanceof NoValue) return undefined;
    throw error;
  }
}

/** A written decimal may be a rounded value: equal when both round to the same. */
function compareRounded(a: Expression, b: Expression, options: MathOptions): Comparison | undefined {
  const [x, y] = [approximated(a), approximated(b)];
  if (x === undefined || y === undefined) return undefined;
  const places = options.decimalPlaces;
  const [roundedX, roundedY] = [roundedTo(x, places), roundedTo(y, places)];
  const apart = absolute(subtract(x, y));
  // Two values a hair apart can still fall on both sides of a rounding edge.
  const hair = rational(1n, 10n ** BigInt(places + 3));
  if (roundedX !== roundedY && compare(apart, hair) > 0)
    return different(`they differ within ${places} decimal places`);
  if (!withinShare(apart, x, y, options.decimalShare ?? 10 ** (-places / 2)))
    return different("they differ by too large a share of their size");
  return equal(`equal to ${places} decimal places`);
}

function withinShare(apart: Rational, x: Rational, y: Rational, share: number): boolean {
  if (isZero(apart) || share === Number.POSITIVE_INFINITY) return true;
  const larger = compare(absolute(x), absolute(y)) > 0 ? absolute(x) : absolute(y);
  return compare(apart, multiply(larger, rational(BigInt(Math.round(share * 1e12)), 10n ** 12n))) <= 0;
}

function compareConstants(a: Expression, b: Expression, effort: Effort): Comparison {
  const agreement = numericAgreement(a, b, effort);
  switch (agreement.kind) {
    case "equal":
      return equal(`they agree to ${agreement.digits} digits`);
    case "different":
      return different("their values differ");
    case "not-real":
    case "undecided":
      return undecided(agreement.kind === "undecided" ? agreement.because : "not real");
    case "no-value":
      return undecided(agreement.because);
  }
}

const roughValues = new WeakMap<Expression, BigFloat>();

/** A constant's value to about 38 digits; kept, because the ends of intervals are compared again and again. */
function roughValue(expression: Expression): BigFloat | undefined {
  const known = roughValues.get(expression);
  if (known !== undefined) return known;
  const value = floatValue(expression, 128);
  if (value !== undefined) roughValues.set(expression, value);
  return value;
}

/** -1, 0, 1 as a is less than, equal to or greater than b; nothing when that cannot be said. */
export function orderOf(a: Expression, b: Expression): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  const [x, y] = [infiniteSign(a), infiniteSign(b)];
  if (x !== undefined || y !== undefined) return x === y ? 0 : (x ?? 0) < (y ?? 0) ? -1 : 1;
  const [left, right] = [roughValue(a), roughValue(b)];
  if (left === undefined || right === undefined) return undefined;
  const apart = arithmetic(128).subtract(left, right);
  const order = isFloatZero(apart) ? 0 : isNegative(apart) ? -1 : 1;
  if (order !== 0 && magnitude(apart) > Math.max(magnitude(left), magnitude(right), 0) - 60) return order;
  const exact = compareExactly(a, b, new Effort());
  if (exact !== undefined) return exact.outcome === "equal" ? 0 : order === 0 ? undefined : order;
  const agreement = numericAgreement(a, b, new Effort());
  if (agreement.kind === "equal") return 0;
  return agreement.kind === "different" && order !== 0 ? order : undefined;
}

const wantedPoints = 8;
const triedPoints = 28;
const enoughPoints = 3;
const fewestDigits = 40;

/** Names that only make sense for whole numbers where they stand: n!, C(n, k), sums up to n, n mod 3, floors. */
function needsWholeNumbers(expression: Expression): boolean {
  return contains(
    expression,
    (part) =>
      (part.kind === "call" &&
        /^(?:factorial|double-factorial|binomial|permutations|gcd|lcm|mod|floor|ceil)$/.test(part.name) &&
        freeSymbols(part).size > 0) ||
      (part.kind === "series" && part.operator !== "integral" && freeSymbols(part).size > 0) ||
      (part.kind === "apply" && part.name.length === 1),
  );
}

function compareAtPoints(a: Expression, b: Expression, symbols: readonly string[], effort: Effort): Comparison {
  const imaginary = contains(a, isImaginaryUnit) || contains(b, isImaginaryUnit);
  const wholeOnly = needsWholeNumbers(a) || needsWholeNumbers(b);
  let last: Agreement | undefined;
  // Real points first; whole numbers where real ones make no sense; complex values when nothing else is left.
  const passes: (readonly ["real" | "whole", boolean])[] = wholeOnly
    ? [
        ["whole", !imaginary],
        ["real", !imaginary],
        ["whole", false],
      ]
    : [
        ["real", !imaginary],
        ["whole", !imaginary],
        ["real", false],
      ];
  for (const [kind, realOnly] of passes) {
    let agreed = 0;
    for (let trial = 0; trial < triedPoints && agreed < wantedPoints; trial++) {
      const assignment = new Map(symbols.map((name) => [name, pointFor(name, trial, kind)]));
      last = numericAgreement(a, b, effort, assignment, realOnly, 192);
      if (last.kind === "different") return different(`they differ at ${pointText(assignment)}`);
      if (last.kind === "equal" && last.digits >= fewestDigits) agreed++;
      if (symbols.length === 0 && trial > 0) break;
      // An expression with no value at the first dozen points has none to offer.
      if (agreed === 0 && trial >= 11) break;
    }
    if (agreed >= (symbols.length === 0 ? 1 : enoughPoints)) return equal(`they agree at ${agreed} random points`);
  }
  return undecided(
    last?.kind === "no-value" || last?.kind === "undecided"
      ? last.because
      : "no point was found where both have a value",
  );
}

const isImaginaryUnit = (part: Expression): boolean => part.kind === "symbol" && part.name === "i";

const pointText = (assignment: ReadonlyMap<string, Rational>): string =>
  [...assignment].map(([name, value]) => `${name} = ${renderedExpression(number(value))}`).join(", ") || "some values";

const points = Random.from("points to compare expressions at");

/** A fixed but arbitrary point: positive ones first, then both signs, never a whole number unless asked. */
function pointFor(name: string, trial: number, kind: "real" | "whole"): Rational {
  const random = points.child(name, kind, trial);
  if (kind === "whole") return whole(2 + random.below(trial < 10 ? 9 : 24));
  const numerator = 2 * random.below(trial % 3 === 0 ? 50 : 160) + 1;
  const value = rational(BigInt(numerator + (trial % 3 === 0 ? 10 : 0)), 64n);
  return trial % 2 === 1 && random.chance(0.6) ? rational(-value.numerator, value.denominator) : value;
}

/** Both sides scaled alike: whether a = c·b for one constant c other than zero, and its sign. */
export function constantFactor(a: Expression, b: Expression): { readonly sign: 1 | -1 } | "none" | undefined {
  try {
    const forms = new NormalForms();
    const [x, y] = [forms.of(a), forms.of(b)];
    if (x.numerator.size === 0 || y.numerator.size === 0)
      return x.numerator.size === y.numerator.size ? { sign: 1 } : "none";
    const quotient = forms.divide(x, y);
    const ratio = forms.rationalValue(quotient) ?? numeratorRatio(forms, x, y);
    if (ratio !== undefined) return { sign: ratio.numerator < 0n ? -1 : 1 };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
  return factorAtPoints(a, b);
}

/** The factor between the numerators: y = 1/x and xy = 1 are the same equation once denominators are cleared. */
function numeratorRatio(forms: NormalForms, x: Fraction, y: Fraction): Rational | undefined {
  const [a, b] = [x, y].map((fraction) => forms.polynomials.withoutNegativePowers(fraction.numerator));
  const ratio = divide(leadingTerm(a).coefficient, leadingTerm(b).coefficient);
  const rest = forms.polynomials.subtract(a, forms.polynomials.scale(b, ratio));
  return rest.size === 0 ? ratio : undefined;
}

function factorAtPoints(a: Expression, b: Expression): { readonly sign: 1 | -1 } | "none" | undefined {
  const symbols = [...freeSymbols(difference(a, b))];
  const first = new Map(symbols.map((name) => [name, pointFor(name, 0, "real")]));
  const [x, y] = [approximated(a, 256, first), approximated(b, 256, first)];
  if (x === undefined || y === undefined || isZero(x) || isZero(y)) return undefined;
  const ratio = divide(x, y);
  // a·y₀ − b·x₀ vanishes everywhere exactly when the ratio is the same everywhere.
  let agreed = 0;
  for (let trial = 1; trial < triedPoints && agreed < wantedPoints; trial++) {
    const point = new Map(symbols.map((name) => [name, pointFor(name, trial, "real")]));
    const [p, q] = [approximated(a, 256, point), approximated(b, 256, point)];
    if (p === undefined || q === undefined || isZero(q)) continue;
    const apart = absolute(subtract(divide(divide(p, q), ratio), whole(1)));
    if (compare(apart, rational(1n, 10n ** 50n)) > 0) return "none";
    agreed++;
  }
  if (agreed < enoughPoints) return undefined;
  return { sign: ratio.numerator < 0n ? -1 : 1 };
}
