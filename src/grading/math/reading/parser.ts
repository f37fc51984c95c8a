// Reads tokens into a value: statements, lists, relations and sets here, arithmetic in arithmetic-parser.ts.
// Recursive descent with a bound on depth; what does not fit throws Unreadable.

import { infinity, integer, negated, number, product, sum, symbol } from "../expressions/expression.ts";
import { expressionValue, type NamedSet, type RelationOperator, textValue, type Value } from "../expressions/value.ts";
import { compare, divide } from "../numbers/rational.ts";
import { ArithmeticParser } from "./arithmetic-parser.ts";
import { canCount, leadsUp } from "./clause.ts";
import { changesValue } from "./spoken.ts";
import { type Token, Unreadable } from "./tokens.ts";
import { measureOf } from "./units.ts";
import { matrixEnvironments } from "./vocabulary.ts";

const namedSetOf: Readonly<Record<string, NamedSet>> = {
  "set:R": "reals",
  "set:Z": "integers",
  "set:N": "naturals",
  "set:Q": "rationals",
  "set:C": "complexes",
  emptyset: "empty",
};

type Item = { readonly value: Value; readonly before: string };

export class Parser extends ArithmeticParser {
  /** Whether a remark has said that not all numbers are meant. */
  #restricted = false;

  /** The whole answer. */
  answer(): Value {
    const value = this.list(() => this.at("end"));
    if (!this.at("end")) throw this.unexpected();
    return value;
  }

  /** Statements up to the closer, joined by commas, semicolons, "and", "or", line ends. */
  list(closed: () => boolean): Value {
    const items: Item[] = [];
    let before = "";
    for (;;) {
      before = this.#separators(before, closed);
      if (closed() || this.at("end")) break;
      items.push({ value: this.statement(closed), before });
      before = "";
    }
    if (items.length === 0) throw new Unreadable("nothing between the brackets");
    return gathered(items);
  }

