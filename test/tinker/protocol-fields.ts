// The fields of each request as the SDK's own types have them (thinking-machines-lab/tinker 0.25.0, which forbid all others;
// TuFT takes exactly these types for its bodies). A field that is not here is refused by a strict server.

const own: Readonly<Record<string, readonly string[]>> = {
  create_session: ["tags", "user_metadata", "sdk_version", "project_id", "type"],
  session_heartbeat: ["session_id", "type"],
  create_model: ["session_id", "model_seq_id", "base_model", "user_metadata", "lora_config", "type"],
  unload_model: ["model_id", "type"],
  optim_step: ["adam_params", "model_id", "seq_id", "type"],
  save_weights: ["model_id", "path", "seq_id", "ttl_seconds", "overwrite", "type"],
  save_weights_for_sampler: ["model_id", "path", "sampling_session_seq_id", "seq_id", "ttl_seconds", "type"],
  load_weights: [
    "model_id",
    "seq_id",
    "session_id",
    "model_seq_id",
    "base_model",
    "user_metadata",
    "path",
    "optimizer",
    "weights_access_token",
    "type",
  ],
  create_sampling_session: ["session_id", "sampling_session_seq_id", "base_model", "model_path", "type"],
  asample: [
    "num_samples",
    "prompt",
    "sampling_params",
    "base_model",
    "model_path",
    "sampling_session_id",
    "seq_id",
    "prompt_logprobs",
    "topk_prompt_logprobs",
    "type",
  ],
  retrieve_future: ["request_id", "allow_metadata_only"],
};

const nested: Readonly<Record<string, readonly string[]>> = {
  lora_config: ["rank", "seed", "train_unembed", "train_mlp", "train_attn"],
  adam_params: ["learning_rate", "beta1", "beta2", "eps", "weight_decay", "grad_clip_norm"],
  sampling_params: ["max_tokens", "seed", "stop", "temperature", "top_k", "top_p"],
};

/** The first field that the types do not have, by its path. */
export function unknownField(path: string, body: Readonly<Record<string, unknown>>): string | undefined {
  if (own[path] === undefined) return undefined;
  const strange = Object.keys(body).find((key) => !own[path].includes(key));
  if (strange !== undefined) return strange;
  for (const [key, fields] of Object.entries(nested)) {
    const inner = body[key];
    if (typeof inner !== "object" || inner === null) continue;
    const odd = Object.keys(inner).find((name) => !fields.includes(name));
    if (odd !== undefined) return `${key}.${odd}`;
  }
  return undefined;
}
