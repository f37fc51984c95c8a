// Equations up to a constant factor, inequalities up to direction, both as statements about the same quantities.

import { difference, type Expression } from "../expressions/expression.ts";
import { isConstantExpression } from "../expressions/identity.ts";
import type { Relation, RelationOperator } from "../expressions/value.ts";
import { constantFactor, vanishes } from "./compare-at-points.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";
import type { Effort } from "./effort.ts";

type Link = {
  readonly left: Expression;
  readonly right: Expression;
  readonly difference: Expression;
  readonly operator: RelationOperator;
};

function linksOf(relation: Relation): Link[] | undefined {
  const links: Link[] = [];
  for (let i = 0; i < relation.operators.length; i++) {
    const [left, right] = [relation.sides[i], relation.sides[i + 1]];
    if (left.kind !== "expression" || right.kind !== "expression") return undefined;
    links.push({
      left: left.expression,
      right: right.expression,
      difference: difference(left.expression, right.expression),
      operator: relation.operators[i],
    });
  }
  return links;
}

const flipped: Readonly<Record<RelationOperator, RelationOperator>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  approx: "approx",
  equiv: "equiv",
  other: "other",
};

const longestChain = 12;

/** Whether every link of the one says the same as some link of the other, each used once. */
export function compareLinks(gold: Relation, prediction: Relation, effort: Effort): Equivalence {
  const [a, b] = [linksOf(gold), linksOf(prediction)];
  if (a === undefined || b === undefined) return undecided("a relation between things that are not expressions");
  if (a.length !== b.length) return different("a different number of relations");
  if (a.length > longestChain) return undecided("too long a chain of relations");
  const left = [...b];
  let open = false;
  for (const link of a) {
    const outcomes = left.map((other) => sameLink(link, other, effort));
    const found = outcomes.indexOf(true);
    if (found === -1) {
      if (!outcomes.includes(undefined)) return different("no such relation is in the prediction");
      open = true;
      left.splice(outcomes.indexOf(undefined), 1);
    } else left.splice(found, 1);
  }
  return open ? undecided("the relations could not be told apart") : equal("the same relation up to a constant factor");
}

function sameLink(a: Link, b: Link, effort: Effort): boolean | undefined {
  if (a.operator === "other" || b.operator === "other") return undefined;
  // Between numbers a relation is true or false and says nothing else: 2 < 3 is not 2 < 4.
  if (isConstantExpression(a.difference) && isConstantExpression(b.difference)) {
    const turned =
      a.operator === b.operator ? b : a.operator === flipped[b.operator] ? { left: b.right, right: b.left } : undefined;
    if (turned === undefined) return false;
    const sides = [
      vanishes(difference(a.left, turned.left), effort),
      vanishes(difference(a.right, turned.right), effort),
    ];
    return sides.includes(false) ? false : sides.includes(undefined) ? undefined : true;
  }
  const factor = constantFactor(a.difference, b.difference, effort);
  if (factor === undefined) return undefined;
  if (factor === "none") return false;
  return a.operator === (factor.sign === 1 ? b.operator : flipped[b.operator]);
}
