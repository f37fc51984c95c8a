// Small expressions put together from parts that were read: signs, primes, mixed numbers.
import { type Expression, isWholeNumber, negated, number, product, symbol } from "../expressions/expression.ts";
import { add, compare, divide, whole } from "../numbers/rational.ts";
import { Unreadable } from "./tokens.ts";

export function signed(sign: string, of: Expression): Expression {
  if (sign === "+") return of;
  if (sign === "-") return negated(of);
  return { kind: "plus-minus", sign: sign === "±" ? 1 : -1, of };
}

export function primed(expression: Expression): Expression {
  if (expression.kind === "symbol") return symbol(`${expression.name}'`);
  if (expression.kind === "apply") return { ...expression, name: `${expression.name}'` };
  throw new Unreadable("a prime on something that is not a name");
}

export function flatProduct(left: Expression, right: Expression): Expression {
  return left.kind === "product" ? product(...left.factors, right) : product(left, right);
}

/** A whole number beside a proper fraction of whole numbers: 2\frac{1}{3}, 33\frac{1}{3}\%. */
export function mixedNumber(left: Expression, right: Expression): Expression | undefined {
  if (right.kind === "percent" || right.kind === "degrees") {
    const inner = mixedNumber(left, right.of);
    return inner === undefined ? undefined : { kind: right.kind, of: inner };
  }
  if (!isWholeNumber(left) || left.kind !== "number" || left.places !== undefined) return undefined;
  if (right.kind !== "quotient" || !isWholeNumber(right.numerator) || !isWholeNumber(right.denominator))
    return undefined;
  const proper =
    compare(right.numerator.value, whole(0)) > 0 && compare(right.numerator.value, right.denominator.value) < 0;
  return proper ? number(add(left.value, divide(right.numerator.value, right.denominator.value))) : undefined;
}
