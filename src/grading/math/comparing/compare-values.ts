// The gold answer against one prediction, both read. What kind each is decides how they are compared; the few asymmetries
// (a gold relation accepts a set, a gold number accepts the end of a chain) are those of docs/grading.md.

import { type Expression, freeSymbols, isNought, quotient, renamed } from "../expressions/expression.ts";
import { identityOf, isConstantExpression } from "../expressions/identity.ts";
import { hasMatrix } from "../expressions/matrices.ts";
import { expressionValue, type List, type Relation, type Value } from "../expressions/value.ts";
import { compareExpressions, type Terms } from "./compare-expressions.ts";
import { bareName, compareInOrder, compareUnordered, namesDiffer, namesOf } from "./compare-lists.ts";
import { compareQuantities } from "./compare-quantities.ts";
import { compareLinks } from "./compare-relations.ts";
import { compareSets, isSetLike, unknownsIn } from "./compare-sets.ts";
import { compareTexts, setNamed, wordsOf } from "./compare-texts.ts";
import { different, type Equivalence, equal, undecided } from "./comparison.ts";
import { withoutParameter } from "./free-names.ts";
import {
  assignmentOf,
  expressionsOf,
  isEquation,
  isInequality,
  isSetToZero,
  lastOfConstants,
  nameOf,
  resolved,
  unwrapped,
} from "./resolve.ts";

const stepsPerPair = 50;
const stepsPerRelation = 300;
const stepsPerSet = 10_000;

export function compareValues(gold: Value, prediction: Value, terms: Terms): Equivalence {
  const compare = (a: Value, b: Value): Equivalence => {
    if (terms.effort.exhausted) return undecided("more work than an answer is worth");
    terms.effort.charge(stepsPerPair);
    const [g, p] = [unwrapped(resolved(a)), unwrapped(resolved(b))];
    return compareResolved(g, p, compare, terms);
  };
  return compare(gold, prediction);
}

type Compare = (gold: Value, prediction: Value) => Equivalence;

function compareResolved(gold: Value, prediction: Value, compare: Compare, terms: Terms): Equivalence {
  const bare = withoutParameter(gold, prediction);
  if (bare !== undefined) return compare(bare[0], bare[1]);
  if (gold.kind === "text" || prediction.kind === "text") return compareWithText(gold, prediction, compare);
  if (gold.kind === "membership" || prediction.kind === "membership") {
    const [x, y] = [gold, prediction].map(subjectsOf);
    if (x.length > 0 && y.length > 0 && !x.some((name) => y.includes(name)))
      return different("different names are said to be in the sets");
  }
  if (gold.kind === "residue" || prediction.kind === "residue") return compareResidues(gold, prediction, compare);
  if (gold.kind === "relation" || prediction.kind === "relation")
    return compareRelations(gold, prediction, compare, terms);
  if (gold.kind === "membership" || prediction.kind === "membership")
    return compareMemberships(gold, prediction, compare);
  if (gold.kind === "ratio" || prediction.kind === "ratio") return compareRatios(gold, prediction, compare);
  if (gold.kind === "cases" || prediction.kind === "cases") return compareCases(gold, prediction, compare);
  if (gold.kind === "expression" && prediction.kind === "expression") return compareQuantities(gold, prediction, terms);
  const [left, right] = [namedPoint(gold), namedPoint(prediction)];
  if (gold.kind === "tuple" && right !== undefined) return compare(gold, right);
  if (left !== undefined && prediction.kind === "tuple") return compare(left, prediction);
  const [a, b] = [asTuple(gold), asTuple(prediction)];
  if (a !== gold || b !== prediction) return compare(a, b);
  return compareCollections(gold, prediction, compare, terms);
}

