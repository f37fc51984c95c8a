// What an answer is once read: an expression, a text, or a structure of them.
import type { Expression } from "./expression.ts";

export type RelationOperator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "approx" | "equiv" | "other";

export type Value =
  /** `unit` is what stood behind the number, as written: "cm^2", "dollars". */
  | { readonly kind: "expression"; readonly expression: Expression; readonly unit?: string }
  | { readonly kind: "text"; readonly text: string }
  | List
  /** Ordered. With two items in parentheses it may also be meant as an open interval. */
  | { readonly kind: "tuple"; readonly items: readonly Value[] }
  | Interval
  | { readonly kind: "named-set"; readonly name: NamedSet }
  | {
      readonly kind: "set-operation";
      readonly operator: "union" | "intersection" | "difference";
      readonly left: Value;
      readonly right: Value;
    }
  | { readonly kind: "set-builder"; readonly element: Value; readonly conditions: readonly Value[] }
  | { readonly kind: "membership"; readonly element: Value; readonly set: Value; readonly negated: boolean }
  | Relation
  | { readonly kind: "ratio"; readonly parts: readonly Expression[]; readonly written: string }
  | { readonly kind: "residue"; readonly of: Value; readonly modulus: Expression }
  | { readonly kind: "cases"; readonly rows: readonly (readonly Value[])[] };

/**
 * Unordered. `joined` says what stood between the items, or that braces stood around them. In a set and between
 * alternatives ("or") a repetition says nothing; in any other list every item counts.
 */
export type List = {
  readonly kind: "list";
  readonly items: readonly Value[];
  readonly joined: "comma" | "and" | "or" | "set";
};

/** a < b ≤ c: one side more than operators. */
export type Relation = {
  readonly kind: "relation";
  readonly sides: readonly Value[];
  readonly operators: readonly RelationOperator[];
};

type Interval = {
  readonly kind: "interval";
  readonly from: Expression;
  readonly to: Expression;
  readonly closedFrom: boolean;
  readonly closedTo: boolean;
};

export type NamedSet = "reals" | "integers" | "naturals" | "rationals" | "complexes" | "empty";

export const expressionValue = (expression: Expression): Value => ({ kind: "expression", expression });
export const textValue = (text: string): Value => ({ kind: "text", text });
