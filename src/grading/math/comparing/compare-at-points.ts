// Expressions with variables: evaluated at points until enough of them agree, or one does not.
import { Evaluation } from "../expressions/evaluate.ts";
import { contains, difference, type Expression, integer } from "../expressions/expression.ts";
import { unknownsOf } from "../expressions/identity.ts";
import { type Fraction, NormalForms } from "../expressions/normal-form.ts";
import { leadingTerm, TooLarge } from "../expressions/polynomial.ts";
import { NotExact, WholeEvaluation } from "../expressions/whole-values.ts";
import { arithmetic, isNegative, NoValue } from "../numbers/big-float.ts";
import { type Complex, ComplexArithmetic, complexMagnitude, isReal } from "../numbers/complex.ts";
import { divide, type Rational } from "../numbers/rational.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";
import type { Effort } from "./effort.ts";
import { type Agreement, numericAgreement, type Place } from "./numeric-agreement.ts";
import {
  constantsOf,
  isNeedle,
  mostThresholds,
  type Point,
  type PointKind,
  passesFor,
  pointsFor,
  pointText,
} from "./points.ts";

const zero = integer(0);
const wantedPoints = 8;
const enoughPoints = 3;
const fewestDigits = 40;
const stepsPerPoint = 50_000;
const stepsOfGrid = 60_000;

export function compareAtPoints(a: Expression, b: Expression, effort: Effort): Equivalence {
  let because: string | undefined;
  if ([a, b].some((side) => contains(side, isNeedle))) return undecided("a power of zero with a variable above it");
  // Of too many to look beside each, one may hide where the formula turns.
  if (constantsOf(a, b).length > mostThresholds) return undecided("too many different constants in a formula");
  for (const [kind, realOnly] of passesFor(a, b)) {
    const result = kind === "whole" ? atWholeNumbers(a, b, realOnly, effort) : atReals(a, b, kind, realOnly, effort);
    if (result.outcome !== "undecided") return result;
    because = result.because;
    // What was not enough among whole numbers is not made up for by others.
    if (kind === "whole" && because === tooFew) break;
  }
  return undecided(because ?? "no point was found where both have a value");
}

function atReals(a: Expression, b: Expression, kind: PointKind, realOnly: boolean, effort: Effort): Equivalence {
  let last: Agreement | undefined;
  let agreed = 0;
  for (const [trial, point] of pointsFor(a, b, kind).entries()) {
    if (!point.large && agreed >= wantedPoints) continue;
    last = numericAgreement(a, b, effort, point, realOnly, 192);
    if (last.kind === "different") return different(`they differ at ${pointText(point.assignment)}`);
    if (last.kind === "equal" && last.digits >= fewestDigits) agreed++;
    // An expression with no value at the first dozen points has none to offer.
    if (agreed === 0 && trial >= 11) break;
  }
  if (agreed >= enoughPoints) return equal(`they agree at ${agreed} points`);
  return undecided(
    last?.kind === "no-value" || last?.kind === "undecided"
      ? last.because
      : "no point was found where both have a value",
  );
}

const tooFew = "they agree at too few whole numbers to say more";
const fewestWhole = 8;
const fewestOfAll = 5;

/**
 * Whole numbers that were agreed at, a large one among them; or all where either has a value, when there are no more: (9 − n)!
 * ends at 9. Anything less does not tell a formula from one that happens to share its first values.
 */
function atWholeNumbers(a: Expression, b: Expression, realOnly: boolean, effort: Effort): Equivalence {
  const [agreed, large, open] = [new Set<Point>(), new Set<Point>(), new Set<Point>()];
  let last: AgreementAtWhole | undefined;
  let left = stepsOfGrid;
  for (const point of pointsFor(a, b, "whole")) {
    const exact = point.extra && left < 0 ? undefined : exactlyAt(a, b, point, effort);
    if (exact === undefined && point.extra) break;
    if (point.extra) left -= exact!.steps;
    last = exact ?? byDigitsAt(a, b, point, realOnly, effort);
    if (last.kind === "different") return different(`they differ at ${pointText(point.assignment)}`);
    if (last.kind === "equal") (point.large ? large : agreed).add(point);
    else if (!("ofBoth" in last)) open.add(point);
  }
  const count = agreed.size + large.size;
  if (count >= fewestWhole && large.size > 0) return equal(`they agree at ${count} whole numbers, small and large`);
  if (count >= fewestOfAll && open.size === 0) return equal(`they agree at all ${count} whole numbers that were tried`);
  if (count > 0) return undecided(tooFew);
  return undecided(last?.kind === "no-value" ? last.because : "no whole number was found where both have a value");
}

/** `ofBoth`: neither has a value. */
type AgreementAtWhole = Agreement | { readonly kind: "no-value"; readonly because: string; readonly ofBoth: true };

