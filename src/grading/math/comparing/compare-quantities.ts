// Expressions with what they count or measure: units convert where both are known, and words are held against words.

import {
  type Expression,
  integer,
  number,
  pi,
  product,
  quotient,
  spelledWord,
  symbol,
} from "../expressions/expression.ts";
import { isConstantExpression } from "../expressions/identity.ts";
import { hasMatrix, matrixResult, NoMatrix } from "../expressions/matrices.ts";
import { rationalOf } from "../expressions/normal-form.ts";
import { expressionValue, type Value } from "../expressions/value.ts";
import { divide, isOne } from "../numbers/rational.ts";
import { type Measure, measureOf } from "../reading/units.ts";
import { compareExpressions, type Terms } from "./compare-expressions.ts";
import { compareInOrder } from "./compare-lists.ts";
import { plainWords } from "./compare-texts.ts";
import { anyOf, different, type Equivalence, undecided } from "./comparison.ts";

type Quantity = Value & { readonly kind: "expression" };

/** Two expressions with their units: converted where both are known, ignored where one has none, unless units are asked for. */
export function compareQuantities(gold: Quantity, prediction: Quantity, terms: Terms): Equivalence {
  const [left, right] = [withLetters(gold, prediction), withLetters(prediction, gold)];
  const readings = [() => compareMeasured(gold, prediction, terms)];
  if (left !== undefined) readings.push(() => compareMeasured(left, prediction, terms));
  if (right !== undefined) readings.push(() => compareMeasured(gold, right, terms));
  // "5 m" in mathematics has a factor m, where the other side wrote the unit as text.
  const [spelledGold, spelledPrediction] = [spelled(gold), spelled(prediction)];
  if (spelledGold !== undefined && prediction.unit === undefined)
    readings.push(() => compareBare(spelledGold, prediction.expression, terms));
  if (spelledPrediction !== undefined && gold.unit === undefined)
    readings.push(() => compareBare(gold.expression, spelledPrediction, terms));
  return anyOf(readings);
}

function compareMeasured(gold: Quantity, prediction: Quantity, terms: Terms): Equivalence {
  const values = (converted: Expression) => compareBare(gold.expression, converted, terms);
  const angle = compareAngles(gold, prediction, terms);
  if (angle !== undefined) return angle;
  if (gold.unit === undefined || prediction.unit === undefined) {
    if (terms.options.units === "required" && gold.unit !== prediction.unit)
      return different(`only the ${gold.unit === undefined ? "prediction" : "gold answer"} has a unit`);
    return values(prediction.expression);
  }
  const [a, b] = [measureOf(gold.unit), measureOf(prediction.unit)];
  if (a !== undefined && b !== undefined) {
    if (a.dimension !== b.dimension) return different("different kinds of units");
    return values(scaled(prediction.expression, a, b));
  }
  const same = values(prediction.expression);
  if (same.outcome !== "equal" || sharedWords(gold.unit, prediction.unit)) return same;
  // "n even" and "n odd" say something about n; "3 boys" and "3 girls" are hard to tell from "3 people" and "3 persons".
  if (!isConstantExpression(gold.expression)) return different("different words behind the same letter");
  return undecided(`the same number, but "${gold.unit}" is not "${prediction.unit}"`);
}

/** Degrees are a unit too: 30° is not 30 minutes, and 30 radians are another angle. */
function compareAngles(gold: Quantity, prediction: Quantity, terms: Terms): Equivalence | undefined {
  const [x, y] = [gold, prediction].map(({ expression, unit }) =>
    unit === undefined ? degreesIn(expression) : undefined,
  );
  const [turn, other] = x !== undefined ? [x, prediction] : [y, gold];
  if (turn === undefined || other.unit === undefined) return undefined;
  const measure = measureOf(other.unit);
  if (measure === undefined) return undecided(`degrees and "${other.unit}"`);
  if (measure.dimension !== "angle") return different("different kinds of units");
  const radians = quotient(product(turn, pi), integer(180));
  return x !== undefined
    ? compareBare(radians, other.expression, terms)
    : compareBare(other.expression, radians, terms);
}

const degreesIn = (expression: Expression): Expression | undefined =>
  expression.kind === "degrees" ? expression.of : undefined;

function scaled(expression: Expression, gold: Measure, prediction: Measure): Expression {
  const factor = divide(prediction.factor, gold.factor);
  return isOne(factor) ? expression : product(expression, number(factor));
}

const fillers = /^(?:a|an|the|of|in|and|total|different|distinct|per|possible)$/;

