// What `run mini`, `run paper` and `run pilots` can be told: their flags, and the settings of the recipe, checked against each
// other before anything is begun.
import { resolve } from "node:path";
import { ConfigurationError, unknownName } from "../base/errors.ts";
import type { Price } from "../endpoints/endpoint.ts";
import { capabilities } from "../engine/tinker/capabilities.ts";
import type { Speed } from "../recipes/plan.ts";
import { type Preset, presetSettings } from "../recipes/presets.ts";
import { policiesOf, puzzleSets, type RecipeSettings, recipeSchema, rlOptions } from "../recipes/settings.ts";
import type { QuestionFlags } from "./question-flags.ts";
import type { ServerOptions } from "./server-options.ts";
import { readSettings } from "./settings.ts";

export type RecipeOptions = ServerOptions &
  QuestionFlags & {
    acceptDamage?: true;
    classifier?: string;
    folder: string;
    referenceEngine?: string;
    serverModel?: string;
    probe: boolean;
    from?: string;
    model?: string;
    base?: string;
    teacher?: string;
    teacherModel?: string;
    teacherKeyVariable?: string;
    teacherPrice?: Price;
    data?: string;
    seed: number;
    threads?: number;
    set: string[];
    dryRun?: true;
    speed?: Partial<Speed>;
    responseTokens?: number;
    gpus: number;
  };

export const shippedBase = resolve(import.meta.dirname, "../../models/mini-base");

export const modelOf = ({ model, base }: RecipeOptions, { usual }: Preset): string =>
  model ?? base ?? usual.model ?? shippedBase;

export function settingsOf(options: RecipeOptions, preset: Preset): RecipeSettings {
  const { seed, set, server, from, teacher = preset.usual.teacher, engine = preset.usual.engine } = options;
  const settings = readSettings(recipeSchema, { ...presetSettings(preset), seed }, set);
  const { rl, evaluation } = settings;
  // Read now what would otherwise fail when its turn comes.
  for (const { name } of settings.variants) rlOptions(settings, name);
  checkSteps(settings, from);
  const known = [...puzzleSets, ...evaluation.benchmarks];
  for (const set of evaluation.greedy) if (!known.includes(set)) throw unknownName("set to ask greedily", set, known);
  for (const set of Object.keys(evaluation.rolloutsOf))
    if (!known.includes(set)) throw unknownName("set in evaluation.rolloutsOf", set, known);
  if (settings.corpus.traces !== undefined && from === undefined && teacher !== undefined && teacher !== "narrated")
    throw new ConfigurationError(
      "corpus.traces is for the narrating teacher, who draws puzzles until so many traces are kept; a server is asked corpus.puzzles",
    );
  if (settings.puzzles.stages === "shared" && settings.corpus.traces === undefined && from === undefined)
    throw new ConfigurationError("puzzles.stages=shared needs corpus.traces: how many traces to narrate");
  if (engine !== "embedded" && !capabilities[server].extendedScoring && rl.scoringTemperature !== 1) {
    throw new ConfigurationError(
      `a ${server} server scores at temperature 1 only; add --set rl.scoringTemperature=1 (ratios and KL are then measured there)`,
    );
  }
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
