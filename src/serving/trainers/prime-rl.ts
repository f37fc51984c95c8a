// The paper's RL stage in prime-rl, over our verifiers taskset.
import { stringify } from "smol-toml";
import { command, findPlugin, type LaunchInput, needed, noveltyLines, type TrainerExport } from "./trainer.ts";

export const primeRl: TrainerExport = {
  name: "prime-rl",
  bonus: true,
  plugins: ["verifiers/repertoire_puzzles", "rewards/repertoire_rewards"],
  data: "jsonl",
  row: ({ prompt, reward_model, data_source }) => ({
    prompt: typeof prompt === "string" ? prompt : prompt[0].content,
    ground_truth: reward_model.ground_truth,
    data_source,
  }),
  settings: ({ model, gpus, stage: paper }) => {
    const inferenceGpus = Math.max(1, Math.floor(gpus / 2));
    return {
      model,
      max_steps: paper.steps,
      batch_size: paper.rolloutsPerUpdate,
      group_size: paper.rolloutsPerProblem,
      seq_len: paper.tokens,
      temperature: paper.temperature,
      max_completion_tokens: paper.maxTokens,
      lora_rank: paper.adapter.rank,
      lora_alpha: paper.adapter.alpha,
      learning_rate: paper.learningRate,
      min_learning_rate: paper.learningRate * paper.lowestLearningRate,
      beta1: paper.optimizer.beta1,
      beta2: paper.optimizer.beta2,
      weight_decay: paper.weightDecay,
      max_norm: paper.maxGradientNorm,
      checkpoint_interval: paper.stepsPerCheckpoint,
      num_infer_gpus: inferenceGpus,
      num_train_gpus: Math.max(1, gpus - inferenceGpus),
    };
  },
  files: (input) => ({ "rl.toml": configuration(input) }),
  launch: (input) => [
    needed("PRIME_RL", "set it to a checkout of prime-rl"),
    ...(input.bonus === "novelty"
      ? [
          needed(
            "REPERTOIRE_REFERENCE_URL",
            "set it to a server with the SFT model: in prime-rl, uv run inference --vllm.model <model> --server.port 8001, then http://host:8001/v1",
          ),
          needed("REPERTOIRE_REFERENCE_MODEL", "set it to the name of the SFT model on that server"),
          "export REPERTOIRE_REFERENCE_URL REPERTOIRE_REFERENCE_MODEL",
          ...noveltyLines(input),
        ]
      : []),
    findPlugin,
    // Its environment servers and its orchestrator are processes of their own; they inherit these.
    'export REPERTOIRE_ROWS="$PWD/train.jsonl"',
    command('uv run --project "$PRIME_RL" rl @ rl.toml'),
  ],
  differences: [
    "prime-rl's own loss is used, not GSPO: its importance ratio belongs to a token.",
    "One optimizer step a batch, where the paper makes four.",
    "The reference of the bonus is a server that you start with the SFT model's weights: prime-rl's own (`uv run inference`), which can score given tokens; it scores at temperature 1.",
    "Advantages are centered, not divided by the group's deviation, and a group that is all alike is left out.",
    "Half of the cards sample while the other half trains: a rollout may be up to eight steps older than the weights (`orchestrator.max_off_policy_steps`).",
    "The chat template is the tokenizer's own (`renderer = default`): prime-rl knows renderers by name, and a folder with a fine-tuned model has none.",
  ],
  memory: [
    "Four cards train an adapter: 7.3 billion weights in fp32 / 4 = 7 GB each; the adapter and its optimizer: below 1 GB.",
    "One sequence of 31,000 tokens a card: saved layer inputs (32 layers of 4,096 numbers in bf16) 8 GB, one layer computed again 4 GB.",
    "Its fused head computes logits of 8,192 tokens at a time: 1.6 GB in bf16, about 8 GB with fp32 copies and gradient.",
    "Four cards sample with 15 GB of weights each; the rest is for keys and values, 0.5 MB a token at most. The reference needs a card of its own, elsewhere.",
  ],
};

function configuration({ settings: s }: LaunchInput): string {
  const source = {
    name: "repertoire",
    env: {
      taskset: { id: "repertoire-puzzles" },
      agent: { harness: { id: "null" }, runtime: { type: "subprocess" } },
    },
  };
  const { temperature, max_completion_tokens } = s;
  return stringify({
    max_steps: s.max_steps,
    seq_len: s.seq_len,
    deployment: { num_train_gpus: s.num_train_gpus, num_infer_gpus: s.num_infer_gpus },
    model: { name: s.model },
    ckpt: { interval: s.checkpoint_interval },
    orchestrator: {
      batch_size: s.batch_size,
      group_size: s.group_size,
      renderer: { name: "default" },
      train: { sampling: { temperature, max_completion_tokens }, source: [source] },
    },
    trainer: {
      model: { lora: { rank: s.lora_rank, alpha: s.lora_alpha } },
      optim: {
        ...{ lr: s.learning_rate, betas1: s.beta1, betas2: s.beta2 },
        ...{ weight_decay: s.weight_decay, max_norm: s.max_norm },
      },
      scheduler: { type: "cosine", warmup_steps: 0, min_lr: s.min_learning_rate },
    },
    inference: { vllm: { max_model_len: s.seq_len } },
  });
}
