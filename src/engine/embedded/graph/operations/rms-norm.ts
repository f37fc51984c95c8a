// y = x / rms(x) · scale over the last axis, rms(x) = sqrt(mean(x²) + epsilon) (Zhang & Sennrich 2019, arXiv:1910.07467).
import type { Value } from "../builder.ts";
import { gemm, mul, reshape, rmsNormalize, sub, sumFirst } from "../operators.ts";
import type { Tape } from "../tape.ts";

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
