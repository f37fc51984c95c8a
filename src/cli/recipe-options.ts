// What `run mini`, `run paper` and `run pilots` can be told: their flags, and the settings of the recipe, checked against each
// other before anything is begun.
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { ConfigurationError, unknownName } from "../base/errors.ts";
import { capabilities } from "../engine/tinker/capabilities.ts";
import type { Speed } from "../recipes/plan.ts";
import { miniPreset, type Preset, paperPreset, pilotsPreset, presetSettings } from "../recipes/presets.ts";
import { policiesOf, puzzleSetNames, type RecipeSettings, recipeSchema, rlOptions } from "../recipes/settings.ts";
import { objectiveNeeds } from "../training/objective.ts";
import { scoringTemperature } from "../training/rl-options.ts";
import { count, positive, readPrice, seedList, wholeNumber } from "./arguments.ts";
import { acceptDamageFlag } from "./damage.ts";
import { type FlagValues, flag, repeatable } from "./flags.ts";
import { questionFlags } from "./question-flags.ts";
import { probeFlag, referenceFlag, serverFlags } from "./server-options.ts";
import { readSettings } from "./settings.ts";

export const presets: Readonly<Record<Preset["name"], Preset>> = {
  mini: miniPreset,
  paper: paperPreset,
  pilots: pilotsPreset,
};

export const recipeFlags = (name: Preset["name"]) => {
  const { usual } = presets[name];
  return [
    ...serverFlags(
      `a server that speaks the Tinker protocol, or \`embedded\` for this machine's CPU${usual.engine ? ` (default: ${usual.engine})` : ""}`,
      "as --model",
    ),
    flag("--folder <path>", "run folder; run the same command again to resume", `runs/${name}`),
    referenceFlag,
    probeFlag,
    flag("--from <checkpoint>", "a saved SFT checkpoint, as training printed it, instead of teaching and SFT"),
    flag(
      "--base, --model <name>",
      `Hugging Face folder, or a name on the hub to fetch the tokenizer from (default: ${usual.model ?? "the shipped base"})`,
    ),
    flag(
      "--teacher <url>",
      `an OpenAI-compatible server up to and including /v1, or \`narrated\` for our own solver${usual.teacher ? ` (default: ${usual.teacher})` : ""}`,
    ),
    flag("--teacher-model <name>", "what that server calls its model, for example deepseek-reasoner"),
    flag("--teacher-key-variable <name>", "environment variable with the teacher's key"),
    flag("--teacher-price <prompt,completion>", "per million tokens, to report the cost", readPrice),
    flag(
      "--classifier <folder or judge>",
      "what labels the spans, as for `traces analyze` (default: the shipped classifier)",
    ),
    flag("--seed <n>", "seed of the run", wholeNumber, 1),
    flag(
      "--seeds <list>",
      "repeats the run for each seed, 31..35 or 31,33, in <folder>-<seed>, one after another; then differences paired by seed",
      seedList,
    ),
    flag("--threads <n>", "cores for the embedded engine", count),
    repeatable("--set <key=value>", "change a setting, for example rl.steps=2"),
    flag("--fork", "end with forks of recovery moves: does taking them away cause failure? (see `traces fork`)"),
    acceptDamageFlag,
    flag("--dry-run", "print stages, settings, token counts and hours, and stop"),
    flag(
      "--speed <list>",
      "for --dry-run: tokens per second of a GPU, sampled=1600,scored=31000,trained=12000; evaluated=… if vLLM samples the evaluations",
      readSpeed,
    ),
    flag("--gpu-price <price>", "for --dry-run: price of a GPU-hour, to print the cost", positive),
    flag("--gpus <n>", "for --dry-run: number of GPUs, with a replica each (`engine serve --devices`)", count, 1),
    flag("--response-tokens <n>", "for --dry-run: mean length of a response", count),
    ...questionFlags,
  ];
};

export type RecipeOptions = FlagValues<ReturnType<typeof recipeFlags>>;

