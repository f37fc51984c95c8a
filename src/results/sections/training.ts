// How training went: curves over steps, alternatives side by side, how much signal the novelty score has, and settings.

import { type Item, missing, type PanelsBody, type Section } from "../../drawing/item.ts";
import { type LineMark, type Panel, trainingSteps } from "../../drawing/panel.ts";
import { type Cell, tableBody } from "../../drawing/table.ts";
import { policyOf } from "../../runs/recipe-names.ts";
import { stepCurves } from "../../traces/analysis/step-curves.ts";
import { type RlCurve, rlCurves } from "../../training/curves.ts";
import { signalSpread } from "../../training/signal-spread.ts";
import { analyzedSeries, type Context } from "../context.ts";
import { overProblems } from "../intervals.ts";
import { drawnLines, groupLegend, lineGroups, type RunLine } from "../mean-lines.ts";
import { passCell, passColumnName, passColumns } from "../pass-columns.ts";
import type { CheckpointRecord, RolloutSignal, SftRecord, TrainingRecord } from "../records.ts";
import { flatSettings, settingName, type Tree } from "../setting-names.ts";

export function trainingSection(context: Context): Section {
  return {
    id: "training",
    title: "How training went",
    intro: "Reward, exploration and distance from the reference during training, and the settings.",
    items: [
      trainingCurves(context),
      sftCurves(context),
      alternatives(context),
      signalTable(context),
      settings(
        "settings-sft",
        "SFT settings",
        context.data.sft.map(({ run, config }) => ({
          name: run,
          config: { ...sharedSettings(context, run), ...config },
        })),
        "an sft/ folder with its run.json",
      ),
      settings(
        "settings-rl",
        "RL settings",
        context.data.training.map(({ name, run, config }) => ({
          name,
          config: { ...sharedSettings(context, run), ...config },
        })),
        "an RL run folder with its run.json",
      ),
    ],
  };
}

function trainingCurves(context: Context): Item {
  const { data } = context;
  const [id, title] = ["training-curves", "RL over training steps"];
  const series = analyzedSeries(data);
  if (data.training.length === 0 && series.length > 0)
    return {
      ...{ id, title },
      caption: "Means over the rollouts of each step, as far as the trainer recorded them.",
      body: curvesBody(
        context,
        stepCurves,
        series.map((one) => ({ ...one, steps: one.series.points })),
      ),
      n: series.map(({ name, series: { points } }) => `${name}: ${points.length} steps`).join("; "),
    };
  if (data.training.length === 0)
    return missing(id, title, "an RL run folder with events.jsonl, or rollouts that know their training step");
  return {
    id,
    title,
    caption:
      "Means over the rollouts of each step. Collapsing entropy and runaway KL are the usual ways in which RL fails.",
    body: curvesBody(context, rlCurves, data.training),
    n: data.training
      .map(({ name, steps }) => `${name}: ${steps.length} steps of ${steps[0].rollouts} rollouts`)
      .join("; "),
  };
}

type Curve<Step> = Pick<RlCurve, "title" | "label" | "unit"> & { readonly read: (step: Step) => number | undefined };
type Drawn<Step> = RunLine & { readonly steps: readonly Step[] };

/** Curves that no run has are left out: without a reference there is no KL to draw. */
function curvesBody<Step extends { readonly step: number }>(
  { data }: Context,
  curves: readonly Curve<Step>[],
  runs: readonly Drawn<Step>[],
): PanelsBody {
  const groups = lineGroups(runs, data.runs);
  const panels = curves.flatMap(({ title, label, read, unit }): Panel[] => {
    const pointsOf = ({ steps }: Drawn<Step>) =>
      steps.flatMap((step) => {
        const value = read(step);
        // The mean of absurd scores has no place on an axis.
        return value === undefined || !Number.isFinite(value) ? [] : [{ x: step.step, value }];
      });
    const marks = drawnLines(groups, pointsOf, { share: unit === "share" });
    if (marks.every(({ points }) => points.length === 0)) return [];
    const y = { label, fromZero: true, ...(unit === "share" && { format: "percent" as const }) };
    return [{ title, x: trainingSteps, y, marks }];
  });
  return { kind: "panels", panels, columns: 3, panelHeight: 160, legend: groupLegend(groups) };
}

type SftLoss = SftRecord["losses"][number];

const sftLine = (name: string, losses: readonly SftLoss[], read: (loss: SftLoss) => number | undefined): LineMark => ({
  ...{ mark: "line", name, ink: "at-sft" },
  points: losses.flatMap((loss) => {
    const value = read(loss);
    return value === undefined || !Number.isFinite(value) ? [] : [{ x: loss.step, value }];
  }),
});

