// What a decoder-only transformer looks like, read from a Hugging Face config.json or made from a few sizes.
import { z } from "zod";
import { ConfigurationError, DataError, schemaProblems, unknownName } from "../../../base/errors.ts";
import { type RotaryScheme, rotaryScheme } from "./rotary-frequencies.ts";

export const decoderFamilies = ["llama", "qwen3", "olmo3"] as const;
export type DecoderFamily = (typeof decoderFamilies)[number];

export type AttentionKind = "full" | "sliding";

export type DecoderConfig = {
  readonly family: DecoderFamily;
  readonly vocabularySize: number;
  readonly width: number;
  readonly feedForwardWidth: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headSize: number;
  readonly normEpsilon: number;
  readonly contextLength: number;
  /** The embedding is also the last layer. */
  readonly tied: boolean;
  /** One entry a layer, first to last. */
  readonly layers: readonly AttentionKind[];
  /** How many keys a query of a sliding layer sees, itself included. */
  readonly slidingWindow: number;
  readonly rotary: Readonly<Record<AttentionKind, RotaryScheme>>;
  /** The config.json this came from, or the one that says the same. */
  readonly source: Readonly<Record<string, unknown>>;
};

/** Llama and Qwen3 normalize what enters attention and feed-forward, OLMo-3 what leaves them. */
export function normPlacement(family: DecoderFamily): "before" | "after" {
  return family === "olmo3" ? "after" : "before";
}

/** Qwen3 normalizes queries and keys head by head, OLMo-3 all heads together. */
export function queryKeyNorm(family: DecoderFamily): "none" | "each head" | "all heads" {
  return family === "llama" ? "none" : family === "qwen3" ? "each head" : "all heads";
}

const layerKinds = { full_attention: "full", sliding_attention: "sliding" } as const;

const sourceSchema = z.looseObject({
  model_type: z.string(),
  vocab_size: z.int().positive(),
  hidden_size: z.int().positive(),
  intermediate_size: z.int().positive(),
  num_hidden_layers: z.int().positive(),
  num_attention_heads: z.int().positive(),
  num_key_value_heads: z.int().positive().nullish(),
  head_dim: z.int().positive().nullish(),
  rms_norm_eps: z.number().positive().nullish(),
  max_position_embeddings: z.int().positive().nullish(),
  tie_word_embeddings: z.boolean().nullish(),
  hidden_act: z.string().nullish(),
  attention_bias: z.boolean().nullish(),
  mlp_bias: z.boolean().nullish(),
  use_sliding_window: z.boolean().nullish(),
  sliding_window: z.int().positive().nullish(),
  max_window_layers: z.int().nullish(),
  layer_types: z.array(z.enum(["full_attention", "sliding_attention"])).nullish(),
  rope_theta: z.number().nullish(),
  rope_scaling: z.looseObject({}).nullish(),
  rope_parameters: z.looseObject({}).nullish(),
});

/** `where` names the file in messages. */
export function readDecoderConfig(json: unknown, where: string): DecoderConfig {
  const parsed = sourceSchema.safeParse(json);
  if (!parsed.success) throw new DataError(`${where} is not a decoder's config.json: ${schemaProblems(parsed.error)}`);
  const source = parsed.data;
  const family = decoderFamilies.find((name) => name === source.model_type);
  if (family === undefined) throw unknownName(`model_type in ${where}`, source.model_type, decoderFamilies);
  refuse(where, "attention_bias", source.attention_bias === true);
  refuse(where, "mlp_bias", source.mlp_bias === true);
  refuse(where, `hidden_act ${source.hidden_act}`, !["silu", "swish", undefined, null].includes(source.hidden_act));

  const heads = source.num_attention_heads;
  const defaults = familyDefaults[family];
  const window = family === "qwen3" && source.use_sliding_window !== true ? undefined : source.sliding_window;
  return {
    family,
    vocabularySize: source.vocab_size,
    width: source.hidden_size,
    feedForwardWidth: source.intermediate_size,
    heads,
    keyHeads: source.num_key_value_heads ?? heads,
    headSize: source.head_dim ?? defaults.headSize ?? source.hidden_size / heads,
    normEpsilon: source.rms_norm_eps ?? defaults.normEpsilon,
    contextLength: source.max_position_embeddings ?? defaults.contextLength,
    tied: source.tie_word_embeddings ?? false,
    layers: layersOf(family, source, window ?? undefined),
    slidingWindow: window ?? defaults.contextLength,
    rotary: rotaryOf(family, source, where),
    source,
  };
}

type Source = z.infer<typeof sourceSchema>;

/** What transformers assumes where a config.json is silent. */
const familyDefaults: Readonly<
  Record<DecoderFamily, { normEpsilon: number; contextLength: number; theta: number; headSize?: number }>
