// The expression tree that answers are read into. Plain data; what it means is in normal-form.ts and evaluate.ts.
import { isWhole, type Rational, whole } from "../numbers/rational.ts";

export type Expression =
  /** `places`: a decimal point was written, and the last digit is worth 10^-places. Such a number may be a rounded one. */
  | { readonly kind: "number"; readonly value: Rational; readonly places?: number }
  | { readonly kind: "symbol"; readonly name: string }
  | { readonly kind: "constant"; readonly name: "pi" | "infinity" }
  | { readonly kind: "sum"; readonly terms: readonly Expression[] }
  | { readonly kind: "negate"; readonly of: Expression }
  | { readonly kind: "product"; readonly factors: readonly Expression[] }
  | { readonly kind: "quotient"; readonly numerator: Expression; readonly denominator: Expression }
  | { readonly kind: "power"; readonly base: Expression; readonly exponent: Expression }
  | { readonly kind: "root"; readonly radicand: Expression; readonly index: Expression }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Expression[] }
  /** A function or sequence nobody has defined here: f(x), a_n. */
  | { readonly kind: "apply"; readonly name: string; readonly args: readonly Expression[] }
  | Series
  | { readonly kind: "degrees"; readonly of: Expression }
  | { readonly kind: "percent"; readonly of: Expression }
  /** ±x is `sign: 1`, ∓x is `sign: -1`; all of one answer's signs are chosen together. */
  | { readonly kind: "plus-minus"; readonly sign: 1 | -1; readonly of: Expression }
  | { readonly kind: "matrix"; readonly rows: readonly (readonly Expression[])[] };

type Series = {
  readonly kind: "series";
  readonly operator: "sum" | "product";
  readonly variable: string;
  readonly from: Expression;
  readonly to: Expression;
  readonly body: Expression;
};

// biome-ignore format: a table
export const functionNames = [
  "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "arccot", "arcsec", "arccsc", "sinh",
  "cosh", "tanh", "coth", "sech", "csch", "arsinh", "arcosh", "artanh", "exp", "cis", "ln", "log", "abs", "sign",
  "floor", "ceil", "factorial", "double-factorial", "binomial", "gcd", "lcm", "mod", "min", "max",
  "re", "im", "arg", "conjugate", "det", "transpose",
] as const;

export type FunctionName = (typeof functionNames)[number];

export const number = (value: Rational, places?: number): Expression =>
  places === undefined ? { kind: "number", value } : { kind: "number", value, places };
export const integer = (value: bigint | number): Expression => ({ kind: "number", value: whole(value) });
export const symbol = (name: string): Expression => ({ kind: "symbol", name });
export const pi: Expression = { kind: "constant", name: "pi" };
export const infinity: Expression = { kind: "constant", name: "infinity" };
export const sum = (...terms: readonly Expression[]): Expression => ({ kind: "sum", terms });
export const product = (...factors: readonly Expression[]): Expression => ({ kind: "product", factors });
export const quotient = (numerator: Expression, denominator: Expression): Expression => ({
  kind: "quotient",
  numerator,
  denominator,
});
export const power = (base: Expression, exponent: Expression): Expression => ({ kind: "power", base, exponent });
export const root = (radicand: Expression, index: Expression = integer(2)): Expression => ({
  kind: "root",
  radicand,
  index,
});
export const call = (name: FunctionName, ...args: readonly Expression[]): Expression => ({ kind: "call", name, args });
export const difference = (a: Expression, b: Expression): Expression => sum(a, negated(b));

export function negated(of: Expression): Expression {
  return of.kind === "negate" ? of.of : { kind: "negate", of };
}

export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "number":
    case "symbol":
    case "constant":
      return [];
    case "sum":
      return expression.terms;
    case "product":
      return expression.factors;
    case "quotient":
      return [expression.numerator, expression.denominator];
    case "power":
      return [expression.base, expression.exponent];
    case "root":
      return [expression.radicand, expression.index];
    case "call":
    case "apply":
      return expression.args;
    case "series":
      return [expression.from, expression.to, expression.body];
    case "negate":
    case "degrees":
    case "percent":
    case "plus-minus":
      return [expression.of];
    case "matrix":
      return expression.rows.flat();
  }
}

/** The same expression with every direct child replaced. */
export function mapChildren(expression: Expression, change: (child: Expression) => Expression): Expression {
  if (expression.kind === "number" || expression.kind === "symbol" || expression.kind === "constant") return expression;
  const mapped = (field: unknown): unknown => {
    if (Array.isArray(field)) return field.map(mapped);
    return typeof field === "object" && field !== null ? change(field as Expression) : field;
  };
  const copy: Record<string, unknown> = { ...expression };
  for (const name in copy) copy[name] = mapped(copy[name]);
  return copy as Expression;
}

export function contains(expression: Expression, wanted: (part: Expression) => boolean): boolean {
  return wanted(expression) || childrenOf(expression).some((child) => contains(child, wanted));
}

/** Free symbols in order of appearance. The letters e and i stand for the constants, so they are not free. */
export function freeSymbols(expression: Expression, bound: ReadonlySet<string> = new Set()): Set<string> {
  const found = new Set<string>();
  const visit = (part: Expression, hidden: ReadonlySet<string>) => {
    if (part.kind === "symbol") {
      if (!hidden.has(part.name) && !isConstantLetter(part.name)) found.add(part.name);
      return;
    }
    if (part.kind === "series") {
      visit(part.from, hidden);
      visit(part.to, hidden);
      visit(part.body, new Set([...hidden, part.variable]));
      return;
    }
    for (const child of childrenOf(part)) visit(child, hidden);
  };
  visit(expression, bound);
  return found;
}

/** Dots that nobody filled in are no variable either: they have no value at all. */
const isConstantLetter = (name: string): boolean => name === "e" || name === "i" || name === "…";

/** Other expressions put in for free symbols. */
export function substituted(expression: Expression, values: ReadonlyMap<string, Expression>): Expression {
  if (expression.kind === "symbol") return values.get(expression.name) ?? expression;
  if (expression.kind === "series" && values.has(expression.variable)) {
    const free = new Map(values);
    free.delete(expression.variable);
    const [from, to] = [expression.from, expression.to].map((end) => substituted(end, values));
    return { ...expression, from, to, body: substituted(expression.body, free) };
  }
  return mapChildren(expression, (child) => substituted(child, values));
}

/** Renames free symbols; a name that is not in the table stays. */
export const renamed = (expression: Expression, names: ReadonlyMap<string, string>): Expression =>
  substituted(expression, new Map([...names].map(([name, other]) => [name, symbol(other)])));

export const hasDecimal = (expression: Expression): boolean =>
  contains(expression, (part) => part.kind === "number" && part.places !== undefined);

export const isWholeNumber = (
  expression: Expression,
): expression is Expression & { readonly kind: "number"; readonly value: Rational } =>
  expression.kind === "number" && isWhole(expression.value);

export const isNought = (expression: Expression): boolean =>
  expression.kind === "number" && expression.value.numerator === 0n;

/** The word that a row of letters spells: `o·d·d` is "odd". A single letter spells itself. */
export function spelledWord(expression: Expression): string | undefined {
  if (expression.kind === "symbol") return expression.name.length === 1 ? expression.name : undefined;
  if (expression.kind !== "product") return undefined;
  const letters = expression.factors.map(spelledWord);
  return letters.includes(undefined) ? undefined : letters.join("");
}
