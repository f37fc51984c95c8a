// Whether recovery moves are kept and where they pay: over training steps, by problem subset, in traces that succeed.

import { Random } from "../../base/random.ts";
import { clusteredMean } from "../../base/statistics/bootstrap.ts";
import { type Primitive, primitives } from "../../rollouts/primitives.ts";
import { trigramCategoryCounts } from "../../traces/categories.ts";
import { codeOf, primitiveCounts } from "../../traces/sequence.ts";
import { figureSvg, type Panel, percent } from "../charts/figure.ts";
import type { LineMark, Measured } from "../charts/marks.ts";
import { type Context, labelledBy, legendOf, tracesIn } from "../context.ts";
import { type Item, missing, overProblems } from "../item.ts";
import { meansOf } from "../measures.ts";
import type { CheckpointRecord, TraceRecord, TrainingRecord } from "../records.ts";
import { type Cell, count } from "../table.ts";
import type { Section } from "./section.ts";

export function recoverySection(context: Context): Section {
  return {
    id: "recovery",
    title: "Whether recovery survives training",
    intro:
      "A policy that only sharpens what already works stops guessing and returning. These figures follow hypothesize and backtrack through training, and ask whether the problems that only one run solves are solved with them.",
    items: [overSteps(context), bySubset(context), subsetTable(context)],
  };
}

function overSteps({ data }: Context): Item {
  const [id, title] = ["suppression-over-training", "Recovery moves over training steps"];
  const told = data.training.filter(({ steps }) => steps.some((step) => step.primitives !== undefined));
  if (told.length === 0)
    return missing(id, title, "RL runs whose events.jsonl counts primitives per trace (rl-step records)");
  const panel = (measure: Primitive): Panel => ({
    title: `${measure} per trace`,
    x: { kind: "linear", label: "training step" },
    y: { label: "per trace", fromZero: true },
    marks: told.map((run) => ({
      mark: "line",
      name: run.name,
      ink: run.ink,
      symbol: run.symbol,
      dash: run.dash,
      points: byStep(run, measure),
    })),
  });
  const solved: Panel = {
    title: "Solve rate while training",
    x: { kind: "linear", label: "training step" },
    y: { label: "solved", format: percent, fromZero: true },
    marks: told.map(
      ({ steps, name, ink, symbol, dash }): LineMark => ({
        ...{ mark: "line", name, ink, symbol, dash },
        points: steps.map(({ step, solveRate }) => ({ x: step, value: solveRate })),
      }),
    ),
  };
  const withoutRollouts = told.filter(({ rollouts }) => rollouts === undefined).map(({ name }) => name);
  const sizes = [
    ...new Set(
      told.flatMap(({ steps }) =>
        steps.map(({ rollouts, problems }) => `${rollouts} rollouts of ${problems} problems`),
      ),
    ),
  ];
  return {
    type: "figure",
    id,
    title,
    caption:
      "On the puzzles of training itself, as they were sampled. Falling curves beside a rising solve rate are the paper's finding: what RL rewards crowds recovery out.",
    svg: figureSvg({
      title,
      panels: [panel("hypothesize"), panel("backtrack"), solved],
      columns: 3,
      legend: legendOf(told),
    }),
    n: `each step ${sizes.join(" or ")}`,
    interval: `${overProblems} of a step${withoutRollouts.length > 0 ? `; none for ${withoutRollouts.join(", ")}, whose rollouts.jsonl is missing` : ""}`,
    labelled: "labels recorded during training",
  };
}

/** Means by step with intervals from the rollouts where they were kept, from the events alone otherwise. */
function byStep({ steps, rollouts }: TrainingRecord, primitive: Primitive): ({ readonly x: number } & Measured)[] {
  return steps.flatMap(({ step, primitives: told }) => {
    if (told?.[primitive] === undefined) return [];
    const sums = new Map<string, { sum: number; count: number }>();
    for (const rollout of rollouts ?? []) {
      if (rollout.step !== step || rollout.sequence === undefined) continue;
      const own = sums.get(rollout.problem) ?? { sum: 0, count: 0 };
      own.sum += primitiveCounts(rollout.sequence)[codeOf[primitive]];
      own.count += 1;
      sums.set(rollout.problem, own);
    }
    const point = { x: step, value: told[primitive] };
    if (sums.size < 2) return [point];
    const clusters = [...sums.values()];
    const random = Random.from("report steps").child(step, primitives.indexOf(primitive));
    const { low, high } = clusteredMean(
      clusters.map(({ sum }) => sum),
      clusters.map((own) => own.count),
      { random, replicates: 500 },
    );
    return [{ ...point, low, high }];
  });
}

