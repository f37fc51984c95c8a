// What `run … --dry-run` prints: the stages with their tokens and hours, and every setting with where it comes from.

import pc from "picocolors";
import { settingAt } from "../base/setting-path.ts";
import { type PaperPath, paperRecord, shownSetting } from "../problems/paper.ts";
import { byKind, type PlannedStage, type Speed } from "../recipes/plan.ts";
import { type Preset, presetSettings } from "../recipes/presets.ts";
import type { RecipeProblems } from "../recipes/recipe-problems.ts";
import { type RecipeSettings, recipeSchema } from "../recipes/settings.ts";
import { brokenRows, textTable } from "./text-table.ts";

type PrintedPlan = {
  readonly sets: RecipeProblems;
  readonly benchmarks: readonly { readonly set: string; readonly problems: number }[];
  readonly stages: readonly PlannedStage[];
  readonly gpus: number;
  readonly gpuPrice?: number;
  readonly speed: Speed;
  readonly speedFrom: string;
  readonly responseTokens: number;
  readonly notes: readonly string[];
};

export function printPlan(plan: PrintedPlan): void {
  const { sets, benchmarks, stages, speed } = plan;
  console.log(`${pc.bold("Stages")}\n`);
  const width = Math.max(17, ...stages.map(({ name }) => name.length));
  for (const { name, what } of stages) console.log(`  ${name.padEnd(width)} ${what}`);
  console.log(`\n${pc.bold("Tokens and hours")}\n`);
  const hours = stages.reduce((sum, stage) => sum + (stage.hours ?? 0), 0);
  const digits = hours < 1 ? 2 : 1;
  const rows = stages.map(({ name, tokens, hours }) => [
    name,
    ...[tokens.sampled, tokens.scored, tokens.trained].map(short),
    hours === undefined ? "the teacher's" : hours.toFixed(digits),
  ]);
  const totals = (["sampled", "scored", "trained"] as const).map((kind) =>
    short(stages.reduce((sum, { tokens }) => sum + tokens[kind], 0)),
  );
  console.log(
    textTable(
      ["stage", "sampled", "scored", "trained on", "hours"],
      [...rows, ["all", ...totals, hours.toFixed(digits)]],
    ),
  );
  console.log(
    `\nResponses of ${plan.responseTokens.toLocaleString("en-US")} tokens (or what a stage allows); ` +
      `${short(speed.sampled)} tokens/s sampled, ${short(speed.scored)} scored, ${short(speed.trained)} trained on (${plan.speedFrom}).`,
  );
  for (const line of costLines(plan, hours)) console.log(line);
  console.log(`\n${pc.bold("Problems")}\n`);
  console.log(`  training    ${byKind(sets.training)}`);
  console.log(`  held out    ${byKind(sets.heldOut)}`);
  if (sets.search.length > 0) console.log(`  search      ${byKind(sets.search)}`);
  console.log(`  larger      ${byKind(sets.larger)}`);
  console.log(`  benchmarks  ${benchmarks.map(({ set, problems }) => `${set}: ${problems}`).join(", ") || "none"}`);
  for (const note of plan.notes) console.log(pc.yellow(`\n${note}`));
}

/** Where a GPU is paid by the hour: how many, what for, and how to need fewer. */
function costLines({ stages, gpus, gpuPrice, speed }: PrintedPlan, hours: number): string[] {
  const priced = (gpuHours: number) =>
    gpuPrice === undefined ? "" : `, ${Math.round(gpuHours * gpuPrice).toLocaleString("en-US")} at ${gpuPrice} an hour`;
  const shown = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 });
  if (gpuPrice === undefined && gpus === 1) return [];
  const evaluations = stages.reduce((sum, { kind, hours = 0 }) => sum + (kind === "evaluation" ? hours : 0), 0);
  const lines = [`${shown(hours * gpus)} GPU-hours${priced(hours * gpus)}.`];
  if (speed.evaluated === undefined && evaluations > 0)
    lines.push(
      `${shown(evaluations * gpus)} of them are evaluations at the trainer's speed${priced(evaluations * gpus)}: vLLM samples faster (docs/eight-gpus.md); count its speed with --speed evaluated=….`,
    );
  return lines;
}

/** Every setting with where it comes from: a preset's own values by its record, the others by the paper's. */
export function printSettings(settings: RecipeSettings, preset: Preset): void {
  const usual = recipeSchema.parse(presetSettings(preset));
  const rows = Object.entries(paperRecord).map(([path, { from }]): [string, string, string] => {
    const value = settingAt(settings, path);
    const changed = JSON.stringify(value) !== JSON.stringify(settingAt(usual, path));
    return [
      `${changed ? "*" : " "} ${path}`,
      shownSetting(path, value),
      preset.record[path as PaperPath]?.from ?? from,
    ];
  });
  console.log(`${pc.bold("Settings")} ${pc.dim("(* changed from the recipe's value)")}\n`);
  console.log(`${textTable(["  setting", "value", "from"], brokenRows(rows), 3)}\n`);
}

function short(value: number): string {
  for (const [unit, size] of [
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ] as const)
    if (value >= size) return `${(value / size).toFixed(value >= 100 * size ? 0 : 1)}${unit}`;
  return value.toFixed(0);
}