function compareWithText(gold: Value, prediction: Value, compare: Compare): Equivalence {
  const words = compareTexts(gold, prediction);
  if (words.outcome === "equal") return words;
  const [x, y] = [setNamed(gold), setNamed(prediction)];
  if (x !== undefined || y !== undefined) return compare(x ?? gold, y ?? prediction);
  // "answer: \text{Area} = 5": a text that names a value gives way to the value.
  const [a, b] = [assignmentOf(gold), assignmentOf(prediction)];
  if (a !== undefined || b !== undefined) return compare(a?.value ?? gold, b?.value ?? prediction);
  return words;
}

/** a ≡ b (mod m): the residues agree when m divides their difference. A number is not a class of numbers. */
function compareResidues(gold: Value, prediction: Value, compare: Compare): Equivalence {
  const valueIn = (value: Value): Value => {
    const inner = value.kind === "residue" ? resolved(value.of) : value;
    const assigned = assignmentOf(inner)?.value;
    return assigned ?? (inner.kind === "relation" ? inner.sides[inner.sides.length - 1] : inner);
  };
  const [a, b] = [valueIn(gold), valueIn(prediction)];
  // What the residue is of: n ≡ 1 says less than n³ ≡ 1, and nothing of m.
  const subjects = [gold, prediction].map((value) => {
    const inner = value.kind === "residue" ? value.of : value;
    return inner.kind === "relation" ? inner.sides[0] : undefined;
  });
  const [x, y] = subjects.map((subject) => subject && identityOf(subject));
  if (x !== y && subjects.every((subject) => subject !== undefined)) return different("residues of different unknowns");
  if (prediction.kind !== "residue") {
    const value = compare(a, b);
    return value.outcome === "equal" ? undecided("one number where the gold answer is a residue class") : value;
  }
  if (gold.kind !== "residue") return compareWithResidue(a, b, prediction, compare);
  const moduli = compare(expressionValue(gold.modulus), expressionValue(prediction.modulus));
  if (moduli.outcome !== "equal") return moduli;
  if (a.kind !== "expression" || b.kind !== "expression") return compare(a, b);
  const reduced = (expression: Expression): Value =>
    expressionValue({ kind: "call", name: "mod", args: [expression, gold.modulus] });
  return compare(reduced(a.expression), reduced(b.expression));
}

/** 17 ≡ 3 (mod 7) comes to 3; 7 (mod 5) does not come to 7, and n ≡ 3 (mod 7) is a class of numbers. */
function compareWithResidue(
  gold: Value,
  residue: Value,
  stated: Value & { readonly kind: "residue" },
  compare: Compare,
): Equivalence {
  if (residue.kind !== "expression") return compare(gold, residue);
  const reduced = (value: Value): Value =>
    value.kind === "expression"
      ? expressionValue({ kind: "call", name: "mod", args: [value.expression, stated.modulus] })
      : value;
  const sides = stated.of.kind === "relation" ? stated.of.sides : [];
  if (sides.some((side) => side.kind !== "expression" || !isConstantExpression(side.expression)))
    return undecided("a residue class where the gold answer is one number");
  if (sides.some((side) => compare(reduced(side), reduced(residue)).outcome === "different"))
    return different("the congruence does not hold");
  const same = compare(gold, residue);
  return same.outcome === "equal" && compare(residue, reduced(residue)).outcome !== "equal"
    ? undecided("a residue that is not reduced")
    : same;
}

