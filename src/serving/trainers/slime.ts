// The paper's RL stage in slime, which asks our server itself. Our advantage function adds the bonus.
import { ConfigurationError } from "../../base/errors.ts";
import { sequenceParallel, tokensPerGpu } from "./stage.ts";
import {
  command,
  findPlugin,
  flagLines,
  needed,
  noveltyLines,
  remoteUrl,
  type Settings,
  type SettingsInput,
  type TrainerExport,
} from "./trainer.ts";

export const slime: TrainerExport = {
  name: "slime",
  model: "Qwen/Qwen3-8B",
  bonus: true,
  nodes: true,
  plainPrompts: true,
  rollouts: "details/rollout_data",
  plugins: ["slime/repertoire_slime.py", "rewards/repertoire_rewards"],
  data: "jsonl",
  row: ({ prompt, reward_model }) => ({ prompt, label: reward_model.ground_truth }),
  settings,
  launch: ({ settings, bonus, model, ...input }) => [
    needed("SLIME", "set it to a checkout of slime"),
    ...(/(^|\/)qwen3-8b$/i.test(model) ? [`SLIME_MODEL="\${SLIME_MODEL:-qwen3-8B}"`] : []),
    needed("SLIME_MODEL", "set it to a name in slime/scripts/models, as in qwen3-8B"),
    needed("SLIME_REF", "set it to the model converted with slime/tools/convert_hf_to_torch_dist.py"),
    'source "$SLIME/scripts/models/$SLIME_MODEL.sh"',
    ...(bonus === "novelty" ? [findPlugin, ...noveltyLines({ ...input, bonus, model })] : []),
    command(`python "$SLIME/train.py" "\${MODEL_ARGS[@]}"`, [
      ...flagLines(settings),
      '--ref-load "$SLIME_REF"',
      '--save "$PWD/checkpoints"',
      '--dump-details "$PWD/details"',
      `--rm-url ${remoteUrl("/slime")}`,
    ]),
  ],
  differences: [
    "slime has no OLMo, the paper's model. Without --model this starts from Qwen/Qwen3-8B, which it has a script for (scripts/models); teach it first (`repertoire train sft`, or any other trainer), as RL starts from an SFT model.",
    "The token, where there is one, is in the address of the server, which slime may log: prefer a private network.",
    "slime trains all weights here; the paper trains an adapter of rank 64. The learning rate is a tenth of the paper's, which is an adapter's; that is our choice.",
    "One optimizer step a batch, where the paper makes four.",
    "With the bonus, advantages are normalized by our function over the rollouts of a prompt, after slime has shared the log-probabilities between its ranks.",
  ],
  memory: [
    "Four cards share a sequence and two share the weights: 31,000 / 4 = 7,750 tokens a card, about 6 GB of logits (1.2 GB in bf16, 2.4 GB in fp32) and their gradient for half of the 151,936 words.",
    "An 8-billion model over two cards: 8 GB of weights, 16 GB of gradients in fp32; its optimizer (96 GB) over eight: 12 GB. With the reference on the CPU: 36 GB.",
    "SGLang may take 0.6 of a card while it samples, and is moved out while Megatron trains.",
  ],
};

function settings({ model, gpus, nodes, bonus, plain, stage: paper }: SettingsInput): Settings {
  if (/olmo/i.test(model)) {
    throw new ConfigurationError(
      `slime cannot train ${model}: it has no OLMo; leave --model out for Qwen/Qwen3-8B, or give a model that slime/scripts/models has; verl, TRL and SkyRL train OLMo`,
    );
  }
  const contextParallel = sequenceParallel(gpus);
  return {
    "--hf-checkpoint": model,
    "--actor-num-nodes": nodes,
    "--actor-num-gpus-per-node": gpus,
    "--colocate": true,
    "--tensor-model-parallel-size": gpus / contextParallel >= 2 ? 2 : 1,
    "--sequence-parallel": true,
    "--context-parallel-size": contextParallel,
    "--use-dynamic-batch-size": true,
    "--max-tokens-per-gpu": tokensPerGpu(paper, gpus),
    "--recompute-granularity": "full",
    "--recompute-method": "uniform",
    "--recompute-num-layers": 1,
    "--rollout-num-gpus-per-engine": 1,
    "--sglang-mem-fraction-static": 0.6,
    "--attention-dropout": "0.0",
    "--hidden-dropout": "0.0",
    "--accumulate-allreduce-grads-in-fp32": true,
    "--attention-softmax-in-fp32": true,
    "--attention-backend": "flash",
    "--advantage-estimator": "gspo",
    ...(bonus === "novelty" && {
      "--custom-advantage-function-path": "repertoire_slime.advantages_with_bonus",
      "--custom-reward-post-process-path": "repertoire_slime.verdicts_and_rewards",
    }),
    "--eps-clip": paper.clip.below,
    "--eps-clip-high": paper.clip.above,
    "--use-kl-loss": true,
    "--kl-loss-coef": paper.kl,
    "--kl-loss-type": "low_var_kl",
    "--entropy-coef": 0,
    "--prompt-data": "train.jsonl",
    "--input-key": "prompt",
    "--label-key": "label",
    ...(!plain && { "--apply-chat-template": true }),
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
    "--lr": paper.learningRateOfAllWeights,
    "--adam-beta1": paper.optimizer.beta1,
    "--adam-beta2": paper.optimizer.beta2,
    "--adam-eps": paper.optimizer.epsilon,
    "--lr-warmup-iters": 0,
    "--lr-decay-style": "cosine",
    "--min-lr": paper.learningRateOfAllWeights * paper.lowestLearningRate,
    "--weight-decay": paper.weightDecay,
    "--clip-grad": paper.maxGradientNorm,
    "--save-interval": paper.stepsPerCheckpoint,
  };
}
