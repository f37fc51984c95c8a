// Reads one factor: numbers, names, functions, bars, with their powers, subscripts and postfixes.
import {
  call,
  type Expression,
  isWholeNumber,
  number,
  power,
  product,
  quotient,
  sum,
  symbol,
} from "../expressions/expression.ts";
import { expressionValue, type Value } from "../expressions/value.ts";
import { compare, rational } from "../numbers/rational.ts";
import { primed, signed } from "./assembly.ts";
import { TokenReader } from "./token-reader.ts";
import { type Token, Unreadable } from "./tokens.ts";
import { functionLetters } from "./vocabulary.ts";

type ParserOptions = {
  /** Read 1/2x as 1/(2x) instead of (1/2)x. */
  readonly tightSlash: boolean;
  /** Where braces are missing before several digits: TeX takes the first, many a writer means them all. */
  readonly scripts: "digit" | "whole";
};

export abstract class FactorParser extends TokenReader {
  insideSetBraces = false;
  /** Several digits stood where braces are missing, so that a second reading exists. */
  ambiguousScript = false;
  protected readonly options: ParserOptions;
  protected openBars = 0;

  constructor(tokens: readonly Token[], options: ParserOptions) {
    super(tokens);
    this.options = options;
  }

  /** What is not arithmetic: brackets, sets, environments. Nothing when the token starts none. */
  protected abstract structure(token: Token): Value | undefined;
  /** A command such as \frac, whose token is next. */
  protected abstract command(token: Token): Expression;
  protected abstract signedFactor(): Value;
  protected abstract named(): Expression;
  protected abstract holdsList(): boolean;
  protected abstract arguments(): Expression[];
  protected abstract functionCall(): Expression;
  abstract list(closed: () => boolean): Value;

  /** A value that has to be an expression to go on. Words in a formula name a quantity: \frac{\text{favorable}}{\text{all}}. */
  expression(value: Value): Expression {
    if (value.kind === "expression") return value.expression;
    if (value.kind === "text") return symbol(value.text);
    throw new Unreadable(`a ${value.kind} inside arithmetic`);
  }

  /** One factor with its powers and postfixes. */
  factor(): Expression {
    return this.nested(() => this.powered(this.primary()));
  }

  protected powered(base: Expression): Expression {
    let result = base;
    for (;;) {
      if (this.at("operator", "!")) {
        this.next();
        const twice = this.at("operator", "!");
        if (twice) this.next();
        result = call(twice ? "double-factorial" : "factorial", result);
      } else if (this.at("operator", "%")) {
        this.next();
        result = { kind: "percent", of: result };
      } else if (this.at("operator", "degrees")) {
        this.next();
        result = this.withMinutes({ kind: "degrees", of: result });
      } else if (this.at("operator", "'")) {
        this.next();
        result = this.#applied(primed(result));
      } else if (this.at("operator", "^")) {
        this.next();
        result = this.raised(result);
      } else if (this.at("operator", "_")) {
        this.next();
        // x^2_1 is (x_1)^2: an index names, wherever it stands.
        result =
          result.kind === "power" && result.base.kind === "symbol"
            ? power(this.subscripted(result.base), result.exponent)
            : this.subscripted(result);
      } else return result;
    }
  }

  protected raised(base: Expression): Expression {
    const grouped = this.at("open", "{");
    const ahead = grouped ? 1 : 0;
    const closes = !grouped || this.at("close", "}", 2);
    if (closes && (this.at("command", "circ", ahead) || this.at("operator", "degrees", ahead))) {
      this.skip(grouped ? 3 : 1);
      return this.withMinutes({ kind: "degrees", of: base });
    }
    const primes = this.#primesHere(ahead);
    if (primes > 0 && (!grouped || this.at("close", "}", ahead + primes))) {
      this.skip(grouped ? primes + 2 : primes);
      let named = base;
      for (let i = 0; i < primes; i++) named = primed(named);
      return this.#applied(named);
    }
    // f^{(3)} is a derivative, no power.
    if (base.kind === "symbol" && functionLetters.test(base.name) && grouped && this.at("open", "(", 1))
      throw new Unreadable("a derivative");
    if (closes && (this.at("command", "top", ahead) || (base.kind === "matrix" && this.at("name", "T", ahead)))) {
      this.skip(grouped ? 3 : 1);
      return call("transpose", base);
    }
    return power(base, this.exponent());
  }

