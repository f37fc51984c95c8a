// Parsed forms as short plain text, so that a verdict can show what was compared.

import { type Rational, sizeInBits } from "../numbers/rational.ts";
import type { Expression } from "./expression.ts";
import type { RelationOperator, Value } from "./value.ts";

const longest = 400;

export function renderedValue(value: Value): string {
  const text = valueText(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function renderedExpression(expression: Expression): string {
  return expressionText(expression, 0);
}

const relationSigns: Readonly<Record<RelationOperator, string>> = {
  "=": "=",
  "!=": "≠",
  "<": "<",
  "<=": "≤",
  ">": ">",
  ">=": "≥",
  approx: "≈",
  equiv: "≡",
  other: "~",
};

const setSigns = { union: "∪", intersection: "∩", difference: "∖" } as const;
const namedSets = { reals: "ℝ", integers: "ℤ", naturals: "ℕ", rationals: "ℚ", complexes: "ℂ", empty: "∅" } as const;

function valueText(value: Value): string {
  switch (value.kind) {
    case "expression": {
      const text = renderedExpression(value.expression);
      return value.unit === undefined ? text : `${text} [${value.unit}]`;
    }
    case "text":
      return `"${value.text}"`;
    case "list":
      return `{${value.items.map(valueText).join(", ")}}`;
    case "tuple":
      return `(${value.items.map(valueText).join(", ")})`;
    case "interval":
      return `${value.closedFrom ? "[" : "("}${renderedExpression(value.from)}, ${renderedExpression(value.to)}${value.closedTo ? "]" : ")"}`;
    case "named-set":
      return namedSets[value.name];
    case "set-operation":
      return `${valueText(value.left)} ${setSigns[value.operator]} ${valueText(value.right)}`;
    case "set-builder":
      return `{${valueText(value.element)} | ${value.conditions.map(valueText).join(", ")}}`;
    case "membership":
      return `${valueText(value.element)} ${value.negated ? "∉" : "∈"} ${valueText(value.set)}`;
    case "relation":
      return value.sides
        .map((side, i) => `${i === 0 ? "" : ` ${relationSigns[value.operators[i - 1]]} `}${valueText(side)}`)
        .join("");
    case "ratio":
      return value.parts.map(renderedExpression).join(" : ");
    case "residue":
      return `${valueText(value.of)} (mod ${renderedExpression(value.modulus)})`;
    case "cases":
      return `cases(${value.rows.map((row) => row.map(valueText).join(" if ")).join("; ")})`;
  }
}

function rationalText(value: Rational): string {
  if (sizeInBits(value) > 4_096) return `(a number of ${sizeInBits(value)} bits)`;
  return value.denominator === 1n ? `${value.numerator}` : `${value.numerator}/${value.denominator}`;
}

function numberText(value: Rational, places: number | undefined): string {
  if (places === undefined || places < 0 || places > 60) return rationalText(value);
  const shifted = value.numerator * 10n ** BigInt(places);
  // What is shown has to be the number, not its first digits.
  if (shifted % value.denominator !== 0n || sizeInBits(value) > 4_096) return rationalText(value);
  const scaled = shifted / value.denominator;
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
  const point = digits.length - places;
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, point)}${places > 0 ? `.${digits.slice(point)}` : ""}`;
}

// How tightly an operator binds: 1 sum, 2 product, 3 sign, 4 power, 5 atom.
function expressionText(expression: Expression, outer: number): string {
  const wrap = (own: number, text: string) => (own < outer ? `(${text})` : text);
  const part = (child: Expression, binding: number) => expressionText(child, binding);
  switch (expression.kind) {
    case "number": {
      const text = numberText(expression.value, expression.places);
      return /[/-]/.test(text) ? wrap(2, text) : text;
    }
    case "symbol":
      return expression.name;
    case "constant":
      return expression.name === "pi" ? "π" : "∞";
    case "sum":
      return wrap(
        1,
        expression.terms
          .map((term, index) => {
            if (term.kind === "negate") return `${index === 0 ? "-" : " - "}${part(term.of, 2)}`;
            if (term.kind === "plus-minus" && index > 0) return ` ${term.sign === 1 ? "±" : "∓"} ${part(term.of, 2)}`;
            return `${index === 0 ? "" : " + "}${part(term, 1)}`;
          })
          .join(""),
      );
    case "negate":
      return wrap(3, `-${part(expression.of, 3)}`);
    case "plus-minus":
      return wrap(3, `${expression.sign === 1 ? "±" : "∓"}${part(expression.of, 3)}`);
    case "product":
      return wrap(2, expression.factors.map((factor) => part(factor, 3)).join("·"));
    case "quotient":
      return wrap(2, `${part(expression.numerator, 3)}/${part(expression.denominator, 4)}`);
    case "power":
      return wrap(4, `${part(expression.base, 5)}^${part(expression.exponent, 5)}`);
    case "root":
      return expression.index.kind === "number" && expression.index.value.numerator === 2n
        ? `√(${part(expression.radicand, 0)})`
        : `root(${part(expression.radicand, 0)}, ${part(expression.index, 0)})`;
    case "call":
    case "apply":
      return `${expression.name}(${expression.args.map((argument) => part(argument, 0)).join(", ")})`;
    case "series": {
      const range = [expression.from, expression.to].map((end) => part(end, 0)).join("..");
      return `${expression.operator}(${part(expression.body, 0)}, ${expression.variable}=${range})`;
    }
    case "degrees":
      return wrap(4, `${part(expression.of, 5)}°`);
    case "percent":
      return wrap(4, `${part(expression.of, 5)}%`);
    case "matrix":
      return `[${expression.rows.map((row) => row.map((cell) => part(cell, 0)).join(", ")).join("; ")}]`;
  }
}
