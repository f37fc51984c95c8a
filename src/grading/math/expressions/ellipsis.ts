// Sums with dots: 1 + 2 + … + n and 1 + 2 + 4 + … + 2^9 where the terms that are written leave no doubt about the rest.
import {
  compare,
  divide,
  equals,
  isWhole,
  isZero,
  multiply,
  type Rational,
  rational,
  subtract,
  whole,
} from "../numbers/rational.ts";
import {
  contains,
  type Expression,
  freeSymbols,
  integer,
  negated,
  number,
  power,
  product,
  quotient,
  sum,
} from "./expression.ts";
import { sameExpression } from "./identity.ts";
import { rationalOf } from "./normal-form.ts";

const dots = "…";

const isDots = (term: Expression): boolean => term.kind === "symbol" && term.name === dots;

/** The sum that is meant, or nothing where the dots may stand for several. */
export function sumWithDots(terms: readonly Expression[]): Expression | undefined {
  const at = terms.findIndex(isDots);
  const [before, after] = [terms.slice(0, at), terms.slice(at + 1)];
  if (at < 2 || after.length !== 1 || contains(after[0], isDots)) return undefined;
  const [last] = after;
  return sumOfPowers(before, last) ?? progression(before, last);
}

/** 1² + 2² + … + n²: one exponent, and bases one apart. */
function sumOfPowers(before: readonly Expression[], last: Expression): Expression | undefined {
  if (last.kind !== "power" || last.exponent.kind !== "number" || !isWhole(last.exponent.value)) return undefined;
  const { exponent } = last;
  const bases = before.map((term) =>
    term.kind === "power" && sameExpression(term.exponent, exponent) ? rationalOf(term.base) : undefined,
  );
  const [first] = bases;
  if (first === undefined || bases.some((base, i) => base === undefined || !equals(subtract(base, first), whole(i))))
    return undefined;
  const end = rationalOf(last.base);
  if (
    end === undefined ? freeSymbols(last.base).size === 0 : !isWhole(end) || compare(end, bases[bases.length - 1]!) <= 0
  )
    return undefined;
  return {
    kind: "series",
    operator: "sum",
    variable: "•",
    from: number(first),
    to: last.base,
    body: power({ kind: "symbol", name: "•" }, exponent),
  };
}

function progression(before: readonly Expression[], last: Expression): Expression | undefined {
  const values = before.map(rationalOf);
  if (values.includes(undefined)) return undefined;
  const [first, second, ...more] = values as Rational[];
  if (isZero(first) || equals(first, second)) return undefined;
  const step = subtract(second, first);
  const ratio = divide(second, first);
  const all = [first, second, ...more];
  const arithmetic = all.every((value, i) => i === 0 || equals(subtract(value, all[i - 1]), step));
  const geometric =
    all.every((value, i) => i === 0 || equals(divide(value, all[i - 1]), ratio)) && isPowerOf(last, ratio);
  const end = rationalOf(last);
  // Two terms begin both kinds; a last term written as a power says which is meant.
  if (geometric && (end === undefined || powersTo(first, ratio, end)))
    return quotient(sum(product(number(ratio), last), negated(number(first))), number(subtract(ratio, whole(1))));
  if (!arithmetic || hasSymbolInExponent(last)) return undefined;
  if (end !== undefined) {
    const steps = divide(subtract(end, first), step);
    if (!isWhole(steps) || compare(steps, whole(all.length)) < 0) return undefined;
  }
  const count = sum(quotient(sum(last, number(multiply(first, whole(-1)))), number(step)), integer(1));
  return product(count, sum(number(first), last), number(rational(1n, 2n)));
}

const hasSymbolInExponent = (expression: Expression): boolean =>
  contains(expression, (part) => part.kind === "power" && freeSymbols(part.exponent).size > 0);

/** 2^9 for a ratio of 2, (1/2)^n or 1/2^n for a half; a plain number is one too when it is. */
function isPowerOf(last: Expression, ratio: Rational): boolean {
  if (last.kind === "number") return true;
  return contains(last, (part) => {
    const base = part.kind === "power" ? rationalOf(part.base) : undefined;
    return base !== undefined && (equals(base, ratio) || equals(multiply(base, ratio), whole(1)));
  });
}

const mostTerms = 2_000;

function powersTo(first: Rational, ratio: Rational, end: Rational): boolean {
  let value = first;
  for (let i = 0; i < mostTerms; i++) {
    if (equals(value, end)) return i >= 2;
    value = multiply(value, ratio);
  }
  return false;
}
