// What `run paper` and `run pilots` can be told: their flags, the presets of the one recipe, and its settings, checked against
// each other before anything is begun.
import { ConfigurationError, unknownName } from "../base/errors.ts";
import type { Price } from "../endpoints/endpoint.ts";
import { capabilities } from "../engine/tinker/capabilities.ts";
import { pilotSettings, pilotSources } from "../recipes/paper/pilots.ts";
import type { Speed } from "../recipes/paper/plan.ts";
import { type PaperSettings, paperSchema, policiesOf, rlOptions } from "../recipes/paper/settings.ts";
import type { QuestionFlags } from "./question-flags.ts";
import type { ServerOptions } from "./server-options.ts";
import { readSettings } from "./settings.ts";

export type PaperOptions = ServerOptions &
  QuestionFlags & {
    acceptDamage?: true;
    classifier?: string;
    folder: string;
    referenceEngine?: string;
    serverModel?: string;
    probe: boolean;
    from?: string;
    model: string;
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
    responseTokens: number;
    gpus: number;
  };

/** Settings of the one recipe, under a name. */
export type Preset = {
  readonly name: "paper" | "pilots";
  readonly description: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where its own values come from. */
  readonly sources: Readonly<Record<string, string>>;
  readonly help: string;
};

export const paper: Preset = {
  name: "paper",
  description: "the paper's experiment with the paper's values: teacher, SFT, GSPO twice, evaluation, report",
  settings: {},
  sources: {},
  help: `
Examples:
  repertoire run paper --dry-run --gpus 8
  repertoire run paper --engine http://localhost:8421 --teacher https://api.deepseek.com/v1 --teacher-model deepseek-reasoner --teacher-key-variable DEEPSEEK_KEY
  repertoire run paper --engine http://localhost:8421 --teacher narrated --set rl.steps=2 --set 'evaluation.benchmarks=["aime-2025"]' --folder runs/try
  repertoire run paper --engine http://localhost:8421 --from runs/paper/sft/checkpoints/epoch-5 --set 'rl.problems=["questions.jsonl"]' --folder runs/on-mathematics
  repertoire run paper … --set 'variants=[{"name":"vanilla"},{"name":"dapo","title":"DAPO","objective":{"algorithm":"dapo"}}]'
  repertoire run paper … --set 'evaluation.steps={"vanilla":"best","novelty":[10,15]}'`,
};

export const pilots: Preset = {
  name: "pilots",
  description: "the paper's pilots: ways to keep diversity on two puzzles with short responses, each at its best step",
  settings: pilotSettings,
  sources: pilotSources,
  help: `
Examples:
  repertoire run pilots --dry-run
  repertoire run pilots --engine http://localhost:8421 --teacher narrated
  repertoire run pilots --engine http://localhost:8421 --from runs/paper/sft/checkpoints/epoch-5`,
};

export function settingsOf({ seed, set, server, engine, from }: PaperOptions, preset: Preset): PaperSettings {
  const settings = readSettings(paperSchema, { ...preset.settings, seed }, set);
  const { rl, evaluation } = settings;
  // Read now what would otherwise fail when its turn comes.
  for (const { name } of settings.variants) rlOptions(settings, name);
  checkSteps(settings, from);
  const known = ["held-out", "larger", ...evaluation.benchmarks];
  for (const set of evaluation.greedy) if (!known.includes(set)) throw unknownName("set to ask greedily", set, known);
  if (engine !== "embedded" && !capabilities[server].extendedScoring && rl.scoringTemperature !== 1) {
    throw new ConfigurationError(
      `a ${server} server scores at temperature 1 only; add --set rl.scoringTemperature=1 (ratios and KL are then measured there)`,
    );
  }
  return settings;
}

function checkSteps(settings: PaperSettings, from: string | undefined): void {
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
