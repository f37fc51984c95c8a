// Rows in and out: the embedding of tokens, and the rows of hidden states whose logits are wanted.
import type { Value } from "../builder.ts";
import { gatherRows, reshape, scatterRows, zerosLike } from "../operators.ts";
import type { Tape } from "../tape.ts";

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
