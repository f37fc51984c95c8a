// The paper's RL stage in prime-rl, over our verifiers taskset.
import { learningRateOfAllWeights, paperStage, paperTokens } from "./paper-stage.ts";
import { command, findPlugin, type LaunchInput, needed, type TrainerExport } from "./trainer.ts";

export const primeRl: TrainerExport = {
  name: "prime-rl",
  checkedWith:
    "0.8.1.dev67 (559b44772) and verifiers 0.3.0 (a60a606ec), by reading: their packages could not be installed where this was written",
  bonus: true,
  plugins: ["verifiers/repertoire_puzzles", "rewards/repertoire_rewards"],
  data: "jsonl",
  row: ({ prompt, reward_model, data_source }) => ({
    prompt: prompt[0].content,
    ground_truth: reward_model.ground_truth,
    data_source,
  }),
  settings: ({ model, gpus }) => {
    const paper = paperStage();
    const inferenceGpus = Math.max(1, Math.floor(gpus / 2));
    return {
      model,
      max_steps: paper.steps,
      batch_size: paper.rolloutsPerUpdate,
      group_size: paper.rolloutsPerProblem,
      seq_len: paperTokens(),
      temperature: paper.temperature,
      max_tokens: paper.maxTokens,
      learning_rate: learningRateOfAllWeights(),
      num_infer_gpus: inferenceGpus,
      num_train_gpus: Math.max(1, gpus - inferenceGpus),
    };
  },
  files: (input) => ({ "rl.toml": configuration(input) }),
  launch: ({ bonus }) => [
    needed("PRIME_RL", "set it to a checkout of prime-rl"),
    ...(bonus === "novelty"
      ? [
          needed("REPERTOIRE_REFERENCE_URL", "set it to a server with the SFT model, as in http://host:8000/v1"),
          needed("REPERTOIRE_REFERENCE_MODEL", "set it to the name of the SFT model on that server"),
          "export REPERTOIRE_REFERENCE_URL REPERTOIRE_REFERENCE_MODEL",
        ]
      : []),
    findPlugin,
    'export REPERTOIRE_ROWS="$PWD/train.jsonl" here="$PWD"',
    'cd "$PRIME_RL"',
    command('uv run rl @ "$here/rl.toml"', [
      '--orchestrator.train.source.0.env.taskset.path "$REPERTOIRE_ROWS"',
      '"$@"',
    ]),
  ],
  differences: [
    "prime-rl's own loss is used, not GSPO: its importance ratio belongs to a token. The learning rate is a tenth of the paper's, as all weights are trained; that is our choice.",
    "The reference of the bonus is a server that you start with the SFT model's weights (`vllm serve`), which scores at temperature 1.",
    "Half of the cards sample while the other half trains, so rollouts may be a step older than the weights.",
  ],
  memory: [
    "Four cards train: 7.3 billion parameters times (4 + 4 + 8) bytes / 4 = 29 GB each for weights, gradients and optimizer in fp32.",
    "One sequence of 31,000 tokens a card: saved layer inputs 8 GB; its logits are computed in chunks by prime-rl's fused head.",
    "Four cards sample with 15 GB of weights each and the rest for keys and values.",
  ],
};

function configuration({ settings }: LaunchInput): string {
  const s = settings as Record<string, string | number>;
  return `# Written by \`repertoire export\`.
max_steps = ${s.max_steps}

[deployment]
num_train_gpus = ${s.num_train_gpus}
num_infer_gpus = ${s.num_infer_gpus}

[model]
name = ${JSON.stringify(s.model)}

[orchestrator]
batch_size = ${s.batch_size}
group_size = ${s.group_size}
seq_len = ${s.seq_len}

[[orchestrator.train.source]]
name = "repertoire"

[orchestrator.train.source.env.taskset]
id = "repertoire-puzzles"

[orchestrator.train.source.env.agent.harness]
id = "null"

[orchestrator.train.source.env.agent.runtime]
type = "subprocess"

[trainer.model]
seq_len = ${s.seq_len}

[trainer.optim]
lr = ${s.learning_rate}

[inference.vllm]
max_model_len = ${s.seq_len}
`;
}
