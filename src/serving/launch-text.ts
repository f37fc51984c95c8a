// The texts beside an exported dataset: the command that starts the trainer, and what to know first.
import type { LaunchInput, TrainerExport } from "./trainers/trainer.ts";

export const launchScript = (lines: readonly string[]): string =>
  [
    "#!/usr/bin/env bash",
    "# Written by `repertoire export`; arguments given to this script come last and win.",
    "set -euo pipefail",
    'cd "$(dirname "$0")"',
    ...lines,
    "",
  ].join("\n");

export const rewardAddress = (url: string): string =>
  `export REPERTOIRE_REWARD_URL="\${REPERTOIRE_REWARD_URL:-${url}}"`;

export const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

export function readmeText(trainer: TrainerExport, { bonus, gpus }: LaunchInput, contents: readonly string[]): string {
  return `# ${trainer.name}, ${bonus === "novelty" ? "GSPO with the novelty bonus" : "vanilla GSPO"}

Checked against ${trainer.name} ${trainer.checkedWith}.

1. Start the reward server: \`repertoire serve rewards --port 8123\`. On another machine it needs a token:
   \`REPERTOIRE_TOKEN=… repertoire serve rewards --host 0.0.0.0\`, and the same variable where the trainer runs.
2. \`REPERTOIRE_REWARD_URL=http://host:8123 bash launch.sh\`

## What is here
${list(contents)}

## Where this differs from the paper
${list(trainer.differences)}

## Memory
For a model of 7 billion parameters and 31,000 tokens on eight cards of 80 GB${gpus === 8 ? "" : ` (you asked for ${gpus})`}. These are sums; nobody has run this export
at that size yet.
${list(trainer.memory)}
`;
}
