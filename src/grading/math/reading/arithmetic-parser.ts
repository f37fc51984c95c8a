// Reads sums and products. Precedence from loose to tight: sum, product, factors side by side.

import { call, type Expression, number, product, quotient } from "../expressions/expression.ts";
import { expressionValue, type Value } from "../expressions/value.ts";
import { add, compare, divide, type Rational } from "../numbers/rational.ts";
import { flatProduct, mixedNumber, signed } from "./assembly.ts";
import { NotationParser } from "./notation-parser.ts";
import { Unreadable } from "./tokens.ts";

export abstract class ArithmeticParser extends NotationParser {
  /** A slash was followed by a row of factors, so that a second reading exists. */
  ambiguousSlash = false;

  override additive(): Value {
    return this.nested(() => {
      const first = this.#signed();
      this.#skipUnitBeforeSign();
      if (!this.atSign()) return first;
      const terms = [this.expression(first)];
      while (this.atSign()) {
        const sign = this.next().text;
        const term = this.expression(this.atSign() ? this.#signed() : this.product());
        terms.push(signed(sign, term));
        this.#skipUnitBeforeSign();
      }
      return expressionValue({ kind: "sum", terms });
    });
  }

  /** The first unit of "3 m + 2 m"; the last one is kept by whoever reads the statement. */
  #skipUnitBeforeSign(): void {
    if (!this.at("text")) return;
    const width = this.at("operator", "^", 1) && this.at("number", undefined, 2) ? 3 : 1;
    if (this.atSign(width)) this.skip(width);
  }

  /** Leading signs, then a product: −2x is −(2x). */
  #signed(): Value {
    if (!this.atSign()) return this.product();
    const sign = this.next().text;
    const operand = this.nested(() => this.#signed());
    if (sign === "+") return operand;
    return expressionValue(signed(sign, this.expression(operand)));
  }

  protected override product(): Value {
    const first = this.#implicitProduct(true);
    if (first.kind !== "expression" && !this.#atTimes()) return first;
    let left = first;
    while (this.#atTimes()) {
      const operator = this.next().text;
      const before = this.position;
      const loose = operator === "/" && !this.options.tightSlash;
      const right = this.atSign() ? this.signedFactor() : loose ? this.singleFactor() : this.#implicitProduct(false);
      if (operator === "*") {
        left = expressionValue(flatProduct(this.expression(left), this.expression(right)));
        continue;
      }
      if (operator === "bmod" || operator === "mod") {
        left = expressionValue(call("mod", this.expression(left), this.expression(right)));
        continue;
      }
      left = expressionValue(quotient(this.expression(left), this.expression(right)));
      if (loose) {
        while (this.startsFactor()) {
          this.ambiguousSlash = true;
          left = expressionValue(flatProduct(this.expression(left), this.expression(this.singleFactor())));
        }
      } else if (this.position > before + 1) this.ambiguousSlash = true;
    }
    return left;
  }

  #atTimes(): boolean {
    const token = this.peek();
    if (token.type === "command" && (token.text === "bmod" || token.text === "mod")) return true;
    return token.type === "operator" && (token.text === "*" || token.text === "/");
  }

  protected override signedFactor(): Value {
    const sign = this.next().text;
    const operand = this.atSign() ? this.nested(() => this.signedFactor()) : this.singleFactor();
    return sign === "+" ? operand : expressionValue(signed(sign, this.expression(operand)));
  }

  protected singleFactor(): Value {
    // The sign of a currency before a number: 5 × $5.
    while (this.at("text") && /^[$€£¥₹¢]$/.test(this.peek().text) && this.at("number", undefined, 1)) this.next();
    const structure = this.structured();
    return structure ?? expressionValue(this.factor());
  }

  /** Factors side by side. A whole number before a proper fraction makes a mixed number, unless brackets stand around either. */
  #implicitProduct(mixed: boolean): Value {
    let bracketed = this.at("open");
    const first = this.singleFactor();
    if (first.kind !== "expression") {
      if (this.startsFactor()) throw new Unreadable(`a ${first.kind} beside a factor`);
      return first;
    }
    const factors: Expression[] = [first.expression];
    while (this.startsFactor()) {
      const previous = factors[factors.length - 1];
      if (this.at("number") && previous.kind === "number") {
        const fraction = this.#plainFraction();
        if (fraction === undefined || !mixed || factors.length > 1) throw new Unreadable("two numbers side by side");
        factors[0] = number(add(previous.value, fraction));
        continue;
      }
      bracketed ||= this.at("open");
      const value = this.singleFactor();
      // "2n (n ≥ 1)": a condition in brackets is a remark.
      if (isCondition(value)) continue;
      const next = this.expression(value);
      const joined = mixed && !bracketed && factors.length === 1 ? mixedNumber(previous, next) : undefined;
      if (joined === undefined) factors.push(next);
      else factors[0] = joined;
    }
    return expressionValue(factors.length === 1 ? factors[0] : product(...factors));
  }

  /** The "1/4" of "1 1/4": two bare whole numbers, the smaller above. */
  #plainFraction(): Rational | undefined {
    if (!(this.at("number") && this.at("operator", "/", 1) && this.at("number", undefined, 2))) return undefined;
    const [above, , below] = [this.peek(0), this.peek(1), this.peek(2)];
    if (above.places !== undefined || below.places !== undefined || compare(above.value!, below.value!) >= 0)
      return undefined;
    this.skip(3);
    return divide(above.value!, below.value!);
  }

  protected structured(): Value | undefined {
    const token = this.peek();
    if (token.type === "open" && (token.text === "|" || token.text === "lfloor" || token.text === "lceil"))
      return undefined;
    const value = this.structure(token);
    if (value === undefined || value.kind !== "expression") return value;
    const { expression } = value;
    return expressionValue(this.powered(expression));
  }
}

const isCondition = (value: Value): boolean =>
  value.kind === "relation" ||
  value.kind === "membership" ||
  ((value.kind === "tuple" || value.kind === "list") && value.items.some(isCondition));
