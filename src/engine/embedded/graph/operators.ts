// The ONNX operators that the model's rules are written in, each with the shape of its result. Operators of the
// `com.microsoft` domain are onnxruntime's own: they do in one pass over memory what standard ones do in several.
import type { Dimension } from "../onnx/model.ts";
import type { GraphBuilder, Shape, Value } from "./builder.ts";

const microsoft = "com.microsoft";

/** alpha·a·b + plus, two-dimensional, with either factor transposed. */
export function gemm(
  g: GraphBuilder,
  a: Value,
  b: Value,
  options: {
    readonly transposeA?: boolean;
    readonly transposeB?: boolean;
    readonly alpha?: number;
    readonly plus?: Value;
  } = {},
): Value {
  const [m, innerA] = options.transposeA ? [a.shape[1], a.shape[0]] : a.shape;
  const [innerB, n] = options.transposeB ? [b.shape[1], b.shape[0]] : b.shape;
  if (a.shape.length !== 2 || b.shape.length !== 2 || innerA !== innerB) throw mismatch("gemm", a, b);
  return g.node("Gemm", [a, b, options.plus], [{ shape: [m, n] }], {
    attributes: {
      ...(options.transposeA ? { transA: { int: 1 } } : {}),
      ...(options.transposeB ? { transB: { int: 1 } } : {}),
      ...(options.alpha === undefined ? {} : { alpha: options.alpha }),
    },
  })[0];
}

/** alpha·a·b over the last two axes; the axes before them are batches, and broadcast. */
export function batchedMatmul(
  g: GraphBuilder,
  a: Value,
  b: Value,
  options: { readonly transposeA?: boolean; readonly transposeB?: boolean; readonly alpha?: number } = {},
): Value {
  const [m, innerA] = lastTwo(a, options.transposeA);
  const [innerB, n] = lastTwo(b, options.transposeB);
  if (innerA !== innerB || a.shape.length !== b.shape.length) throw mismatch("matmul", a, b);
  const batch = broadcast("matmul", { ...a, shape: a.shape.slice(0, -2) }, { ...b, shape: b.shape.slice(0, -2) });
  return g.node("FusedMatMul", [a, b], [{ shape: [...batch, m, n] }], {
    domain: microsoft,
    attributes: {
      transA: { int: options.transposeA ? 1 : 0 },
      transB: { int: options.transposeB ? 1 : 0 },
      alpha: options.alpha ?? 1,
    },
  })[0];
}

function lastTwo(value: Value, transposed?: boolean): readonly [Dimension, Dimension] {
  const [first, second] = value.shape.slice(-2);
  return transposed ? [second, first] : [first, second];
}

export const add = elementwise("Add");
export const sub = elementwise("Sub");
export const mul = elementwise("Mul");

function elementwise(operator: string) {
  return (g: GraphBuilder, a: Value, b: Value): Value =>
    g.node(operator, [a, b], [{ shape: broadcast(operator, a, b), type: a.type }])[0];
}

export const sigmoid = unary("Sigmoid");
export const negate = unary("Neg");
export const exponential = unary("Exp");
export const logarithm = unary("Log");

function unary(operator: string) {
  return (g: GraphBuilder, x: Value): Value => g.node(operator, [x], [{ shape: x.shape }])[0];
}

/** x·sigmoid(x) in one pass. */
export function silu(g: GraphBuilder, x: Value): Value {
  return g.node("QuickGelu", [x], [{ shape: x.shape }], { domain: microsoft, attributes: { alpha: 1 } })[0];
}

export function softmax(g: GraphBuilder, x: Value): Value {
  return g.node("Softmax", [x], [{ shape: x.shape }], { attributes: { axis: { int: -1 } } })[0];
}

export function logSoftmax(g: GraphBuilder, x: Value): Value {
  return g.node("LogSoftmax", [x], [{ shape: x.shape }], { attributes: { axis: { int: -1 } } })[0];
}

/** Sum or maximum over the last axis, which stays with size 1. */
export function reduceLast(g: GraphBuilder, operator: "ReduceSum" | "ReduceMax", x: Value): Value {
  return g.node(operator, [x, g.integers([-1])], [{ shape: [...x.shape.slice(0, -1), 1] }])[0];
}

/** Sum over the first axis, which goes away. */
export function sumFirst(g: GraphBuilder, x: Value): Value {
  return g.node("ReduceSum", [x, g.integers([0])], [{ shape: x.shape.slice(1) }], {
    attributes: { keepdims: { int: 0 } },
  })[0];
}

/** Rows of `table` at `indices`. */
export function gatherRows(g: GraphBuilder, table: Value, indices: Value): Value {
  return g.node(
    "Gather",
    [table, indices],
    [{ shape: [...indices.shape, ...table.shape.slice(1)], type: table.type }],
  )[0];
}

/** From each row (along the last axis) of x the element that `indices`, with that axis of size 1, names. */
export function gatherElements(g: GraphBuilder, x: Value, indices: Value): Value {
  return g.node("GatherElements", [x, indices], [{ shape: indices.shape }], { attributes: { axis: { int: -1 } } })[0];
}

