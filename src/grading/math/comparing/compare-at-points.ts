// Expressions with variables: evaluated at points until enough of them agree, or one does not.
import type { Assignment } from "../expressions/evaluate.ts";
import { difference, type Expression, freeSymbols } from "../expressions/expression.ts";
import { type Fraction, NormalForms } from "../expressions/normal-form.ts";
import { leadingTerm, TooLarge } from "../expressions/polynomial.ts";
import { absolute, compare, divide, isZero, type Rational, rational, subtract, whole } from "../numbers/rational.ts";
import { type Comparison, different, equal, undecided } from "./comparison.ts";
import type { Effort } from "./effort.ts";
import { type Agreement, approximated, numericAgreement } from "./numeric-agreement.ts";
import { passesFor, pointFor, pointText } from "./points.ts";

const wantedPoints = 8;
const triedPoints = 28;
const enoughPoints = 3;
const fewestDigits = 40;

export function compareAtPoints(a: Expression, b: Expression, symbols: readonly string[], effort: Effort): Comparison {
  let last: Agreement | undefined;
  for (const [kind, realOnly] of passesFor(a, b)) {
    let agreed = 0;
    for (let trial = 0; trial < triedPoints && agreed < wantedPoints; trial++) {
      const assignment: Assignment = new Map(symbols.map((name) => [name, pointFor(name, trial, kind)]));
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