function compareRelations(gold: Value, prediction: Value, compare: Compare, terms: Terms): Equivalence {
  terms.effort.charge(stepsPerRelation);
  const [a, b] = [assignmentOf(gold), assignmentOf(prediction)];
  if (a !== undefined && b !== undefined) {
    // A label in words is no variable: "Area = 5" and A = 5 say the same.
    const labeled = [gold, prediction].some((value) => value.kind === "relation" && value.sides[0].kind === "text");
    const chained = [gold, prediction].some((value) => value.kind === "relation" && namesIn(value).size > 1);
    if (chained && !labeled) return compareLinks(gold as Relation, prediction as Relation, terms.effort);
    if (a.name === b.name || labeled) return compare(a.value, b.value);
    const [left, right] = [gold, prediction].map(definitionOf);
    // y = x³ and y(x) = x³.
    if ((left === undefined) !== (right === undefined) && [a.name, b.name].includes((left ?? right)!.name))
      return compare(a.value, b.value);
    const definitions = sameDefinition(gold, prediction, compare);
    if (definitions !== undefined) return definitions;
    const links = compareLinks(gold as Relation, prediction as Relation, terms.effort);
    return links.outcome === "different" ? different("different names are given values") : links;
  }
  if (isEquation(gold) && isEquation(prediction)) {
    const [x, y] = [lastOfConstants(gold), lastOfConstants(prediction)];
    // 5 = 5 says nothing of x = 5.
    if (y !== undefined && a !== undefined && new Set(expressionsOf(prediction).map(identityOf)).size === 1)
      return different("both sides of the prediction are the same");
    if (x !== undefined || y !== undefined) return compare(x ?? a?.value ?? gold, y ?? b?.value ?? prediction);
    return compareLinks(gold as Relation, prediction as Relation, terms.effort);
  }
  if (a !== undefined) return compare(a.value, prediction);
  if (b !== undefined) return compare(gold, b.value);
  if (isEquation(gold)) {
    const value = lastOfConstants(gold);
    return value === undefined
      ? different("the gold answer is an equation, the prediction is not")
      : compare(value, prediction);
  }
  if (isEquation(prediction)) {
    const value = lastOfConstants(prediction);
    if (value !== undefined) return compare(gold, value);
    if (isSetToZero(prediction)) return different("the prediction is an equation, the gold answer is not");
    const { sides } = prediction as Relation;
    return compare(gold, sides[sides.length - 1]);
  }
  if (gold.kind === "relation" && prediction.kind === "relation") {
    if (isInequality(gold) && isInequality(prediction)) return compareInequalities(gold, prediction, terms);
    return compareOtherRelations(gold, prediction, compare);
  }
  if (isInequality(gold)) return compareRealSets(gold, prediction, terms);
  if (isInequality(prediction)) {
    // Several inequalities are no more a set than one is.
    if (gold.kind === "list" && gold.items.every(isInequality)) return compareRealSets(gold, prediction, terms);
    if (!isSetLike(gold) && gold.kind !== "tuple") return different("an inequality where the gold answer is none");
    if (!terms.options.allowSetRelation) return different("an inequality where the gold answer is a set");
    return compareRealSets(gold, prediction, terms);
  }
  return different("only one of them is a relation");
}

/** What a chain of equations gives one value to: h(1) = h(2) = 0 speaks of two. */
const namesIn = ({ sides }: Relation): Set<string> =>
  new Set(
    sides
      .slice(0, -1)
      .map(nameOf)
      .filter((name) => name !== undefined),
  );

function compareRealSets(gold: Value, prediction: Value, terms: Terms): Equivalence {
  terms.effort.charge(stepsPerSet);
  const [a, b] = [gold, prediction].map((value) => [...unknownsIn(value)].sort().join(" "));
  if (a !== "" && b !== "" && a !== b) return different("different unknowns");
  return compareSets(gold, prediction, (a, b) => compareExpressions(a, b, terms));
}

/** f(x) = x + 1 and f(t) = t + 1 define the same function. */
function sameDefinition(gold: Value, prediction: Value, compare: Compare): Equivalence | undefined {
  const [a, b] = [definitionOf(gold), definitionOf(prediction)];
  if (a === undefined || b === undefined || a.name !== b.name || a.variables.length !== b.variables.length)
    return undefined;
  const names = new Map(b.variables.map((name, index) => [name, a.variables[index]]));
  // f(k) = x + 1 speaks of another x.
  const captured = [...freeSymbols(b.body)].some((name) => !names.has(name) && a.variables.includes(name));
  if (captured) return different("different variables");
  return compare(expressionValue(a.body), expressionValue(renamed(b.body, names)));
}

