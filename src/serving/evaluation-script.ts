// `evaluate.sh` of an export: from the checkpoints that a trainer left to the paper's tables. Adapters are taken out, vLLM
// serves them all over the model that RL started from, and each is asked every problem set of the paper.
import { paperValue } from "../problems/paper.ts";
import { noPuzzles, paperPuzzles } from "../problems/paper-sets.ts";
import type { PuzzleProblem } from "../problems/problem.ts";
import type { LaunchInput } from "./trainers/trainer.ts";
import { findPlugin, quoted } from "./trainers/trainer.ts";

export const evaluationScriptName = "evaluate.sh";
export const evaluationScriptAbout = "evaluate.sh: from its checkpoints to the paper's tables";

/** Over several lines. */
const continued = " \\\n    ";

/** The paper's puzzles lie beside the script; of a benchmark all problems are asked where the paper does not take fewer. */
export const evaluationProblems = "evaluation.jsonl";

/** Held-out and larger puzzles, as `run paper` draws and asks them. */
export function paperEvaluation(seed: number): readonly PuzzleProblem[] {
  const { heldOut, larger } = paperPuzzles({
    ...noPuzzles,
    seed,
    puzzles: { training: paperValue("puzzles.training"), larger: paperValue("puzzles.larger") },
    sft: { validationPerPuzzle: paperValue("sft.validationPerPuzzle") },
    evaluation: {
      heldOutPerPuzzle: paperValue("evaluation.heldOutPerPuzzle"),
      largerPerPuzzle: paperValue("evaluation.largerPerPuzzle"),
    },
  });
  return [...heldOut, ...larger];
}

const benchmarks = (): string[] =>
  paperValue("evaluation.benchmarks").flatMap((name) => (name === "hmmt" ? paperValue("evaluation.hmmt") : [name]));

export function evaluationScript({ bonus, gpus, model, promptStyle, stage }: LaunchInput): string {
  const name = bonus === "novelty" ? "novelty" : "vanilla";
  const paper = {
    rollouts: paperValue("evaluation.rollouts"),
    temperature: paperValue("evaluation.temperature"),
    tokens: paperValue("evaluation.maxTokens"),
  };
  const asked = [
    ...[evaluationProblems, ...benchmarks()].map((source) => `--problems ${source}`),
    ...(["explorative", "compositional", "transformative"] as const).map(
      (part) => `--subset omega-${part}=${paperValue(`evaluation.omegaProblems.${part}`)}`,
    ),
    `--rollouts ${paper.rollouts} --temperature ${paper.temperature} --max-tokens ${paper.tokens}`,
    ...(promptStyle === "full" ? [] : [`--puzzle-prompt ${promptStyle}`]),
  ];
  return `#!/usr/bin/env bash
# Written by \`repertoire export\`: the paper's problem sets, asked of this run's checkpoints and of the model it started from.
#   bash evaluate.sh          every checkpoint
#   bash evaluate.sh 10 70    these steps
# It resumes. Give both runs the same EVALUATIONS=<folder> and they are one report, and sft is asked once. REPERTOIRE_FLAGS is added to each \`repertoire evaluate\` (--data <folder>, --concurrency 256); VLLM_FLAGS to vLLM's.
set -euo pipefail
cd "$(dirname "$0")"
${findPlugin}
repertoire="\${REPERTOIRE:-repertoire}"
steps=("$@")
if [ \${#steps[@]} = 0 ]; then
  mapfile -t steps < <(ls checkpoints | sed -n 's/^global_step_//p' | sort -n)
fi

# As the report knows them: the last step of the run is ${name}, an earlier one ${name}-step-10.
policy_of() { if [ "$1" = ${stage.steps} ]; then echo ${name}; else echo "${name}-step-$1"; fi; }
evaluations="\${EVALUATIONS:-evaluations}"

# 1. Each adapter, as PEFT and vLLM read it.
modules=()
for step in "\${steps[@]}"; do
  adapter="adapters/step-$step/lora_adapter"
  if [ ! -s "$adapter/adapter_config.json" ] || [ ! -s "$adapter/adapter_model.safetensors" ]; then
    python -m repertoire_adapter merge --backend fsdp --local_dir "checkpoints/global_step_$step/actor" --target_dir "adapters/step-$step"
  fi
  modules+=("$(policy_of "$step")=$PWD/$adapter")
done

# 2. One vLLM for all of them. (For another engine: python -m repertoire_torch_engine.merge makes a whole model of each.)
port="\${PORT:-8000}"
# shellcheck disable=SC2086
vllm serve ${quoted(model)} --served-model-name sft --port "$port" --data-parallel-size ${gpus} --max-model-len ${paper.tokens + paperValue("rl.maxPromptTokens")} \\
  --enable-lora --max-lora-rank ${paperValue("lora.rank")} --max-loras ${lorasAtOnce} --lora-modules "\${modules[@]}" \${VLLM_FLAGS:-} &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
until curl -sf "http://localhost:$port/health" > /dev/null; do
  kill -0 $server || { echo "vLLM ended before it served; its output is above"; exit 1; }
  sleep 5
done

# 3. Every policy on every set.
policies=(sft)
for step in "\${steps[@]}"; do policies+=("$(policy_of "$step")"); done
for policy in "\${policies[@]}"; do
  # shellcheck disable=SC2086
  $repertoire evaluate \\
    ${asked.join(continued)} \\
    --url "http://localhost:$port/v1" --model "$policy" --out "$evaluations/$policy" \${REPERTOIRE_FLAGS:-}
done

# 4. The tables and figures.
$repertoire report "$evaluations"/* --out "$evaluations-report"
`;
}

/** Policies are asked one after another. */
const lorasAtOnce = 1;
