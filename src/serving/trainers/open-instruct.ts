// The paper's RL stage in open-instruct, OLMo's own trainer.
import { sequenceParallel } from "./stage.ts";
import { command, findPlugin, flagLines, needed, type TrainerExport } from "./trainer.ts";

export const openInstruct: TrainerExport = {
  name: "open-instruct",
  bonus: false,
  plugins: ["open-instruct/repertoire_open_instruct.py", "rewards/repertoire_rewards"],
  validates: true,
  data: "jsonl",
  row: ({ prompt, reward_model }) => ({
    messages: prompt,
    ground_truth: reward_model.ground_truth,
    dataset: "repertoire",
  }),
  settings: ({ model, gpus, stage: paper }) => {
    const learners = Math.max(1, Math.floor(gpus / 2));
    return {
      "--model_name_or_path": model,
      "--dataset_mixer_list": ["train.jsonl", "1.0"],
      "--dataset_mixer_list_splits": "train",
      "--dataset_mixer_eval_list": ["test.jsonl", "1.0"],
      "--dataset_mixer_eval_list_splits": "train",
      "--max_prompt_token_length": paper.promptTokens,
      "--response_length": paper.maxTokens,
      "--pack_length": paper.tokens,
      "--num_unique_prompts_rollout": paper.problemsPerStep,
      "--num_samples_per_prompt_rollout": paper.rolloutsPerProblem,
      "--total_episodes": paper.steps * paper.problemsPerStep * paper.rolloutsPerProblem,
      "--num_epochs": paper.epochs,
      "--num_mini_batches": 1,
      "--per_device_train_batch_size": 1,
      "--temperature": paper.temperature,
      "--clip_lower": paper.clip.below,
      "--clip_higher": paper.clip.above,
      "--vllm_top_p": paper.topP,
      "--beta": paper.kl,
      // Its third estimator, exp(x) − x − 1.
      "--kl_estimator": 2,
      "--advantage_normalization_type": "standard",
      "--filter_zero_std_samples": "false",
      // Rollouts of the step before: fewer it does not have, and its default is eight.
      "--async_steps": 1,
      "--learning_rate": paper.learningRateOfAllWeights,
      "--lr_scheduler_type": "cosine",
      "--warmup_ratio": 0,
      "--weight_decay": paper.weightDecay,
      "--max_grad_norm": paper.maxGradientNorm,
      "--apply_verifiable_reward": "true",
      "--verification_reward": 1,
      "--deepspeed_stage": 3,
      "--sequence_parallel_size": sequenceParallel(learners),
      "--num_learners_per_node": learners,
      "--vllm_num_engines": Math.max(1, gpus - learners),
      "--vllm_tensor_parallel_size": 1,
      "--gradient_checkpointing": true,
      // Its default pushes the model to the Hub, and ends at once where nobody is logged in.
      "--push_to_hub": "false",
      // Tokens and scores; the texts are in the reward server's record.
      "--save_traces": "true",
      "--rollouts_save_path": "rollouts",
      "--save_freq": paper.stepsPerCheckpoint,
      "--output_dir": "checkpoints",
      "--seed": paper.seed,
    };
  },
  launch: ({ settings }) => [
    needed("OPEN_INSTRUCT", "set it to a checkout of open-instruct"),
    findPlugin,
    'export PYTHONPATH="$OPEN_INSTRUCT:$PYTHONPATH"',
    command("python -m repertoire_open_instruct", flagLines(settings)),
  ],
  differences: [
    "open-instruct has no GSPO: its ratio belongs to a token, and the paper's clip range, which is a sequence's, is far too narrow for it. Widen --clip_lower and --clip_higher (its own are 0.2 and 0.272).",
    "Rollouts are a step older than the weights; its correction for that (`--use_rho_correction`) stays on.",
    "Every token counts the same, however long its response; a group's deviation is divided by its size, not by one less, and the cosine ends at zero.",
    "All weights are trained; the learning rate is a tenth of the paper's, which is an adapter's; that is our choice.",
    "There is no place for the novelty bonus without a fork: this is the vanilla run.",
  ],
  memory: [
    "Four cards learn and share a sequence of 31,000 tokens: 7,750 tokens each, about 8 GB of logits and their gradient.",
    "ZeRO 3 over four cards: 7.3 billion times (2 + 2 + 12) bytes / 4 = 29 GB, and 4 GB for the reference; saved layer inputs 2 GB.",
    "Four cards sample with 15 GB of weights each and the rest for keys and values.",
  ],
};
