// Matrices of expressions: sums, products, powers and transposes worked out, determinants and traces turned into expressions.

import { divide, isZero, multiply, type Rational, subtract, whole } from "../numbers/rational.ts";
import {
  contains,
  type Expression,
  integer,
  isWholeNumber,
  mapChildren,
  negated,
  number,
  product,
  quotient,
  sum,
} from "./expression.ts";
import { rationalOf } from "./normal-form.ts";

type Rows = readonly (readonly Expression[])[];

/** Shapes that do not fit, or an operation that matrices have not got. */
export class NoMatrix extends Error {}

export const hasMatrix = (expression: Expression): boolean => contains(expression, (part) => part.kind === "matrix");

const largestSide = 5;
const largestPower = 12;

/** The expression with all matrix arithmetic done: either no matrix is left, or one is all there is. */
export function matrixResult(expression: Expression): Expression {
  if (!hasMatrix(expression)) return expression;
  const part = (child: Expression) => matrixResult(child);
  switch (expression.kind) {
    case "matrix":
      if (expression.rows.length > 64 || expression.rows[0].length > 64) throw new NoMatrix("a matrix this large");
      return { kind: "matrix", rows: expression.rows.map((row) => row.map(part)) };
    case "negate":
      return scaled(part(expression.of), integer(-1));
    case "sum":
      return expression.terms.map(part).reduce(added);
    case "product":
      return expression.factors.map(part).reduce(multiplied);
    case "quotient":
      return multiplied(part(expression.numerator), quotient(integer(1), expression.denominator));
    case "power":
      return raised(part(expression.base), expression.exponent);
    case "call":
      return called(expression.name, part(expression.args[0]));
    case "percent":
    case "degrees":
    case "plus-minus":
    case "root":
    case "apply":
    case "series":
      return mapChildren(expression, part);
    default:
      return expression;
  }
}

function rowsOf(expression: Expression): Rows {
  if (expression.kind !== "matrix") throw new NoMatrix("a matrix and a number cannot be combined so");
  return expression.rows;
}

function scaled(matrix: Expression, factor: Expression): Expression {
  return { kind: "matrix", rows: rowsOf(matrix).map((row) => row.map((cell) => product(factor, cell))) };
}

function added(a: Expression, b: Expression): Expression {
  const [left, right] = [rowsOf(a), rowsOf(b)];
  if (left.length !== right.length || left[0].length !== right[0].length)
    throw new NoMatrix("matrices of different shapes");
  return { kind: "matrix", rows: left.map((row, i) => row.map((cell, j) => sum(cell, right[i][j]))) };
}

function multiplied(a: Expression, b: Expression): Expression {
  if (a.kind !== "matrix") return b.kind === "matrix" ? scaled(b, a) : product(a, b);
  if (b.kind !== "matrix") return scaled(a, b);
  const [left, right] = [a.rows, b.rows];
  if (left[0].length !== right.length) throw new NoMatrix("matrices whose shapes do not multiply");
  return {
    kind: "matrix",
    rows: left.map((row) => right[0].map((_, j) => sum(...row.map((cell, k) => product(cell, right[k][j]))))),
  };
}

function raised(base: Expression, exponent: Expression): Expression {
  if (base.kind !== "matrix") throw new NoMatrix("a power with a matrix in it");
  const inverse = exponent.kind === "negate";
  const size = inverse ? exponent.of : exponent;
  if (!isWholeNumber(size) || base.rows.length !== base.rows[0].length) throw new NoMatrix("a power that is not whole");
  const times = Number(size.value.numerator / size.value.denominator);
  if (times < 1 || times > largestPower) throw new NoMatrix("a power this large");
  const start = inverse ? inverted(base.rows) : base;
  let result = start;
  for (let i = 1; i < times; i++) result = multiplied(result, start);
  return result;
}

function minor(rows: Rows, row: number, column: number): Rows {
  return rows.filter((_, i) => i !== row).map((cells) => cells.filter((_, j) => j !== column));
}

/** Elimination over fractions; with letters Laplace expansion along the first row, which is for small ones only. */
function determinant(rows: Rows): Expression {
  if (rows.length !== rows[0].length) throw new NoMatrix("a determinant of this shape");
  const values = rationalRows(rows);
  if (values !== undefined) {
    const { pivots, sign } = eliminated(values);
    return number(pivots.length < rows.length ? whole(0) : pivots.reduce(multiply, whole(sign)));
  }
  if (rows.length > largestSide) throw new NoMatrix("a determinant this large");
  return expanded(rows);
}

function expanded(rows: Rows): Expression {
  if (rows.length === 1) return rows[0][0];
  return sum(
    ...rows[0].map((cell, j) => {
      const part = product(cell, expanded(minor(rows, 0, j)));
      return j % 2 === 0 ? part : negated(part);
    }),
  );
}

function inverted(rows: Rows): Expression {
  if (rows.length === 1) return { kind: "matrix", rows: [[quotient(integer(1), rows[0][0])]] };
  if (rows.length > 4) throw new NoMatrix("an inverse this large");
  const whole = determinant(rows);
  return {
    kind: "matrix",
    rows: rows.map((row, i) =>
      row.map((_, j) => {
        const cofactor = determinant(minor(rows, j, i));
        return quotient((i + j) % 2 === 0 ? cofactor : negated(cofactor), whole);
      }),
    ),
  };
}

function called(name: string, matrix: Expression): Expression {
  const rows = rowsOf(matrix);
  switch (name) {
    case "det":
    case "abs":
      return determinant(rows);
    case "trace":
      if (rows.length !== rows[0].length) throw new NoMatrix("a trace of this shape");
      return sum(...rows.map((row, i) => row[i]));
    case "transpose":
      return { kind: "matrix", rows: rows[0].map((_, j) => rows.map((row) => row[j])) };
    case "rank":
      return integer(rankOf(rows));
    default:
      throw new NoMatrix(`${name} of a matrix`);
  }
}

function rankOf(rows: Rows): number {
  const values = rationalRows(rows);
  if (values === undefined) throw new NoMatrix("the rank of a matrix that is not of fractions");
  return eliminated(values).pivots.length;
}

function rationalRows(rows: Rows): Rational[][] | undefined {
  const values = rows.map((row) => row.map(rationalOf));
  return values.flat().includes(undefined) ? undefined : (values as Rational[][]);
}

/** Gaussian elimination: the pivots that are not zero, and the sign that swapping rows left. */
function eliminated(rows: readonly (readonly Rational[])[]): { readonly pivots: Rational[]; readonly sign: 1 | -1 } {
  const values = rows.map((row) => [...row]);
  const pivots: Rational[] = [];
  let sign: 1 | -1 = 1;
  for (let column = 0; column < values[0].length && pivots.length < values.length; column++) {
    const top = pivots.length;
    const found = values.findIndex((row, i) => i >= top && !isZero(row[column]));
    if (found === -1) continue;
    if (found !== top) {
      [values[top], values[found]] = [values[found], values[top]];
      sign = sign === 1 ? -1 : 1;
    }
    for (let i = top + 1; i < values.length; i++) {
      const factor = divide(values[i][column], values[top][column]);
      values[i] = values[i].map((value, j) => subtract(value, multiply(factor, values[top][j])));
    }
    pivots.push(values[top][column]);
  }
  return { pivots, sign };
}
