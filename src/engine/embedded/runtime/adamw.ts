// AdamW (Loshchilov & Hutter 2017, arXiv:1711.05101) over tensors that live outside the graph, one pass over each.
import { EngineError } from "../../../base/errors.ts";
import { defaultOptimizer, type OptimizerStep } from "../../engine.ts";
import type { Parameter } from "../model/parameters.ts";

/** What the optimizer keeps for one trained tensor. The gradient is that of the objective to ascend. */
export type Trained = {
  readonly parameter: Parameter;
  readonly gradient: Float32Array;
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
};

export function trained(parameter: Parameter): Trained {
  const zeros = () => new Float32Array(parameter.data.length);
  return { parameter, gradient: zeros(), momentum: zeros(), variance: zeros() };
}

/** Updates in place, clears the gradients, and gives the norm they had. `steps` counts this one. */
export function adamwStep(trainedTensors: readonly Trained[], step: OptimizerStep, steps: number): number {
  const norm = gradientNorm(trainedTensors);
  if (!Number.isFinite(norm)) {
    const broken = trainedTensors.find(({ gradient }) => !gradient.every(Number.isFinite));
    throw new EngineError(
      `the gradient of step ${steps} is not finite${broken ? ` (in ${broken.parameter.name})` : ""}; the weights are unchanged: lower the learning rate or load the last checkpoint`,
    );
  }
  const { beta1, beta2, epsilon, weightDecay } = { ...defaultOptimizer, ...step };
  const { learningRate, maxGradientNorm } = step;
  const scale = maxGradientNorm !== undefined && norm > maxGradientNorm ? maxGradientNorm / norm : 1;
  // m̂/(√v̂ + ε) with the corrections for the young averages taken out of the loop.
  const correction = Math.sqrt(1 - beta2 ** steps);
  const rate = (learningRate * correction) / (1 - beta1 ** steps);
  for (const tensors of trainedTensors) {
    // Norm scales are not pulled towards zero: decay is for matrices.
    const keep = 1 - (tensors.parameter.role === "norm" ? 0 : learningRate * weightDecay);
    update(tensors, scale, beta1, beta2, keep, rate, epsilon * correction);
  }
  return norm;
}

/** Alone in a function of plain numbers, which the compiler turns into tight code. */
function update(
  { parameter, gradient, momentum, variance }: Trained,
  scale: number,
  beta1: number,
  beta2: number,
  keep: number,
  rate: number,
  epsilon: number,
): void {
  const weights = parameter.data;
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

function gradientNorm(tensors: readonly Trained[]): number {
  return Math.sqrt(tensors.reduce((total, { gradient }) => total + sumOfSquares(gradient), 0));
}

function sumOfSquares(values: Float32Array): number {
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