export const shippedBase = resolve(import.meta.dirname, "../../models/mini-base");

export const modelOf = ({ model }: RecipeOptions, { usual }: Preset): string => model ?? usual.model ?? shippedBase;

export function settingsOf(options: RecipeOptions, preset: Preset): RecipeSettings {
  const { seed, set, server, from, teacher = preset.usual.teacher, engine = preset.usual.engine } = options;
  const settings = readSettings(recipeSchema, { ...presetSettings(preset), seed }, set);
  const { evaluation } = settings;
  // Read now what would otherwise fail when its turn comes.
  const variants = settings.variants.map(({ name }) => rlOptions(settings, name));
  checkSteps(settings, from);
  const known = [...puzzleSetNames, ...evaluation.benchmarks];
  for (const set of evaluation.greedy) if (!known.includes(set)) throw unknownName("set to ask greedily", set, known);
  for (const set of Object.keys(evaluation.rolloutsOf))
    if (!known.includes(set)) throw unknownName("set in evaluation.rolloutsOf", set, known);
  if (settings.corpus.traces !== undefined && from === undefined && teacher !== undefined && teacher !== "narrated")
    throw new ConfigurationError(
      "corpus.traces is for the narrating teacher, which draws puzzles until it has that many traces; for a server, set corpus.puzzles",
    );
  if (settings.puzzles.stages === "apart" && settings.puzzles.searchShare !== undefined)
    throw new ConfigurationError("puzzles.searchShare needs puzzles.stages=shared: other boards are not sorted by it");
  if (settings.puzzles.stages === "shared" && settings.corpus.traces === undefined && from === undefined)
    throw new ConfigurationError("puzzles.stages=shared needs corpus.traces: how many traces to narrate");
  if (engine !== "embedded" && !capabilities[server].extendedScoring)
    for (const [path, temperatures] of [
      ["rl.scoringTemperature", variants.map(scoringTemperature)],
      [
        "novelty.scoringTemperature",
        variants.map(({ objective }) => objectiveNeeds(objective).noveltyTemperature ?? 1),
      ],
    ] as const)
      if (temperatures.some((temperature) => temperature !== 1))
        throw new ConfigurationError(
          `a ${server} server scores at temperature 1 only; add --set ${path}=1 (log-probs are then measured there)`,
        );
  return settings;
}

function checkSteps(settings: RecipeSettings, from: string | undefined): void {
  const { rl, sft, evaluation } = settings;
  // Epochs of an SFT that was done elsewhere are not here.
  const policies = policiesOf(settings).slice(from === undefined ? 1 : 2);
  for (const [policy, wanted] of Object.entries(evaluation.steps)) {
    if (!policies.includes(policy)) throw unknownName("policy in evaluation.steps", policy, policies);
    if (wanted === "best") {
      if (policy === "sft")
        throw new ConfigurationError(
          "evaluation.steps.sft: the best epoch is chosen by SFT itself; name epochs, as in [0,3]",
        );
      continue;
    }
    for (const step of wanted) {
      const kept =
        policy === "sft"
          ? step < sft.epochs
          : step > 0 && step <= rl.steps && (step === rl.steps || step % rl.stepsPerCheckpoint === 0);
      if (!kept)
        throw new ConfigurationError(
          policy === "sft"
            ? `epoch ${step} of SFT is to be evaluated, but there are ${sft.epochs}, counted from 0`
            : `step ${step} of ${policy} is to be evaluated, but checkpoints are kept every ${rl.stepsPerCheckpoint} steps up to ${rl.steps}`,
        );
    }
  }
}

function readSpeed(text: string): Partial<Speed> {
  const speed: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [, name, value] = /^(sampled|scored|trained|evaluated)=(\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    if (name === undefined || Number(value) === 0)
      throw new InvalidArgumentError("expected tokens per second: sampled=9000,scored=90000,trained=30000");
    speed[name] = Number(value);
  }
  return speed;
}
