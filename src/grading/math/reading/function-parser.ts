// Reads names and functions with what they are applied to: f(x), \sin 2x, \log_2 8, \max\{a, b\}.
import {
  call,
  type Expression,
  type FunctionName,
  infinity,
  integer,
  isWholeNumber,
  pi,
  power,
  product,
  symbol,
} from "../expressions/expression.ts";
import type { Value } from "../expressions/value.ts";
import { isOne } from "../numbers/rational.ts";
import { mixedNumber, signed } from "./assembly.ts";
import { FactorParser } from "./factor-parser.ts";
import { functionLetters, greekFunctions, greekLetters } from "./vocabulary.ts";

export abstract class FunctionParser extends FactorParser {
  protected override named(): Expression {
    const { text } = this.next();
    if (text === "pi") return pi;
    if (text === "infinity") return infinity;
    if (functionLetters.test(text) && this.at("open", "(") && !this.peek().spaced && !this.at("command", "mod", 1))
      return this.#application(text);
    // φ(12), ζ(2): functions of number theory; φ(x + 1) may be a product.
    if (
      greekFunctions.test(text) &&
      this.at("open", "(") &&
      this.at("number", undefined, 1) &&
      this.at("close", ")", 2)
    )
      return { kind: "apply", name: text, args: this.arguments() };
    // \operatorname{ord}(7): a function that nobody has defined here.
    if (/^[a-zA-Z]{2,}$/.test(text) && !greekLetters.has(text) && this.at("open", "("))
      return { kind: "apply", name: text, args: this.arguments() };
    if (/^[a-zA-Z]$/.test(text) && this.at("open", "(") && !this.peek().spaced && this.holdsList()) {
      const args = this.arguments();
      const chosen = text === "C" && args.length === 2 && args.every(isWholeNumber);
      return chosen ? call("binomial", ...args) : { kind: "apply", name: text, args };
    }
    return symbol(text);
  }

  /** Whether the bracket that opens here has a comma of its own: A(1, 2) is a point, A(x+1) a product. */
  protected override holdsList(): boolean {
    let level = 0;
    for (let ahead = 0; ; ahead++) {
      const token = this.peek(ahead);
      if (token.type === "end") return false;
      if (token.type === "open") level++;
      if (token.type === "close" && --level === 0) return false;
      if (level === 1 && token.type === "separator" && token.text === ",") return true;
    }
  }

  /** f(x) and P(A, B) are applications; h(a+b) with a letter that is often a length is a product. */
  #application(name: string): Expression {
    const args = this.arguments();
    const plain = args.every(
      (argument) => argument.kind === "symbol" || argument.kind === "number" || argument.kind === "negate",
    );
    if (args.length > 1 || plain || /^[fgFG]$/.test(name)) return { kind: "apply", name, args };
    return product(symbol(name), this.powered(args[0]));
  }

  /** (a, b) or {a, b} behind a function's name. */
  protected override arguments(): Expression[] {
    const open = this.next().text;
    const close = open === "(" ? ")" : open === "[" ? "]" : open === "\\{" ? "\\}" : "}";
    const start = this.position;
    const value = this.within(false, () => this.list(() => this.at("close", close)));
    const written = this.writtenFrom(start);
    this.expect("close", close);
    if (value.kind !== "list" || value.joined === "set") return [this.#argument(value, written)];
    return value.items.map((item, index) => this.#argument(item, `${written} (${index + 1})`));
  }

  /** P(X > 1): an argument that is no expression is known by what was written. */
  #argument(value: Value, written: string): Expression {
    return value.kind === "relation" || value.kind === "membership" || value.kind === "list"
      ? symbol(written)
      : this.expression(value);
  }

  protected override functionCall(): Expression {
    const spoken = this.next().text;
    const name = (spoken === "lg" ? "log" : spoken) as FunctionName;
    let base: Expression | undefined = spoken === "lg" ? integer(10) : undefined;
    let raised: Expression | undefined;
    for (;;) {
      if (this.at("operator", "_") && base === undefined) {
        this.next();
        base = this.scriptArgument();
      } else if (this.at("operator", "^") && raised === undefined) {
        this.next();
        raised = this.exponent();
      } else break;
    }
    const args = this.#functionArguments();
    // max f is a property of f, not the largest of one number.
    if (/^(?:max|min|gcd|lcm)$/.test(name) && args.length === 1 && raised === undefined)
      return { kind: "apply", name, args };
    const inverse = inverses[name];
    // sin⁻¹ is the inverse function, sin⁻² a power.
    if (inverse !== undefined && raised?.kind === "negate" && isWholeNumber(raised.of) && isOne(raised.of.value))
      return call(inverse, ...args);
    const applied = name === "log" && base !== undefined ? call("log", ...args, base) : call(name, ...args);
    return raised === undefined ? applied : power(applied, raised);
  }

  #functionArguments(): Expression[] {
    while (this.at("separator", "quad")) this.next();
    if (this.at("open", "(") || this.at("open", "[") || this.at("open", "{") || this.at("open", "\\{"))
      return this.arguments();
    if (!this.atSign()) return [this.#bareArgument()];
    const sign = this.next().text;
    return [signed(sign, this.#bareArgument())];
  }

  /** \sin 2x y: numbers, names, fractions, roots side by side, up to a bracket, an operator or the next function. */
  #bareArgument(): Expression {
    const factors: Expression[] = [];
    let bracketed = false;
    do {
      bracketed ||= this.at("open");
      const next = this.at("function") ? this.functionCall() : this.factor();
      const previous = factors[factors.length - 1];
      const joined = !bracketed && factors.length === 1 ? mixedNumber(previous, next) : undefined;
      if (joined === undefined) factors.push(next);
      else factors[0] = joined;
      if (next.kind === "call") break;
    } while (this.startsFactor() && !this.at("open") && !this.at("function") && !this.at("bar") && !this.#atSeries());
    return factors.length === 1 ? factors[0] : product(...factors);
  }

  #atSeries(): boolean {
    return this.at("command", "sum") || this.at("command", "prod") || this.at("command", "int");
  }
}

const inverses: Partial<Record<FunctionName, FunctionName>> = {
  sin: "arcsin",
  cos: "arccos",
  tan: "arctan",
  cot: "arccot",
  sec: "arcsec",
  csc: "arccsc",
  sinh: "arsinh",
  cosh: "arcosh",
  tanh: "artanh",
};
