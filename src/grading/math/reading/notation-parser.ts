// Reads the commands that take arguments: fractions, roots, binomials, sums, integrals, limits, accents, matrices.
import { call, type Expression, integer, negated, product, quotient, root, symbol } from "../expressions/expression.ts";
import { expressionValue, type Value } from "../expressions/value.ts";
import { FunctionParser } from "./function-parser.ts";
import { type Token, Unreadable } from "./tokens.ts";
import { accents } from "./vocabulary.ts";

export abstract class NotationParser extends FunctionParser {
  abstract additive(): Value;
  protected abstract product(): Value;

  protected argument(place: "first" | "last" = "last", never?: RegExp): Expression {
    if (this.at("open", "{")) return this.group();
    const read = () => this.primary();
    return place === "first" ? this.firstDigitOr(read) : this.digitOr(read, never);
  }

  protected override command(token: Token): Expression {
    const start = this.position;
    this.next();
    switch (token.text) {
      case "frac": {
        const above = this.argument("first");
        return quotient(above, this.argument());
      }
      case "binom": {
        const n = this.argument("first");
        return call("binomial", n, this.argument());
      }
      case "sqrt": {
        const index = this.#rootIndex();
        return root(this.argument("last", /^[01]/), index);
      }
      case "surd":
      case "cbrt": {
        const radicand = this.at("open", "(") ? this.arguments()[0] : this.primary();
        return root(radicand, integer(token.text === "surd" ? 2 : 3));
      }
      case "sum":
      case "prod":
        return this.#series(token.text === "sum" ? "sum" : "product");
      case "boxed":
        return this.at("open", "{") ? this.group() : this.primary();
      case "angle":
      case "triangle":
        return this.#figure(token.text);
      case "mod": {
        if (!this.at("open", "(")) break;
        const args = this.arguments();
        if (args.length === 2) return call("mod", args[0], args[1]);
        break;
      }
      default: {
        if (accents.has(token.text)) return this.#accented(token.text);
        this.rewind(start);
        const value = this.structure(token);
        if (value !== undefined) return this.expression(value);
      }
    }
    this.rewind(start);
    throw this.unexpected();
  }

  #rootIndex(): Expression {
    if (!this.at("open", "[")) return integer(2);
    this.next();
    const index = this.expression(this.list(() => this.at("close", "]")));
    this.expect("close", "]");
    return index;
  }

  #accented(accent: string): Expression {
    const start = this.position;
    const content = this.at("open", "{") ? this.groupText() : this.next().text;
    const barred = accent === "overline" || accent === "bar";
    // A bar over x or y is a mean at least as often as a conjugate, and the mean of squares is no square of means.
    if (barred && /^[^a-zA-Z]*(?:[xyXYpq][^a-zA-Z]*)+$/.test(content)) return symbol(`bar ${content}`);
    if (/^[a-zA-Z]$/.test(content) && barred) return call("conjugate", symbol(content));
    // Two capitals under a bar are a segment, whose length they name.
    if (accent === "overline" && /^[A-Z]{2}$/.test(content)) return product(symbol(content[0]), symbol(content[1]));
    if ((accent === "overline" || accent === "bar") && /[-+0-9]/.test(content) && /[a-z]/.test(content)) {
      this.rewind(start);
      return call("conjugate", this.group());
    }
    // BA points the other way.
    if (accent === "vec" && /^[A-Z]{2}$/.test(content) && content[0] > content[1])
      return negated(symbol(`vec ${content[1]}${content[0]}`));
    return symbol(`${accent === "overline" ? "bar" : accent} ${content}`);
  }

  /** \angle ABC, \triangle ABC: one name. */
  #figure(kind: string): Expression {
    let letters = "";
    while (this.at("name") && /^[A-Z]$/.test(this.peek().text)) letters += this.next().text;
    if (letters === "" && this.at("name")) letters = this.next().text;
    return symbol(`${kind} ${letters}`);
  }

  #series(operator: "sum" | "product"): Expression {
    let variable = "";
    let from: Expression | undefined;
    let to: Expression | undefined;
    for (;;) {
      if (this.at("operator", "_")) {
        this.next();
        this.expect("open", "{");
        const value = this.list(() => this.at("close", "}"));
        this.expect("close", "}");
        if (value.kind === "relation" && value.operators.length === 1 && value.operators[0] === "=") {
          const name = this.expression(value.sides[0]);
          if (name.kind !== "symbol") throw new Unreadable("a sum over something that is not a name");
          variable = name.name;
          from = this.expression(value.sides[1]);
        } else throw new Unreadable("a sum whose range is not k = a … b");
      } else if (this.at("operator", "^")) {
        this.next();
        to = this.exponent();
      } else break;
    }
    if (from === undefined || to === undefined) throw new Unreadable("a sum without its ends");
    return { kind: "series", operator, variable, from, to, body: this.expression(this.product()) };
  }

  matrix(kind: string, closed: () => boolean): Value {
    const rows: Expression[][] = [];
    let row: Expression[] = [];
    for (;;) {
      while (this.at("separator", "quad")) this.next();
      if (this.at("separator", "row") || closed()) {
        if (row.length > 0) rows.push(row);
        row = [];
        if (closed()) break;
        this.next();
      } else if (this.at("separator", "&") || this.at("separator", ",") || this.at("separator", ";")) this.next();
      else if (this.at("end")) throw this.unexpected();
      else row.push(this.expression(this.additive()));
    }
    this.next();
    if (rows.length === 0 || rows.some((cells) => cells.length !== rows[0].length))
      throw new Unreadable("a ragged matrix");
    const matrix: Expression = { kind: "matrix", rows };
    return expressionValue(kind === "vmatrix" ? call("det", matrix) : matrix);
  }

  modulus(): Expression {
    this.next();
    return this.at("open", "{") ? this.group() : this.primary();
  }
}
