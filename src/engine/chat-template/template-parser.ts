// From the pieces of a chat template to its tree: the part of Jinja that chat templates are written in.
import { DataError } from "../../base/errors.ts";
import { type Piece, type Token, templatePieces } from "./template-lexer.ts";

export type Arguments = {
  readonly values: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
};

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "record"; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: "member"; readonly of: Expression; readonly key: Expression }
  | { readonly kind: "slice"; readonly of: Expression; readonly parts: readonly (Expression | undefined)[] }
  | { readonly kind: "call"; readonly callee: Expression; readonly args: Arguments }
  | { readonly kind: "filter" | "test"; readonly of: Expression; readonly name: string; readonly args: Arguments }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "choice"; readonly test: Expression; readonly yes: Expression; readonly no?: Expression };

type Parameter = { readonly name: string; readonly value?: Expression };

export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly expression: Expression }
  | {
      readonly kind: "if";
      readonly test: Expression;
      readonly yes: readonly Statement[];
      readonly no: readonly Statement[];
    }
  | {
      readonly kind: "for";
      readonly names: readonly string[];
      readonly over: Expression;
      readonly only?: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: "set"; readonly names: readonly string[]; readonly member?: string; readonly value: Expression }
  | { readonly kind: "capture"; readonly name: string; readonly body: readonly Statement[] }
  | {
      readonly kind: "macro";
      readonly name: string;
      readonly parameters: readonly Parameter[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: "break" | "continue" };

export function parseTemplate(template: string): readonly Statement[] {
  const parser = new TemplateParser(templatePieces(template));
  return parser.statements([]).body;
}

const constants = new Map(
  Object.entries({ true: true, True: true, false: false, False: false, none: null, None: null }),
);
const comparisons = ["==", "!=", "<", "<=", ">", ">="];

class TemplateParser {
  readonly #pieces: readonly Piece[];
  #piece = 0;
  #tokens: readonly Token[] = [];
  #token = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  // ---- Statements --------------------------------------------------------------------------------------------------

  /** Up to one of the tags that end this body, whose name is given back with its tokens left to read. */
  statements(ends: readonly string[]): { readonly body: Statement[]; readonly end: string } {
    const body: Statement[] = [];
    while (this.#piece < this.#pieces.length) {
      const piece = this.#pieces[this.#piece++];
      if (piece.kind === "text") {
        body.push({ kind: "text", text: piece.text });
        continue;
      }
      this.#tokens = piece.tokens;
      this.#token = 0;
      if (piece.kind === "print") {
        const expression = this.#tuple();
        this.#ended();
        body.push({ kind: "print", expression });
        continue;
      }
      const word = this.#name();
      if (ends.includes(word)) return { body, end: word };
      body.push(...this.#statement(word));
    }
    if (ends.length > 0) throw new DataError(`the chat template ends without ${ends.join(" or ")}`);
    return { body, end: "" };
  }

  #statement(word: string): Statement[] {
    switch (word) {
      case "if":
        return [this.#if()];
      case "for":
        return [this.#for()];
      case "set":
        return [this.#set()];
      case "macro":
        return [this.#macro()];
      case "break":
      case "continue":
        this.#ended();
        return [{ kind: word }];
      case "generation":
        // Marks what a trainer learns from; it says nothing.
        this.#ended();
        return this.statements(["endgeneration"]).body;
      default:
        throw new DataError(`the chat template uses {% ${word} %}, which is not supported here`);
    }
  }

  #if(): Statement {
    const test = this.#tuple();
    this.#ended();
    const { body: yes, end } = this.statements(["elif", "else", "endif"]);
    if (end === "elif") return { kind: "if", test, yes, no: [this.#if()] };
    this.#ended();
    if (end === "endif") return { kind: "if", test, yes, no: [] };
    const { body: no } = this.statements(["endif"]);
    return { kind: "if", test, yes, no };
  }

  #for(): Statement {
    const names = this.#names();
    this.#expect("in");
    const over = this.#or();
    const only = this.#accept("if") ? this.#expression() : undefined;
    this.#ended();
    const { body, end } = this.statements(["else", "endfor"]);
    const otherwise = end === "else" ? this.statements(["endfor"]).body : [];
    return { kind: "for", names, over, only, body, otherwise };
  }

  #set(): Statement {
    const names = this.#names();
    const member = this.#accept(".") ? this.#name() : undefined;
    if (this.#accept("=")) {
      const value = this.#tuple();
      this.#ended();
      return { kind: "set", names, member, value };
    }
    this.#ended();
    if (names.length !== 1 || member !== undefined) throw this.#unexpected();
    return { kind: "capture", name: names[0], body: this.statements(["endset"]).body };
  }

  #macro(): Statement {
    const name = this.#name();
    this.#expect("(");
    const parameters = this.#listed(")", () => ({
      name: this.#name(),
      value: this.#accept("=") ? this.#expression() : undefined,
    }));
    this.#ended();
    return { kind: "macro", name, parameters, body: this.statements(["endmacro"]).body };
  }

  #names(): string[] {
    const names = [this.#name()];
    while (this.#accept(",")) names.push(this.#name());
    return names;
  }

  // ---- Expressions, loosest binding first ----------------------------------------------------------------------------

  #tuple(): Expression {
    const first = this.#expression();
    if (this.#peek()?.text !== ",") return first;
    const items = [first];
    while (this.#accept(",")) if (this.#peek() !== undefined) items.push(this.#expression());
    return { kind: "list", items };
  }

  #expression(): Expression {
    const yes = this.#or();
    if (!this.#accept("if")) return yes;
    const test = this.#or();
    return { kind: "choice", test, yes, no: this.#accept("else") ? this.#expression() : undefined };
  }

  #or(): Expression {
    return this.#chain(["or"], () => this.#chain(["and"], () => this.#not()));
  }

  #not(): Expression {
    if (this.#accept("not")) return { kind: "unary", operator: "not", of: this.#not() };
    let left = this.#sum();
    for (;;) {
      const operator = this.#comparison();
      if (operator === undefined) return left;
      left = { kind: "binary", operator, left, right: this.#sum() };
    }
  }

  #comparison(): string | undefined {
    for (const operator of comparisons) if (this.#accept(operator)) return operator;
    if (this.#accept("in")) return "in";
    if (this.#peek()?.text === "not" && this.#peek(1)?.text === "in") {
      this.#token += 2;
      return "not in";
    }
    return undefined;
  }

  #sum = (): Expression =>
    this.#chain(["+", "-"], () => this.#chain(["~"], () => this.#chain(["*", "/", "//", "%"], () => this.#power())));

  #power(): Expression {
    return this.#chain(["**"], () => this.#unary());
  }

  #chain(operators: readonly string[], next: () => Expression): Expression {
    let left = next();
    for (;;) {
      const operator = operators.find((one) => this.#accept(one));
      if (operator === undefined) return left;
      left = { kind: "binary", operator, left, right: next() };
    }
  }

  #unary(filtered = true): Expression {
    for (const operator of ["-", "+"])
      if (this.#accept(operator)) {
        const negated: Expression = { kind: "unary", operator, of: this.#unary(false) };
        return filtered ? this.#filtersAndTests(negated) : negated;
      }
    const value = this.#postfix(this.#primary());
    return filtered ? this.#filtersAndTests(value) : value;
  }

  #postfix(start: Expression): Expression {
    let value = start;
    for (;;) {
      if (this.#accept(".")) {
        const { kind, text, value: number } = this.#next();
        const key = kind === "number" ? number! : text;
        value = { kind: "member", of: value, key: { kind: "literal", value: key } };
      } else if (this.#accept("[")) value = this.#subscript(value);
      else if (this.#peek()?.text === "(" && this.#peek()?.kind === "operator")
        value = { kind: "call", callee: value, args: this.#arguments() };
      else return value;
    }
  }

  #subscript(of: Expression): Expression {
    const parts: (Expression | undefined)[] = [undefined];
    while (!this.#accept("]")) {
      if (this.#accept(":")) parts.push(undefined);
      else parts[parts.length - 1] = this.#expression();
    }
    if (parts.length > 1) return { kind: "slice", of, parts };
    if (parts[0] === undefined) throw this.#unexpected();
    return { kind: "member", of, key: parts[0] };
  }

  #filtersAndTests(start: Expression): Expression {
    let value = start;
    for (;;) {
      if (this.#accept("|")) {
        const name = this.#name();
        const args = this.#peek()?.text === "(" ? this.#arguments() : { values: [], named: [] };
        value = { kind: "filter", of: value, name, args };
      } else if (this.#accept("is")) {
        const negated = this.#accept("not");
        const test: Expression = { kind: "test", of: value, name: this.#name(), args: this.#testArguments() };
        value = negated ? { kind: "unary", operator: "not", of: test } : test;
      } else return value;
    }
  }

  /** `is divisibleby(3)` or `is divisibleby 3`. */
  #testArguments(): Arguments {
    const next = this.#peek();
    if (next?.kind === "operator" && next.text === "(") return this.#arguments();
    const begins = next !== undefined && (next.kind !== "operator" || next.text === "[" || next.text === "{");
    if (!begins || ["and", "or", "else", "if", "is", "in", "not"].includes(next.text)) return { values: [], named: [] };
    return { values: [this.#postfix(this.#primary())], named: [] };
  }

  #arguments(): Arguments {
    const values: Expression[] = [];
    const named: [string, Expression][] = [];
    this.#expect("(");
    this.#listed(")", () => {
      if (this.#peek()?.kind === "name" && this.#peek(1)?.text === "=" && this.#peek(1)?.kind === "operator") {
        const name = this.#name();
        this.#expect("=");
        named.push([name, this.#expression()]);
      } else values.push(this.#expression());
    });
    return { values, named };
  }

  #primary(): Expression {
    const token = this.#next();
    if (token.kind === "number") return { kind: "literal", value: token.value! };
    if (token.kind === "string") {
      let text = String(token.value);
      // Strings side by side are one.
      while (this.#peek()?.kind === "string") text += this.#next().value;
      return { kind: "literal", value: text };
    }
    if (token.kind === "name") {
      const value = constants.get(token.text);
      return value === undefined ? { kind: "name", name: token.text } : { kind: "literal", value };
    }
    if (token.text === "(") return this.#parenthesis();
    if (token.text === "[") return { kind: "list", items: this.#expressions("]") };
    if (token.text === "{") return this.#record();
    throw this.#unexpected(token);
  }

  #parenthesis(): Expression {
    if (this.#accept(")")) return { kind: "list", items: [] };
    const first = this.#expression();
    if (this.#accept(")")) return first;
    this.#expect(",");
    return { kind: "list", items: [first, ...this.#expressions(")")] };
  }

  #expressions(closing: string): Expression[] {
    return this.#listed(closing, () => this.#expression());
  }

  #record(): Expression {
    const entries = this.#listed("}", () => {
      const key = this.#expression();
      this.#expect(":");
      return [key, this.#expression()] as const;
    });
    return { kind: "record", entries };
  }

  /** Up to the closing mark, with commas between and perhaps one behind. */
  #listed<Item>(closing: string, read: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#accept(closing)) {
      items.push(read());
      if (this.#accept(",")) continue;
      this.#expect(closing);
      break;
    }
    return items;
  }

  // ---- Tokens --------------------------------------------------------------------------------------------------------

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#token + ahead];
  }

  #next(): Token {
    const token = this.#peek();
    if (token === undefined) throw this.#unexpected();
    this.#token += 1;
    return token;
  }

  #accept(text: string): boolean {
    const token = this.#peek();
    if (token === undefined || token.kind === "string" || token.text !== text) return false;
    this.#token += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw this.#unexpected();
  }

  #name(): string {
    const token = this.#next();
    if (token.kind !== "name") throw this.#unexpected(token);
    return token.text;
  }

  #ended(): void {
    if (this.#peek() !== undefined) throw this.#unexpected();
  }

  #unexpected(token = this.#peek()): DataError {
    const around = this.#tokens.map(({ text }) => text).join(" ");
    return new DataError(
      `the chat template has ${token ? JSON.stringify(token.text) : "an end"} where it should not: ${around}`,
    );
  }
}
