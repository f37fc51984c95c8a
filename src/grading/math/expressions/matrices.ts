import { contains, type Expression, integer, negated, product, quotient, sum } from "./expression.ts";

type Rows = readonly (readonly Expression[])[];

/** Shapes that do not fit, or an operation that matrices have not got. */
export class NoMatrix extends Error {}

export const hasMatrix = (expression: Expression): boolean => contains(expression, (part) => part.kind === "matrix");

const largestSide = 5;

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
    case "call":
      return called(expression.name, part(expression.args[0]));
    default:
      throw new NoMatrix(`a ${expression.kind} of matrices`);
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

function minor(rows: Rows, row: number, column: number): Rows {
  return rows.filter((_, i) => i !== row).map((cells) => cells.filter((_, j) => j !== column));
}

/** Laplace expansion along the first row, which is for small ones only. */
function determinant(rows: Rows): Expression {
  if (rows.length !== rows[0].length) throw new NoMatrix("a determinant of this shape");
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

function called(name: string, matrix: Expression): Expression {
  const rows = rowsOf(matrix);
  switch (name) {
    case "det":
    case "abs":
      return determinant(rows);
    case "transpose":
      return { kind: "matrix", rows: rows[0].map((_, j) => rows.map((row) => row[j])) };
    default:
      throw new NoMatrix(`${name} of a matrix`);
  }
}