/** Whether one description holds every word of the other: "sequences" and "distinct arithmetic sequences". */
function sharedWords(a: string, b: string): boolean {
  const [powersA, powersB] = [a, b].map((text) => [...text.matchAll(/\^\S+/g)].join(" "));
  if (powersA !== powersB) return false;
  // A symbol has its case and is no article: MW is not mW, and A is an ampere.
  if ([a, b].some((text) => /^[a-zA-Z]{1,3}$/.test(text.trim()))) return a.trim() === b.trim();
  const [x, y] = [a, b].map(
    (text) =>
      new Set(
        plainWords(text)
          .split(/[^\p{L}\p{N}^/]+/u)
          .filter((word) => word !== "" && !fillers.test(word))
          .map((word) => word.replace(/(?<=[a-z]{2})(?:es|s)$/, "").replace(/e$/, "")),
      ),
  );
  const [fewer, more] = x.size < y.size ? [x, y] : [y, x];
  return [...fewer].every((word) => more.has(word));
}

function spelled(value: Quantity): Expression | undefined {
  if (value.unit === undefined || !/^[a-zA-Z]{1,3}$/.test(value.unit)) return undefined;
  return product(value.expression, ...[...value.unit].map((letter) => symbol(letter)));
}

/** 5000 g, read as a product with a letter, beside a quantity whose unit is known: letters that make a unit are one. */
function withLetters(value: Quantity, other: Quantity): Quantity | undefined {
  if (value.unit !== undefined || other.unit === undefined || measureOf(other.unit) === undefined) return undefined;
  const split = splitUnit(value.expression);
  // cm is one unit, m·s⁻² two.
  const unit =
    split && [split.unit.replaceAll("·", ""), split.unit].find((written) => measureOf(written) !== undefined);
  return unit === undefined ? undefined : { kind: "expression", expression: split!.amount, unit };
}

function splitUnit(expression: Expression): { readonly amount: Expression; readonly unit: string } | undefined {
  if (expression.kind === "quotient") {
    const above = splitUnit(expression.numerator);
    const below = lettersOf(expression.denominator);
    return above === undefined || below === undefined
      ? undefined
      : { amount: above.amount, unit: `${above.unit}/${below}` };
  }
  if (expression.kind !== "product") return undefined;
  const [amount, ...rest] = expression.factors;
  if (!isConstantExpression(amount)) return undefined;
  const unit = rest.length === 1 ? lettersOf(rest[0]) : lettersOf(product(...rest));
  return unit === undefined ? undefined : { amount, unit };
}

function lettersOf(expression: Expression): string | undefined {
  if (expression.kind === "symbol") return /^(?:[a-zA-Z]|Omega)$/.test(expression.name) ? expression.name : undefined;
  if (expression.kind === "power") {
    const [base, exponent] = [lettersOf(expression.base), rationalOf(expression.exponent)];
    return base && exponent && `${base}^${exponent.numerator}`;
  }
  if (expression.kind !== "product") return undefined;
  const letters = expression.factors.map(lettersOf);
  return letters.includes(undefined) ? undefined : letters.join("·");
}

/** ABC and ACB: a product, a figure, a set of choices or an order. */
function isTurnedWord(a: Expression, b: Expression): boolean {
  const [x, y] = [a, b].map(spelledWord);
  return (
    x !== undefined &&
    y !== undefined &&
    x !== y &&
    /^[A-Z]{3,}$/.test(x) &&
    [...x].sort().join() === [...y].sort().join()
  );
}

function compareBare(gold: Expression, prediction: Expression, terms: Terms): Equivalence {
  if (isTurnedWord(gold, prediction)) return undecided("the same letters in another order");
  if (!hasMatrix(gold) && !hasMatrix(prediction)) return compareExpressions(gold, prediction, terms);
  try {
    const [a, b] = [matrixResult(gold), matrixResult(prediction)];
    if (a.kind !== "matrix" && b.kind !== "matrix") return compareExpressions(a, b, terms);
    if (a.kind !== "matrix" || b.kind !== "matrix") return different("only one of them is a matrix");
    if (a.rows.length !== b.rows.length || a.rows[0].length !== b.rows[0].length)
      return different("matrices of different shapes");
    const cells = (rows: readonly (readonly Expression[])[]): Value[] => rows.flat().map(expressionValue);
    return compareInOrder(cells(a.rows), cells(b.rows), (x, y) =>
      compareExpressions((x as Quantity).expression, (y as Quantity).expression, terms),
    );
  } catch (error) {
    if (error instanceof NoMatrix) return undecided(error.message);
    throw error;
  }
}