  #primesHere(ahead: number): number {
    let count = 0;
    while (this.at("operator", "'", ahead + count)) count++;
    return count;
  }

  /** f'(1): a function with its mark, at its argument. */
  #applied(name: Expression): Expression {
    if (name.kind !== "symbol" || !functionLetters.test(name.name[0])) return name;
    if (!this.at("open", "(") || this.peek().spaced) return name;
    return { kind: "apply", name: name.name, args: this.arguments() };
  }

  /** 63°45′30″: minutes and seconds of an angle behind its degrees. */
  protected withMinutes(degrees: Expression & { readonly kind: "degrees" }): Expression {
    let total = degrees.of;
    for (const [marks, share] of [
      [1, 60n],
      [2, 3600n],
    ] as const) {
      if (!this.at("number")) break;
      const width = this.#primesBehindNumber(marks);
      if (width === undefined) break;
      const part = number(this.next().value!);
      this.skip(width);
      total = sum(total, product(part, number(rational(1n, share))));
    }
    return { kind: "degrees", of: total };
  }

  /** How many tokens the ′ or ″ behind the number here takes: 45', 45^{\prime}, 30''. */
  #primesBehindNumber(marks: 1 | 2): number | undefined {
    const raised = this.at("operator", "^", 1);
    const braced = raised && this.at("open", "{", 2);
    const first = 1 + (raised ? 1 : 0) + (braced ? 1 : 0);
    let count = 0;
    while (this.at("operator", "'", first + count)) count++;
    if (count !== marks || (braced && !this.at("close", "}", first + count))) return undefined;
    return first - 1 + count + (braced ? 1 : 0);
  }

  protected skip(count: number): void {
    for (let i = 0; i < count; i++) this.next();
  }

  protected exponent(): Expression {
    if (this.atSign()) {
      const sign = this.next().text;
      const exponent = this.nested(() => this.exponent());
      return sign === "+" ? exponent : signed(sign, exponent);
    }
    const base = this.at("open", "{") ? this.group() : this.primary();
    // x^{a}^{b} is x to the (a to the b).
    if (!this.at("operator", "^")) return base;
    this.next();
    return this.nested(() => power(base, this.exponent()));
  }

  protected subscripted(base: Expression): Expression {
    const start = this.position;
    // Digits that the base has not got: no number, but still something that equals itself.
    if (isWholeNumber(base)) return { kind: "apply", name: "base", args: [base, this.scriptArgument()] };
    if (base.kind !== "symbol") throw new Unreadable("a subscript on something that is not a name");
    const inside = this.#subscript();
    const label = this.writtenFrom(start).replace(/[{}\s]/g, "");
    const isLabel = inside === undefined || /^(?:\d+|[A-Za-z]{2,}|[A-HJ-Z]|[a-ho-z])$/.test(label);
    const named: Expression = isLabel
      ? symbol(`${base.name}_${label}`)
      : { kind: "apply", name: base.name, args: [inside] };
    // F_1(c, 0) is a point with its name.
    if (isLabel && this.at("open", "(") && !this.peek().spaced && this.holdsList())
      return { kind: "apply", name: `${base.name}_${label}`, args: this.arguments() };
    if (base.name !== "C" || inside === undefined || !this.at("operator", "^")) return named;
    // C_5^2 and C_n^k are binomial coefficients.
    this.next();
    const above = this.exponent();
    const choice =
      isWholeNumber(inside) && isWholeNumber(above)
        ? compare(above.value, inside.value) <= 0
        : inside.kind === "symbol" && above.kind === "symbol";
    return choice ? call("binomial", inside, above) : power(named, above);
  }

  /** What a subscript holds, or nothing when it is a label that is not arithmetic. */
  #subscript(): Expression | undefined {
    const start = this.position;
    try {
      return this.at("open", "{") ? this.group() : this.primary();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.rewind(start);
      this.groupText();
      return undefined;
    }
  }

  /** The written content of a brace group, or of the next token. */
  groupText(): string {
    if (!this.at("open", "{")) return this.next().text;
    this.next();
    const start = this.position;
    for (let level = 1; ; ) {
      if (this.at("end")) throw this.unexpected();
      if (this.at("open", "{")) level++;
      if (this.at("close", "}") && --level === 0) break;
      this.next();
    }
    const written = this.writtenFrom(start);
    this.next();
    return written;
  }

  group(): Expression {
    return this.expression(this.braces());
  }

  /** A brace group: {n+1}, {1, 2}, also {a \over b} and {n \choose k}. */
  braces(): Value {
    this.expect("open", "{");
    const closed = () => this.at("close", "}") || this.at("command", "over") || this.at("command", "choose");
    const value = this.within(this.insideSetBraces, () => {
      const first = this.list(closed);
      if (this.at("close", "}")) return first;
      const fraction = this.next().text === "over";
      const [above, below] = [this.expression(first), this.expression(this.list(closed))];
      return expressionValue(fraction ? quotient(above, below) : call("binomial", above, below));
    });
    this.expect("close", "}");
    return value;
  }

  /** Reads what a bracket holds: bars opened outside do not close in here. */
  within<T>(setBraces: boolean, read: () => T): T {
    const outer = [this.insideSetBraces, this.openBars] as const;
    this.insideSetBraces = setBraces;
    this.openBars = 0;
    const result = read();
    [this.insideSetBraces, this.openBars] = outer;
    return result;
  }

  protected primary(): Expression {
    return this.nested(() => this.#primary());
  }

  #primary(): Expression {
    const token = this.peek();
    switch (token.type) {
      case "number":
        this.next();
        return number(token.value!, token.places);
      case "name":
        return this.named();
      case "function":
        return this.functionCall();
      case "bar":
        return this.#absolute();
      case "command":
        return this.command(token);
      case "open":
        return this.#opened(token);
      case "operator":
        if (token.text === "'" || token.text === "!") break;
        if (token.text === "-" || token.text === "+") return this.expression(this.signedFactor());
        break;
      default:
        break;
    }
    throw this.unexpected();
  }

  #opened(token: Token): Expression {
    if (token.text === "{") return this.group();
    if (token.text === "lfloor" || token.text === "lceil") {
      this.next();
      const [close, name] = token.text === "lfloor" ? (["rfloor", "floor"] as const) : (["rceil", "ceil"] as const);
      const inside = this.expression(this.list(() => this.at("close", close)));
      this.expect("close", close);
      return call(name, inside);
    }
    if (token.text === "|") return this.#absolute();
    const value = this.structure(token);
    if (value === undefined) throw this.unexpected();
    return this.expression(value);
  }

  #absolute(): Expression {
    const opener = this.next();
    const closed = () => this.at("close", "|") || (opener.type === "bar" && this.at("bar") && !this.at("bar", "mid"));
    const value = this.within(false, () => {
      this.openBars = 1;
      return this.list(closed);
    });
    if (!closed()) throw this.unexpected();
    this.next();
    const inside = this.expression(value);
    return inside.kind === "matrix" ? call("det", inside) : call("abs", inside);
  }

  /** The base in \log_2 8, where a number counts digit by digit: \log_23 is the logarithm of 3 to base 2. */
  protected scriptArgument(): Expression {
    if (this.at("open", "{")) return this.group();
    const argumentFollows = /^(?:number|name|function|open|command)$/.test(this.peek(1).type);
    return argumentFollows ? this.digitOr(() => this.primary(), /^[01]/) : this.firstDigitOr(() => this.primary());
  }

  /** TeX takes one digit where braces are missing: the 1 of \frac12. */
  protected firstDigitOr(read: () => Expression): Expression {
    return this.#atDigits() ? number(this.takeDigit().value!) : read();
  }

  /**
   * The last argument of a command without its braces: \sqrt2, \int_0^1. Of several digits TeX takes the first, and
   * whoever writes \sqrt12 may mean them all; where the first alone makes no sense (`never`, or a nought behind it) they are.
   */
  protected digitOr(read: () => Expression, never?: RegExp): Expression {
    const { text } = this.peek();
    if (!this.#atDigits() || (text[1] === "0" && text[0] !== "0") || never?.test(text)) return read();
    this.ambiguousScript = true;
    return this.options.scripts === "digit" ? number(this.takeDigit().value!) : read();
  }

  #atDigits(): boolean {
    const { type, places, text } = this.peek();
    return type === "number" && places === undefined && /^\d{2,}$/.test(text);
  }

  protected startsFactor(): boolean {
    const token = this.peek();
    switch (token.type) {
      case "number":
      case "name":
      case "function":
        return true;
      case "bar":
        return this.openBars === 0 && !this.insideSetBraces && token.text !== "mid";
      case "open":
        if (token.text === "(" && this.at("command", "mod", 1)) return false;
        return token.text !== "<" && !(token.text === "[" && this.nothingOpensHere());
      case "command":
        return (
          !/^(?:end:|over$|choose$|pmod$|bmod$|mod$|pod$|circ$|top$|set:|emptyset$)/.test(token.text) &&
          !this.#isUnitFraction()
        );
      default:
        return false;
    }
  }

  /** The last "[" of "[0, 1[": behind it comes the end, a closer, or a set operator, never an operand. */
  protected nothingOpensHere(): boolean {
    const next = this.peek(1);
    return next.type === "end" || next.type === "close" || next.type === "set-operator" || next.type === "separator";
  }

  /** \frac{\text{m}}{\text{s}} behind a number is a unit. */
  #isUnitFraction(): boolean {
    return this.at("command", "frac") && this.at("open", "{", 1) && this.at("text", undefined, 2);
  }

  protected atSign(ahead = 0): boolean {
    const token = this.peek(ahead);
    return (
      token.type === "operator" &&
      (token.text === "+" || token.text === "-" || token.text === "±" || token.text === "∓")
    );
  }
}