  /** Skips what separates two statements and says how they were joined. */
  #separators(start: string, closed: () => boolean): string {
    let joined = start;
    while (this.at("separator") && !closed()) {
      const text = this.next().text;
      if (text === "&") continue;
      if (text === "or" || text === "and" || text === ";") joined = text;
      else if (joined === "") joined = text;
    }
    return joined;
  }

  statement(closed: () => boolean): Value {
    return this.nested(() => {
      // "= 16" and "⇒ x = 1" go on from a line above.
      while (this.at("arrow") || this.at("relation", "=") || this.at("relation", "approx")) this.next();
      let value = this.chain(closed);
      // "x − 1 = 0 ⇒ x = 1": what follows the arrow is the answer. "x → 5" and "p → q" state something else.
      while (this.at("arrow")) {
        const follows = this.next().text === "then" || value.kind === "relation";
        value = this.chain(closed);
        if (!follows) throw new Unreadable("an arrow between two quantities");
      }
      if (
        this.at("command", "pmod") ||
        this.at("command", "mod") ||
        this.at("command", "bmod") ||
        this.at("command", "pod")
      )
        value = { kind: "residue", of: value, modulus: this.modulus() };
      else if (this.at("open", "(") && this.at("command", "mod", 1)) {
        this.next();
        value = { kind: "residue", of: value, modulus: this.modulus() };
        this.expect("close", ")");
      }
      return congruence(value);
    });
  }

  chain(closed: () => boolean): Value {
    const sides = [this.#defined() ?? this.side(closed)];
    const operators: RelationOperator[] = [];
    for (;;) {
      while (this.at("separator", "&") || this.#goesOn()) this.next();
      if (this.at("relation", "in") || this.at("relation", "notin")) {
        const negatedMembership = this.next().text === "notin";
        const set = this.side(closed);
        sides.push({ kind: "membership", element: sides.pop()!, set, negated: negatedMembership });
        continue;
      }
      if (!this.at("relation")) break;
      operators.push(this.next().text as RelationOperator);
      while (this.at("separator", "&")) this.next();
      sides.push(this.side(closed));
    }
    const restricted =
      this.#restricted || sides.some((side) => side.kind === "expression" && restricting.test(side.unit ?? ""));
    if (restricted && operators.some((operator) => operator !== "=" && operator !== "equiv"))
      throw new Unreadable("an inequality of only some numbers");
    return operators.length === 0 ? sides[0] : { kind: "relation", sides, operators };
  }

  /** A line of an aligned derivation that begins with its relation. */
  #goesOn(): boolean {
    const [next, behind] = this.at("separator", "&", 1) ? [2, 3] : [1, 2];
    return this.at("separator", "row") && this.at("relation", undefined, next) && !this.at("end", undefined, behind);
  }

  /** The x(t) of "x(t) = 2t": a letter of a letter, and an equals sign behind it. */
  #defined(): Value | undefined {
    const letters = [this.peek(), this.peek(2)].every(({ type, text }) => type === "name" && /^[a-z]$/.test(text));
    if (!letters || !this.at("open", "(", 1) || !this.at("close", ")", 3) || !this.at("relation", "=", 4))
      return undefined;
    const [name, , argument] = [this.next(), this.next(), this.next()];
    this.next();
    return expressionValue({ kind: "apply", name: name.text, args: [symbol(argument.text)] });
  }

  /** One side of a relation: sets and intervals combined, or a ratio, or an expression with its unit. */
  side(closed: () => boolean): Value {
    let left = this.#operand(closed);
    while (this.at("set-operator")) {
      const operator = this.next().text as "union" | "intersection" | "difference";
      left = { kind: "set-operation", operator, left, right: this.#operand(closed) };
    }
    return left;
  }

  #operand(closed: () => boolean): Value {
    const leading = this.#leadingTexts();
    if ((this.#finished(closed) && !this.#opensBackwards()) || this.at("relation")) {
      if (leading.length === 0) throw this.unexpected();
      return textValue(leading.join(" "));
    }
    const words = leading.join(" ");
    if (changesValue(words) || !(leadsUp(words) || condition.test(words))) {
      const start = this.position;
      this.#skipStatement(closed);
      return textValue(`${words} ${this.writtenFrom(start)}`);
    }
    const currency = leading.find((text) => /^[$€£¥₹¢]$/.test(text));
    const start = this.position;
    const first = this.additive();
    if (this.at("operator", ":") && !this.insideSetBraces) {
      if (!this.#isLabel(first)) return this.#ratio(first, start);
      this.next();
      return this.#operand(closed);
    }
    const unit = this.#trailingUnit(closed) ?? currency;
    if (first.kind !== "expression" || unit === undefined) return first;
    // "5 or more" is not five of something.
    if (changesValue(unit) || !canCount(unit)) return textValue(this.writtenFrom(start));
    const quantity: Value = { ...first, unit };
    if (!this.at("number")) return quantity;
    if (measureOf(unit) !== undefined) return addedQuantity(quantity, this.#operand(closed));
    // Words that are no unit, and a number that belongs to them.
    throw new Unreadable(`a number behind "${unit}"`);
  }

  /** The "C" of "C: x² + y² = 4": a name, one colon, and a relation behind it. */
  #isLabel(first: Value): boolean {
    if (first.kind !== "expression" || first.expression.kind !== "symbol") return false;
    let relations = 0;
    for (let ahead = 1; ; ahead++) {
      const token = this.peek(ahead);
      if (token.type === "end" || token.type === "separator") return relations > 0;
      if (token.type === "operator" && token.text === ":") return false;
      if (token.type === "relation") relations++;
    }
  }

  #finished(closed: () => boolean): boolean {
    return closed() || this.at("end") || this.at("separator") || this.at("close");
  }

  /** The first "]" of "]0, 1[". */
  #opensBackwards(): boolean {
    return this.at("close", "]") && /^(?:number|name|function|command|operator|open)$/.test(this.peek(1).type);
  }

  #leadingTexts(): string[] {
    const texts: string[] = [];
    while (this.at("text")) texts.push(this.next().text);
    return texts;
  }

  #ratio(first: Value, start: number): Value {
    const parts = [this.expression(first)];
    while (this.at("operator", ":")) {
      this.next();
      parts.push(this.expression(this.additive()));
    }
    return { kind: "ratio", parts, written: this.writtenFrom(start) };
  }

  /** The words behind an expression: a unit, or a remark such as "for all n", which is passed over with all that follows. */
  #trailingUnit(closed: () => boolean): string | undefined {
    if (this.at("text") && /^(?:if|unless|otherwise|else)\b/i.test(this.peek().text) && !this.insideCases)
      throw new Unreadable("a value under a condition");
    if (this.at("text") && remark.test(this.peek().text)) {
      const start = this.position;
      this.#skipStatement(closed);
      this.#restricted ||= restricting.test(this.writtenFrom(start));
      return undefined;
    }
    if (!this.at("text") && !(this.at("command", "frac") && this.at("text", undefined, 2))) return undefined;
    let unit = "";
    while (!this.#finished(closed) && !this.at("relation") && !this.at("arrow") && !this.at("set-operator")) {
      if (this.at("number") && !/\^$/.test(unit)) break;
      if (this.at("command", "frac")) {
        this.next();
        unit += `${this.groupText()}/${this.groupText()}`;
        continue;
      }
      if (this.at("operator", "^")) {
        this.next();
        unit += `^${this.groupText()}`;
        continue;
      }
      const token = this.next();
      if (token.type === "operator" && !/^[-/*.]$/.test(token.text))
        throw new Unreadable(`"${token.text}" behind the unit "${unit}"`);
      const joined = unit !== "" && token.type === "text" && !/[/^*{]$/.test(unit);
      unit += joined ? ` ${token.text}` : token.text;
    }
    return unit.replace(/[{}]/g, "");
  }

  /** Passes over a side condition with its commas; a second one behind a comma belongs to a second case. */
  #skipStatement(closed: () => boolean): void {
    let separated = false;
    while (!closed() && !this.at("end")) {
      const token = this.next();
      if (token.type === "separator") separated = true;
      if (separated && token.type === "text" && anotherCase.test(token.text))
        throw new Unreadable("several cases in one line");
    }
  }

  protected override structure(token: Token): Value | undefined {
    if (token.type === "command" && namedSetOf[token.text] !== undefined) return this.#namedSet();
    if (token.type === "open" && token.text === "\\{") return this.#setBraces();
    if (token.type === "open" && /^[([{<]$/.test(token.text)) return this.#bracketed();
    if (token.type === "close" && token.text === "]") return this.#bracketed();
    if (token.type === "command" && token.text.startsWith("begin:")) return this.#environment();
    if (token.type === "text") return textValue(this.next().text);
    if (token.type === "command" && token.text === "boxed") {
      this.next();
      return this.structure(this.peek()) ?? expressionValue(this.factor());
    }
    return undefined;
  }

  #namedSet(): Value {
    const name = namedSetOf[this.next().text];
    if (!this.at("operator", "^") && !this.at("operator", "_")) return { kind: "named-set", name };
    this.next();
    const mark = this.groupText();
    if (/^(?:\+|\*\+|>0|\+\+)$/.test(mark))
      return name === "reals" ? positiveReals : { kind: "named-set", name: "naturals" };
    if (mark === "-" && name === "reals")
      return { kind: "interval", from: negated(infinity), to: integer(0), closedFrom: false, closedTo: false };
    return textValue(`${name}^${mark}`);
  }

  #setBraces(): Value {
    this.next();
    // \left\{ \begin{array} … \end{array} \right. is a system or a definition by cases.
    if (this.peek().type === "command" && /^begin:(?:array|aligned|gathered|matrix|align)$/.test(this.peek().text)) {
      this.next();
      const value = this.within(false, () => this.#cases(() => this.#endsEnvironment()));
      if (!this.#endsEnvironment()) throw this.unexpected();
      this.next();
      if (this.#closesSet()) this.next();
      return value;
    }
    const value = this.within(true, () => this.#setContent());
    if (!this.#closesSet()) throw this.unexpected();
    this.next();
    return value;
  }

  #closesSet(): boolean {
    return this.at("close", "\\}") || this.at("close", "}");
  }

  #setContent(): Value {
    const closed = () => this.#closesSet();
    if (closed()) return { kind: "named-set", name: "empty" };
    const isBar = () => this.at("bar") || this.at("operator", ":");
    const inner = this.list(() => closed() || isBar());
    if (!isBar())
      return {
        kind: "list",
        items: inner.kind === "list" && inner.joined !== "set" ? inner.items : [inner],
        joined: "set",
      };
    this.next();
    const condition = this.list(closed);
    return {
      kind: "set-builder",
      element: inner,
      conditions: condition.kind === "list" ? condition.items : [condition],
    };
  }

  /** Round and square brackets: grouping, tuples, intervals (also the French ones, which turn outwards). */
  #bracketed(): Value {
    if (this.at("open", "{")) return this.braces();
    const open = this.next().text;
    const closed = () => this.#closesBracket(open);
    const inner = this.within(false, () => this.list(closed));
    if (!closed()) throw this.unexpected();
    const close = this.next().text;
    if (open === "<") return { kind: "tuple", items: inner.kind === "list" ? inner.items : [inner] };
    const matched = (open === "(" && close === ")") || (open === "[" && close === "]");
    const pair = inner.kind === "list" && inner.items.length === 2;
    if (!matched && !pair && open !== "<") throw new Unreadable(`"${open}" that "${close}" closes`);
    if (inner.kind !== "list" || inner.joined !== "comma") return inner;
    // (1, 2, 3)^T is the same point, set upright.
    const upright =
      this.at("operator", "^") && /^(?:T|top|intercal)$/.test(this.peek(this.at("open", "{", 1) ? 2 : 1).text);
    if (upright) {
      this.next();
      this.groupText();
    }
    if (upright || (open === "(" && close === ")")) return { kind: "tuple", items: inner.items };
    if (inner.items.length === 2) {
      const [from, to] = inner.items;
      if (from.kind === "expression" && to.kind === "expression")
        return {
          kind: "interval",
          from: from.expression,
          to: to.expression,
          closedFrom: open === "[",
          closedTo: close === "]",
        };
    }
    return { kind: "tuple", items: inner.items };
  }

  #closesBracket(open: string): boolean {
    if (open === "<") return this.at("close", ">") || this.at("relation", ">");
    if (this.at("close", ")") || this.at("close", "]")) return true;
    return this.at("open", "[") && (open === "[" || open === "]" || open === "(") && this.nothingOpensHere();
  }

  #environment(): Value {
    const kind = this.next().text.slice("begin:".length);
    const closed = () => this.#endsEnvironment();
    if (matrixEnvironments.has(kind)) return this.matrix(kind, closed);
    const value = this.within(false, () => (kind.endsWith("cases") ? this.#cases(closed) : this.list(closed)));
    if (!closed()) throw this.unexpected();
    this.next();
    return value;
  }

  #endsEnvironment(): boolean {
    return this.peek().type === "command" && this.peek().text.startsWith("end:");
  }

  /** Rows of a definition by cases, where conditions belong. */
  protected insideCases = false;

  #cases(closed: () => boolean): Value {
    this.insideCases = true;
    const rows: Value[][] = [];
    let row: Value[] = [];
    for (;;) {
      while (this.at("separator", "&") || this.at("separator", ",") || this.at("separator", "quad")) this.next();
      if (this.at("separator") || closed() || this.at("end")) {
        if (row.length > 0) rows.push(row);
        row = [];
        if (closed() || this.at("end")) break;
        this.next();
        continue;
      }
      row.push(this.statement(closed));
    }
    if (rows.length === 0) throw new Unreadable("no cases");
    // A system of equations is a list; a definition by cases has a condition in each row.
    if (rows.every((cells) => cells.length === 1)) return { kind: "list", items: rows.flat(), joined: "and" };
    return { kind: "cases", rows };
  }
}

/** How a side condition begins. */
const remark =
  /^(?:for|where|when|if|with|such|as|since|because|given|assuming|provided|is|are|at|occurs?)\b|^[当对其若]/i;

/** "x > 0 for integer x" is not x > 0. */
const restricting = /integer|natural|整数|mathbb\s*\{?[ZNQ]|[ℤℕℚ]/i;
const condition = /^\s*(?:if|when|for|where|at|on|let|since|where|with|and|so|by)\s*$/i;
const anotherCase = /^(?:if|when|for|otherwise|else)\b/i;

/** 5 hours 30 minutes: the second quantity in the unit of the first. */
function addedQuantity(first: Value, second: Value): Value {
  if (first.kind !== "expression" || second.kind !== "expression")
    throw new Unreadable("a quantity beside something else");
  const [unit, smaller] = [measureOf(first.unit ?? ""), measureOf(second.unit ?? "")];
  if (unit === undefined || smaller === undefined || unit.dimension !== smaller.dimension)
    throw new Unreadable("two quantities side by side");
  const scaled = product(second.expression, number(divide(smaller.factor, unit.factor)));
  return { ...first, expression: sum(first.expression, scaled) };
}

/** 2 dollars and 50 cents: one quantity in smaller and smaller units. */
function isCompound(values: readonly Value[]): boolean {
  const measures = values.map((value) =>
    value.kind === "expression" && value.unit !== undefined ? measureOf(value.unit) : undefined,
  );
  return measures.every(
    (measure, index) =>
      measure !== undefined &&
      (index === 0 ||
        (measure.dimension === measures[index - 1]?.dimension &&
          compare(measure.factor, measures[index - 1]!.factor) < 0)),
  );
}

const positiveReals: Value = { kind: "interval", from: integer(0), to: infinity, closedFrom: false, closedTo: false };

/** n ≡ 3 mod 7: the modulus belongs to the whole statement. */
function congruence(value: Value): Value {
  if (value.kind !== "relation" || value.operators.at(-1) !== "equiv") return value;
  const last = value.sides[value.sides.length - 1];
  if (last.kind !== "expression" || last.expression.kind !== "call" || last.expression.name !== "mod") return value;
  const [residue, modulus] = last.expression.args;
  return { kind: "residue", of: { ...value, sides: [...value.sides.slice(0, -1), expressionValue(residue)] }, modulus };
}

/** Items with what stood between them: "a, b; c, d" is two groups of two. */
function gathered(items: readonly Item[]): Value {
  if (items.length === 1) return items[0].value;
  const separators = items.slice(1).map((item) => item.before);
  if (separators.includes(";") && separators.some((separator) => separator === ",")) {
    const groups: Value[][] = [[]];
    for (const item of items) {
      if (item.before === ";") groups.push([]);
      groups[groups.length - 1].push(item.value);
    }
    return {
      kind: "list",
      items: groups.map((group) => (group.length === 1 ? group[0] : { kind: "tuple", items: group })),
      joined: "comma",
    };
  }
  // Between statements these say "and" and "or"; between letters they make a formula of logic.
  const logic = separators.some((separator) => separator === "wedge" || separator === "vee");
  if (logic && items.some(({ value }) => value.kind === "expression")) throw new Unreadable("a formula of logic");
  if (logic && separators.includes("vee")) separators.push("or");
  if (logic && separators.includes("wedge")) separators.push("and");
  const joined = separators.includes("or") ? "or" : separators.includes("and") ? "and" : "comma";
  const values = items.map((item) => item.value);
  if (joined !== "or" && isCompound(values)) return values.reduce(addedQuantity);
  return { kind: "list", items: values, joined };
}