/** Nothing where there are roots, sines or unknown functions, which have no exact value. */
function exactlyAt(
  a: Expression,
  b: Expression,
  point: Point,
  effort: Effort,
): (AgreementAtWhole & { readonly steps: number }) | undefined {
  let steps = 0;
  const spend = (more: number) => {
    effort.spend(more);
    steps += more;
    if (steps > stepsPerPoint) throw new NoValue("a sum too long to be worth working out");
  };
  const exact = new WholeEvaluation(point.assignment as ReadonlyMap<string, Rational>, spend);
  try {
    return exact.agree(a, b) ? { kind: "equal", digits: fewestDigits, steps } : { kind: "different", steps };
  } catch (error) {
    if (error instanceof NotExact) return undefined;
    if (!(error instanceof NoValue)) throw error;
    const { message: because } = error;
    const ofBoth = steps <= stepsPerPoint && !effort.exhausted && !exact.hasValue(a) && !exact.hasValue(b);
    return { kind: "no-value", because, steps, ...(ofBoth && { ofBoth }) };
  }
}

function byDigitsAt(a: Expression, b: Expression, point: Point, realOnly: boolean, effort: Effort): Agreement {
  const found = numericAgreement(a, b, effort, point, realOnly, 192);
  return found.kind === "equal" && found.digits < fewestDigits ? { kind: "undecided", because: tooFew } : found;
}

/** Whether a constant is zero, exactly. */
export function vanishes(constant: Expression, effort: Effort): boolean | undefined {
  const agreement = numericAgreement(constant, zero, effort, { assignment: new Map(), world: 0 }, false, 192);
  return agreement.kind === "equal" ? true : agreement.kind === "different" ? false : undefined;
}

/** What two equations or inequalities set to zero have in common: a constant factor of this sign, none, or nobody knows. */
type Factor = { readonly sign: 1 | -1 } | "none" | undefined;

/** Both sides scaled alike: whether a = c·b for one constant c other than zero, and its sign. */
export function constantFactor(a: Expression, b: Expression, effort: Effort): Factor {
  try {
    const forms = new NormalForms((steps) => effort.spend(steps));
    const [x, y] = [forms.of(a), forms.of(b)];
    if (x.numerator.size === 0 || y.numerator.size === 0)
      return x.numerator.size === y.numerator.size ? { sign: 1 } : "none";
    const quotient = forms.divide(x, y);
    const ratio = forms.rationalValue(quotient) ?? numeratorRatio(forms, x, y);
    if (ratio !== undefined) return { sign: ratio.numerator < 0n ? -1 : 1 };
  } catch (error) {
    if (!(error instanceof TooLarge || error instanceof NoValue)) throw error;
  }
  return factorAtPoints(a, b, effort);
}

/** The factor between the numerators: y = 1/x and xy = 1 are the same equation once denominators are cleared. */
function numeratorRatio(forms: NormalForms, x: Fraction, y: Fraction): Rational | undefined {
  const [a, b] = [x, y].map((fraction) => forms.polynomials.withoutNegativePowers(fraction.numerator));
  const ratio = divide(leadingTerm(a).coefficient, leadingTerm(b).coefficient);
  const rest = forms.polynomials.subtract(a, forms.polynomials.scale(b, ratio));
  return rest.size === 0 ? ratio : undefined;
}

const factorBits = 256;

/** The quotient a/b at many points: one number everywhere, or not. Two constants are always one another's multiples. */
function factorAtPoints(a: Expression, b: Expression, effort: Effort): Factor {
  if (unknownsOf(difference(a, b)).size === 0) return undefined;
  const [[kind, realOnly]] = passesFor(a, b);
  const c = new ComplexArithmetic(arithmetic(factorBits));
  let ratio: Complex | undefined;
  let agreed = 0;
  for (const point of pointsFor(a, b, kind)) {
    if (point.extra || (kind !== "whole" && !point.large && agreed >= wantedPoints)) continue;
    const [p, q] = [a, b].map((side) => valueAt(side, point, effort));
    if (p === undefined || q === undefined || (realOnly && !(isReal(p) && isReal(q)))) continue;
    const vanishing = [p, q].filter((value) => complexMagnitude(value) < -factorBits / 2).length;
    if (vanishing === 2) continue;
    if (vanishing === 1) return "none";
    const found = c.divide(p, q);
    ratio ??= found;
    if (complexMagnitude(c.subtract(c.divide(found, ratio), c.one)) > -factorBits * 0.65) return "none";
    agreed++;
  }
  if (ratio === undefined || agreed < enoughPoints) return undefined;
  return { sign: isNegative(ratio.re) ? -1 : 1 };
}

function valueAt(expression: Expression, place: Place, effort: Effort): Complex | undefined {
  try {
    const spend = (steps: number) => effort.spend(steps);
    return new Evaluation(factorBits, place.assignment, spend, place.world).of(expression);
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}
