// The stages that recipes share: RL once for each variant, and evaluation of any kept checkpoint in a folder of its own. What
// a recipe asks and how large it is are its settings; this is the one way in which they are run.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../engine/engine.ts";
import type { Language } from "../engine/language.ts";
import type { SamplingSettings } from "../evaluation/sampler.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import type { Problem } from "../problems/problem.ts";
import type { PromptedProblem } from "../rollouts/collect.ts";
import { choosingFolder } from "../runs/chosen-steps.ts";
import { furtherName } from "../runs/recipe-names.ts";
import { readRunDescription } from "../runs/run-folder.ts";
import { type LabelerSpec, rolloutLabelerFor } from "../traces/labeler-spec.ts";
import { rlLoop } from "../training/rl-loop.ts";
import type { RlOptions } from "../training/rl-options.ts";
import type { EngineHost } from "./engine-host.ts";
import { type AskedPart, runEvaluationStage } from "./evaluation-stage.ts";
import { runRlStage, type StageEvent } from "./training-stage.ts";

export type RecipeStages = {
  readonly folder: string;
  readonly host: EngineHost;
  readonly language: Language;
  /** Who labels rollouts; by the language unless given. */
  readonly labeler?: LabelerSpec;
  readonly emit: (event: StageEvent) => void;
  readonly now: () => Date;
  readonly signal?: AbortSignal;
  readonly acceptDamage?: boolean;
};

type RlRun = {
  readonly name: string;
  readonly stageTitle: string;
  readonly options: RlOptions;
  /** What else makes it the run it is. */
  readonly identity?: Readonly<Record<string, unknown>>;
};

/** Trains one variant; returns its last checkpoint. */
export async function trainVariant(
  run: RecipeStages,
  { name, stageTitle, options, identity }: RlRun,
  reference: string,
  problems: (engine: Engine) => readonly PromptedProblem[],
): Promise<string> {
  const folder = join(run.folder, name);
  // Runs of an earlier version have their title among what they are; it stays.
  const title = existsSync(join(folder, "run.json")) ? (await readRunDescription(folder)).config.title : undefined;
  return runRlStage({
    name,
    title: stageTitle,
    folder,
    config: { ...options, ...identity, title },
    total: options.steps,
    open: () => run.host.open(name, reference, run.signal),
    loop: async function* (engine, from) {
      yield* rlLoop({
        engine,
        problems: problems(engine),
        reference,
        options,
        labeler: await rolloutLabelerFor(run.language, run.labeler),
        from,
        signal: run.signal,
        clock: () => performance.now(),
        onRollout: (done, total) => run.emit({ type: "rollouts", stage: name, done, total }),
      });
    },
    emit: run.emit,
    now: run.now(),
    acceptDamage: run.acceptDamage,
  });
}

/** A policy as it was at a checkpoint; the base has none. */
export type Judged = {
  readonly policy: string;
  readonly from?: string;
  readonly step?: number;
  /** `step-10`, where it is not the policy's main checkpoint. */
  readonly checkpoint?: string;
};

type Judging = {
  readonly asked: readonly AskedPart[];
  readonly sampling: SamplingSettings;
  readonly seed: number;
  /** What makes an evaluation the one it is, beside who was asked; not which problems, nor how often. */
  readonly identity: Readonly<Record<string, unknown>>;
  readonly greedy?: boolean;
  readonly encode?: (problem: Problem) => readonly number[];
  /** Beneath the recipe's folder. */
  readonly within?: string;
};

/** Samples, grades and sums up one checkpoint; what is there already is not asked again. */
export async function judge(run: RecipeStages, judged: Judged, how: Judging): Promise<EvaluationSummary> {
  const { policy, from, step, checkpoint } = judged;
  const { asked, sampling, seed, identity, greedy, encode, within = "evaluations" } = how;
  const first = furtherName(policy, { checkpoint, greedy });
  const other = await samplingMark(join(run.folder, within, first), identity);
  const name = furtherName(policy, { checkpoint, greedy, sampling: other });
  return runEvaluationStage({
    policy: name,
    title: within === choosingFolder ? `Choosing: ${name}` : `Evaluating ${name}`,
    folder: join(run.folder, within, name),
    config: { policy: name, step, ...identity },
    asked,
    sampling,
    seed,
    open: () => run.host.open(policy, from, run.signal),
    encode,
    emit: run.emit,
    now: run.now(),
    signal: run.signal,
    acceptDamage: run.acceptDamage,
  });
}

const marks: Readonly<Record<string, string>> = { temperature: "t", maxTokens: "n", seed: "s" };

/** An evaluation that was begun with another temperature, length or seed stays; this one is made beside it, and says how it differs. */
async function samplingMark(folder: string, identity: Judging["identity"]): Promise<string | undefined> {
  if (!existsSync(join(folder, "run.json"))) return undefined;
  const { config } = await readRunDescription(folder);
  const differing = Object.entries(marks).filter(([key]) => key in identity && identity[key] !== config[key]);
  return differing.length === 0 ? undefined : differing.map(([key, mark]) => `${mark}${identity[key]}`).join("-");
}