function definitionOf(value: Value): { name: string; variables: string[]; body: Expression } | undefined {
  if (value.kind !== "relation") return undefined;
  const [left, right] = [value.sides[0], value.sides[value.sides.length - 1]];
  if (left.kind !== "expression" || right.kind !== "expression" || left.expression.kind !== "apply") return undefined;
  const variables = left.expression.args.map((argument) => (argument.kind === "symbol" ? argument.name : undefined));
  // P(A) and P(B) are two probabilities, not one function written twice.
  if (variables.some((name) => name === undefined || !/^[a-z]+(?:_\w+)?$/.test(name))) return undefined;
  return { name: left.expression.name, variables: variables as string[], body: right.expression };
}

function compareInequalities(gold: Relation, prediction: Relation, terms: Terms): Equivalence {
  const links = compareLinks(gold, prediction, terms.effort);
  if (links.outcome === "equal") return links;
  const sets = compareRealSets(gold, prediction, terms);
  return sets.outcome === "undecided" ? links : sets;
}

function compareOtherRelations(gold: Relation, prediction: Relation, compare: Compare): Equivalence {
  if (gold.operators.join() !== prediction.operators.join()) return different("different relations");
  if (gold.operators.includes("other")) return undecided("relations that are compared by their text only");
  return compareInOrder(gold.sides, prediction.sides, compare);
}

const isVariable = (value: Value): boolean =>
  value.kind === "tuple"
    ? value.items.every(isVariable)
    : value.kind === "text" ||
      (value.kind === "expression" && (value.expression.kind === "symbol" || value.expression.kind === "apply"));

function compareMemberships(gold: Value, prediction: Value, compare: Compare): Equivalence {
  if (gold.kind === "membership" && prediction.kind === "membership") {
    if (gold.negated === prediction.negated) return compare(gold.set, prediction.set);
  }
  // x² ∈ (1, 4] is another set of x.
  for (const value of [gold, prediction])
    if (value.kind === "membership" && !isVariable(value.element))
      return undecided("what is said to be in the set is more than a name");
  return compare(setIn(gold), setIn(prediction));
}

/** What a statement is about: x of x ∈ (0, 1), of 0 < x < 1 and of x = 1, 2. */
function subjectsOf(value: Value): string[] {
  if (value.kind === "list") return value.items.flatMap(subjectsOf);
  const name = value.kind === "membership" ? (nameOf(value.element) ?? "") : assignmentOf(value)?.name;
  // (x, y) is about both.
  return name === undefined ? [...unknownsIn(value)] : name.replace(/^\(|\)$/g, "").split(",");
}

/** What is said to hold the element; "not in" is the rest of the reals. */
function setIn(value: Value): Value {
  if (value.kind !== "membership") return value;
  if (!value.negated) return value.set;
  return {
    kind: "set-operation",
    operator: "difference",
    left: { kind: "named-set", name: "reals" },
    right: value.set,
  };
}

/** 7:32 is 7/32; of more than two parts the proportions count; 12:00 and 1:00 are times. */
function compareRatios(gold: Value, prediction: Value, compare: Compare): Equivalence {
  if (gold.kind !== "ratio" || prediction.kind !== "ratio") {
    const [a, b] = [quotientOf(gold), quotientOf(prediction)];
    return a === undefined || b === undefined ? different("only one of them is a ratio") : compare(a, b);
  }
  if (gold.parts.length !== prediction.parts.length) return different("ratios with a different number of parts");
  const same = compareInOrder(gold.parts.map(expressionValue), prediction.parts.map(expressionValue), compare);
  if (same.outcome === "equal") return same;
  if (gold.parts.some(isNought) || prediction.parts.some(isNought))
    return different("different numbers between the colons");
  const proportional = compareInOrder(
    gold.parts.slice(1).map((part) => expressionValue(quotient(part, gold.parts[0]))),
    prediction.parts.slice(1).map((part) => expressionValue(quotient(part, prediction.parts[0]))),
    compare,
  );
  if (proportional.outcome === "equal" && isClock(gold.written) && isClock(prediction.written))
    return undecided("equal as ratios, different as times of day");
  return proportional;
}