function sftCurves({ data }: Context): Item {
  const [id, title] = ["sft-curves", "SFT loss, and the epoch that was chosen"];
  const told = data.sft.filter(({ losses }) => losses.length > 0);
  if (told.length === 0) return missing(id, title, "an SFT folder with events.jsonl");
  const panels = told.flatMap(({ run, losses, epochs, bestEpoch }): Panel[] => [
    {
      title: `Loss · ${run}`,
      x: { kind: "linear", label: "optimizer step" },
      y: { label: "nats per token", fromZero: true },
      marks: [sftLine("loss", losses, ({ loss }) => loss)],
    },
    ...(["gradientNorm", "learningRate"] as const).flatMap((key): Panel[] => {
      const mark = sftLine(settingName(key), losses, (one) => one[key]);
      if (mark.points.length === 0) return [];
      const x = { kind: "linear" as const, label: "optimizer step" };
      return [
        { title: `${settingName(key)} · ${run}`, x, y: { label: settingName(key), fromZero: true }, marks: [mark] },
      ];
    }),
    {
      title: `Held-out pass@1 · ${run}`,
      x: {
        kind: "categories",
        names: epochs.map(({ epoch }) => `epoch ${epoch}${epoch === bestEpoch ? " (chosen)" : ""}`),
      },
      y: { label: "pass@1", format: "percent", fromZero: true },
      marks: [
        {
          mark: "bars",
          series: [{ name: "pass@1", ink: "at-sft", values: epochs.map(({ passAt1 }) => ({ value: passAt1 })) }],
        },
      ],
    },
  ]);
  return {
    id,
    title,
    caption: "SFT ends with the epoch that has the best accuracy on the validation problems.",
    body: { kind: "panels", panels, columns: 2, panelHeight: 160, legend: [] },
    n: told
      .map(
        ({ run, losses, epochs }) =>
          `${run}: ${losses.length} steps, ${epochs.map(({ rollouts }) => rollouts).join("/")} held-out rollouts by epoch`,
      )
      .join("; "),
  };
}

/** What a recipe settles for its stages and they do not repeat: model, adapters, lengths, rewards, puzzles. */
function sharedSettings({ data }: Context, run: string): Tree {
  const recipe = data.runs.find(({ name, kind }) => name === run && kind === "recipe");
  const { model, contextLength, lora, reward, puzzles, maxPromptTokens } = recipe?.config ?? {};
  const found = { model, contextLength, lora, reward, puzzles, maxPromptTokens };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** What an RL run does for diversity, in words, from its settings. */
function mechanismOf(config: Tree): string {
  const objective = (config.objective ?? {}) as Tree;
  const at = (...keys: string[]) => keys.reduce<unknown>((tree, key) => (tree as Tree | undefined)?.[key], objective);
  const parts = [String(objective.algorithm ?? "RL").toUpperCase()];
  const bonus = at("advantage", "bonus", "kind");
  if (bonus !== undefined && bonus !== "none")
    parts.push(`${bonus} bonus (weight ${at("advantage", "bonus", "weight")})`);
  for (const [name, kind] of [
    ["entropy", at("entropy", "kind")],
    ["exploration", at("exploration", "kind")],
  ] as const) {
    if (kind !== undefined && kind !== "none") parts.push(`${name}: ${kind}`);
  }
  const estimator = at("advantage", "estimator");
  if (estimator !== undefined && estimator !== "group") parts.push(`advantage: ${estimator}`);
  const kl = at("kl", "coefficient");
  if (kl !== undefined) parts.push(`KL ${kl}`);
  return parts.join(", ");
}

/**
 * The evaluations of a training run's checkpoints: those of its stage in the same recipe, and anywhere those of a checkpoint in
 * its folder, or called after it. Two runs may share every name inside, so that a role alone says nothing.
 */
function evaluationsOf(run: TrainingRecord, { data }: Context): CheckpointRecord[] {
  const inside = (path: string) => isInside(path, run.folder);
  const others = data.training.filter((other) => other !== run);
  return data.checkpoints.filter((checkpoint) => {
    const { asked, policy } = checkpoint;
    if (checkpoint.run === run.run) return policyOf(policy) === run.policy || checkpoint.key === run.key;
    if (data.training.some((other) => other.run === checkpoint.run)) return false;
    if (asked.checkpoint !== undefined) {
      if (inside(asked.checkpoint)) return true;
      if (others.some(({ folder }) => isInside(asked.checkpoint!, folder))) return false;
    }
    const names = [policy, asked.name, asked.checkpoint, checkpoint.key].filter((name) => name !== undefined);
    const own = [run.run, run.name, run.key];
    return names.some((name) => own.includes(policyOf(name)) || name.split(/[/ @]/).some((word) => own.includes(word)));
  });
}

/** The end of a folder's path is enough: an evaluation keeps the path as it was given, from wherever that was. */
function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [path, folder].map((one) =>
    one.split(/[\\/]+/).filter((part) => !["", ".", ".."].includes(part)),
  );
  for (let length = Math.min(inner.length, outer.length); length > 1; length--) {
    const end = outer.slice(-length);
    if (end.every((part, i) => part === inner[i])) return true;
  }
  return path.startsWith(`${folder}/`);
}

/** The step that its recipe chose; else, where several were evaluated, the one that solves most of the first set at the first attempt. */
function bestOf({ chosen }: TrainingRecord, checkpoints: readonly CheckpointRecord[]): CheckpointRecord | undefined {
  const found = chosen && checkpoints.find(({ asked }) => asked.step === chosen.step);
  if (found !== undefined) return found;
  const score = ({ summary }: CheckpointRecord) => summary?.sets[0]?.passAtK[0]?.value ?? -1;
  return [...checkpoints].sort((a, b) => score(b) - score(a))[0];
}

