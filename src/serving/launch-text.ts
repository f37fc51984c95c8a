// The texts beside an exported dataset: the trainer's configuration, the command that starts it, and what to know first.
import type { Bonus, Setting, Settings, Trainer } from "./paper-settings.ts";

export type LaunchInput = {
  readonly trainer: Trainer;
  readonly settings: Settings;
  readonly bonus: Bonus;
  readonly model: string;
  readonly rewardUrl: string;
};

const words = (value: Setting) => (Array.isArray(value) ? value : [value]).map(String).map(quoted).join(" ");

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What lies in the exported folder; workers on other nodes, or in other directories, must find it. */
const inFolder = /^(train|test)\.parquet$|^plugin\/|^rollouts$/;

/** Hydra's `key=value`, with its spelling of truth. */
function hydraLine(key: string, value: Setting): string {
  if (typeof value === "string" && inFolder.test(value)) return `"${key}=$PWD/${value}"`;
  return quoted(`${key}=${value === true ? "True" : value === false ? "False" : String(value)}`);
}

const flagLine = (key: string, value: Setting) => (value === true ? key : `${key} ${words(value)}`);

const command = (start: string, lines: readonly string[]) => [start, ...lines].join(" \\\n  ");

const findPlugin = `export PYTHONPATH="$PWD/plugin\${PYTHONPATH:+:$PYTHONPATH}"`;

/** Trainers that are given only an address get the token in it, from the environment: it is in no file. */
const remoteUrl = (path: string) => `"$REPERTOIRE_REWARD_URL${path}\${REPERTOIRE_TOKEN:+?token=$REPERTOIRE_TOKEN}"`;

export function launchScript({ trainer, settings, bonus, model, rewardUrl }: LaunchInput): string {
  const entries = Object.entries(settings);
  const novelty = bonus === "novelty";
  const starts = {
    verl: () => [
      findPlugin,
      ...(novelty ? ["export VERL_USE_EXTERNAL_MODULES=repertoire_verl"] : []),
      command("python -m verl.trainer.main_ppo", [
        ...entries.map(([key, value]) => hydraLine(key, value)),
        // Ray's workers on other nodes start with an environment of their own. The token stays out of it: verl writes
        // its configuration down.
        ...["PYTHONPATH", "REPERTOIRE_REWARD_URL", ...(novelty ? ["VERL_USE_EXTERNAL_MODULES"] : [])].map(
          (name) => `"+ray_kwargs.ray_init.runtime_env.env_vars.${name}=$${name}"`,
        ),
        '"$@"',
      ]),
    ],
    trl: () => [
      findPlugin,
      command("accelerate launch plugin/train.py", [
        `--model ${quoted(model)}`,
        "--settings settings.json",
        "--train train.jsonl",
        '--out checkpoints "$@"',
      ]),
    ],
    openrlhf: () => [
      command("python -m openrlhf.cli.train_ppo_ray", [
        ...entries.map(([key, value]) => flagLine(key, value)),
        `--reward.remote_url ${remoteUrl("/openrlhf")}`,
        '"$@"',
      ]),
    ],
    slime: () => [
      "# SLIME: a checkout of slime; MODEL_ARGS: its description of the model, from its scripts/models",
      command(`python "$SLIME/train.py" "\${MODEL_ARGS[@]}"`, [
        ...entries.map(([key, value]) => flagLine(key, value)),
        `--rm-url ${remoteUrl("/slime")}`,
        '"$@"',
      ]),
    ],
  };
  return [
    "#!/usr/bin/env bash",
    "# Written by `repertoire export`; arguments given to this script come last and win.",
    "set -euo pipefail",
    'cd "$(dirname "$0")"',
    `export REPERTOIRE_REWARD_URL="\${REPERTOIRE_REWARD_URL:-${rewardUrl}}"`,
    ...starts[trainer](),
    "",
  ].join("\n");
}

/** What the trainer cannot say in its configuration, or says differently from the paper. */
export const differences: Readonly<Record<Trainer, readonly string[]>> = {
  verl: [
    "With an adapter, verl's reference is the model without it. Merge the SFT adapter into the weights first, so that the reference is the SFT model.",
    "The logged reward includes the bonus; `novelty/task_reward` is without it.",
    "The reference is scored at the sampling temperature, because verl's KL log-probabilities are reused.",
  ],
  trl: [
    "TRL divides by the group's deviation plus 1e-4; the paper's trainer adds 1e-6.",
    "`max_steps` counts optimizer steps: four for each batch of rollouts.",
    "The reference is scored at the sampling temperature, because TRL's KL log-probabilities are reused.",
  ],
  openrlhf: [
    "The token, where there is one, is in the address of the server, which OpenRLHF may log: prefer a private network.",
    "OpenRLHF has no place for the novelty bonus without a fork: this is the vanilla run.",
    "The floor of the learning-rate schedule (0.3 of its peak in the paper) is left at OpenRLHF's default.",
  ],
  slime: [
    "The token, where there is one, is in the address of the server, which slime may log: prefer a private network.",
    "This is the vanilla run; slime's place for a bonus is --custom-advantage-function-path, and no plugin for it is shipped.",
    "slime trains all weights here; the paper trains an adapter of rank 64.",
    "One optimizer step a batch, where the paper makes four.",
  ],
};

export function readmeText({ trainer, bonus }: LaunchInput, contents: readonly string[]): string {
  return `# ${trainer}, ${bonus === "novelty" ? "GSPO with the novelty bonus" : "vanilla GSPO"}

1. Start the reward server: \`repertoire serve rewards --port 8123\`. On another machine it needs a token:
   \`REPERTOIRE_TOKEN=… repertoire serve rewards --host 0.0.0.0\`, and the same variable where the trainer runs.
2. \`REPERTOIRE_REWARD_URL=http://host:8123 bash launch.sh\`

## What is here
${contents.map((line) => `- ${line}`).join("\n")}

## Where this differs from the paper
${differences[trainer].map((line) => `- ${line}`).join("\n")}
`;
}
