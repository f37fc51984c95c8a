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
export function adamwStep(tensors: readonly Trained[], step: OptimizerStep, steps: number): number {
  const norm = gradientNorm(tensors);
  if (!Number.isFinite(norm)) {
    const broken = tensors.find(({ gradient }) => !gradient.every(Number.isFinite));
    throw new EngineError(
      `the gradient of step ${steps} is not finite${broken ? ` (in ${broken.parameter.name})` : ""}; the weights are unchanged: lower the learning rate or load the last checkpoint`,
    );
  }
  const { beta1, beta2, epsilon, weightDecay } = { ...defaultOptimizer, ...step };
  const { learningRate, maxGradientNorm } = step;
  const scale = maxGradientNorm !== undefined && norm > maxGradientNorm ? maxGradientNorm / norm : 1;
  const momentumCorrection = 1 / (1 - beta1 ** steps);
  const varianceCorrection = 1 / (1 - beta2 ** steps);
  for (const { parameter, gradient, momentum, variance } of tensors) {
    const weights = parameter.data;
    // Norm scales are not pulled towards zero: decay is for matrices.
    const keep = 1 - (parameter.role === "norm" ? 0 : learningRate * weightDecay);
    for (let i = 0; i < weights.length; i++) {
      const g = gradient[i] * scale;
      const m = (momentum[i] = beta1 * momentum[i] + (1 - beta1) * g);
      const v = (variance[i] = beta2 * variance[i] + (1 - beta2) * g * g);
      weights[i] =
        weights[i] * keep + (learningRate * m * momentumCorrection) / (Math.sqrt(v * varianceCorrection) + epsilon);
      gradient[i] = 0;
    }
  }
  return norm;
}

function gradientNorm(tensors: readonly Trained[]): number {
  let total = 0;
  for (const { gradient } of tensors) {
    let sum = 0;
    for (let i = 0; i < gradient.length; i++) sum += gradient[i] * gradient[i];
    total += sum;
  }
  return Math.sqrt(total);
}
