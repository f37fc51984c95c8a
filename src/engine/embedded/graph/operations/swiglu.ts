// a = silu(gate) · up, silu(g) = g·sigmoid(g) (Shazeer 2020, arXiv:2002.05202).
import type { Value } from "../builder.ts";
import { add, mul, sigmoid, silu, sub } from "../operators.ts";
import type { Tape } from "../tape.ts";

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
