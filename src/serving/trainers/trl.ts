// The paper's RL stage in TRL: our script makes its trainer from settings.json.
import { rolloutsOfOneGpu } from "./stage.ts";
import { command, findPlugin, quoted, type Settings, type SettingsInput, type TrainerExport } from "./trainer.ts";

export const trl: TrainerExport = {
  name: "trl",
  bonus: true,
  rollouts: "checkpoints/completions",
  plainPrompts: true,
  plugins: ["trl/repertoire_trl.py", "trl/train.py", "rewards/repertoire_rewards"],
  data: "jsonl",
  row: ({ prompt, reward_model, data_source }) => ({ prompt, ground_truth: reward_model.ground_truth, data_source }),
  settings,
  launch: ({ model }) => [
    findPlugin,
    command("accelerate launch plugin/train.py", [
      `--model ${quoted(model)}`,
      "--settings settings.json",
      "--train train.jsonl",
      "--out checkpoints",
    ]),
  ],
  differences: [
    "TRL divides by the group's deviation plus 1e-4; the paper's trainer adds 1e-6.",
    "`max_steps` counts optimizer steps: four for each batch of rollouts.",
    "The reference is scored at the sampling temperature, because TRL's KL log-probabilities are reused.",
  ],
  memory: [
    "Every card holds the weights in bf16 (15 GB) and one sequence of 31,000 tokens; the reference is the same weights without the adapter.",
    "Logits of 28,000 response tokens over 100,278 words: 5.6 GB in bf16, 11.2 GB for each copy in fp32, about 34 GB with their gradient.",
    "Saved layer inputs (32 layers of 4,096 numbers in bf16): 8 GB; one layer computed again: 4 GB; the adapter (160 million weights) with gradient and optimizer: 3 GB. Together about 64 GB while vLLM sleeps.",
    "vLLM may take 0.55 of a card while it samples (44 GB): 15 GB of weights, the rest for keys and values, 0.5 MB a token at most (a whole sequence 16 GB; 6 GB where it keeps only the window of OLMo 3's 24 windowed layers).",
  ],
};

/** Keys of GRPOConfig. */
function settings({ bonus, gpus, stage: paper }: SettingsInput): Settings {
  const ofOneGpu = rolloutsOfOneGpu(paper, gpus);
  return {
    importance_sampling_level: "sequence",
    loss_type: "grpo",
    scale_rewards: "group",
    epsilon: paper.clip.below,
    epsilon_high: paper.clip.above,
    beta: paper.kl,
    num_generations: paper.rolloutsPerProblem,
    num_iterations: paper.epochs,
    temperature: paper.temperature,
    top_p: paper.topP,
    max_completion_length: paper.maxTokens,
    per_device_train_batch_size: 1,
    gradient_accumulation_steps: ofOneGpu,
    steps_per_generation: ofOneGpu,
    // TRL counts optimizer steps, and each batch is used for several.
    max_steps: paper.steps * paper.epochs,
    // Rows are in the order of the steps, a quarter of each puzzle in every one.
    shuffle_dataset: false,
    // TRL would weight every rollout by trainer over sampler and drop those above 3: a product over all tokens, which rounding alone
    // moves that far in 28,000 of them.
    vllm_importance_sampling_correction: false,
    // The divergence as it is, not weighted by the ratio.
    use_bias_correction_kl: false,
    learning_rate: paper.learningRate,
    lr_scheduler_type: "cosine_with_min_lr",
    lr_scheduler_kwargs: { min_lr_rate: paper.lowestLearningRate },
    warmup_steps: 0,
    adam_beta1: paper.optimizer.beta1,
    adam_beta2: paper.optimizer.beta2,
    adam_epsilon: paper.optimizer.epsilon,
    weight_decay: paper.weightDecay,
    max_grad_norm: paper.maxGradientNorm,
    bf16: true,
    gradient_checkpointing: true,
    use_vllm: true,
    vllm_mode: "colocate",
    vllm_gpu_memory_utilization: 0.55,
    vllm_enable_sleep_mode: true,
    log_completions: true,
    logging_steps: 1,
    save_steps: paper.stepsPerCheckpoint * paper.epochs,
    seed: paper.seed,
    vllm_max_model_length: paper.tokens,
    // Weights in bf16: TRL would load them in the file's own type, which may be twice as large.
    model_init_kwargs: { dtype: "bfloat16" },
    // The rest is read by our script.
    adapter: paper.adapter,
    novelty: { ...paper.novelty, weight: bonus === "novelty" ? paper.novelty.weight : 0 },
  };
}
