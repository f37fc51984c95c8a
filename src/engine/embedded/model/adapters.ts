// Low-rank adapters (Hu et al. 2021, arXiv:2106.09685): beside a frozen matrix W stands (alpha/rank)·B·A, and only A
// and B learn. B begins at zero, so a new adapter changes nothing.

import { ConfigurationError, unknownName } from "../../../base/errors.ts";
import type { Random } from "../../../base/random.ts";
import type { DecoderConfig } from "./decoder-config.ts";
import {
  elementCount,
  layerPrefix,
  type Parameter,
  type ParameterSpec,
  type Parameters,
  type ProjectionName,
  projectionsOf,
} from "./parameters.ts";

export type Adapters = {
  readonly rank: number;
  readonly alpha: number;
  /** Which linear layers get one. */
  readonly targets: readonly ProjectionName[];
};

export const adapterTargets: readonly ProjectionName[] = [
  "q_proj",
  "k_proj",
  "v_proj",
  "o_proj",
  "gate_proj",
  "up_proj",
  "down_proj",
];

export function checkAdapters(adapters: Adapters): Adapters {
  for (const target of adapters.targets) {
    if (!adapterTargets.includes(target)) throw unknownName("linear layer for an adapter", target, adapterTargets);
  }
  if (!Number.isInteger(adapters.rank) || adapters.rank < 1) {
    throw new ConfigurationError(`an adapter's rank must be a whole number of at least 1, not ${adapters.rank}`);
  }
  return adapters;
}

export function adapterSpecs(config: DecoderConfig, adapters: Adapters): ParameterSpec[] {
  const projections = projectionsOf(config);
  return config.layers.flatMap((_, layer) =>
    adapters.targets.flatMap((target): ParameterSpec[] => {
      const { path, shape } = projections[target];
      const prefix = layerPrefix(layer) + path;
      return [
        { name: `${prefix}.lora_A.weight`, shape: [adapters.rank, shape[1]], role: "projection" },
        { name: `${prefix}.lora_B.weight`, shape: [shape[0], adapters.rank], role: "projection" },
      ];
    }),
  );
}

/** A is uniform in ±1/sqrt(inputs), as PEFT draws it (Kaiming with a = sqrt 5); B is zero. */
export function initialAdapters(config: DecoderConfig, adapters: Adapters, random: Random): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const spec of adapterSpecs(config, adapters)) {
    const data = new Float32Array(elementCount(spec.shape));
    if (spec.name.endsWith("lora_A.weight")) {
      const stream = random.child(spec.name);
      const bound = 1 / Math.sqrt(spec.shape[1]);
      for (let i = 0; i < data.length; i++) data[i] = (2 * stream.uniform() - 1) * bound;
    }
    parameters.set(spec.name, { ...spec, data });
  }
  return parameters;
}

/** The model with its adapters folded in, in float32: W + (alpha/rank)·B·A. */
export function mergedParameters(parameters: Parameters, adapters: Adapters): Map<string, Parameter> {
  const merged = new Map<string, Parameter>();
  for (const [name, parameter] of parameters) {
    if (name.includes(".lora_")) continue;
    const down = parameters.get(name.replace(/\.weight$/, ".lora_A.weight"));
    const up = parameters.get(name.replace(/\.weight$/, ".lora_B.weight"));
    merged.set(name, down && up ? { ...parameter, data: mergedMatrix(parameter, down, up, adapters) } : parameter);
  }
  return merged;
}

function mergedMatrix(base: Parameter, down: Parameter, up: Parameter, { rank, alpha }: Adapters): Float32Array {
  const [outputs, inputs] = base.shape;
  const sum = new Float64Array(inputs);
  const data = new Float32Array(base.data.length);
  for (let row = 0; row < outputs; row++) {
    sum.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = (alpha / rank) * up.data[row * rank + r];
      for (let column = 0; column < inputs; column++) sum[column] += factor * down.data[r * inputs + column];
    }
    for (let column = 0; column < inputs; column++) {
      data[row * inputs + column] = base.data[row * inputs + column] + sum[column];
    }
  }
  return data;
}
