// The paper's RL stage in OpenRLHF, which asks our server itself.
import { learningRateOfAllWeights, paperStage, paperTokens, sequenceParallel } from "./paper-stage.ts";
import { command, flagLines, remoteUrl, type Settings, type SettingsInput, type TrainerExport } from "./trainer.ts";

export const openrlhf: TrainerExport = {
  name: "openrlhf",
  checkedWith: "0.11.0 (3c3be623)",
  bonus: false,
  plugins: [],
  data: "jsonl",
  row: ({ prompt, reward_model }) => ({ prompt, label: reward_model.ground_truth }),
  settings,
  launch: ({ settings }) => [
    command("python -m openrlhf.cli.train_ppo_ray", [
      ...flagLines(settings),
      `--reward.remote_url ${remoteUrl("/openrlhf")}`,
    ]),
  ],
  differences: [
    "All weights are trained: OpenRLHF sends an adapter's weights to vLLM under names that vLLM does not know, so the paper's adapter of rank 64 cannot be used with it. The learning rate is a tenth of the paper's, which is an adapter's; that is our choice.",
    "The token, where there is one, is in the address of the server, which OpenRLHF may log: prefer a private network.",
    "OpenRLHF has no place for the novelty bonus without a fork: this is the vanilla run.",
    "An answer of mathematics that could not be decided in time has no score; OpenRLHF has no word for that, so its request is refused and asked again.",
  ],
  memory: [
    "A sequence of 31,000 tokens is shared by four cards (`ring_attn_size`, which needs `ring_flash_attn`): 7,750 tokens each, about 8 GB of logits and their gradient.",
    "ZeRO 3 shares weights, gradients and optimizer by eight cards: 7.3 billion times (2 + 2 + 12) bytes / 8 = 15 GB, of which the optimizer's 11 GB go to the CPU (88 GB of its memory).",
    "The reference in bf16, shared too: 1.8 GB. Saved layer inputs: 2 GB. vLLM may take 0.6 of a card while it samples, and sleeps otherwise.",
  ],
};

function settings({ model, gpus }: SettingsInput): Settings {
  const paper = paperStage();
  return {
    "--actor.model_name_or_path": model,
    "--actor.policy_loss_type": "gspo",
    "--actor.eps_clip_low_high": [paper.clip.below, paper.clip.above],
    "--actor.adam.lr": learningRateOfAllWeights(),
    "--actor.min_lr_ratio": paper.lowestLearningRate,
    "--actor.adam.weight_decay": paper.weightDecay,
    "--actor.max_norm": paper.maxGradientNorm,
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
    "--train.micro_batch_size": 1,
    "--train.max_epochs": paper.epochs,
    "--train.num_episodes": 1,
    "--train.colocate_all": true,
    "--data.prompt_dataset": "train.jsonl",
    "--eval.dataset": "test.jsonl",
    "--data.input_key": "prompt",
    "--data.label_key": "label",
    "--data.apply_chat_template": true,
    "--data.max_len": paperTokens(),
    "--data.max_samples": paper.steps * paper.problemsPerStep,
    "--ds.zero_stage": 3,
    "--ds.adam_offload": true,
    "--ds.packing_samples": true,
    "--ds.ring_attn_size": sequenceParallel(gpus),
    "--ds.param_dtype": "bf16",
    "--vllm.num_engines": gpus,
    "--vllm.tensor_parallel_size": 1,
    "--vllm.gpu_memory_utilization": 0.6,
    "--vllm.enable_sleep": true,
    "--ds.enable_sleep": true,
    "--ckpt.output_dir": "checkpoints",
    "--ckpt.save_steps": paper.stepsPerCheckpoint,
    "--ckpt.save_hf": true,
  };
}