type Subset = { readonly name: string; readonly problems: ReadonlySet<string> };

/** The two RL runs of the recipe, or the last two checkpoints that were asked the same. */
function pairOf(context: Context): readonly [CheckpointRecord, CheckpointRecord] | undefined {
  const [vanilla, novelty] = [context.role("vanilla"), context.role("novelty")];
  const pair = vanilla && novelty ? ([vanilla, novelty] as const) : context.transitions.at(-1);
  return pair?.every(({ traces, tallies }) => traces !== undefined && tallies !== undefined) ? pair : undefined;
}

function subsetsOf(context: Context, first: CheckpointRecord, second: CheckpointRecord, set?: string): Subset[] {
  const split = context.compare(first, second, set)?.split;
  if (split === undefined) return [];
  return [
    { name: "solved by both", problems: new Set(split.both) },
    { name: `only ${second.name}`, problems: new Set(split.onlySecond) },
    { name: `only ${first.name}`, problems: new Set(split.onlyFirst) },
    { name: "solved by neither", problems: new Set(split.neither) },
  ];
}

const needsPair = "labelled and graded evaluations of two checkpoints on the same problems";

function bySubset(context: Context): Item {
  const [id, title] = ["recovery-by-subset", "Recovery motifs by problem subset"];
  const pair = pairOf(context);
  if (pair === undefined) return missing(id, title, needsPair);
  const scopes = [...context.focus, undefined];
  const panels = scopes.map((set): Panel => {
    const subsets = subsetsOf(context, ...pair, set);
    return {
      title: set ?? "all sets together",
      x: { kind: "categories", names: subsets.map(({ name, problems }) => `${name} (${problems.size})`) },
      y: { label: "recovery trigrams per trace", fromZero: true },
      marks: [
        {
          mark: "bars",
          series: pair.map((record) => ({
            name: record.name,
            ink: record.ink,
            values: subsets.map(({ problems }) => {
              const traces = tracesIn(record, set).filter(({ problem }) => problems.has(problem));
              return traces.length === 0 ? undefined : meansOf(traces).of("recovery");
            }),
          })),
        },
      ],
    };
  });
  return {
    type: "figure",
    id,
    title,
    caption: `Problems sorted by which of ${pair[0].name} and ${pair[1].name} solves them at all (number of problems in brackets). Recovery that matters shows where only one run succeeds.`,
    svg: figureSvg({ title, panels, columns: 3, panelHeight: 190, legend: legendOf(pair, "bars") }),
    n: pair.map((record) => `${record.name} ${tracesIn(record).length} traces`).join(", "),
    interval: overProblems,
    labelled: labelledBy(pair),
  };
}

function subsetTable(context: Context): Item {
  const [id, title] = ["recovery-in-success", "Traces with recovery, by subset and success"];
  const pair = pairOf(context);
  if (pair === undefined) return missing(id, title, needsPair);
  const recovers = ({ sequence }: TraceRecord) => trigramCategoryCounts(sequence).recovery > 0;
  const share = (traces: readonly TraceRecord[]): Cell => {
    const recovering = traces.filter(recovers).length;
    return traces.length === 0 ? undefined : `${recovering}/${traces.length}`;
  };
  const rows = context.sets.flatMap((set) =>
    subsetsOf(context, ...pair, set).flatMap(({ name, problems }) =>
      pair.flatMap((record): Cell[][] => {
        const traces = tracesIn(record, set).filter(({ problem }) => problems.has(problem));
        if (traces.length === 0) return [];
        const of = (correct: boolean) => share(traces.filter((trace) => trace.correct === correct));
        return [[set, name, record.name, count(problems.size), share(traces), of(true), of(false)]];
      }),
    ),
  );
  if (rows.length === 0) return missing(id, title, needsPair);
  return {
    type: "table",
    id,
    title,
    caption:
      "Traces that hold at least one recovery motif (a hypothesis and a return within three spans), out of all, of the solved, and of the failed ones.",
    table: { columns: ["set", "problems", "checkpoint", "n problems", "all traces", "solved", "failed"], rows },
    n: "as in the table",
    labelled: labelledBy(pair),
  };
}