function alternatives(context: Context): Item {
  const [id, title] = ["alternatives", "Ways to keep diversity, compared"];
  const pairs = context.data.training.flatMap((run) => {
    const all = evaluationsOf(run, context);
    const best = bestOf(run, all);
    return best?.summary ? [{ run, best, evaluated: all.length }] : [];
  });
  if (pairs.length < 2)
    return missing(
      id,
      title,
      "at least two RL runs and an evaluation of each whose policy or folder is called after its run",
    );
  const columns = passColumns(
    context.sets,
    pairs.map(({ best }) => best),
    8,
  );
  return {
    id,
    title,
    caption:
      "pass@k in percent on the same problems. A run is shown at the step that its recipe chose as the best; where none was chosen, of several evaluated checkpoints at the one with the best pass@1 on the first set.",
    body: tableBody(
      ["run", "mechanism", "checkpoint", ...columns.map(passColumnName)],
      pairs.map(({ run, best, evaluated }) => [
        run.name,
        mechanismOf(run.config),
        checkpointText(run, best, evaluated),
        ...columns.map((column) => passCell(best, column)),
      ]),
    ),
    n: "as in the accuracy table",
    interval: overProblems,
  };
}

function checkpointText({ chosen }: TrainingRecord, best: CheckpointRecord, evaluated: number): string {
  if (chosen !== undefined && best.asked.step === chosen.step) {
    const by = chosen.by === "training" ? "the rollouts of training" : "held-out puzzles";
    return `step ${chosen.step} (best of ${chosen.scores.length} by ${by})`;
  }
  return evaluated > 1 ? `${best.name} (best of ${evaluated})` : best.name;
}

function signalTable({ data }: Context): Item {
  const [id, title] = ["novelty-signal", "Within-prompt spread of candidate novelty signals"];
  const settings = data.training.flatMap((run) => {
    const steps = [...new Set((run.signals ?? []).map(({ step }) => step))];
    const ends = [...new Set([Math.min(...steps), Math.max(...steps)])].filter(Number.isFinite);
    const temperature = run.signals?.[0]?.temperature;
    const at = temperature === undefined ? "" : ` · T ${temperature}`;
    return ends.map((step) => ({ name: `${run.name} · step ${step}${at}`, spread: signalSpread(groupsOf(run, step)) }));
  });
  const evaluated = data.checkpoints.flatMap(({ name, signals }) =>
    (signals?.tables ?? []).map(({ set, rows }) => ({
      name: `${name} · ${set} · T ${signals!.temperature}`,
      spread: rows,
    })),
  );
  const told = [...evaluated, ...settings].filter(({ spread }) => (spread[0]?.problems ?? 0) > 0);
  if (told.length === 0)
    return missing(
      id,
      title,
      "RL rollouts.jsonl whose records carry `surprisal` (reference log-probs are scored when KL or the novelty bonus is on)",
    );
  return {
    id,
    title,
    caption:
      "Standard deviation between the rollouts of one prompt, in nats per token, averaged over prompts; how many times the mean's spread in brackets. A signal that does not differ within a prompt cannot rank its rollouts. A response shorter than k is divided by k all the same, as the bonus does it. T is the temperature at which the reference was scored: the bonus's own, or that of the KL for a run without one. Evaluations stand here when repertoire traces signal has scored them.",
    body: tableBody(
      ["signal", ...told.map(({ name }) => name)],
      told[0].spread.map(({ signal }, i) => [
        signal,
        ...told.map(({ spread }): Cell => {
          const { withinProblem, amplification } = spread[i];
          if (!Number.isFinite(withinProblem)) return null;
          return {
            value: withinProblem,
            text: `${withinProblem.toFixed(3)} (${Number.isFinite(amplification) ? `${amplification.toFixed(1)}×` : "–"})`,
          };
        }),
      ]),
    ),
    n: told.map(({ name, spread }) => `${name}: ${spread[0].problems} prompts`).join("; "),
  };
}

function groupsOf({ signals = [] }: TrainingRecord, step: number) {
  const groups = new Map<string, RolloutSignal[]>();
  for (const signal of signals)
    if (signal.step === step) groups.set(signal.problem, [...(groups.get(signal.problem) ?? []), signal]);
  return [...groups.values()];
}

function settings(
  id: string,
  title: string,
  runs: readonly { readonly name: string; readonly config: Tree }[],
  needs: string,
): Item {
  if (runs.length === 0) return missing(id, title, needs);
  const flat = runs.map(({ config }) => new Map(flatSettings(config)));
  const keys = [...new Set(flat.flatMap((settings) => [...settings.keys()]))];
  return {
    id,
    title,
    caption: "Every setting of the run, including defaults; settings shared by all stages of the recipe come first.",
    body: tableBody(
      ["setting", ...runs.map(({ name }) => name)],
      keys.map((key) => [settingName(key), ...flat.map((settings) => settings.get(key))]),
    ),
    n: `${keys.length} settings`,
  };
}
