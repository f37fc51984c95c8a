// Are two expressions equal? Exactly where that can be known, else by many digits, else at random points.

import {
  call,
  contains,
  type Expression,
  hasDecimal,
  integer,
  mapChildren,
  number,
  pi,
  product,
} from "../expressions/expression.ts";
import { isConstantExpression, sameExpression } from "../expressions/identity.ts";
import { rational } from "../numbers/rational.ts";
import type { MathOptions } from "../options.ts";
import { compareAtPoints } from "./compare-at-points.ts";
import { compareRounded, withinTolerance } from "./compare-rounded.ts";
import { anyOf, different, type Equivalence, equal, undecided } from "./comparison.ts";
import type { Effort } from "./effort.ts";
import { compareExactly, infiniteSign } from "./exact.ts";
import { withFreeNames } from "./free-names.ts";
import { numericAgreement } from "./numeric-agreement.ts";

/** What every comparison of one grading shares. */
export type Terms = { readonly options: MathOptions; readonly effort: Effort };

export function compareExpressions(gold: Expression, prediction: Expression, terms: Terms): Equivalence {
  const { options, effort } = terms;
  if (effort.exhausted) return undecided("more work than an answer is worth");
  const other = withFreeNames(prediction, gold);
  const readings = readingsOf(gold, other, options).map(
    ([a, b]) =>
      () =>
        compareReadings(a, b, terms),
  );
  if (options.mode === "evaluation" || readings.length === 1) return anyOf(readings);
  // For a reward, notation with two meanings is right in both, or as the gold answer uses it; a mark of degrees is a unit.
  const [first, ...others] = readings.map((reading) => reading());
  const ambiguous = (side: Expression, part: (part: Expression) => boolean) => contains(side, part);
  const log = ambiguous(other, isPlainLog) && !ambiguous(gold, isPlainLog);
  const angle = ambiguous(other, isDegrees) && !ambiguous(gold, isDegrees);
  const all = [first, ...others];
  if (!log && !angle) return anyOf(all.map((result) => () => result));
  const counts = log ? all : [first];
  if (counts.every(({ outcome }) => outcome === "equal")) return first;
  return all.some(({ outcome }) => outcome !== "different")
    ? undecided("notation with two meanings, which the gold answer does not use")
    : first;
}

/** An angle in degrees counts as its number and as its radians; a logarithm without a base as ln and as log₁₀. */
function readingsOf(a: Expression, b: Expression, options: MathOptions): [Expression, Expression][] {
  const either = (wanted: (part: Expression) => boolean) => contains(a, wanted) || contains(b, wanted);
  const angles = either(isDegrees) ? (["number", "radians"] as const) : (["radians"] as const);
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

const isDegrees = (part: Expression): boolean => part.kind === "degrees";
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

function compareReadings(a: Expression, b: Expression, { options, effort }: Terms): Equivalence {
  if (sameExpression(a, b)) return equal("the same expression");
  if (isInfinite(a) || isInfinite(b)) return compareInfinite(a, b);
  const exact = compareExactly(a, b, effort);
  if (exact?.outcome === "equal") return exact;
  const constants = isConstantExpression(a) && isConstantExpression(b);
  if (constants && options.tolerance !== undefined && withinTolerance(a, b, options.tolerance))
    return equal("equal within the tolerance asked for");
  if (constants && (hasDecimal(a) || hasDecimal(b))) {
    const rounded = compareRounded(a, b, options);
    if (rounded !== undefined) return rounded;
  }
  if (exact !== undefined) return exact;
  return constants ? compareConstants(a, b, effort) : compareAtPoints(a, b, effort);
}

const isInfinite = (expression: Expression): boolean =>
  contains(expression, (part) => part.kind === "constant" && part.name === "infinity");

function compareInfinite(a: Expression, b: Expression): Equivalence {
  const [x, y] = [infiniteSign(a), infiniteSign(b)];
  if (x !== undefined && x === y) return equal("the same infinity");
  if (x === undefined && y === undefined) return undecided("an expression with infinity in it");
  return different(x === undefined || y === undefined ? "only one of them is infinite" : "opposite infinities");
}

function compareConstants(a: Expression, b: Expression, effort: Effort): Equivalence {
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