const isClock = (written: string): boolean => /^(?:[01]?\d|2[0-4]):[0-5]\d$/.test(written);

function quotientOf(value: Value): Value | undefined {
  if (value.kind === "expression") return value;
  if (value.kind !== "ratio" || value.parts.length !== 2 || isNought(value.parts[1])) return undefined;
  return expressionValue(quotient(value.parts[0], value.parts[1]));
}

function compareCases(gold: Value, prediction: Value, compare: Compare): Equivalence {
  if (gold.kind !== "cases" || prediction.kind !== "cases")
    return different("only one of them is a definition by cases");
  const rows = (value: Value & { readonly kind: "cases" }): List =>
    listOf(value.rows.map((items) => ({ kind: "tuple", items })));
  return compareUnordered(rows(gold), rows(prediction), compare);
}

/** A(1, 2): a point with its name. */
function namedPoint(value: Value): Value | undefined {
  if (value.kind !== "expression") return undefined;
  const { expression } = value;
  const applied = expression.kind === "apply" && /^[A-Z](?:_\w+)?'?$/.test(expression.name);
  const choice = expression.kind === "call" && expression.name === "binomial";
  if (!(applied || choice) || expression.args.length < 2) return undefined;
  return { kind: "tuple", items: expression.args.map(expressionValue) };
}

/** A vector as the tuple of its entries. */
function asTuple(value: Value): Value {
  if (value.kind !== "expression" || value.expression.kind !== "matrix") return value;
  const { rows } = value.expression;
  if (rows.length > 1 && rows[0].length > 1) return value;
  return { kind: "tuple", items: rows.flat().map(expressionValue) };
}

const isBraced = (value: Value): boolean => value.kind === "list" && value.joined === "set";

/** Whether a collection holds sets of its own: {1}, {2} does, {1, 2} does not. */
const holdsSets = (value: Value): boolean =>
  (value.kind === "list" || value.kind === "tuple") &&
  value.items.some((item) => isBraced(item) || (item.kind === "named-set" && item.name === "empty"));

function compareCollections(gold: Value, prediction: Value, compare: Compare, terms: Terms): Equivalence {
  if (holdsSets(gold) !== holdsSets(prediction)) return different("only one of them is a collection of sets");
  return holdsSets(gold)
    ? compareGathered(gold, prediction, amongSets(compare), terms)
    : compareGathered(gold, prediction, compare, terms);
}

/** Among sets {1} is a set and 1 is none. */
const amongSets =
  (compare: Compare): Compare =>
  (gold, prediction) =>
    isBraced(gold) === isBraced(prediction) ? compare(gold, prediction) : different("a set and what is none");

