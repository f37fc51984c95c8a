// The paper's RL stage in verl: its V1 trainer, with our reward function, and our trainer for the bonus.
import { paperValue } from "../../problems/paper.ts";
import { evaluationScript, evaluationScriptName } from "../evaluation-script.ts";
import { rolloutsOfOneGpu, sequenceParallel, tokensPerGpu } from "./stage.ts";
import {
  command,
  findPlugin,
  hydraLines,
  noveltyLines,
  noveltyVariables,
  type Settings,
  type SettingsInput,
  type TrainerExport,
} from "./trainer.ts";

export const verl: TrainerExport = {
  name: "verl",
  bonus: true,
  rollouts: "rollouts",
  nodes: true,
  plugins: ["verl/repertoire_verl.py", "verl/repertoire_adapter.py", "rewards/repertoire_rewards"],
  validates: true,
  data: "parquet",
  row: (row) => row,
  settings,
  files: (input) => ({ [evaluationScriptName]: evaluationScript(input) }),
  launch(input) {
    const { settings, bonus, nodes } = input;
    const novelty = bonus === "novelty";
    return [
      findPlugin,
      ...(novelty ? ["export VERL_USE_EXTERNAL_MODULES=repertoire_verl", ...noveltyLines(input)] : []),
      command("python -m verl.trainer.main_ppo", [
        ...hydraLines(settings),
        ...(nodes > 1 ? ["+ray_kwargs.ray_init.address=auto"] : []),
        // Ray's workers on other nodes start with an environment of their own. The token stays out of it: verl writes
        // its configuration down.
        ...[
          "PYTHONPATH",
          "REPERTOIRE_REWARD_URL",
          ...(novelty ? ["VERL_USE_EXTERNAL_MODULES", ...Object.keys(noveltyVariables(input))] : []),
        ].map((name) => `"+ray_kwargs.ray_init.runtime_env.env_vars.${name}=$${name}"`),
      ]),
    ];
  },
  differences: [
    "With an adapter, verl's reference is the model without it. Merge the SFT adapter into the weights first, so that the reference is the SFT model.",
    "The logged reward includes the bonus; `novelty/task_reward` is without it. Our trainer's dumps say `acc`, `task_reward` and `novelty_bonus` beside verl's `score`.",
    "The reference is scored at the sampling temperature, because verl's KL log-probabilities are reused.",
    "The token reaches workers on other nodes only where their environment has REPERTOIRE_TOKEN; verl writes its configuration down, so it is not in there.",
    "A checkpoint is the adapter and its optimizer: about 2 GB (0.6 + 1.3), 28 GB for all fourteen. verl's own merger refuses such checkpoints; `evaluate.sh` takes the adapter out with plugin/repertoire_adapter.py, which is that merger without the base model.",
    "Before the first step and every five it answers the test rows once each, at the paper's evaluation temperature, into validation/.",
    "It logs to the console; add `'trainer.logger=[console,wandb]'` after logging in.",
  ],
  memory: [
    "A sequence of 31,000 tokens is shared by four cards: 7,750 tokens each, under `ppo_max_token_len_per_gpu`.",
    "Logits of 8,192 tokens over 100,278 words: 1.6 GB in bf16 and 3.3 GB for each copy in fp32, about 8 GB with their gradient.",
    "Saved layer inputs (32 layers of 4,096 numbers in bf16): 2.1 GB. Weights in fp32 over eight cards: 3.7 GB. The adapter and its optimizer: below 1 GB.",
    "vLLM may take 0.6 of a card while it samples (48 GB): 15 GB of weights, the rest for keys and values, 0.5 MB a token at most.",
  ],
};

function settings({ bonus, model, gpus, nodes, stage: paper }: SettingsInput): Settings {
  const actor = "actor_rollout_ref.actor";
  const rollout = "actor_rollout_ref.rollout";
  rolloutsOfOneGpu(paper, gpus * nodes);
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
    [`${actor}.use_dynamic_bsz`]: true,
    [`${actor}.ppo_max_token_len_per_gpu`]: tokensPerGpu(paper, gpus),
    [`${actor}.fsdp_config.ulysses_sequence_parallel_size`]: sequenceParallel(gpus),
    [`${actor}.ulysses_sequence_parallel_size`]: sequenceParallel(gpus),
    [`${actor}.use_kl_loss`]: true,
    [`${actor}.kl_loss_coef`]: paper.kl,
    [`${actor}.kl_loss_type`]: "low_var_kl",
    [`${actor}.entropy_coeff`]: 0,
    [`${actor}.optim.lr`]: paper.learningRate,
    [`${actor}.optim.lr_scheduler_type`]: "cosine",
    [`${actor}.optim.min_lr_ratio`]: paper.lowestLearningRate,
    [`${actor}.optim.lr_warmup_steps_ratio`]: 0,
    [`${actor}.optim.betas`]: `[${paper.optimizer.beta1},${paper.optimizer.beta2}]`,
    [`${actor}.optim.weight_decay`]: paper.weightDecay,
    [`${actor}.optim.clip_grad`]: paper.maxGradientNorm,
    "actor_rollout_ref.model.path": model,
    "actor_rollout_ref.model.enable_gradient_checkpointing": true,
    "actor_rollout_ref.model.lora_rank": paper.adapter.rank,
    "actor_rollout_ref.model.lora_alpha": paper.adapter.alpha,
    "actor_rollout_ref.model.target_modules": paper.adapter.modules,
    [`${rollout}.name`]: "vllm",
    [`${rollout}.n`]: paper.rolloutsPerProblem,
    // A replica on each card; verl's own value is two cards for each.
    [`${rollout}.tensor_model_parallel_size`]: 1,
    [`${rollout}.val_kwargs.do_sample`]: true,
    [`${rollout}.val_kwargs.temperature`]: paperValue("evaluation.temperature"),
    [`${rollout}.temperature`]: paper.temperature,
    [`${rollout}.top_p`]: paper.topP,
    [`${rollout}.load_format`]: "safetensors",
    [`${rollout}.layered_summon`]: true,
    [`${rollout}.gpu_memory_utilization`]: 0.6,
    [`${rollout}.max_model_len`]: paper.tokens,
    "data.train_files": "train.parquet",
    "data.val_files": "test.parquet",
    // Rows are in the order of the steps, a quarter of each puzzle in every one; verl would shuffle them.
    "data.shuffle": false,
    "data.train_batch_size": paper.problemsPerStep,
    "data.max_prompt_length": paper.promptTokens,
    "data.max_response_length": paper.maxTokens,
    "reward.custom_reward_function.path": "plugin/repertoire_verl.py",
    "reward.custom_reward_function.name": "compute_score",
    "reward.reward_manager.name": "naive",
    "trainer.use_v1": true,
    "trainer.v1.trainer_mode": bonus === "novelty" ? "sync_novelty" : "sync",
    "trainer.nnodes": nodes,
    "trainer.n_gpus_per_node": gpus,
    "trainer.total_epochs": 1,
    "trainer.total_training_steps": paper.steps,
    "trainer.val_before_train": true,
    "trainer.test_freq": paper.stepsPerCheckpoint,
    "trainer.save_freq": paper.stepsPerCheckpoint,
    // The base model never changes: 2 GB a checkpoint instead of 30.
    [`+${actor}.checkpoint.save_lora_only`]: true,
    "trainer.max_actor_ckpt_to_keep": Math.ceil(paper.steps / paper.stepsPerCheckpoint),
    "trainer.default_local_dir": "checkpoints",
    "trainer.rollout_data_dir": "rollouts",
    "trainer.validation_data_dir": "validation",
    "trainer.logger": "[console]",
  };
}
