// The points at which two expressions with variables are compared: fixed, arbitrary, and of the kind that makes sense for them.
import { Random } from "../../../base/random.ts";
import type { SymbolValues } from "../expressions/evaluate.ts";
import { contains, type Expression, freeSymbols, number } from "../expressions/expression.ts";
import { unknownsOf } from "../expressions/identity.ts";
import { renderedExpression } from "../expressions/render.ts";
import { type Rational, rational, whole } from "../numbers/rational.ts";

/** Where only whole numbers make sense: n!, C(n, k), sums up to n, a_n; floors and remainders of what is named like one. */
function needsWholeNumbers(expression: Expression): boolean {
  return contains(expression, (part) => {
    if (part.kind === "series") return part.operator !== "integral" && freeSymbols(part).size > 0;
    if (part.kind === "apply") return part.name.length === 1;
    if (part.kind !== "call") return false;
    const symbols = [...freeSymbols(part)];
    if (symbols.length === 0) return false;
    if (/^(?:floor|ceil|mod)$/.test(part.name)) return symbols.every((name) => /^[h-nNMK]$/.test(name));
    return /^(?:factorial|double-factorial|binomial|permutations|gcd|lcm)$/.test(part.name);
  });
}

/** What only a complex number has: a conjugate, real and imaginary parts, an angle. */
export const needsComplexNumbers = (expression: Expression): boolean =>
  contains(
    expression,
    (part) => part.kind === "call" && /^(?:conjugate|re|im|arg)$/.test(part.name) && unknownsOf(part).size > 0,
  );

/** |z|: at real points it would look like ±z. */
const sizeOfComplex = (expression: Expression): boolean =>
  contains(
    expression,
    (part) =>
      part.kind === "call" &&
      part.name === "abs" &&
      [...freeSymbols(part)].some((name) => /^(?:z|w|omega)(?:_.*)?$/.test(name)),
  );

export type PointKind = "real" | "whole" | "complex";

/** Real points first; whole or complex ones where only they make sense; complex values when nothing else is left. */
export function passesFor(a: Expression, b: Expression): readonly (readonly [kind: PointKind, realValues: boolean])[] {
  if ([a, b].some((side) => needsComplexNumbers(side) || sizeOfComplex(side))) return [["complex", false]];
  const realValues = !contains(a, isImaginaryUnit) && !contains(b, isImaginaryUnit);
  if (needsWholeNumbers(a) || needsWholeNumbers(b))
    return [
      ["whole", realValues],
      ["real", realValues],
      ["whole", false],
    ];
  return [
    ["real", realValues],
    ["whole", realValues],
    ["real", false],
  ];
}

const isImaginaryUnit = (part: Expression): boolean => part.kind === "symbol" && part.name === "i";

export const pointText = (assignment: SymbolValues): string =>
  [...assignment]
    .map(([name, value]) => {
      const [re, im] = "re" in value ? [value.re, value.im] : [value, undefined];
      return `${name} = ${renderedExpression(number(re))}${im === undefined ? "" : ` + ${renderedExpression(number(im))}·i`}`;
    })
    .join(", ") || "some values";

const points = Random.from("points to compare expressions at");

/** A fixed but arbitrary point. */
export function pointFor(
  name: string,
  trial: number,
  kind: PointKind,
): Rational | { readonly re: Rational; readonly im: Rational } {
  const random = points.child(name, kind, trial);
  if (kind === "whole") return whole(2 + random.below(trial < 10 ? 9 : 24));
  if (kind === "real") return realPoint(random, trial);
  return { re: realPoint(random, 1), im: realPoint(random, 1) };
}

/** Positive ones first, then both signs, never a whole number. */
function realPoint(random: Random, trial: number): Rational {
  const numerator = 2 * random.below(trial % 3 === 0 ? 50 : 160) + 1;
  const value = rational(BigInt(numerator + (trial % 3 === 0 ? 10 : 0)), 64n);
  return trial % 2 === 1 && random.chance(0.6) ? rational(-value.numerator, value.denominator) : value;
}