function compareGathered(gold: Value, prediction: Value, compare: Compare, terms: Terms): Equivalence {
  if (gold.kind === "tuple" && prediction.kind === "tuple")
    return compareInOrder(gold.items, prediction.items, compare);
  const joined = [gold, prediction].map((value) => (aboutSeveral(value) ? value.joined === "or" : undefined));
  if (joined.every((or) => or !== undefined) && joined[0] !== joined[1])
    return different('"and" in the one where the other says "or"');
  const setLike = isSetLike(gold) || isSetLike(prediction);
  if (gold.kind === "interval" && prediction.kind === "interval") {
    if (gold.closedFrom !== prediction.closedFrom || gold.closedTo !== prediction.closedTo)
      return different("an end belongs to one of the intervals only");
    return compareInOrder(
      [gold.from, gold.to].map(expressionValue),
      [prediction.from, prediction.to].map(expressionValue),
      compare,
    );
  }
  if (setLike) return compareSetLike(gold, prediction, compare, terms);
  if (gold.kind === "list" && prediction.kind === "list") return compareListed(gold, prediction, compare, terms);
  // A gold tuple keeps its order also against a list; a gold list has none, also against a tuple.
  if ([gold, prediction].some(isBraced) && [gold, prediction].some(({ kind }) => kind === "tuple"))
    return undecided("braces, between which there is no order, beside brackets, between which there is");
  if (gold.kind === "tuple" && prediction.kind === "list" && joined[1])
    return different("alternatives where the gold answer is one");
  if (gold.kind === "tuple" && prediction.kind === "list")
    return compareInOrder(gold.items, valuesOf(prediction.items), compare);
  if (gold.kind === "list" && prediction.kind === "tuple")
    return compareListed(gold, { kind: "list", items: prediction.items, joined: "comma" }, compare, terms);
  const derived = gold.kind === "expression" ? derivedValue(prediction) : undefined;
  if (derived !== undefined) return compare(gold, derived);
  // "2/3 or 0.666667" says one thing twice.
  if (gold.kind === "expression" && prediction.kind === "list")
    return compareUnordered(listOf([gold]), prediction, compare);
  if (gold.kind === "list" && prediction.kind === "expression")
    return compareUnordered(gold, listOf([prediction]), compare);
  const [a, b] = [wordsOf(gold), wordsOf(prediction)];
  if (a !== undefined && a === b) return equal("the same words");
  return different(`${kindName(gold)} and ${kindName(prediction)}`);
}

function compareSetLike(gold: Value, prediction: Value, compare: Compare, terms: Terms): Equivalence {
  if (gold.kind === "expression" || prediction.kind === "expression") {
    const single = gold.kind === "expression" ? prediction : gold;
    if (single.kind !== "set-builder") return different("only one of them is a set");
  }
  if (isBraced(gold) && isBraced(prediction) && holdsSets(gold))
    return compareListed(gold as List, prediction as List, compare, terms);
  const real = compareRealSets(gold, prediction, terms);
  if (real.outcome !== "undecided") return real;
  if (gold.kind === "named-set" && prediction.kind === "named-set")
    return gold.name === prediction.name ? equal("the same set") : different("different sets");
  // Ends with letters: piece by piece, in any order.
  const [a, b] = [piecesOf(gold), piecesOf(prediction)];
  if (a.length > 1 || b.length > 1) return compareUnordered(listOf(a), listOf(b), compare);
  const [meet, other] = [gold, prediction].map((value) => operandsOf(value, "intersection"));
  if (meet.length > 1 && meet.length === other.length) return compareUnordered(listOf(meet), listOf(other), compare);
  if (gold.kind === "set-operation" && prediction.kind === "set-operation" && gold.operator === prediction.operator)
    return compareInOrder([gold.left, gold.right], [prediction.left, prediction.right], compare);
  if (gold.kind === "set-builder" && prediction.kind === "set-builder")
    return compareInOrder([gold.element, ...gold.conditions], [prediction.element, ...prediction.conditions], compare);
  const [open, same] = [asInterval(gold), asInterval(prediction)];
  if (open !== undefined && same !== undefined && (open !== gold || same !== prediction)) return compare(open, same);
  return gold.kind === prediction.kind ? real : different(`${kindName(gold)} and ${kindName(prediction)}`);
}

/** x + 5 = 15, x = 10, line by line: equations of one unknown, of which only the last gives its value. */
function derivedValue(value: Value): Value | undefined {
  if (value.kind !== "list" || value.joined === "or" || !value.items.every(isEquation)) return undefined;
  const [last, ...before] = [...value.items].reverse();
  const solved = assignmentOf(last);
  const unknown = subjectsOf(last).join();
  const steps = before.every((line) => assignmentOf(line) === undefined && subjectsOf(line).join() === unknown);
  return before.length > 0 && steps ? solved?.value : undefined;
}

