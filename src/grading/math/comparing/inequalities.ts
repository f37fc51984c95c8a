// Inequalities in one unknown, solved to a set of reals: where can the truth change, and what is true in between?
// Exact ends up to degree two, with absolute values taken apart; of others nothing is said: whoever leaves them has not solved them.

import {
  contains,
  difference,
  type Expression,
  freeSymbols,
  integer,
  isNought,
  mapChildren,
  negated,
  number,
  power,
  product,
  quotient,
  root,
  substituted,
  sum,
  symbol,
} from "../expressions/expression.ts";
import { identityOf } from "../expressions/identity.ts";
import { NormalForms, rationalOf } from "../expressions/normal-form.ts";
import { type Polynomial, TooLarge } from "../expressions/polynomial.ts";
import type { Relation, RelationOperator } from "../expressions/value.ts";
import { isNegative, magnitude } from "../numbers/big-float.ts";
import { isWhole } from "../numbers/rational.ts";
import { floatValue } from "./numeric-agreement.ts";
import { needsComplexNumbers } from "./points.ts";
import { combined, type Segment, segmentsWhere, sortedEnds, wholeLine } from "./segments.ts";

type Solution = { readonly unknown: string; readonly segments: readonly Segment[] };

/** The set that a chain of inequalities describes, when one unknown is all it has. */
export function solutionOf(relation: Relation): Solution | undefined {
  const sides = relation.sides.map((side) => (side.kind === "expression" ? side.expression : undefined));
  if (sides.includes(undefined)) return undefined;
  // Re z > 0 is a half plane, not a half line.
  if ((sides as Expression[]).some(needsComplexNumbers)) return undefined;
  const isolated = withOneUnknown(sides as Expression[]);
  if (isolated === undefined) return undefined;
  let segments: readonly Segment[] = wholeLine;
  for (let i = 0; i < relation.operators.length; i++) {
    const link = solved(difference(isolated.sides[i], isolated.sides[i + 1]), relation.operators[i], isolated.unknown);
    if (link === undefined) return undefined;
    segments = combined("intersection", segments, link);
  }
  return { unknown: isolated.name, segments };
}

/** The single symbol, or the single f(x) taken as one. */
function withOneUnknown(
  sides: readonly Expression[],
): { unknown: string; name: string; sides: readonly Expression[] } | undefined {
  const whole = sum(...sides);
  const applications = new Set<string>();
  const collect = (part: Expression): boolean => {
    if (part.kind === "apply") applications.add(identityOf(part));
    return false;
  };
  contains(whole, collect);
  if (applications.size === 0) {
    const [name, ...more] = freeSymbols(whole);
    return name === undefined || more.length > 0 ? undefined : { unknown: name, name, sides };
  }
  if (applications.size > 1) return undefined;
  const [name] = applications;
  const replace = (part: Expression): Expression =>
    part.kind === "apply" && identityOf(part) === name ? symbol("•") : mapChildren(part, replace);
  const replaced = sides.map(replace);
  const rest = freeSymbols(sum(...replaced));
  rest.delete("•");
  return rest.size > 0 ? undefined : { unknown: "•", name, sides: replaced };
}

function solved(f: Expression, operator: RelationOperator, unknown: string): Segment[] | undefined {
  const ends = criticalPoints(f, unknown)?.map(simplified);
  if (ends === undefined) return undefined;
  return segmentsWhere(sortedEnds(ends), (at, isEnd) => truth(f, operator, unknown, at, isEnd));
}

/** A root that turns out rational is written so. */
function simplified(end: Expression): Expression {
  const value = end.kind === "number" && end.places !== undefined ? undefined : rationalOf(end);
  return value === undefined ? end : number(value);
}

function truth(f: Expression, operator: RelationOperator, unknown: string, at: Expression, isEnd: boolean): boolean {
  const value = floatValue(substituted(f, new Map([[unknown, at]])), 256);
  if (value === undefined) return false;
  // At an end the value is zero up to rounding when it is zero at all.
  const size = magnitude(value);
  const sign = value.mantissa === 0n || (isEnd && size < -80) ? 0 : isNegative(value) ? -1 : 1;
  switch (operator) {
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
    case "!=":
      return sign !== 0;
    default:
      return sign === 0;
  }
}

