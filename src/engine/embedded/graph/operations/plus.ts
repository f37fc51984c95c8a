// Sums and other views, which only pass gradients on.
import type { Shape, Value } from "../builder.ts";
import { reshape } from "../operators.ts";
import type { Tape } from "../tape.ts";

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
