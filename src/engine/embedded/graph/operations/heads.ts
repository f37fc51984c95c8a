// Between rows x (heads·size), as projections make and take them, and batch x heads x length x size, as attention does.
import type { Value } from "../builder.ts";
import { reshape, reshapeLike, transpose } from "../operators.ts";
import type { Tape } from "../tape.ts";

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
