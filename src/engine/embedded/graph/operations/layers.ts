// The operations of a decoder besides attention and the token head, each with its backward rule.
import type { Shape, Value } from "../builder.ts";
import {
  add,
  gatherRows,
  gemm,
  mul,
  negate,
  reshape,
  reshapeLike,
  rmsNormalize,
  rotate,
  scatterRows,
  sigmoid,
  silu,
  sub,
  sumFirst,
  transpose,
  zerosLike,
} from "../operators.ts";
import type { Tape } from "../tape.ts";

/** y = scale · x·Wᵀ (+ residual), the weight stored as Hugging Face stores it: outputs x inputs. */
export function linear(
  tape: Tape,
  x: Value,
  weight: Value,
  options: { readonly residual?: Value; readonly scale?: number } = {},
): Value {
  const { residual, scale } = options;
  const y = gemm(tape.graph, x, weight, { transposeB: true, plus: residual, alpha: scale });
  tape.record(y, residual === undefined ? [x, weight] : [x, weight, residual], (dy, contribute) => {
    // dx = dy·W, dW = dyᵀ·x; the sum so far rides along as the product's addend.
    contribute(weight, (soFar) => gemm(tape.graph, dy, x, { transposeA: true, plus: soFar, alpha: scale }));
    contribute(x, (soFar) => gemm(tape.graph, dy, weight, { plus: soFar, alpha: scale }));
    if (residual !== undefined) contribute(residual, (soFar) => tape.sum(soFar, dy));
  });
  return y;
}

/** y = x / rms(x) · scale over the last axis, rms(x) = sqrt(mean(x²) + epsilon) (Zhang & Sennrich 2019, arXiv:1910.07467). */
export function rmsNorm(tape: Tape, x: Value, scale: Value, epsilon: number): Value {
  const g = tape.graph;
  const width = x.shape.at(-1) as number;
  const [y, inverse] = rmsNormalize(g, x, scale, epsilon);
  tape.record(y, [x, scale], (dy, contribute) => {
    // With u = x/rms: dscale = Σ dy·u over the rows, and dx = (dy·scale − u·mean(dy·scale·u)) / rms.
    const u = mul(g, x, inverse);
    const dyu = mul(g, dy, u);
    contribute(scale, (soFar) => tape.sum(soFar, sumFirst(g, dyu)));
    contribute(x, (soFar) => {
      const mean = gemm(g, dyu, reshape(g, scale, [width, 1]), { alpha: 1 / width });
      const inner = sub(g, mul(g, dy, scale), mul(g, u, mean));
      return tape.sum(soFar, mul(g, inner, inverse));
    });
  });
  return y;
}

// Between rows x (heads·size), as projections make and take them, and batch x heads x length x size, as attention does.

/** `tokens` is batch x length and tells how the rows fall into sequences. */
export function splitHeads(tape: Tape, rows: Value, tokens: Value, heads: number, size: number): Value {
  const g = tape.graph;
  const y = transpose(g, reshapeLike(g, rows, tokens, 2, [heads, size]), [0, 2, 1, 3]);
  tape.record(y, [rows], (dy, contribute) => contribute(rows, (soFar) => tape.sum(soFar, merged(tape, dy, rows))));
  return y;
}

export function mergeHeads(tape: Tape, x: Value, tokens: Value, like: Value): Value {
  const g = tape.graph;
  const [, heads, , size] = x.shape as [unknown, number, unknown, number];
  const rows = merged(tape, x, like);
  tape.record(rows, [x], (dy, contribute) =>
    contribute(x, (soFar) => tape.sum(soFar, transpose(g, reshapeLike(g, dy, tokens, 2, [heads, size]), [0, 2, 1, 3]))),
  );
  return rows;
}

function merged(tape: Tape, x: Value, like: Value): Value {
  const [, heads, , size] = x.shape as [unknown, number, unknown, number];
  const turned = transpose(tape.graph, x, [0, 2, 1, 3]);
  const flat = reshape(tape.graph, turned, [-1, heads * size]);
  return { ...flat, shape: [like.shape[0], heads * size] };
}

/**
 * Rotary position embedding (Su et al. 2021, arXiv:2104.09864) over batch x heads x length x size: the first half of a head turns
 * against the second. The tables hold the cosine and sine of each position (rows) and frequency.
 */
export type RotaryTables = { readonly cosines: Value; readonly sines: Value };

export function rotary(tape: Tape, x: Value, tables: RotaryTables, positions: Value): Value {
  const g = tape.graph;
  const y = rotate(g, x, positions, tables.cosines, tables.sines);
  tape.record(y, [x], (dy, contribute) => {
    // The transpose of a rotation turns back; a scaled table (YaRN) scales both ways alike.
    const back = g.once(`minus ${tables.sines.name}`, () => negate(g, tables.sines));
    contribute(x, (soFar) => tape.sum(soFar, rotate(g, dy, positions, tables.cosines, back)));
  });
  return y;
}

/** Row t of the table for each token t, as (batch·length) x width. */
export function embed(tape: Tape, table: Value, tokens: Value, rows: string): Value {
  const width = table.shape[1] as number;
  const y = reshape(tape.graph, gatherRows(tape.graph, table, tokens), [rows, width]);
  // The table's gradient is a scatter of rows that may repeat; the trainer adds them up outside the graph, in order.
  tape.record(y, [table], () => {});
  return y;
}

/** The chosen rows, each at most once. */
export function selectRows(tape: Tape, x: Value, indices: Value): Value {
  const g = tape.graph;
  const y = gatherRows(g, x, indices);
  tape.record(y, [x], (dy, contribute) =>
    contribute(x, (soFar) =>
      tape.sum(soFar, scatterRows(g, zerosLike(g, x), reshape(g, indices, [indices.shape[0], 1]), dy)),
    ),
  );
  return y;
}

export function plus(tape: Tape, a: Value, b: Value): Value {
  const y = tape.sum(a, b);
  tape.record(y, [a, b], (dy, contribute) => {
    contribute(a, (soFar) => tape.sum(soFar, dy));
    contribute(b, (soFar) => tape.sum(soFar, dy));
  });
  return y;
}

/** The same numbers in another shape; the gradient takes the old one again. */
export function viewed(tape: Tape, x: Value, shape: Shape): Value {
  const y = reshape(tape.graph, x, shape);
  tape.record(y, [x], (dy, contribute) => contribute(x, (soFar) => tape.sum(soFar, reshape(tape.graph, dy, x.shape))));
  return y;
}

/** silu(gate) · up, silu(g) = g·sigmoid(g) (Shazeer 2020, arXiv:2002.05202). */
export function swiglu(tape: Tape, gate: Value, up: Value): Value {
  const g = tape.graph;
  const activation = silu(g, gate);
  const y = mul(g, activation, up);
  tape.record(y, [gate, up], (dy, contribute) => {
    contribute(up, (soFar) => tape.sum(soFar, mul(g, dy, activation)));
    // silu' = sigma + silu·(1 − sigma) = silu + sigma·(1 − silu)
    contribute(gate, (soFar) => {
      const slope = add(g, activation, mul(g, sigmoid(g, gate), sub(g, g.scalar(1), activation)));
      return tape.sum(soFar, mul(g, mul(g, dy, up), slope));
    });
  });
  return y;
}
