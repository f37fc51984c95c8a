// A second method to tell whether two written answers are equal, which shares nothing with the grader: doubles at complex points
// for expressions, brackets letter by letter for structures. It knows little; where it cannot read, it says so.

type Complex = readonly [re: number, im: number];
type Point = (name: string) => Complex;
type Formula = (at: Point) => Complex;

const add = (a: Complex, b: Complex): Complex => [a[0] + b[0], a[1] + b[1]];
const subtract = (a: Complex, b: Complex): Complex => [a[0] - b[0], a[1] - b[1]];
const multiply = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const divide = (a: Complex, b: Complex): Complex => {
  const size = b[0] ** 2 + b[1] ** 2;
  return [(a[0] * b[0] + a[1] * b[1]) / size, (a[1] * b[0] - a[0] * b[1]) / size];
};
const exp = (a: Complex): Complex => [Math.exp(a[0]) * Math.cos(a[1]), Math.exp(a[0]) * Math.sin(a[1])];
const ln = (a: Complex): Complex => [Math.log(Math.hypot(...a)), Math.atan2(a[1], a[0])];
function power(base: Complex, exponent: Complex): Complex {
  if (exponent[1] === 0 && Number.isInteger(exponent[0]) && Math.abs(exponent[0]) <= 64) {
    let result: Complex = [1, 0];
    for (let i = 0; i < Math.abs(exponent[0]); i++) result = multiply(result, base);
    return exponent[0] < 0 ? divide([1, 0], result) : result;
  }
  return base[0] === 0 && base[1] === 0 ? [0, 0] : exp(multiply(ln(base), exponent));
}
const sine = (a: Complex): Complex => [Math.sin(a[0]) * Math.cosh(a[1]), Math.cos(a[0]) * Math.sinh(a[1])];
const cosine = (a: Complex): Complex => [Math.cos(a[0]) * Math.cosh(a[1]), -Math.sin(a[0]) * Math.sinh(a[1])];

const functions: Readonly<Record<string, (a: Complex) => Complex>> = {
  sin: sine,
  cos: cosine,
  tan: (a) => divide(sine(a), cosine(a)),
  ln,
  exp,
};

class Unknown extends Error {}

const tokenPattern = /\\[a-zA-Z]+|\d+(?:\.\d+)?|[a-zA-Z]|[-+*/^_=(){}[\]|!,]/y;

