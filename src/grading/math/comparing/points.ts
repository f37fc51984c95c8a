// The points at which two expressions with variables are compared: fixed, arbitrary, and of the kind that makes sense for them.
import { Random } from "../../../base/random.ts";
import type { SymbolValues } from "../expressions/evaluate.ts";
import {
  childrenOf,
  contains,
  difference,
  type Expression,
  freeSymbols,
  isNought,
  isWholeNumber,
  number,
} from "../expressions/expression.ts";
import { identityOf, isConstantExpression, unknownsOf } from "../expressions/identity.ts";
import { renderedExpression } from "../expressions/render.ts";
import {
  absolute,
  add,
  compare,
  divide,
  equals,
  isZero,
  multiply,
  negate,
  type Rational,
  rational,
  sizeInBits,
  subtract,
  toNumber,
  whole,
} from "../numbers/rational.ts";
import { approximated } from "./numeric-agreement.ts";

/** Where only whole numbers make sense: n!, C(n, k), sums up to n, a_n; floors and remainders of what is named like one. */
function needsWholeNumbers(expression: Expression): boolean {
  return contains(expression, (part) => {
    if (part.kind === "series") return freeSymbols(part).size > 0;
    if (part.kind === "apply") return part.name.length === 1;
    if (part.kind !== "call") return false;
    const symbols = [...freeSymbols(part)];
    if (symbols.length === 0) return false;
    if (/^(?:floor|ceil|mod)$/.test(part.name)) return symbols.every((name) => /^[h-nNMK]$/.test(name));
    return /^(?:factorial|double-factorial|binomial|gcd|lcm)$/.test(part.name);
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

/** 0^{(n − 500)²} is one at a single place, and nobody writes it for a number. */
export const isNeedle = (part: Expression): boolean =>
  part.kind === "power" && isNought(part.base) && freeSymbols(part.exponent).size > 0;

const isImaginaryUnit = (part: Expression): boolean => part.kind === "symbol" && part.name === "i";

const shown = (value: Rational): string =>
  sizeInBits(value) > 128 ? `${toNumber(value)}` : renderedExpression(number(value));

export const pointText = (assignment: SymbolValues): string =>
  [...assignment]
    .map(([name, value]) => {
      const [re, im] = "re" in value ? [value.re, value.im] : [value, undefined];
      return `${name} = ${shown(re)}${im === undefined ? "" : ` + ${shown(im)}·i`}`;
    })
    .join(", ") || "some values";

const points = Random.from("points to compare expressions at");

/** Where both are looked at: the values of their symbols, and which choice of all undefined functions is meant. */
export type Point = {
  readonly assignment: SymbolValues;
  readonly world: number;
  readonly large: boolean;
  /** One of very many, for formulas that are worked out in no time. */
  readonly extra?: true;
};

const small = 12;
const beyond = [97, 210, 360, 2_520, 1_000_003];
export const mostThresholds = 24;
const largestThreshold = 10 ** 15;

/**
 * The points of one kind, all different. Agreement at a few small numbers says little: min(n, 100) is n there, and a polynomial
 * runs through as many values as one likes. So there are small ones and large ones, those beside every constant of either
 * side, where floors and comparisons turn, and some that depend on both sides, so that nobody can aim between them.
 */
export function pointsFor(a: Expression, b: Expression, kind: PointKind): Point[] {
  const symbols = [...new Set([...freeSymbols(a), ...freeSymbols(b)])];
  const rows = kind === "whole" ? wholeRows(a, b, symbols.length) : [];
  if (kind === "whole")
    return [...rows, ...gridOf(symbols.length)].map((row, trial) => ({
      assignment: new Map(symbols.map((name, index) => [name, whole(row[index])])),
      world: trial,
      large: trial < rows.length && Math.max(...row) >= beyond[0],
      ...(trial >= rows.length && { extra: true }),
    }));
  const usual = Array.from(
    { length: usualPoints },
    (_, trial): Point => ({
      assignment: new Map(symbols.map((name) => [name, usualPoint(name, trial, kind)])),
      // Undefined functions have complex values where the points are complex.
      world: kind === "complex" ? -1 - trial : trial,
      large: false,
    }),
  );
  if (kind !== "real" || ![a, b].some((side) => contains(side, isBent))) return usual;
  const turns = turningPoints(a, b);
  const extra = symbols.flatMap((name, place) => {
    const near = (at: number) => usual[at % usualPoints].assignment;
    const corners = cornersOf([a, b], name, near(0)).map((value) => [value, 0] as const);
    return [...corners, ...turns.map((value, at) => [value, at] as const)].map(
      ([value, at], index): Point => ({
        assignment: new Map([...near(at), [name, value]]),
        world: usualPoints + index * symbols.length + place,
        large: true,
      }),
    );
  });
  return [...usual, ...extra.slice(0, 12 * mostThresholds)];
}

/** Values are worked out to 256 bits. */
const rounding = rational(2n ** 200n);

/** The zeros of whatever is a straight line inside of a part that bends, and the places between: |3x − 1| turns at 1/3. */
function cornersOf(sides: readonly Expression[], name: string, others: SymbolValues): Rational[] {
  const zeros: Rational[] = [];
  const note = (line: Expression): boolean => {
    if (zeros.length >= mostThresholds || !freeSymbols(line).has(name)) return false;
    const values = [0, 1, 2].map((at) => approximated(line, 256, new Map([...others, [name, whole(at)]])));
    if (values.includes(undefined)) return false;
    const [zero, one, two] = values as Rational[];
    const slope = subtract(one, zero);
    const bend = absolute(subtract(subtract(two, one), slope));
    if (!isZero(slope) && compare(multiply(bend, rounding), absolute(slope)) < 0)
      zeros.push(divide(negate(zero), slope));
    return false;
  };
  const visit = (part: Expression): boolean => {
    if (!isBent(part)) return false;
    contains(part, note);
    if (part.kind === "call") for (const argument of part.args.slice(1)) note(difference(part.args[0], argument));
    return false;
  };
  for (const side of sides) contains(side, visit);
  const sorted = zeros.sort(compare).filter((value, at) => at === 0 || !equals(value, zeros[at - 1]));
  const between = sorted.slice(1).map((value, at) => divide(add(value, sorted[at]), whole(2)));
  return [...sorted, ...between];
}

const usualPoints = 28;

/** The values of all constants of both sides, the gold answer's first. */
export function constantsOf(a: Expression, b: Expression): number[] {
  const found = new Set<number>();
  const visit = (part: Expression): void => {
    if (part.kind !== "symbol" && isConstantExpression(part)) {
      const value = part.kind === "number" ? part.value : approximated(part, 64);
      const size = value === undefined ? Number.NaN : Math.abs(toNumber(value));
      if (size <= largestThreshold) found.add(size);
    }
    for (const child of childrenOf(part)) visit(child);
  };
  for (const side of [a, b]) visit(side);
  return [...found];
}

/** Every whole number up to a few hundred, or every pair of small ones. */
function gridOf(width: number): number[][] {
  const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1);
  if (width === 1) return upTo(400).map((n) => [n]);
  return width === 2 ? upTo(20).flatMap((n) => upTo(20).map((k) => [n, k])) : [];
}

function wholeRows(a: Expression, b: Expression, width: number): number[][] {
  const random = points.child("of both", identityOf(a), identityOf(b));
  const low = Array.from({ length: small }, (_, index) => index + 1);
  const constants = constantsOf(a, b).slice(0, mostThresholds);
  const apart = constants.slice(0, 4).flatMap((x) => constants.slice(0, 4).flatMap((y) => [x + y, Math.abs(x - y)]));
  const thresholds = [...new Set([...constants, ...apart])].flatMap((value) =>
    [Math.floor(value) - 1, Math.floor(value), Math.ceil(value), Math.ceil(value) + 1].filter((near) => near > 0),
  );
  const drawn = [random.below(30) + 13, random.below(200) + 50, random.below(3_000) + 500];
  if (width === 1) return [...new Set([...low, ...drawn, ...thresholds, ...beyond])].map((value) => [value]);
  const rows: number[][] = [];
  const row = (of: (index: number) => number) => rows.push(Array.from({ length: width }, (_, index) => of(index)));
  for (let trial = 0; trial < small; trial++) row(() => 1 + random.below(small));
  for (const [n, k] of [
    [97, 40],
    [40, 97],
    [7, 7],
    [8, 7],
    [7, 8],
    [12, 6],
    [210, 35],
    [35, 210],
    [2_520, 97],
    [97, 2_520],
    [1_000_003, 3],
    [3, 1_000_003],
  ])
    row((index) => (index % 2 === 0 ? n : k) + (index > 1 ? index : 0));
  for (const value of [...drawn, ...thresholds])
    for (let at = 0; at < width; at++) row((index) => (index === at ? value : 1 + random.below(2 * small)));
  const seen = new Set<string>();
  return rows.filter((values) => !seen.has(values.join()) && seen.add(values.join())).slice(0, 8 * mostThresholds);
}

/** Where a formula may have a corner or a jump. */
function isBent(part: Expression): boolean {
  if (part.kind === "call") return bent.test(part.name) && freeSymbols(part).size > 0;
  if (part.kind === "root") return freeSymbols(part.radicand).size > 0;
  return part.kind === "power" && !isWholeNumber(part.exponent) && freeSymbols(part.base).size > 0;
}

const bent = /^(?:abs|sign|floor|ceil|mod|min|max|arc.*|arcosh)$/;

/** At every constant and its negative and on both sides of them, where a jump is, and far out. */
const turningPoints = (a: Expression, b: Expression): Rational[] =>
  [...new Set([...constantsOf(a, b).map(Math.round), 0, 1, 97, 2_520])]
    .flatMap((value) => [8 * value + 3, 8 * value - 3, -8 * value - 3, -8 * value + 3, 8 * value, -8 * value])
    .map((eighths) => rational(BigInt(eighths), 8n));

/** A fixed but arbitrary point. */
function usualPoint(
  name: string,
  trial: number,
  kind: PointKind,
): Rational | { readonly re: Rational; readonly im: Rational } {
  const random = points.child(name, kind, trial);
  if (kind === "real") return realPoint(random, trial);
  return { re: realPoint(random, 1), im: realPoint(random, 1) };
}

/** Positive ones first, then both signs, never a whole number. */
function realPoint(random: Random, trial: number): Rational {
  const numerator = 2 * random.below(trial % 3 === 0 ? 50 : 160) + 1;
  const value = rational(BigInt(numerator + (trial % 3 === 0 ? 10 : 0)), 64n);
  return trial % 2 === 1 && random.chance(0.6) ? rational(-value.numerator, value.denominator) : value;
}
