// y = scale · x·Wᵀ (+ residual), the weight stored as Hugging Face stores it: outputs x inputs.
import type { Value } from "../builder.ts";
import { gemm } from "../operators.ts";
import type { Tape } from "../tape.ts";

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