/** Every point where the truth may change, and perhaps a few more. */
function criticalPoints(f: Expression, unknown: string): Expression[] | undefined {
  const found = withoutAbsolutes(f)?.map((variant) => rootsOf(variant, unknown));
  return found === undefined || found.includes(undefined) ? undefined : found.flatMap((roots) => roots as Expression[]);
}

/** Each |g| as g and as −g, and g itself, whose sign decides which. */
function withoutAbsolutes(f: Expression): Expression[] | undefined {
  const absolutes: Expression[] = [];
  contains(f, (part) => {
    if (part.kind === "call" && part.name === "abs") absolutes.push(part);
    return false;
  });
  if (absolutes.length > 3) return undefined;
  let variants = [f];
  for (const absolute of absolutes) {
    if (absolute.kind !== "call") continue;
    const key = identityOf(absolute);
    const take = (expression: Expression, by: Expression): Expression =>
      expression.kind === "call" && identityOf(expression) === key
        ? by
        : mapChildren(expression, (child) => take(child, by));
    variants = variants.flatMap((variant) => [
      take(variant, absolute.args[0]),
      take(variant, negated(absolute.args[0])),
    ]);
    variants.push(absolute.args[0]);
  }
  return variants;
}

/** The zeros and poles of a rational function, exactly, where its parts have degree at most two. */
function rootsOf(f: Expression, unknown: string): Expression[] | undefined {
  try {
    const forms = new NormalForms();
    const { numerator, denominator } = forms.of(f);
    const above = polynomialRoots(numerator, unknown);
    const below = polynomialRoots(denominator, unknown);
    return above === undefined || below === undefined ? undefined : [...above, ...below];
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

function polynomialRoots(polynomial: Polynomial, unknown: string): Expression[] | undefined {
  const coefficients = coefficientsOf(polynomial, unknown);
  return coefficients && quadraticRoots(coefficients);
}

/** The coefficients from the constant upwards, or nothing when the unknown stands anywhere else than in whole powers. */
function coefficientsOf(polynomial: Polynomial, unknown: string): Expression[] | undefined {
  const terms: Expression[][] = [];
  let lowest = 0;
  const parts: { degree: number; expression: Expression }[] = [];
  for (const { coefficient, atoms } of polynomial.values()) {
    let degree = 0;
    const factors: Expression[] = [number(coefficient)];
    for (const [atom, exponent] of atoms) {
      if (atom === `v:${unknown}`) {
        if (!isWhole(exponent)) return undefined;
        degree = Number(exponent.numerator / exponent.denominator);
      } else if (atom.startsWith("p:")) factors.push(power(integer(BigInt(atom.slice(2))), number(exponent)));
      else if (atom === "c:pi") factors.push(power({ kind: "constant", name: "pi" }, number(exponent)));
      else if (atom === "c:e") factors.push(power(symbol("e"), number(exponent)));
      else return undefined;
    }
    lowest = Math.min(lowest, degree);
    parts.push({ degree, expression: factors.length === 1 ? factors[0] : product(...factors) });
  }
  // A negative power is a pole at zero; multiplied away it leaves the other roots, and zero is kept as an end.
  const shift = -lowest;
  for (const { degree, expression } of parts) {
    terms[degree + shift] ??= [];
    terms[degree + shift].push(expression);
  }
  const result = Array.from({ length: Math.max(1, terms.length) }, (_, i) =>
    terms[i] === undefined ? integer(0) : terms[i].length === 1 ? terms[i][0] : sum(...terms[i]),
  );
  return shift > 0 ? [integer(0), ...result] : result;
}

function quadraticRoots(coefficients: readonly Expression[]): Expression[] | undefined {
  const [c, b, a, ...more] = trimmed(coefficients);
  if (more.length > 0) return undefined;
  if (b === undefined) return [];
  if (a === undefined) return [quotient(negated(c), b)];
  const discriminant = sum(power(b, integer(2)), negated(product(integer(4), a, c)));
  const size = floatValue(discriminant, 256);
  if (size === undefined) return undefined;
  if (size.mantissa < 0n && magnitude(size) > -150) return [];
  const spread = root(discriminant);
  const half = (top: Expression) => quotient(top, product(integer(2), a));
  if (magnitude(size) < -150) return [half(negated(b))];
  return [half(sum(negated(b), spread)), half(sum(negated(b), negated(spread)))];
}

function trimmed(coefficients: readonly Expression[]): Expression[] {
  const result = [...coefficients];
  while (result.length > 1 && isNought(result[result.length - 1])) result.pop();
  return result;
}