const operandsOf = (value: Value, operator: "intersection"): Value[] =>
  value.kind === "set-operation" && value.operator === operator
    ? [...operandsOf(value.left, operator), ...operandsOf(value.right, operator)]
    : [value];

/** The pieces of a union, or the sets of a list. */
function piecesOf(value: Value): readonly Value[] {
  if (value.kind === "list" && value.joined !== "set") return value.items.map((item) => asInterval(item) ?? item);
  if (value.kind === "set-operation" && value.operator === "union")
    return [...piecesOf(value.left), ...piecesOf(value.right)];
  return [asInterval(value) ?? value];
}

function asInterval(value: Value): Value | undefined {
  if (value.kind === "interval") return value;
  if (value.kind !== "tuple" || value.items.length !== 2) return undefined;
  const [from, to] = value.items;
  if (from.kind !== "expression" || to.kind !== "expression") return undefined;
  return { kind: "interval", from: from.expression, to: to.expression, closedFrom: false, closedTo: false };
}

/** Lists whose items may carry names: by name where both have them, in order where only the gold names different things. */
function compareListed(gold: List, prediction: List, compare: Compare, terms: Terms): Equivalence {
  const [a, b] = [namesOf(gold.items), namesOf(prediction.items)];
  const [left, right] = [gold, prediction].map((list): List => ({ ...list, items: valuesOf(list.items) }));
  // A gold list of named values is held against equations as equations: x₂ = 5 is not x₂⁴ = 5.
  const named = a !== undefined && (b !== undefined || prediction.items.every((item) => item.kind === "relation"));
  const [used, others] = [gold, prediction].map(({ items }) => items.map((item) => assignmentOf(item)?.name));
  const [x, y] = [used, others].map((names) => new Set(names.filter((name) => name !== undefined)));
  const sameNames = x.size === 0 || y.size === 0 || [...x].some((name) => y.has(name));
  // A list of values is not met by equations that only end in them: n² = 4, 6 is not n = 4, 6.
  const unsolved = ({ items }: List): boolean =>
    items.some((item) => isEquation(item) && !assignmentOf(item) && !lastOfConstants(item));
  if (!named && unsolved(prediction) && !unsolved(gold))
    return different("an equation where the gold answer lists values");
  if (!named && !sameNames) return different("different names are given values");
  // x = 1, x = 2 and x₁ = 1, x₂ = 2: the values of one unknown, which only one of them numbers.
  const numbered = [a, b].map((names) => names?.some((name) => bareName(name) !== name));
  if (numbered[0] !== numbered[1] && a && b && new Set([...a, ...b].map(bareName)).size === 1)
    return compareUnordered(left, right, compare);
  const inOrder =
    (terms.options.listOrder === "as-written" && gold.joined !== "set" && !named) ||
    (!named && a !== undefined && b === undefined && namesDiffer(a)) ||
    (a === undefined && b !== undefined && namesDiffer(b));
  if (inOrder) return compareInOrder(left.items, right.items, compare);
  // "x = 1, 2, 3": the name belongs to all.
  return named ? compareUnordered(gold, prediction, compare) : compareUnordered(left, right, compare);
}

/** Statements about different unknowns: x = 1 and y = 2. Of one unknown, "x = 1 and x = 2" lists its values as "or" does. */
function aboutSeveral(value: Value): value is List {
  if (value.kind !== "list" || !value.items.every((item) => item.kind === "relation")) return false;
  return new Set(value.items.map((item) => subjectsOf(item).map(bareName).sort().join())).size > 1;
}

const listOf = (items: readonly Value[]): List => ({ kind: "list", items, joined: "comma" });

const valuesOf = (items: readonly Value[]): Value[] => items.map((item) => assignmentOf(resolved(item))?.value ?? item);

/** With its article: "a tuple", "an interval". */
function kindName(value: Value): string {
  const name = value.kind === "expression" && hasMatrix(value.expression) ? "matrix" : value.kind.replace("-", " ");
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}
