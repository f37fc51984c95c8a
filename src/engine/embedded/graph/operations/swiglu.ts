// a = silu(gate) · up, silu(g) = g·sigmoid(g) (Shazeer 2020, arXiv:2002.05202).
import type { Value } from "../builder.ts";
import { add, mul, silu as oneStepSilu, sigmoid, sub } from "../operators.ts";
import type { Tape } from "../tape.ts";

export function swiglu(tape: Tape, gate: Value, up: Value): Value {
  const g = tape.graph;
  // Without a gradient to come, one pass less and nothing to keep.
  if (!tape.needs(gate) && !tape.needs(up)) return mul(g, oneStepSilu(g, gate), up);
  const sigma = sigmoid(g, gate);
  const silu = mul(g, gate, sigma);
  const activated = mul(g, silu, up);
  tape.record(activated, [gate, up], (dy, contribute) => {
    contribute(up, (soFar) => tape.sum(soFar, mul(g, dy, silu)));
    // silu' = sigma + silu·(1 − sigma) = silu + sigma·(1 − silu)
    contribute(gate, (soFar) => {
      const slope = add(g, silu, mul(g, sigma, sub(g, g.scalar(1), silu)));
      return tape.sum(soFar, mul(g, mul(g, dy, up), slope));
    });
  });
  return activated;
}
