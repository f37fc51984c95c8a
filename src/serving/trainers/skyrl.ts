// The paper's RL stage in SkyRL: our environment in SkyRL-gym, and our trainer for the bonus.
import { rolloutsOfOneGpu, sequenceParallel } from "./stage.ts";
import {
  command,
  findPlugin,
  hydraLine,
  noveltyLines,
  type Settings,
  type SettingsInput,
  type TrainerExport,
} from "./trainer.ts";

export const skyrl: TrainerExport = {
  name: "skyrl",
  bonus: true,
  nodes: true,
  plugins: ["skyrl/repertoire_skyrl.py", "rewards/repertoire_rewards"],
  validates: true,
  data: "parquet",
  row: ({ data_source, prompt, reward_model, extra_info }) => ({
    data_source,
    prompt,
    env_class: "repertoire",
    reward_spec: { method: "rule", ground_truth: reward_model.ground_truth },
    extra_info,
  }),
  settings,
  launch: (input) => [
    findPlugin,
    ...noveltyLines(input),
    command("python -m repertoire_skyrl", [
      ...Object.entries(input.settings).map(([key, value]) => dataLine(key, value) ?? hydraLine(key, value)),
    ]),
  ],
  differences: [
    "With an adapter, SkyRL's reference is the model without it. Merge the SFT adapter into the weights first.",
    "The logged reward includes the bonus; `novelty/bonus_magnitude` says how much.",
    "SkyRL's scheduler has no floor of 0.3; the rate is constant.",
    "It shuffles the rows, so that a step has a quarter of each puzzle only on average.",
  ],
  memory: [
    "A sequence of 31,000 tokens is shared by four cards (Ulysses): 7,750 tokens each, about 8 GB of logits and their gradient.",
    "Weights over eight cards (FSDP) in fp32: 3.7 GB; saved layer inputs: 2 GB; the adapter and its optimizer: below 1 GB.",
    "vLLM may take 0.6 of a card while it samples, and sleeps while the policy trains.",
  ],
};

/** SkyRL's lists of files, which hold a path of this folder. */
function dataLine(key: string, value: unknown): string | undefined {
  return key === "data.train_data" || key === "data.val_data" ? `"${key}=['$PWD/${String(value)}']"` : undefined;
}

function settings({ model, gpus, nodes, stage: paper }: SettingsInput): Settings {
  const lora = "trainer.policy.model.lora";
  rolloutsOfOneGpu(paper, gpus * nodes);
  return {
    "data.train_data": "train.parquet",
    "data.val_data": "test.parquet",
    "environment.env_class": "repertoire",
    "trainer.algorithm.advantage_estimator": "grpo",
    "trainer.algorithm.grpo_norm_by_std": true,
    "trainer.algorithm.policy_loss_type": "gspo",
    "trainer.algorithm.loss_reduction": "sequence_mean",
    "trainer.algorithm.eps_clip_low": paper.clip.below,
    "trainer.algorithm.eps_clip_high": paper.clip.above,
    "trainer.algorithm.use_kl_loss": true,
    "trainer.algorithm.kl_loss_coef": paper.kl,
    "trainer.algorithm.kl_estimator_type": "k3",
    "trainer.policy.model.path": model,
    [`${lora}.rank`]: paper.adapter.rank,
    [`${lora}.alpha`]: paper.adapter.alpha,
    "trainer.policy.optimizer_config.lr": paper.learningRate,
    "trainer.policy.optimizer_config.adam_betas": `[${paper.optimizer.beta1},${paper.optimizer.beta2}]`,
    "trainer.policy.optimizer_config.num_warmup_steps": 0,
    "trainer.policy.optimizer_config.weight_decay": paper.weightDecay,
    "trainer.policy.optimizer_config.max_grad_norm": paper.maxGradientNorm,
    "trainer.policy.sequence_parallel_size": sequenceParallel(gpus),
    "trainer.ref.sequence_parallel_size": sequenceParallel(gpus),
    "trainer.strategy": "fsdp",
    "trainer.placement.colocate_all": true,
    "trainer.placement.policy_num_nodes": nodes,
    "trainer.placement.ref_num_nodes": nodes,
    "trainer.placement.policy_num_gpus_per_node": gpus,
    "trainer.placement.ref_num_gpus_per_node": gpus,
    "trainer.epochs": 1,
    "trainer.seed": paper.seed,
    "trainer.update_epochs_per_batch": paper.epochs,
    "trainer.train_batch_size": paper.problemsPerStep,
    "trainer.policy_mini_batch_size": paper.rolloutsPerUpdate / paper.rolloutsPerProblem,
    "trainer.micro_forward_batch_size_per_gpu": 1,
    "trainer.micro_train_batch_size_per_gpu": 1,
    "trainer.max_prompt_length": paper.promptTokens,
    "trainer.ckpt_interval": paper.stepsPerCheckpoint,
    "trainer.ckpt_path": "checkpoints",
    // Its evaluations with their texts; the training rollouts are in the reward server's record.
    "trainer.eval_interval": paper.stepsPerCheckpoint,
    "trainer.dump_eval_results": true,
    "trainer.export_path": "exports",
    "trainer.logger": "console",
    "generator.n_samples_per_prompt": paper.rolloutsPerProblem,
    // Its batched generator keeps no metrics of the environments, which tell the bonus what is right.
    "generator.batched": false,
    "generator.sampling_params.max_generate_length": paper.maxTokens,
    "generator.sampling_params.temperature": paper.temperature,
    "generator.sampling_params.top_p": paper.topP,
    "generator.inference_engine.backend": "vllm",
    "generator.inference_engine.num_engines": gpus * nodes,
    "generator.inference_engine.tensor_parallel_size": 1,
    "generator.inference_engine.gpu_memory_utilization": 0.6,
    "generator.inference_engine.engine_init_kwargs.max_model_len": paper.tokens,
  };
}
