// The tensors of a decoder under the names Hugging Face gives them, and how a new model draws them.
import type { Random } from "../../../base/random.ts";
import { type DecoderConfig, normPlacement, queryKeyNorm } from "./decoder-config.ts";

export type ParameterSpec = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly role: "embedding" | "projection" | "residual projection" | "norm";
};

/** A tensor of numbers that lives outside the graph. */
export type Parameter = ParameterSpec & { readonly data: Float32Array };
export type Parameters = ReadonlyMap<string, Parameter>;

export const embeddingName = "model.embed_tokens.weight";
export const finalNormName = "model.norm.weight";

export function vocabularyName(config: DecoderConfig): string {
  return config.tied ? embeddingName : "lm_head.weight";
}

/** The linear layers of one decoder layer, as LoRA's target modules name them: their path and their sizes. */
export function projectionsOf(config: DecoderConfig) {
  const { width, feedForwardWidth } = config;
  const queries = config.heads * config.headSize;
  const keys = config.keyHeads * config.headSize;
  return {
    q_proj: { path: "self_attn.q_proj", shape: [queries, width] },
    k_proj: { path: "self_attn.k_proj", shape: [keys, width] },
    v_proj: { path: "self_attn.v_proj", shape: [keys, width] },
    o_proj: { path: "self_attn.o_proj", shape: [width, queries] },
    gate_proj: { path: "mlp.gate_proj", shape: [feedForwardWidth, width] },
    up_proj: { path: "mlp.up_proj", shape: [feedForwardWidth, width] },
    down_proj: { path: "mlp.down_proj", shape: [width, feedForwardWidth] },
  } as const;
}

export type ProjectionName = keyof ReturnType<typeof projectionsOf>;

export const layerPrefix = (layer: number) => `model.layers.${layer}.`;

export function parameterSpecs(config: DecoderConfig): ParameterSpec[] {
  const { width } = config;
  const norm = (name: string, size: number): ParameterSpec => ({ name, shape: [size], role: "norm" });
  const specs: ParameterSpec[] = [{ name: embeddingName, shape: [config.vocabularySize, width], role: "embedding" }];
  config.layers.forEach((_, layer) => {
    const prefix = layerPrefix(layer);
    for (const [name, { path, shape }] of Object.entries(projectionsOf(config))) {
      const role = name === "o_proj" || name === "down_proj" ? "residual projection" : "projection";
      specs.push({ name: `${prefix}${path}.weight`, shape, role });
    }
    if (queryKeyNorm(config.family) !== "none") {
      const together = queryKeyNorm(config.family) === "all heads";
      specs.push(norm(`${prefix}self_attn.q_norm.weight`, config.headSize * (together ? config.heads : 1)));
      specs.push(norm(`${prefix}self_attn.k_norm.weight`, config.headSize * (together ? config.keyHeads : 1)));
    }
    const [first, second] =
      normPlacement(config.family) === "before"
        ? ["input_layernorm", "post_attention_layernorm"]
        : ["post_attention_layernorm", "post_feedforward_layernorm"];
    specs.push(norm(`${prefix}${first}.weight`, width), norm(`${prefix}${second}.weight`, width));
  });
  specs.push(norm(finalNormName, width));
  if (!config.tied)
    specs.push({ name: vocabularyName(config), shape: [config.vocabularySize, width], role: "embedding" });
  return specs;
}

export const elementCount = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

export function weightCount(config: DecoderConfig): number {
  return parameterSpecs(config).reduce((sum, { shape }) => sum + elementCount(shape), 0);
}

/**
 * Normal draws of standard deviation 1/sqrt(inputs), for embeddings 1/sqrt(width); what writes to the residual stream is
 * divided by sqrt(2·layers), so that the stream does not grow with depth. Norms begin at 1.
 */
export function initialParameters(config: DecoderConfig, random: Random): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const spec of parameterSpecs(config)) {
    const data = new Float32Array(elementCount(spec.shape));
    if (spec.role === "norm") data.fill(1);
    else {
      const stream = random.child(spec.name);
      const depth = spec.role === "residual projection" ? 2 * config.layers.length : 1;
      const deviation = 1 / Math.sqrt(spec.shape[1] * depth);
      for (let i = 0; i < data.length; i++) data[i] = deviation * stream.normal();
    }
    parameters.set(spec.name, { ...spec, data });
  }
  return parameters;
}