> = {
  llama: { normEpsilon: 1e-6, contextLength: 2048, theta: 10_000 },
  qwen3: { normEpsilon: 1e-6, contextLength: 32_768, theta: 10_000, headSize: 128 },
  olmo3: { normEpsilon: 1e-5, contextLength: 2048, theta: 500_000 },
};

function layersOf(family: DecoderFamily, source: Source, window: number | undefined): AttentionKind[] {
  if (source.layer_types) return source.layer_types.map((kind) => layerKinds[kind]);
  return Array.from({ length: source.num_hidden_layers }, (_, i) => {
    if (family === "olmo3") return (i + 1) % 4 === 0 ? "full" : "sliding";
    return family === "qwen3" && window !== undefined && i >= (source.max_window_layers ?? 28) ? "sliding" : "full";
  });
}

function rotaryOf(family: DecoderFamily, source: Source, where: string): Record<AttentionKind, RotaryScheme> {
  const theta = source.rope_theta ?? familyDefaults[family].theta;
  const parameters = source.rope_parameters ?? undefined;
  const read = (scheme: object | null | undefined) => {
    const parsed = rotaryScheme.safeParse({ rope_theta: theta, ...scheme });
    if (!parsed.success) {
      throw new DataError(`rotary embedding in ${where} is of no kind known here: ${schemaProblems(parsed.error)}`);
    }
    return parsed.data;
  };
  if (parameters !== undefined && ("full_attention" in parameters || "sliding_attention" in parameters)) {
    return {
      full: read(parameters.full_attention as object | undefined),
      sliding: read(parameters.sliding_attention as object | undefined),
    };
  }
  const full = read(parameters ?? source.rope_scaling);
  // OLMo-3 stretches only the layers that see everything.
  return { full, sliding: family === "olmo3" ? read({ rope_theta: full.rope_theta }) : full };
}

function refuse(where: string, what: string, present: boolean): void {
  if (present) throw new ConfigurationError(`${where} asks for ${what}, which the embedded engine does not have`);
}

export type DecoderSizes = {
  readonly family: DecoderFamily;
  readonly vocabularySize: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** As many as `heads` unless said. */
  readonly keyHeads?: number;
  /** 8/3 of the width, rounded up to a multiple of 16, unless said. */
  readonly feedForwardWidth?: number;
  readonly contextLength: number;
  readonly tied?: boolean;
  readonly slidingWindow?: number;
  readonly rotaryTheta?: number;
};

/** A new model's config, as transformers would write it. */
export function decoderConfig(sizes: DecoderSizes): DecoderConfig {
  const headSize = sizes.width / sizes.heads;
  if (!Number.isInteger(headSize) || headSize % 2 !== 0) {
    throw new ConfigurationError(
      `width ${sizes.width} over ${sizes.heads} heads gives a head size of ${headSize}; it has to be an even whole number`,
    );
  }
  if (sizes.heads % (sizes.keyHeads ?? sizes.heads) !== 0) {
    throw new ConfigurationError(`${sizes.heads} heads cannot share ${sizes.keyHeads} key heads evenly`);
  }
  const architecture = { llama: "LlamaForCausalLM", qwen3: "Qwen3ForCausalLM", olmo3: "Olmo3ForCausalLM" };
  const theta = sizes.rotaryTheta ?? 10_000;
  const rotary = { rope_type: "default", rope_theta: theta };
  return readDecoderConfig(
    {
      architectures: [architecture[sizes.family]],
      model_type: sizes.family,
      vocab_size: sizes.vocabularySize,
      hidden_size: sizes.width,
      intermediate_size: sizes.feedForwardWidth ?? Math.ceil((8 * sizes.width) / 3 / 16) * 16,
      num_hidden_layers: sizes.layers,
      num_attention_heads: sizes.heads,
      num_key_value_heads: sizes.keyHeads ?? sizes.heads,
      head_dim: headSize,
      hidden_act: "silu",
      rms_norm_eps: 1e-6,
      max_position_embeddings: sizes.contextLength,
      tie_word_embeddings: sizes.tied ?? true,
      attention_bias: false,
      attention_dropout: 0,
      initializer_range: 0.02,
      use_cache: true,
      // The first line is for readers of older configs.
      rope_theta: theta,
      rope_parameters: sizes.family === "olmo3" ? { full_attention: rotary, sliding_attention: rotary } : rotary,
      ...(sizes.slidingWindow === undefined ? {} : { sliding_window: sizes.slidingWindow }),
      ...(sizes.family === "llama" ? { mlp_bias: false } : {}),
      dtype: "float32",
      torch_dtype: "float32",
    },
    "the requested sizes",
  );
}
