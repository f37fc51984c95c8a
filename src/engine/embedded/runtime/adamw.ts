// AdamW (Loshchilov & Hutter 2017, arXiv:1711.05101) over a tensor that lives outside the graph, in one pass.
import { defaultOptimizer, type OptimizerStep } from "../../engine.ts";
import type { Parameter } from "../model/parameters.ts";

export type Moments = { readonly momentum: Float32Array; readonly variance: Float32Array };

/** `norm` is that of the whole gradient, over all tensors; `steps` counts this one. Ascends, and clears the gradient. */
export function adamwUpdate(
  parameter: Parameter,
  gradient: Float32Array,
  moments: Moments,
  step: OptimizerStep,
  steps: number,
  norm: number,
): void {
  const { beta1, beta2, epsilon, weightDecay } = { ...defaultOptimizer, ...step };
  const { learningRate, maxGradientNorm } = step;
  const scale = maxGradientNorm !== undefined && norm > maxGradientNorm ? maxGradientNorm / norm : 1;
  // m̂/(√v̂ + ε) with the corrections for the young averages taken out of the loop.
  const correction = Math.sqrt(1 - beta2 ** steps);
  const rate = (learningRate * correction) / (1 - beta1 ** steps);
  // Norm scales are not pulled towards zero: decay is for matrices.
  const keep = 1 - (parameter.role === "norm" ? 0 : learningRate * weightDecay);
  update(parameter.data, gradient, moments, scale, beta1, beta2, keep, rate, epsilon * correction);
}

/** Alone in a function of plain numbers, which the compiler turns into tight code. */
function update(
  weights: Float32Array,
  gradient: Float32Array,
  { momentum, variance }: Moments,
  scale: number,
  beta1: number,
  beta2: number,
  keep: number,
  rate: number,
  epsilon: number,
): void {
  const fresh1 = (1 - beta1) * scale;
  const fresh2 = (1 - beta2) * scale * scale;
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i];
    const m = beta1 * momentum[i] + fresh1 * g;
    const v = beta2 * variance[i] + fresh2 * g * g;
    momentum[i] = m;
    variance[i] = v;
    weights[i] = weights[i] * keep + (rate * m) / (Math.sqrt(v) + epsilon);
    gradient[i] = 0;
  }
}

export function sumOfSquares(values: Float32Array): number {
  // Four sums at once: one alone would wait for each addition to finish.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const even = values.length - (values.length % 4);
  for (let i = 0; i < even; i += 4) {
    a += values[i] * values[i];
    b += values[i + 1] * values[i + 1];
    c += values[i + 2] * values[i + 2];
    d += values[i + 3] * values[i + 3];
  }
  for (let i = even; i < values.length; i++) a += values[i] * values[i];
  return a + b + c + d;
}
