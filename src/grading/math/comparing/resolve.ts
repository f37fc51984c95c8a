// Values made ready to compare: both signs of ± written out, approximations behind an exact value dropped,
// and equations recognized that only name what they state: x = 5, f(x) = x², (p, q) = (3, 2), AB = 4.
import { childrenOf, contains, type Expression, isWholeNumber, mapChildren } from "../expressions/expression.ts";
import { identityOf, isConstantExpression, sameExpression } from "../expressions/identity.ts";
import { expressionValue, type Relation, type Value } from "../expressions/value.ts";
import { toDouble } from "../numbers/big-float.ts";
import { floatValue } from "./numeric-agreement.ts";

/** An equation read as "this name has this value". */
type Assignment = { readonly name: string; readonly value: Value };

/** ± and ∓ written out; the approximate tail of a chain dropped. */
export function resolved(value: Value): Value {
  return withoutApproximation(withSigns(value));
}

function withoutApproximation(value: Value): Value {
  switch (value.kind) {
    case "list":
    case "tuple":
      return { ...value, items: value.items.map(withoutApproximation) };
    case "relation": {
      // 2/3 ≈ 0.667 gives the value first; x ≈ 11 gives it last.
      if (value.operators[0] === "approx" && nameOf(value.sides[0]) === undefined) return value.sides[0];
      const operators = value.operators.map((operator) => (operator === "equiv" ? "=" : operator));
      const cut = operators.indexOf("approx", 1);
      const kept = cut === -1 ? operators : operators.slice(0, cut);
      return {
        kind: "relation",
        sides: value.sides.slice(0, kept.length + 1),
        operators: kept.map((operator) => (operator === "approx" ? "=" : operator)),
      };
    }
    default:
      return value;
  }
}

const isSign = (part: Expression): part is Expression & { readonly kind: "plus-minus" } => part.kind === "plus-minus";

export function expressionsOf(value: Value): Expression[] {
  switch (value.kind) {
    case "expression":
      return [value.expression];
    case "list":
    case "tuple":
      return value.items.flatMap(expressionsOf);
    case "relation":
      return value.sides.flatMap(expressionsOf);
    case "interval":
      return [value.from, value.to];
    default:
      return [];
  }
}

export function mapExpressions(value: Value, change: (expression: Expression) => Expression): Value {
  switch (value.kind) {
    case "expression":
      return { ...value, expression: change(value.expression) };
    case "list":
    case "tuple":
      return { ...value, items: value.items.map((item) => mapExpressions(item, change)) };
    case "relation":
      return { ...value, sides: value.sides.map((side) => mapExpressions(side, change)) };
    case "interval":
      return { ...value, from: change(value.from), to: change(value.to) };
    default:
      return value;
  }
}

const mostSigns = 4;

/** A value with ± in it is the list of what it stands for. ∓ ties all signs together; without it each is free. */
function withSigns(value: Value): Value {
  if (value.kind === "list") {
    const items = value.items.flatMap((item) => {
      const expanded = withSigns(item);
      return item.kind !== "list" && expanded.kind === "list" ? expanded.items : [expanded];
    });
    return { ...value, items };
  }
  const expressions = expressionsOf(value);
  const signs = expressions.reduce((count, expression) => count + countSigns(expression), 0);
  if (signs === 0) return value;
  const tied =
    signs > mostSigns ||
    expressions.some((expression) => contains(expression, (part) => isSign(part) && part.sign === -1));
  const choices = tied ? 1 : signs;
  const items: Value[] = [];
  for (let choice = 0; choice < 2 ** choices; choice++) {
    let met = 0;
    const choose = (part: Expression): Expression => {
      if (!isSign(part)) return mapChildren(part, choose);
      const bit = tied ? choice : (choice >> met++) & 1;
      const sign = bit === 0 ? part.sign : -part.sign;
      const of = choose(part.of);
      return sign === 1 ? of : { kind: "negate", of };
    };
    items.push(mapExpressions(value, choose));
  }
  // x ≠ ±5 denies both; x = ±5 offers either.
  return { kind: "list", items, joined: isInequality(value) ? "and" : "or" };
}

function countSigns(expression: Expression): number {
  return (isSign(expression) ? 1 : 0) + childrenOf(expression).reduce((count, child) => count + countSigns(child), 0);
}

/** What a side of an equation names, or nothing when it is more than a name. */
export function nameOf(value: Value): string | undefined {
  switch (value.kind) {
    case "text":
      return value.text.toLowerCase();
    case "tuple": {
      const names = value.items.map(nameOf);
      return names.includes(undefined) ? undefined : `(${names.join(",")})`;
    }
    case "ratio":
      return value.parts.every(isName) ? value.parts.map(nameText).join(":") : undefined;
    case "expression":
      return isName(value.expression) ? nameText(value.expression) : undefined;
    default:
      return undefined;
  }
}

