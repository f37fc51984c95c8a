// Expressions with variables: evaluated at points until enough of them agree, or one does not.
import { Evaluation, type SymbolValues } from "../expressions/evaluate.ts";
import { difference, type Expression, freeSymbols, integer } from "../expressions/expression.ts";
import { unknownsOf } from "../expressions/identity.ts";
import { type Fraction, NormalForms } from "../expressions/normal-form.ts";
import { leadingTerm, TooLarge } from "../expressions/polynomial.ts";
import { arithmetic, isNegative, NoValue } from "../numbers/big-float.ts";
import { type Complex, ComplexArithmetic, complexMagnitude, isReal } from "../numbers/complex.ts";
import { divide, type Rational } from "../numbers/rational.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";
import type { Effort } from "./effort.ts";
import { type Agreement, numericAgreement, type Place } from "./numeric-agreement.ts";
import { type PointKind, passesFor, pointFor, pointText } from "./points.ts";

const zero = integer(0);
const wantedPoints = 8;
const triedPoints = 28;
const enoughPoints = 3;
const fewestDigits = 40;

/** Undefined functions have complex values where the points are complex. */
const worldOf = (trial: number, kind: PointKind): number => (kind === "complex" ? -1 - trial : trial);

export function compareAtPoints(a: Expression, b: Expression, symbols: readonly string[], effort: Effort): Equivalence {
  let last: Agreement | undefined;
  for (const [kind, realOnly] of passesFor(a, b)) {
    let agreed = 0;
    for (let trial = 0; trial < triedPoints && agreed < wantedPoints; trial++) {
      const assignment: SymbolValues = new Map(symbols.map((name) => [name, pointFor(name, trial, kind)]));
      last = numericAgreement(a, b, effort, { assignment, world: worldOf(trial, kind) }, realOnly, 192);
      if (last.kind === "different") return different(`they differ at ${pointText(assignment)}`);
      if (last.kind === "equal" && last.digits >= fewestDigits) agreed++;
      // An expression with no value at the first dozen points has none to offer.
      if (agreed === 0 && trial >= 11) break;
    }
    if (agreed >= enoughPoints) return equal(`they agree at ${agreed} random points`);
  }
  return undecided(
    last?.kind === "no-value" || last?.kind === "undecided"
      ? last.because
      : "no point was found where both have a value",
  );
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
  const both = difference(a, b);
  if (unknownsOf(both).size === 0) return undefined;
  const symbols = [...freeSymbols(both)];
  const [[kind, realOnly]] = passesFor(a, b);
  const c = new ComplexArithmetic(arithmetic(factorBits));
  let ratio: Complex | undefined;
  let agreed = 0;
  for (let trial = 0; trial < triedPoints && agreed < wantedPoints; trial++) {
    const points = new Map(symbols.map((name) => [name, pointFor(name, trial, kind === "complex" ? kind : "real")]));
    const [p, q] = [a, b].map((side) => valueAt(side, { assignment: points, world: worldOf(trial, kind) }, effort));
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
