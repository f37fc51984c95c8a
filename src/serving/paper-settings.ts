// The paper's RL stage in the keys of other trainers. The numbers come from training's own defaults, which are the
// paper's; only what training does not have (adapters, prompt length) is written here.
import { ConfigurationError } from "../base/errors.ts";
import { rlOptionsSchema } from "../training/rl-options.ts";
import { paperNovelty } from "./novelty-requests.ts";

export const trainers = ["verl", "trl", "openrlhf", "slime"] as const;
export type Trainer = (typeof trainers)[number];

export type Bonus = "novelty" | "none";

/** A flag's value; true stands alone, a list is written as several words, and records are for TRL's JSON only. */
export type Setting =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | { readonly [key: string]: string | number };
export type Settings = Readonly<Record<string, Setting>>;

export type SettingsInput = { readonly bonus: Bonus; readonly model: string; readonly gpus: number };

export const paperModel = "allenai/OLMo-3-7B-Instruct-SFT";

export function paperStage() {
  const { objective, sampling, schedule, ...options } = rlOptionsSchema.parse({});
  if (objective.algorithm !== "gspo") throw new Error("the paper's objective is GSPO");
  return {
    ...options,
    ...sampling,
    topP: sampling.topP ?? 1,
    promptTokens: 3_000,
    lowestLearningRate: schedule.floor,
    clip: objective.clip,
    kl: objective.kl.coefficient,
    adapter: { rank: 64, alpha: 128, modules: "all-linear" },
    novelty: paperNovelty(),
  };
}

export function paperSettings(trainer: Trainer, input: SettingsInput): Settings {
  return { verl: verlSettings, trl: trlSettings, openrlhf: openrlhfSettings, slime: slimeSettings }[trainer](input);
}

function verlSettings({ bonus, model, gpus }: SettingsInput): Settings {
  const paper = paperStage();
  const actor = "actor_rollout_ref.actor";
  const rollout = "actor_rollout_ref.rollout";
  return {
    "algorithm.adv_estimator": "grpo",
    "algorithm.norm_adv_by_std_in_grpo": true,
    "algorithm.use_kl_in_reward": false,
    [`${actor}.policy_loss.loss_mode`]: "gspo",
    [`${actor}.loss_agg_mode`]: "seq-mean-token-mean",
    [`${actor}.clip_ratio_low`]: paper.clip.below,
    [`${actor}.clip_ratio_high`]: paper.clip.above,
    // verl counts prompts here and multiplies by the rollouts of each.
    [`${actor}.ppo_mini_batch_size`]: paper.rolloutsPerUpdate / paper.rolloutsPerProblem,
    [`${actor}.ppo_epochs`]: paper.epochs,
    [`${actor}.use_kl_loss`]: true,
    [`${actor}.kl_loss_coef`]: paper.kl,
    [`${actor}.kl_loss_type`]: "low_var_kl",
    [`${actor}.entropy_coeff`]: 0,
    [`${actor}.optim.lr`]: paper.learningRate,
    [`${actor}.optim.lr_scheduler_type`]: "cosine",
    [`${actor}.optim.min_lr_ratio`]: paper.lowestLearningRate,
    [`${actor}.optim.weight_decay`]: paper.weightDecay,
    "actor_rollout_ref.model.path": model,
    "actor_rollout_ref.model.lora_rank": paper.adapter.rank,
    "actor_rollout_ref.model.lora_alpha": paper.adapter.alpha,
    "actor_rollout_ref.model.target_modules": paper.adapter.modules,
    [`${rollout}.name`]: "vllm",
    [`${rollout}.n`]: paper.rolloutsPerProblem,
    [`${rollout}.temperature`]: paper.temperature,
    [`${rollout}.top_p`]: paper.topP,
    [`${rollout}.load_format`]: "safetensors",
    [`${rollout}.layered_summon`]: true,
    "data.train_files": "train.parquet",
    "data.val_files": "test.parquet",
    "data.train_batch_size": paper.problemsPerStep,
    "data.max_prompt_length": paper.promptTokens,
    "data.max_response_length": paper.maxTokens,
    "reward.custom_reward_function.path": "plugin/repertoire_verl.py",
    "reward.custom_reward_function.name": "compute_score",
    "reward.reward_manager.name": "naive",
    "trainer.use_v1": true,
    "trainer.v1.trainer_mode": bonus === "novelty" ? "sync_novelty" : "sync",
    "trainer.nnodes": 1,
    "trainer.n_gpus_per_node": gpus,
    "trainer.total_epochs": 1,
    "trainer.total_training_steps": paper.steps,
    "trainer.save_freq": paper.stepsPerCheckpoint,
    "trainer.rollout_data_dir": "rollouts",
  };
}

