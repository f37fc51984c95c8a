// The paper's RL stage in Axolotl, which trains with TRL's GRPOTrainer: the numbers of `trl.ts` in its words.
import { dump } from "js-yaml";
import { paperStage, paperTokens } from "./paper-stage.ts";
import { command, findPlugin, type TrainerExport } from "./trainer.ts";
import { grpoSettings, trlDifferences, trlMemory, trlRow } from "./trl.ts";

export const axolotl: TrainerExport = {
  name: "axolotl",
  bonus: true,
  rollouts: "checkpoints/completions",
  plugins: ["trl/repertoire_trl.py", "rewards/repertoire_rewards", "axolotl/repertoire_axolotl.py"],
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
