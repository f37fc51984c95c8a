// Settings as a paper's table names them, from configurations as runs keep them.

export type Tree = { readonly [key: string]: unknown };

/** Where the words of a key are not the field's. */
const fieldNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    model: "base model",
    epochs: "epochs over a batch",
    maxGradientNorm: "gradient norm, clipped at",
    sequencesPerStep: "batch size (sequences)",
    problemsPerStep: "prompts per step",
    rolloutsPerProblem: "rollouts per prompt",
    rolloutsPerUpdate: "mini-batch (rollouts)",
    steps: "training steps",
    stepsPerCheckpoint: "steps between checkpoints",
    "sampling.temperature": "rollout temperature",
    "sampling.topP": "rollout top-p",
    "sampling.maxTokens": "longest response (tokens)",
    maxPromptTokens: "longest prompt (tokens)",
    contextLength: "context length (tokens)",
    "schedule.kind": "learning-rate schedule",
    "schedule.floor": "least learning rate (share)",
    "objective.algorithm": "algorithm",
    "objective.clip.below": "clip below",
    "objective.clip.above": "clip above",
    "objective.kl.coefficient": "KL coefficient",
    "objective.kl.estimator": "KL estimator",
    "objective.advantage.estimator": "advantage",
    "objective.advantage.bonus.kind": "bonus",
    "objective.advantage.bonus.weight": "bonus weight α",
    "objective.advantage.bonus.tokens": "top-k tokens of the bonus",
    "objective.advantage.bonus.clip": "bonus z clipped at",
    "objective.advantage.bonus.scoringTemperature": "reference temperature of the bonus",
    "lora.rank": "LoRA rank",
    "lora.sftAlpha": "LoRA α (SFT)",
    "lora.rlAlpha": "LoRA α (RL)",
  }),
);

/** Words that a sentence would not write in small letters. */
const spelling: ReadonlyMap<string, string> = new Map(
  Object.entries({ kl: "KL", rl: "RL", sft: "SFT", lora: "LoRA", url: "URL", lr: "learning rate" }),
);

/** `objective.entropy.targetShare` → `entropy: target share`; every setting has a name, known or not. */
export function settingName(key: string): string {
  const known = fieldNames.get(key);
  if (known !== undefined) return known;
  const parts = key.replace(/^(?:objective|trainer)\./, "").split(".");
  const words = parts.map((part) =>
    part
      .split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/)
      .map((word) => spelling.get(word.toLowerCase()) ?? word.toLowerCase())
      .join(" "),
  );
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(" ")}: ${words.at(-1)}`;
}

/** Every setting by its key, a path with dots; lists are values, those of words written as a sentence would. */
export function flatSettings(tree: Tree, path = ""): [key: string, value: string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? flatSettings(value as Tree, `${path}${key}.`)
      : [[path + key, settingText(value)]],
  );
}

function settingText(value: unknown): string {
  if (typeof value === "string") return value;
  const words = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  return words ? value.join(", ") : (JSON.stringify(value) ?? "");
}
