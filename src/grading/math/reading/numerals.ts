// Written numbers: thousands separators, decimal points and commas, repeating decimals, powers of ten, other bases.
import { add, multiply, type Rational, rational, whole } from "../numbers/rational.ts";
import { matchAt } from "./match-at.ts";

type Numeral = {
  readonly value: Rational;
  /** The last digit is worth 10^-places, where a decimal point or a negative power of ten was written. */
  readonly places: number | undefined;
  readonly end: number;
};

type NumeralContext = {
  /** Inside a bracket "1,234" is two numbers; outside it is one. */
  readonly insideBrackets: boolean;
  /** Read "12,5" as twelve and a half. */
  readonly decimalComma: boolean;
  /** In an exponent: the subscript of x^2_{12} belongs to x, and is no base. */
  readonly raised: boolean;
};

const longestNumeral = 20_000;

const digitsHere = /\d+/y;
const bracedComma = /\s*\{\s*,\s*\}\s*|\s*(?:\\!)?\s*,\s*\\!\s*/y;
const thinSpace = /\\[,;: ]|~/y;
const baseMark = /_\s*(?:\{\s*(\d{1,2})\s*\}|(\d))(?!\d)/y;
const otherBase = /(\d[\dA-F]*)_\{?(1[1-6])\}?/y;
const europeanNumber = /[1-9]\d{0,2}(?:\.\d{3})+,\d+(?!\d)/y;
const powerOfTen = /[eE]([+-]?\d{1,4})(?![\w^.{])/y;
const repeatingBar = /\\(?:overline|bar)\s*\{?\s*(\d+)\s*\}?/y;
const repeatingDots = /(\d*?)\\dot\s*(?:\{(\d)\}|(\d))(?:(\d*?)\\dot\s*(?:\{(\d)\}|(\d)))?/y;
const repeatingParentheses = /\((\d+)\)/y;
const ellipsis = /\\(?:ldots|dots|cdots)(?![a-zA-Z])|\.\.\.+/y;

/** The numeral that starts here, if one does. */
export function numeralAt(text: string, at: number, context: NumeralContext): Numeral | undefined {
  const inOtherBase = matchAt(otherBase, text, at);
  if (inOtherBase !== null && !context.raised) {
    const value = inBase(inOtherBase[1], Number(inOtherBase[2]));
    if (value !== undefined) return { value: whole(value), places: undefined, end: at + inOtherBase[0].length };
  }
  const european = context.decimalComma ? matchAt(europeanNumber, text, at) : null;
  if (european !== null) {
    const [digits, decimals] = european[0].replaceAll(".", "").split(",");
    const value = rational(BigInt(digits + decimals), 10n ** BigInt(decimals.length));
    return { value, places: decimals.length, end: at + european[0].length };
  }
  const first = matchAt(digitsHere, text, at);
  if (first === null && !(text[at] === "." && isDigit(text[at + 1]))) return undefined;

  const decimalComma = context.decimalComma && !context.insideBrackets;
  let digits = first?.[0] ?? "";
  let end = at + digits.length;
  let decimals: string | undefined;
  const grouped = first === null ? undefined : groupsOfThree(text, end, digits, context);
  if (grouped !== undefined) {
    digits += grouped.digits;
    end = grouped.end;
  }
  const comma = matchAt(bracedComma, text, end);
  if (comma !== null && isDigit(text[end + comma[0].length])) {
    decimals = matchAt(digitsHere, text, end + comma[0].length)![0];
    end += comma[0].length + decimals.length;
  } else if (text[end] === "." || (decimalComma && text[end] === "," && grouped === undefined)) {
    const repeated = repeatingAfter(text, end + 1, digits);
    if (repeated !== undefined) return repeated;
    const written = matchAt(digitsHere, text, end + 1);
    if (written !== null) {
      decimals = written[0];
      end += 1 + decimals.length;
    }
  }
  if (digits.length + (decimals?.length ?? 0) > longestNumeral) return undefined;

  let value = rational(BigInt((digits || "0") + (decimals ?? "")), 10n ** BigInt(decimals?.length ?? 0));
  const scientific = matchAt(powerOfTen, text, end);
  if (scientific !== null) {
    const exponent = Number(scientific[1]);
    const scale = 10n ** BigInt(Math.abs(exponent));
    value = multiply(value, exponent < 0 ? rational(1n, scale) : whole(scale));
    end += scientific[0].length;
    const places = (decimals?.length ?? 0) - exponent;
    return { value, places: decimals === undefined && exponent >= 0 ? undefined : places, end };
  }
  if (decimals === undefined && !context.raised) {
    const base = matchAt(baseMark, text, end);
    if (base !== null) {
      const converted = inBase(digits, Number(base[1] ?? base[2]));
      if (converted !== undefined) return { value: whole(converted), places: undefined, end: end + base[0].length };
    }
  }
  return { value, places: decimals?.length, end };
}

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= "0" && character <= "9";

/** Groups of exactly three digits behind the first one to three, all with the same kind of separator. */
function groupsOfThree(
  text: string,
  at: number,
  first: string,
  context: NumeralContext,
): { readonly digits: string; readonly end: number } | undefined {
  if (first.length > 3 || first[0] === "0") return undefined;
  // In "(1,000, 2,000)" the commas with a space separate, so that the others do not; in "(1,7,103, 105)" they do.
  const commasGroup = !context.insideBrackets || (/\d,\s/.test(text) && !/\d,\d{1,2}(?!\d)/.test(text));
  const separators: ((position: number) => number)[] = [
    (position) => matchAt(bracedComma, text, position)?.[0].length ?? 0,
    (position) => matchAt(thinSpace, text, position)?.[0].length ?? 0,
    (position) => (commasGroup && text[position] === "," ? 1 : 0),
    (position) => (text[position] === " " ? 1 : 0),
  ];
  for (const separator of separators) {
    let digits = "";
    let end = at;
    for (;;) {
      const width = separator(end);
      if (width === 0) break;
      const group = text.slice(end + width, end + width + 3);
      if (!/^\d{3}$/.test(group) || isDigit(text[end + width + 3])) break;
      // "1 100/200" is a mixed number's look, not a thousand.
      if (text[end] === " " && /^\s*\//.test(text.slice(end + width + 3, end + width + 8))) break;
      digits += group;
      end += width + 3;
    }
    if (digits !== "") return { digits, end };
  }
  return undefined;
}

/** 0.1\overline{6}, 0.\dot{3}, 0.1(6), 0.333…: a fraction whose digits go on. */
function repeatingAfter(text: string, at: number, wholeDigits: string): Numeral | undefined {
  const fixed = matchAt(digitsHere, text, at)?.[0] ?? "";
  const build = (before: string, period: string, end: number): Numeral => {
    const nines = 10n ** BigInt(period.length) - 1n;
    const scale = 10n ** BigInt(before.length);
    const head = rational(BigInt((wholeDigits || "0") + before), scale);
    return { value: add(head, rational(BigInt(period), nines * scale)), places: undefined, end };
  };
  const bar = matchAt(repeatingBar, text, at + fixed.length);
  if (bar !== null) return build(fixed, bar[1], at + fixed.length + bar[0].length);
  const dots = matchAt(repeatingDots, text, at);
  if (dots !== null) {
    const last = dots[5] ?? dots[6];
    const period = (dots[2] ?? dots[3]) + (last === undefined ? "" : dots[4] + last);
    return build(dots[1], period, at + dots[0].length);
  }
  if (fixed === "" && text[at] !== "(") return undefined;
  const parentheses = matchAt(repeatingParentheses, text, at + fixed.length);
  if (parentheses !== null) return build(fixed, parentheses[1], at + fixed.length + parentheses[0].length);
  const goesOn = matchAt(ellipsis, text, at + fixed.length);
  if (goesOn !== null) {
    const end = at + fixed.length + goesOn[0].length;
    const period = visiblePeriod(fixed);
    if (period !== undefined) return build(fixed.slice(0, fixed.length - period.length), period, end);
    return {
      value: rational(BigInt((wholeDigits || "0") + fixed), 10n ** BigInt(fixed.length)),
      places: fixed.length,
      end,
    };
  }
  return undefined;
}

/** The shortest block that the digits end in at least twice (one digit: three times). */
function visiblePeriod(digits: string): string | undefined {
  for (let length = 1; length * 2 <= digits.length && length <= 12; length++) {
    const block = digits.slice(-length);
    if (digits.endsWith(block.repeat(length === 1 ? 3 : 2))) return block;
  }
  return undefined;
}

function inBase(digits: string, base: number): bigint | undefined {
  if (base < 2) return undefined;
  let value = 0n;
  for (const digit of digits) {
    const weight = Number.parseInt(digit, 16);
    if (weight >= base) return undefined;
    value = value * BigInt(base) + BigInt(weight);
  }
  return value;
}