/** A symbol by its letters, so that subscripts can be seen; anything else by its exact build. */
const nameText = (expression: Expression): string =>
  expression.kind === "symbol" ? expression.name : identityOf(expression);

function isName(expression: Expression): boolean {
  switch (expression.kind) {
    case "symbol":
      return expression.name !== "e" && expression.name !== "i";
    case "apply":
      return true;
    case "product":
      // AB, ABC: points of a figure. ab = 6 is an equation.
      return expression.factors.every(
        (factor) => factor.kind === "symbol" && /^(?:[A-Z]'?|angle .*|[m])$/.test(factor.name),
      );
    case "quotient":
      return isName(expression.numerator) && isName(expression.denominator);
    case "call":
      return expression.args.every((argument) => isName(argument));
    default:
      return false;
  }
}

/** The assignment that an equation or a chain of them states. */
export function assignmentOf(value: Value): Assignment | undefined {
  if (value.kind !== "relation" || value.operators.some((operator) => operator !== "=")) return undefined;
  const { sides } = value;
  const last = sides[sides.length - 1];
  for (const side of [sides[0], sides[sides.length - 2]]) {
    const name = nameOf(side);
    // x = x + 1 states nothing about x alone; a = f(a) is an equation.
    if (name !== undefined && !mentions(last, side)) return { name, value: last };
  }
  const reversed = sides.length === 2 ? nameOf(last) : undefined;
  if (reversed !== undefined && isConstantValue(sides[0])) return { name: reversed, value: sides[0] };
  return undefined;
}

function mentions(value: Value, name: Value): boolean {
  if (name.kind !== "expression" || value.kind !== "expression") return false;
  const named = name.expression;
  return named.kind === "symbol" && contains(value.expression, (part) => sameExpression(part, named));
}

function isConstantValue(value: Value): boolean {
  switch (value.kind) {
    case "expression":
      return isConstantExpression(value.expression);
    case "tuple":
    case "list":
      return value.items.every(isConstantValue);
    case "ratio":
      return value.parts.every(isConstantExpression);
    default:
      return false;
  }
}

/** The one value that a chain of constants comes to: 100 − 10 = 90. */
export function lastOfConstants(value: Value): Value | undefined {
  if (value.kind !== "relation" || value.operators.some((operator) => operator !== "=")) return undefined;
  return value.sides.every(isConstantValue) ? value.sides[value.sides.length - 1] : undefined;
}

/** x = 6 = 7 says nothing. Numbers that are nearly the same may have been rounded; those with units are not looked at. */
export function contradicts(value: Value): boolean {
  if (value.kind === "list" || value.kind === "tuple") return value.items.some(contradicts);
  if (value.kind !== "relation" || value.operators.some((operator) => operator !== "=" && operator !== "approx"))
    return false;
  const constants = value.sides.flatMap((side) =>
    side.kind === "expression" && side.unit === undefined && isConstantExpression(side.expression)
      ? [side.expression]
      : [],
  );
  const sizes = constants
    .filter((side) => !contains(side, (part) => part.kind === "degrees" || part.kind === "percent"))
    .map((side) => floatValue(side, 64))
    .filter((size) => size !== undefined)
    .map(toDouble);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return sizes.length > 1 && most - least > 0.02 * Math.max(Math.abs(least), Math.abs(most));
}

/** An equation set to zero: 2x + y − 3 = 0 says nothing about the number 0. */
export function isSetToZero(value: Value): boolean {
  if (value.kind !== "relation") return false;
  const last = value.sides[value.sides.length - 1];
  return last.kind === "expression" && isWholeNumber(last.expression) && last.expression.value.numerator === 0n;
}

export const isEquation = (value: Value): boolean =>
  value.kind === "relation" && value.operators.every((operator) => operator === "=");

export const isInequality = (value: Value): value is Relation =>
  value.kind === "relation" &&
  value.operators.length > 0 &&
  value.operators.every((operator) => /^(?:[<>]=?|!=)$/.test(operator));

/** A list of one thing is that thing; a set that holds one set is not. */
export function unwrapped(value: Value): Value {
  if (value.kind === "list" && value.items.length === 1) {
    const [item] = value.items;
    const isSet =
      (item.kind === "list" && item.joined === "set") || (item.kind === "named-set" && item.name === "empty");
    return value.joined === "set" && isSet ? value : unwrapped(item);
  }
  if (value.kind === "ratio" && value.parts.length === 1) return expressionValue(value.parts[0]);
  return value;
}
