// The texts beside an exported dataset: the command that starts the trainer, and what to know first.
import type { LaunchInput, TrainerExport } from "./trainers/trainer.ts";
import { versionOf, watched } from "./trainers/watched.ts";

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

const severalMachines = (nodes: number): string => `## ${nodes} machines
This folder, and what it writes, must have the same path on all of them: a shared file system. Before \`launch.sh\`, on one machine
\`ray start --head --port 6379\`, on the others \`ray start --address <that machine>:6379\`, each with REPERTOIRE_TOKEN in its environment:
Ray's workers have the environment in which Ray was started. The reward server listens with \`--host 0.0.0.0\` and that token.

`;

export function readmeText(
  trainer: TrainerExport,
  { bonus, gpus, nodes, stage }: LaunchInput,
  contents: readonly string[],
): string {
  const { name, rollouts, plugins } = trainer;
  const { ran, standIns } = watched[name];
  const record = `${name}-record`;
  return `# ${name}, ${bonus === "novelty" ? "GSPO with the novelty bonus" : "vanilla GSPO"}

Checked against ${name} ${versionOf(name)}: ${ran}. Stand-ins: ${standIns}. To check yours, in a clone of Repertoire:
\`PYTHONPATH=${["checks", "rewards", ...(plugins.length > 0 ? [name] : [])].map((part) => `integrations/${part}`).join(":")}:<your ${name}> python integrations/${name}/check.py <this folder> http://127.0.0.1:8123 <your ${name}>\`

1. Start the reward server: \`repertoire serve rewards --port 8123 --record ${record} --rollouts-per-step ${stage.rolloutsPerStep}\`. On another
   machine it needs a token: \`REPERTOIRE_TOKEN=… repertoire serve rewards --host 0.0.0.0 …\`, and the same variable where the trainer runs.
2. \`REPERTOIRE_REWARD_URL=http://host:8123 bash launch.sh\`
3. Watch it: \`repertoire traces analyze ${rollouts ?? record} --follow --out traces\`, and beside it \`repertoire dashboard traces\`.
   ${rollouts === undefined ? `${name} keeps no rollouts that can be read; the reward server's record has every prompt, response and grade.` : `That folder is ${name}'s own; the reward server's record has the same rollouts, with its grades.`}

## What is here
${list(contents)}

${nodes > 1 ? severalMachines(nodes) : ""}## Where this differs from the paper
${list(trainer.differences)}

## Memory
For a model of 7 billion parameters and 31,000 tokens on eight cards of 80 GB${gpus === 8 ? "" : ` (you asked for ${gpus})`}. These are sums; nobody has run this export
at that size yet.
${list(trainer.memory)}
`;
}
