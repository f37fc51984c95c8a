// Trainers that train with TRL's GRPOTrainer, or one after its model: Axolotl, Unsloth, ms-swift. The same numbers as in
// `trl.ts`, in their words.
import { dump } from "js-yaml";
import { paperStage, paperTokens } from "./paper-stage.ts";
import { command, findPlugin, flagLines, quoted, type Settings, type TrainerExport } from "./trainer.ts";
import { grpoSettings, trlDifferences, trlMemory, trlRow } from "./trl.ts";

const trlPlugins = ["trl/repertoire_trl.py", "rewards/repertoire_rewards"];

export const axolotl: TrainerExport = {
  name: "axolotl",
  checkedWith: "0.18.0 (067b021c8), which pins TRL 1.8.0; two steps were trained with 1.13.0",
  bonus: true,
  plugins: [...trlPlugins, "axolotl/repertoire_axolotl.py"],
  data: "jsonl",
  row: trlRow,
  settings: (input) => grpoSettings(input),
  files: ({ settings, model, bonus }) => {
    const paper = paperStage();
    const s = settings as Record<string, number>;
    return {
      "config.yaml": dump({
        base_model: model,
        rl: "grpo",
        ...(bonus === "novelty" && { trainer_cls: "repertoire_axolotl.NoveltyTrainer" }),
        datasets: [{ path: "train.jsonl", ds_type: "json", type: "repertoire_axolotl.as_it_is" }],
        sequence_len: paperTokens(),
        adapter: "lora",
        lora_r: paper.adapter.rank,
        lora_alpha: paper.adapter.alpha,
        lora_dropout: 0,
        lora_target_linear: true,
        trl: {
          beta: paper.kl,
          num_generations: paper.rolloutsPerProblem,
          num_iterations: paper.epochs,
          max_completion_length: paper.maxTokens,
          epsilon: paper.clip.below,
          epsilon_high: paper.clip.above,
          importance_sampling_level: "sequence",
          loss_type: "grpo",
          scale_rewards: true,
          temperature: paper.temperature,
          top_p: paper.topP,
          use_vllm: true,
          vllm_importance_sampling_correction: false,
          use_bias_correction_kl: false,
          log_completions: true,
          reward_funcs: ["repertoire_trl.task_reward", "repertoire_trl.exact"],
          reward_weights: [1, 0],
        },
        micro_batch_size: 1,
        gradient_accumulation_steps: s.gradient_accumulation_steps,
        max_steps: s.max_steps,
        learning_rate: paper.learningRate,
        lr_scheduler: "cosine",
        cosine_min_lr_ratio: paper.lowestLearningRate,
        warmup_steps: 0,
        optimizer: "adamw_torch",
        adam_beta1: paper.optimizer.beta1,
        adam_beta2: paper.optimizer.beta2,
        adam_epsilon: paper.optimizer.epsilon,
        weight_decay: paper.weightDecay,
        max_grad_norm: paper.maxGradientNorm,
        bf16: true,
        gradient_checkpointing: true,
        save_steps: s.save_steps,
        logging_steps: 1,
        output_dir: "checkpoints",
        seed: paper.seed,
      }),
    };
  },
  launch: () => [findPlugin, command("axolotl train config.yaml")],
  differences: [
    ...trlDifferences,
    "Axolotl shuffles the rows, so that a step has a quarter of each puzzle only on average.",
    "vLLM runs beside it: `axolotl vllm-serve config.yaml` on cards of its own.",
  ],
  memory: [...trlMemory.slice(0, 3), "vLLM has cards of its own here, so that fewer than eight train."],
};

export const unsloth: TrainerExport = {
  name: "unsloth",
  checkedWith: "015bdef0d9 (2026-08-22): its layout of a batch and its TRL 0.24.0 were run, its trainer was not",
  bonus: true,
  plugins: [...trlPlugins, "unsloth/train.py"],
  data: "jsonl",
  row: trlRow,
  settings: (input) => {
    const paper = paperStage();
    const { vllm_mode, vllm_enable_sleep_mode, vllm_gpu_memory_utilization, ...kept } = grpoSettings(input);
    return {
      ...kept,
      adapter: paper.adapter,
      max_seq_length: paperTokens(),
      gpu_memory_utilization: 0.55,
      novelty: { ...paper.novelty, weight: input.bonus === "novelty" ? paper.novelty.weight : 0 },
    };
  },
  launch: ({ model }) => [
    findPlugin,
    command("python plugin/train.py", [
      `--model ${quoted(model)}`,
      "--settings settings.json",
      "--train train.jsonl",
      "--out checkpoints",
    ]),
  ],
  differences: [
    ...trlDifferences,
    "Unsloth trains on one card: give --gpus 1, and as many rollouts an update as it holds.",
  ],
  memory: [
    ...trlMemory.slice(0, 1),
    "Unsloth computes logits in chunks and moves saved layer inputs to the CPU: below the 64 GB of TRL.",
  ],
};

export const msSwift: TrainerExport = {
  name: "ms-swift",
  checkedWith: "4.5.2 (3602360a5): its parser and its registry of rewards; its trainer was not run",
  model: "Qwen/Qwen3-8B",
  bonus: false,
  plugins: ["ms-swift/repertoire_swift.py", "rewards/repertoire_rewards"],
  data: "jsonl",
  row: ({ prompt, reward_model, data_source }) => ({
    messages: prompt,
    ground_truth: reward_model.ground_truth,
    data_source,
  }),
  settings(input): Settings {
    const paper = paperStage();
    const { bf16, vllm_enable_sleep_mode, lr_scheduler_kwargs, scale_rewards, ...others } = grpoSettings(input);
    // Its own corrections are off unless asked for.
    const { shuffle_dataset, vllm_importance_sampling_correction, use_bias_correction_kl, ...kept } = others;
    const flags = Object.fromEntries(
      Object.entries(kept).map(([key, value]) => [`--${key}`, value === true ? "true" : value]),
    );
    return {
      "--rlhf_type": "grpo",
      "--model": input.model,
      "--dataset": "train.jsonl",
      "--val_dataset": "test.jsonl",
      "--dataset_shuffle": "false",
      "--torch_dtype": "bfloat16",
      "--tuner_type": "lora",
      "--lora_rank": paper.adapter.rank,
      "--lora_alpha": paper.adapter.alpha,
      "--lora_dropout": 0,
      "--target_modules": paper.adapter.modules,
      ...flags,
      "--lr_scheduler_kwargs": JSON.stringify({ min_lr_rate: paper.lowestLearningRate }),
      // All cards together must hold whole groups when it evaluates.
      "--per_device_eval_batch_size": Math.ceil(paper.rolloutsPerProblem / input.gpus),
      "--max_length": paper.promptTokens,
      "--vllm_max_model_len": paperTokens(),
      "--sleep_level": 1,
      "--offload_model": "true",
      "--external_plugins": "plugin/repertoire_swift.py",
      "--reward_funcs": ["repertoire", "repertoire_exact"],
      "--reward_weights": [1, 0],
      "--output_dir": "checkpoints",
    };
  },
  launch: ({ settings, gpus }) => [
    findPlugin,
    `export NPROC_PER_NODE=${gpus}`,
    command("swift rlhf", flagLines(settings)),
  ],
  differences: [
    ...trlDifferences.slice(0, 2),
    "ms-swift has a trainer of its own, for which there is no bonus here: this is the vanilla run.",
    "ms-swift has no template for OLMo 3, the paper's model; without --model this starts from Qwen/Qwen3-8B. For a folder it may ask for `--model_type` and `--template`: give them to launch.sh.",
  ],
  memory: trlMemory,
};