/** One expression of numbers, letters, fractions, roots, powers and a few functions. */
class Reader {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    for (let at = 0; at < text.length; ) {
      tokenPattern.lastIndex = at;
      const found = tokenPattern.exec(text);
      if (found === null) {
        if (!/\s/.test(text[at])) throw new Unknown(text[at]);
        at++;
        continue;
      }
      this.#tokens.push(found[0]);
      at += found[0].length;
    }
  }

  read(): Formula {
    const formula = this.#sum();
    if (this.#at < this.#tokens.length) throw new Unknown(this.#tokens[this.#at]);
    return formula;
  }

  #take(expected: string): void {
    if (this.#tokens[this.#at++] !== expected) throw new Unknown(expected);
  }

  #sum(): Formula {
    let left = this.#product();
    while (/^[-+]$/.test(this.#tokens[this.#at] ?? "")) {
      const minus = this.#tokens[this.#at++] === "-";
      const [first, second] = [left, this.#product()];
      left = minus ? (at) => subtract(first(at), second(at)) : (at) => add(first(at), second(at));
    }
    return left;
  }

  #product(): Formula {
    let left = this.#signed();
    for (;;) {
      const token = this.#tokens[this.#at] ?? "";
      const operator = /^(?:\*|\\cdot|\\times|\/|\\div)$/.test(token) ? token : "";
      if (operator !== "") this.#at++;
      else if (!/^(?:\\(?:frac|sqrt|pi|sin|cos|tan|ln|exp)|[a-zA-Z]|\(|\d.*)$/.test(token)) return left;
      // Two numbers side by side are no product, a slash before a row of factors is read in two ways.
      if (operator === "" && /^\d/.test(token)) throw new Unknown(token);
      const [first, second] = [left, this.#signed()];
      const divides = operator === "/" || operator === "\\div";
      if (divides && /^(?:\\[a-z]+|[a-zA-Z(]|\d.*)$/.test(this.#tokens[this.#at] ?? "")) throw new Unknown("slash");
      left = divides ? (at) => divide(first(at), second(at)) : (at) => multiply(first(at), second(at));
    }
  }

  #signed(): Formula {
    if (this.#tokens[this.#at] === "-") {
      this.#at++;
      const of = this.#signed();
      return (at) => subtract([0, 0], of(at));
    }
    const base = this.#primary();
    if (this.#tokens[this.#at] !== "^") return base;
    this.#at++;
    if (this.#degrees()) return (at) => multiply(base(at), [Math.PI / 180, 0]);
    const exponent = this.#argument();
    return (at) => power(base(at), exponent(at));
  }

  /** ^\\circ or ^{\\circ}. */
  #degrees(): boolean {
    const width = this.#tokens[this.#at] === "{" ? 3 : 1;
    if (this.#tokens[this.#at + (width === 3 ? 1 : 0)] !== "\\circ") return false;
    this.#at += width;
    return true;
  }

  #argument(): Formula {
    if (this.#tokens[this.#at] !== "{") return this.#digit();
    this.#at++;
    const inner = this.#sum();
    this.#take("}");
    return inner;
  }

  /** TeX takes one digit where braces are missing. */
  #digit(): Formula {
    const token = this.#tokens[this.#at] ?? "";
    if (!/^\d\d/.test(token)) return this.#primary();
    this.#tokens.splice(this.#at, 1, token[0], token.slice(1));
    return this.#primary();
  }

  #primary(): Formula {
    const token = this.#tokens[this.#at++] ?? "";
    if (/^\d/.test(token)) return () => [Number(token), 0];
    if (token === "\\pi") return () => [Math.PI, 0];
    if (token === "i") return () => [0, 1];
    if (token === "e") return () => [Math.E, 0];
    if (/^[a-zA-Z]$/.test(token)) {
      if (this.#tokens[this.#at] === "_" || this.#tokens[this.#at] === "(") throw new Unknown("name");
      return (at) => at(token);
    }
    if (token === "(" || token === "{") {
      const inner = this.#sum();
      this.#take(token === "(" ? ")" : "}");
      if (this.#tokens[this.#at] === "!") throw new Unknown("!");
      return inner;
    }
    if (token === "\\frac") {
      const [above, below] = [this.#argument(), this.#argument()];
      return (at) => divide(above(at), below(at));
    }
    if (token === "\\sqrt") {
      if (this.#tokens[this.#at] === "[") throw new Unknown("index");
      const of = this.#argument();
      return (at) => power(of(at), [0.5, 0]);
    }
    const named = functions[token.slice(1)];
    if (token.startsWith("\\") && named !== undefined && this.#tokens[this.#at] !== "^") {
      const of = this.#tokens[this.#at] === "(" ? this.#primary() : this.#signed();
      return (at) => named(of(at));
    }
    throw new Unknown(token);
  }
}

/** Fixed but arbitrary numbers for the letters. */
function pointOf(trial: number): Point {
  return (name) => {
    const seed = (name.charCodeAt(0) * 7919 + trial * 104729) % 1009;
    return [0.3 + seed / 700, trial % 2 === 0 ? 0 : 0.1 + ((seed * 31) % 97) / 150];
  };
}

function sameFormula(a: string, b: string): boolean {
  const [x, y] = [new Reader(a).read(), new Reader(b).read()];
  const rounded = /\d\.\d/.test(a + b);
  return [0, 1, 2, 3, 4].every((trial) => {
    const [p, q] = [x(pointOf(trial)), y(pointOf(trial))];
    const apart = Math.hypot(...subtract(p, q));
    const size = Math.max(Math.hypot(...p), Math.hypot(...q));
    return apart <= (rounded ? 1e-6 + 1e-9 * size : 1e-9 * size);
  });
}

/** The parts between separators outside all brackets. */
function parts(text: string, separator: RegExp): string[] {
  const found: string[] = [];
  let [level, from] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    if (/[([{]/.test(text[i])) level++;
    if (/[)\]}]/.test(text[i])) level--;
    separator.lastIndex = i;
    const match = level === 0 ? separator.exec(text) : null;
    if (match === null) continue;
    found.push(text.slice(from, i));
    from = i + match[0].length;
    i = from - 1;
  }
  return [...found, text.slice(from)];
}

const relation = /\\(?:leqslant|geqslant|leq|geq|le|ge|neq|ne|lt|gt|in)(?![a-zA-Z])|<=|>=|[=<>≤≥≠]/y;
const listSeparator = /[,;]|\\text\s*\{\s*(?:and|or)\s*\}|\\cup(?![a-zA-Z])/y;

function same(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => text.trim());
  if (x === y) return true;
  const [items, others] = [parts(x, listSeparator), parts(y, listSeparator)];
  if (items.length > 1 || others.length > 1) return sameItems(items, others);
  const [left, right] = [parts(x, relation), parts(y, relation)];
  if (left.length > 1 || right.length > 1) {
    const operators = [x, y].map((text) => [...text.matchAll(new RegExp(relation.source, "g"))].join(" "));
    if (left.length === right.length && operators[0] === operators[1])
      return left.every((part, i) => same(part, right[i]));
    // "x = 5" for 5.
    if (left.length === 1 && right.length === 2 && operators[1] === "=") return same(x, right[1]);
    throw new Unknown("relation");
  }
  const [outer, inner] = [x, y].map((text) => /^(\(|\[|\\\{)(.*)(\)|\]|\\\})$/s.exec(text));
  if (outer !== null && inner !== null && parts(outer[2], listSeparator).length > 1) {
    if (outer[1] !== inner[1] || outer[3] !== inner[3]) return false;
    const [p, q] = [parts(outer[2], listSeparator), parts(inner[2], listSeparator)];
    if (outer[1] === "\\{") return sameItems(p, q);
    return p.length === q.length && p.every((part, i) => same(part, q[i]));
  }
  return sameFormula(x, y);
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  const left = [...b];
  for (const item of a) {
    const found = left.findIndex((other) => known(() => same(item, other)) === true);
    if (found === -1) return false;
    left.splice(found, 1);
  }
  return true;
}

const skeleton =
  /\\(?:begin|end)\{[a-z]+\}|\\text\s*\{[^{}]*\}|\\(?:mid|pmod|equiv|cup|cap|setminus|infty|in|pm|mp|mathbb\{[A-Z]\}|leq?|geq?|neq?|lt|gt)(?![a-zA-Z])|\\\\|\\[{}]|[&|:,;<>=[\]]/;

/** The same signs in the same places, and formulas of the same value between them. Both signs of ± at once: -2 is as good as 2. */
function sameSkeleton(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => text.split(new RegExp(`(${skeleton.source})`)));
  if (x.length !== y.length) throw new Unknown("structure");
  return x.every((piece, i) => {
    const [p, q] = [piece.trim(), y[i].trim()];
    if (p === q) return true;
    if (i % 2 === 1) throw new Unknown("structure");
    // The bracket of a pair may be opened in this piece and closed in another.
    const [open, close] = [/^\(+/.exec(p)?.[0] ?? "", /\)+$/.exec(p)?.[0] ?? ""];
    const balanced = p.split("(").length === p.split(")").length;
    const bare = (text: string) => (balanced ? text : text.slice(open.length, text.length - close.length));
    if (x[i - 1] === "\\pm" && sameFormula(`-(${bare(p)})`, bare(q))) return true;
    return sameFormula(bare(p), bare(q));
  });
}

/** Whether the two are equal, or nothing where this method cannot tell. */
export function secondOpinion(a: string, b: string): boolean | undefined {
  const plain = (text: string): string =>
    text
      .replace(/\\(?:left|right|displaystyle)(?![a-zA-Z])|\\[,;! ]|\$/g, "")
      .replace(/\\[dt]frac(?![a-zA-Z])/g, "\\frac")
      .replace(/\s+/g, " ")
      .trim();
  const [x, y] = [plain(a), plain(b)];
  const structured = known(() => same(x, y));
  if (structured === true) return true;
  const pieced = known(() => sameSkeleton(x, y));
  return pieced === true ? true : (structured ?? pieced);
}

function known(opinion: () => boolean): boolean | undefined {
  try {
    return opinion();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}