/** Keys of GRPOConfig; `adapter` and `novelty` are read by the plugin's script. */
function trlSettings({ bonus, gpus }: SettingsInput): Settings {
  const paper = paperStage();
  const rolloutsOfOneGpu = paper.rolloutsPerUpdate / gpus;
  if (!Number.isInteger(rolloutsOfOneGpu))
    throw new ConfigurationError(`${paper.rolloutsPerUpdate} rollouts an update cannot be shared by ${gpus} GPUs`);
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
    gradient_accumulation_steps: rolloutsOfOneGpu,
    steps_per_generation: rolloutsOfOneGpu,
    // TRL counts optimizer steps, and each batch is used for several.
    max_steps: paper.steps * paper.epochs,
    learning_rate: paper.learningRate,
    lr_scheduler_type: "cosine_with_min_lr",
    lr_scheduler_kwargs: { min_lr_rate: paper.lowestLearningRate },
    weight_decay: paper.weightDecay,
    max_grad_norm: paper.maxGradientNorm,
    bf16: true,
    gradient_checkpointing: true,
    use_vllm: true,
    vllm_mode: "colocate",
    log_completions: true,
    logging_steps: 1,
    save_steps: paper.stepsPerCheckpoint * paper.epochs,
    seed: paper.seed,
    adapter: paper.adapter,
    novelty: { ...paper.novelty, weight: bonus === "novelty" ? paper.novelty.weight : 0 },
  };
}

function openrlhfSettings({ model, gpus }: SettingsInput): Settings {
  const paper = paperStage();
  return {
    "--actor.model_name_or_path": model,
    "--actor.policy_loss_type": "gspo",
    "--actor.eps_clip_low_high": [paper.clip.below, paper.clip.above],
    "--actor.adam.lr": paper.learningRate,
    "--actor.gradient_checkpointing_enable": true,
    "--actor.num_nodes": 1,
    "--actor.num_gpus_per_node": gpus,
    "--ref.num_nodes": 1,
    "--ref.num_gpus_per_node": gpus,
    "--algo.advantage.estimator": "group_norm",
    "--algo.kl.use_loss": true,
    "--algo.kl.estimator": "k3",
    "--algo.kl.init_coef": paper.kl,
    "--rollout.batch_size": paper.problemsPerStep,
    "--rollout.n_samples_per_prompt": paper.rolloutsPerProblem,
    "--rollout.temperature": paper.temperature,
    "--rollout.top_p": paper.topP,
    "--rollout.max_new_tokens": paper.maxTokens,
    "--train.batch_size": paper.rolloutsPerUpdate,
    "--train.max_epochs": paper.epochs,
    "--train.num_episodes": 1,
    "--train.colocate_all": true,
    "--data.prompt_dataset": "train.jsonl",
    "--eval.dataset": "test.jsonl",
    "--data.input_key": "prompt",
    "--data.label_key": "label",
    "--data.apply_chat_template": true,
    "--data.max_len": paper.promptTokens + paper.maxTokens,
    "--data.max_samples": paper.steps * paper.problemsPerStep,
    "--ds.lora.rank": paper.adapter.rank,
    "--ds.lora.alpha": paper.adapter.alpha,
    "--ds.lora.target_modules": paper.adapter.modules,
    "--ds.param_dtype": "bf16",
    "--vllm.num_engines": gpus,
    "--vllm.tensor_parallel_size": 1,
    "--vllm.enable_sleep": true,
    "--ds.enable_sleep": true,
  };
}

function slimeSettings({ model, gpus }: SettingsInput): Settings {
  const paper = paperStage();
  return {
    "--hf-checkpoint": model,
    "--actor-num-nodes": 1,
    "--actor-num-gpus-per-node": gpus,
    "--colocate": true,
    "--advantage-estimator": "gspo",
    "--eps-clip": paper.clip.below,
    "--eps-clip-high": paper.clip.above,
    "--use-kl-loss": true,
    "--kl-loss-coef": paper.kl,
    "--kl-loss-type": "low_var_kl",
    "--entropy-coef": 0,
    "--prompt-data": "train.jsonl",
    "--input-key": "prompt",
    "--label-key": "label",
    "--apply-chat-template": true,
    "--num-rollout": paper.steps,
    "--rollout-batch-size": paper.problemsPerStep,
    "--n-samples-per-prompt": paper.rolloutsPerProblem,
    "--rollout-temperature": paper.temperature,
    "--rollout-top-p": paper.topP,
    "--rollout-max-response-len": paper.maxTokens,
    "--global-batch-size": paper.rolloutsPerUpdate,
    "--rm-type": "remote_rm",
    "--reward-key": "score",
    "--optimizer": "adam",
    "--lr": paper.learningRate,
    "--lr-decay-style": "cosine",
    "--min-lr": paper.learningRate * paper.lowestLearningRate,
    "--weight-decay": paper.weightDecay,
    "--clip-grad": paper.maxGradientNorm,
    "--save-interval": paper.stepsPerCheckpoint,
  };
}
