// Names that are the writer's to choose: the constant of an integral, and the whole number of a general solution.
import { contains, type Expression, freeSymbols, renamed } from "../expressions/expression.ts";
import type { List, Value } from "../expressions/value.ts";
import { assignmentOf, expressionsOf, mapExpressions } from "./resolve.ts";

const constantName = /^(?:[Cc]|[Kk]|const|[Cc]_[01])$/;
const wholeName = /^[klmn]$/;

/** The prediction with the gold answer's names where only such names differ: x² + c for x² + C, π/4 + nπ for π/4 + kπ. */
export function withFreeNames(prediction: Expression, gold: Expression): Expression {
  const [wanted, given] = [freeSymbols(gold), freeSymbols(prediction)];
  const missing = [...wanted].filter((name) => !given.has(name));
  const extra = [...given].filter((name) => !wanted.has(name));
  if (missing.length !== 1 || extra.length !== 1) return prediction;
  const [to, from] = [missing[0], extra[0]];
  const free =
    (isAddedConstant(gold, to) && isAddedConstant(prediction, from) && wanted.size > 1) ||
    (isTurns(gold, to) && isTurns(prediction, from));
  return free ? renamed(prediction, new Map([[from, to]])) : prediction;
}

/** … + C, and nowhere else. */
function isAddedConstant(expression: Expression, name: string): boolean {
  if (!constantName.test(name) || expression.kind !== "sum") return false;
  const terms = expression.terms.filter((term) =>
    contains(term, (part) => part.kind === "symbol" && part.name === name),
  );
  return terms.length === 1 && terms[0].kind === "symbol";
}

/** A whole number of half turns: kπ, 360°·k. */
const isTurns = (expression: Expression, name: string): boolean =>
  wholeName.test(name) &&
  contains(
    expression,
    (part) =>
      (part.kind === "product" || part.kind === "quotient" || part.kind === "degrees") &&
      contains(part, (inner) => inner.kind === "symbol" && inner.name === name) &&
      (part.kind === "degrees" ||
        contains(part, (inner) => inner.kind === "degrees" || (inner.kind === "constant" && inner.name === "pi"))),
  );

type Parameter = { readonly name: string; readonly item: Value };

/** Whether a statement is about that name alone: x of 1 ≤ x ≤ 2 and of x² = 4. */
function isUnknown(name: string, item: Value): boolean {
  if (item.kind === "membership") return isUnknown(name, item.element);
  if (item.kind !== "relation" || assignmentOf(item) !== undefined) return false;
  const names = new Set(expressionsOf(item).flatMap((side) => [...freeSymbols(side)]));
  return names.size === 1 && names.has(name);
}

/** {2kπ : k ∈ ℤ} as the list 2kπ, k ∈ ℤ. */
const listed = (value: Value): Value =>
  value.kind === "set-builder" && value.element.kind === "expression"
    ? { kind: "list", items: [value.element, ...value.conditions], joined: "comma" }
    : value;

/** "…, k ∈ ℤ" and "x ∈ ℝ": the name of the number, and the remark that says so. Of the unknown itself it is no remark. */
function parameterOf(list: List): Parameter | undefined {
  for (const item of list.items) {
    if (item.kind !== "membership" || item.negated || item.set.kind !== "named-set") continue;
    if (!/^(?:integers|reals)$/.test(item.set.name)) continue;
    if (item.element.kind !== "expression" || item.element.expression.kind !== "symbol") continue;
    const { name } = item.element.expression;
    // Of the reals it is always one: nothing else was thought of.
    if (item.set.name === "reals" || !list.items.some((other) => other !== item && isUnknown(name, other)))
      return { name, item };
  }
  return undefined;
}

/** Both without "k ∈ ℤ", the prediction with the gold answer's name for k; nothing when neither or another set is named. */
export function withoutParameter(one: Value, other: Value): readonly [Value, Value] | undefined {
  const [gold, prediction] = one.kind === other.kind ? [one, other] : [listed(one), listed(other)];
  const [a, b] = [gold, prediction].map((value) => (value.kind === "list" ? parameterOf(value) : undefined));
  if (a === undefined && b === undefined) return undefined;
  const rest = (value: Value, parameter: Parameter | undefined): Value => {
    if (parameter === undefined || value.kind !== "list") return value;
    const items = value.items.filter((item) => item !== parameter.item);
    return items.length === 1 ? items[0] : { ...value, items };
  };
  const [left, right] = [rest(gold, a), rest(prediction, b)];
  if (a === undefined || b === undefined || a.name === b.name) return [left, right];
  const isTaken = (part: Expression) => part.kind === "symbol" && part.name === a.name;
  const taken = expressionsOf(right).some((expression) => contains(expression, isTaken));
  return taken
    ? undefined
    : [left, mapExpressions(right, (expression) => renamed(expression, new Map([[b.name, a.name]])))];
}