/** x with, in each row (along the last axis), the element that `indices` names replaced by the one in `updates`. */
export function replaceElements(g: GraphBuilder, x: Value, indices: Value, updates: Value): Value {
  return g.node("ScatterElements", [x, indices, updates], [{ shape: x.shape }], {
    attributes: { axis: { int: -1 } },
  })[0];
}

/** Zero rows, except that row `indices[i]` is `rows[i]`. The indices are distinct. */
export function scatterRows(g: GraphBuilder, zeros: Value, indices: Value, rows: Value): Value {
  return g.node("ScatterND", [zeros, indices, rows], [{ shape: zeros.shape }])[0];
}

export function transpose(g: GraphBuilder, x: Value, order: readonly number[]): Value {
  return g.node("Transpose", [x], [{ shape: order.map((axis) => x.shape[axis]) }], {
    attributes: { perm: { ints: order } },
  })[0];
}

/** The same numbers under another shape, of which at most one size is not fixed by name or number in the graph. */
export function reshape(g: GraphBuilder, x: Value, shape: Shape): Value {
  const sizes = shape.map((size, axis) => (typeof size === "number" ? size : size === x.shape[axis] ? 0 : -1));
  if (sizes.filter((size) => size === -1).length > 1) {
    throw new Error(`reshape from [${x.shape.join()}] to [${shape.join()}] leaves more than one size open`);
  }
  return g.node("Reshape", [x, g.integers(sizes)], [{ shape, type: x.type }])[0];
}

/** As `reshape`, where `like` begins with the sizes that would stay open. */
export function reshapeLike(g: GraphBuilder, x: Value, like: Value, leading: number, rest: readonly number[]): Value {
  const shape = [...like.shape.slice(0, leading), ...rest];
  const target = g.once(`shape ${leading} of ${like.name}, ${rest.join()}`, () => {
    const sizes = g.node("Shape", [like], [{ shape: [leading], type: "int64" }], {
      attributes: { start: { int: 0 }, end: { int: leading } },
    })[0];
    return rest.length === 0 ? sizes : concat(g, [sizes, g.integers(rest)], 0);
  });
  return g.node("Reshape", [x, target], [{ shape, type: x.type }])[0];
}

export function concat(g: GraphBuilder, values: readonly Value[], axis: number): Value {
  const first = values[0];
  const at = axis < 0 ? first.shape.length + axis : axis;
  const sizes = values.map((value) => value.shape[at]);
  const total = sizes.every((size) => typeof size === "number")
    ? sizes.reduce((sum, size) => sum + size, 0)
    : sizes.join("+");
  const shape = first.shape.map((size, i) => (i === at ? total : size));
  return g.node("Concat", values, [{ shape, type: first.type }], { attributes: { axis: { int: at } } })[0];
}

/** Elements start … end-1 of one axis; the bounds are one-element tensors. */
export function slice(g: GraphBuilder, x: Value, axis: number, start: Value, end: Value, size: Dimension): Value {
  const shape = x.shape.map((old, i) => (i === axis ? size : old));
  return g.node("Slice", [x, start, end, g.integers([axis])], [{ shape, type: x.type }])[0];
}

export function zerosLike(g: GraphBuilder, x: Value): Value {
  const sizes = g.node("Shape", [x], [{ shape: [x.shape.length], type: "int64" }])[0];
  return g.node("ConstantOfShape", [sizes], [{ shape: x.shape }])[0];
}

/** Turns each pair (element i, element i + half) of the heads by the angle whose cosine and sine the tables hold. */
export function rotate(g: GraphBuilder, x: Value, positions: Value, cosines: Value, sines: Value): Value {
  return g.node("RotaryEmbedding", [x, positions, cosines, sines], [{ shape: x.shape }], { domain: microsoft })[0];
}

/** x / rms(x) · scale over the last axis, and 1/rms(x) with that axis of size 1. */
export function rmsNormalize(g: GraphBuilder, x: Value, scale: Value, epsilon: number): [Value, Value] {
  const [y, inverse] = g.node(
    "SimplifiedLayerNormalization",
    [x, scale],
    [{ shape: x.shape }, { shape: [...x.shape.slice(0, -1), 1] }],
    { attributes: { epsilon, axis: { int: -1 }, stash_type: { int: 1 } } },
  );
  return [y, inverse];
}

function broadcast(operator: string, a: Value, b: Value): Shape {
  const rank = Math.max(a.shape.length, b.shape.length);
  return Array.from({ length: rank }, (_, i) => {
    const sizeA = a.shape[i - rank + a.shape.length] ?? 1;
    const sizeB = b.shape[i - rank + b.shape.length] ?? 1;
    if (sizeA !== sizeB && sizeA !== 1 && sizeB !== 1) throw mismatch(operator, a, b);
    return sizeA === 1 ? sizeB : sizeA;
  });
}

function mismatch(operator: string, a: Value, b: Value): Error {
  return new Error(
    `${operator}: shapes [${a.shape.join()}] of ${a.name} and [${b.shape.join()}] of ${b.name} do not fit`,
  );
}
