// Whether recovery moves are kept and where they pay: over training steps, by problem subset, in traces that succeed.

import { type Item, missing, type Section } from "../../drawing/item.ts";
import { barsPanel, type Panel, trainingSteps } from "../../drawing/panel.ts";
import { type Cell, count, numberCell, tableBody } from "../../drawing/table.ts";
import { type ProblemSplit, type SplitPart, type SplitSide, splitParts } from "../../traces/analysis/problem-split.ts";
import { minProblems } from "../../traces/analysis/verdicts.ts";
import { categoryMeasure } from "../../traces/categories.ts";
import { labelerWords } from "../../traces/labeler.ts";
import { analyzedSeries, type Context, type DrawnSeries, labeledBy, legendOf, nameIn } from "../context.ts";
import { estimated, overProblems } from "../intervals.ts";
import { drawnLines, groupLegend, lineGroups } from "../mean-lines.ts";
import type { CheckpointRecord } from "../records.ts";
import { forkedTraces, forksTable } from "./forks.ts";
import { necessityTable } from "./necessity.ts";

export function recoverySection(context: Context): Section {
  const { recover } = context.taxonomy;
  return {
    id: "recovery",
    title: "Whether recovery survives training",
    intro: `A policy that only sharpens what already works stops guessing and returning. These figures follow ${recover.join(" and ")} through training, and ask whether the problems that only one run solves are solved with them.`,
    items: [
      overSteps(context),
      primitivesOverSteps(context),
      bySubset(context),
      motifsBySubset(context),
      movesBySubset(context),
      subsetTable(context),
      necessityTable(context),
      // Made by a command of their own: where nobody asked for them, nothing is missing.
      ...(context.data.forks.length > 0
        ? [
            forksTable(context.data.forks, (policy) => nameIn(context, policy)),
            forkedTraces(context.data.forks, context.alphabet, undefined, (policy) => nameIn(context, policy)),
          ]
        : []),
    ],
  };
}

/** Training runs of ours with their looks, or the steps of somebody else's rollouts. */
function drawnSeriesOf({ data }: Context): DrawnSeries[] {
  const own = data.training.flatMap(({ series, ...look }) => (series === undefined ? [] : [{ ...look, series }]));
  return own.length > 0 ? own : analyzedSeries(data);
}

function overSteps(context: Context): Item {
  const [id, title] = ["suppression-over-training", "Recovery moves over training steps"];
  const told = drawnSeriesOf(context);
  if (told.length === 0)
    return missing(
      id,
      title,
      "rollouts that know their training step (rollouts.jsonl of an RL run, or a trainer's dumps)",
    );
  const groups = lineGroups(told, context.data.runs);
  const panel = (measure: string): Panel => ({
    title: `${measure} per trace`,
    x: trainingSteps,
    y: { label: "per trace", fromZero: true },
    marks: drawnLines(groups, ({ series }) =>
      series.points.flatMap(({ step, measures }) => {
        const value = estimated(measures[measure]);
        return value === undefined ? [] : [{ x: step, ...value }];
      }),
    ),
  });
  const graded = told.filter(({ series }) => series.points.some(({ passAtK }) => Object.keys(passAtK).length > 0));
  const largest = Math.min(
    ...graded.flatMap(({ series }) =>
      series.points.map(({ passAtK }) => Math.max(1, ...Object.keys(passAtK).map(Number))),
    ),
  );
  const solved = [...new Set([1, largest])].filter(Number.isFinite).map(
    (k): Panel => ({
      title: `pass@${k} on the problems of training`,
      x: trainingSteps,
      y: { label: "solved", format: "percent", fromZero: true },
      marks: drawnLines(
        lineGroups(graded, context.data.runs),
        ({ series }) =>
          series.points.flatMap(({ step, passAtK }) => (k in passAtK ? [{ x: step, value: passAtK[k] }] : [])),
        { share: true },
      ),
    }),
  );
  const sizes = [
    ...new Set(
      told.flatMap(({ series }) =>
        series.points.map(({ traces, problems }) => `${traces} rollouts of ${problems} problems`),
      ),
    ),
  ];
  return {
    id,
    title,
    caption:
      "On the problems of training itself, as they were sampled. Falling curves next to a rising pass@k are the paper's finding: what RL rewards crowds out recovery.",
    body: {
      kind: "panels",
      panels: [...context.taxonomy.recover.map(panel), ...solved],
      columns: 2,
      legend: groupLegend(groups),
    },
    n: sizes.length > 4 ? `${sizes[0]} at the first step` : `each step ${sizes.join(" or ")}`,
    interval: `${overProblems} of a step`,
    labeled: trainingLabels(context),
  };
}

/** Small multiples, each on an axis of its own: on one of all labels the rare ones lie at zero. */
function primitivesOverSteps(context: Context): Item {
  const [id, title] = ["primitives-over-training", "Every label over training steps"];
  const { data, alphabet } = context;
  const analyzed = drawnSeriesOf(context).map(({ series, ...look }) => ({
    ...look,
    points: series.points.map(({ step, measures }) => ({
      x: step,
      of: (label: string) => estimated(measures[label])?.value,
    })),
  }));
  // While a run goes there is no analysis yet: then what its loop counted itself, by a labeler that it names.
  const counted = data.training.flatMap(({ steps, ...look }) => {
    const points = steps.flatMap(({ step, primitives, labeledBy: who }) =>
      primitives === undefined || who === undefined
        ? []
        : [{ x: step, of: (label: string) => primitives[label] as number | undefined }],
    );
    return points.length === 0 ? [] : [{ ...look, points }];
  });
  const lines = analyzed.length > 0 ? analyzed : counted;
  if (lines.length === 0)
    return missing(id, title, "an RL run whose rollouts are labeled, or rollouts that know their step");
  const groups = lineGroups(lines, data.runs);
  const panels = alphabet.labels.map(
    (label): Panel => ({
      ...{ title: label, x: trainingSteps, y: { label: "per trace", fromZero: true } },
      marks: drawnLines(groups, ({ points }) =>
        points.flatMap(({ x, of }) => {
          const value = of(label);
          return value === undefined ? [] : [{ x, value }];
        }),
      ),
    }),
  );
  return {
    ...{ id, title },
    caption: "Means per trace of the rollouts of each step; every label has an axis of its own.",
    body: { kind: "panels", panels, columns: 3, panelHeight: 110, legend: groupLegend(groups) },
    n: lines.map(({ name, points }) => `${name}: ${points.length} steps`).join("; "),
    labeled: trainingLabels(context),
  };
}

/** Everybody who labeled a trace of these runs: training is labeled as the evaluations are. */
const trainingLabels = ({ data }: Context): string | undefined =>
  data.analysis?.labelers
    .filter(({ kind }) => kind !== "recorded")
    .map(labelerWords)
    .join("; ");

/** The two RL runs of the recipe, or the last two checkpoints that were asked the same. */
function pairOf(context: Context): readonly [CheckpointRecord, CheckpointRecord] | undefined {
  const [vanilla, novelty] = [context.role("vanilla"), context.role("novelty")];
  const pair = vanilla && novelty ? ([vanilla, novelty] as const) : context.transitions.at(-1);
  return pair?.every((record) => context.labeled.includes(record) && record.tallies !== undefined) ? pair : undefined;
}

const splitOf = (context: Context, [first, second]: readonly [CheckpointRecord, CheckpointRecord], scope?: string) =>
  context.scope(scope)?.splits.find((one) => one.first === first.key && one.second === second.key);

const needsPair = "labeled and graded traces of two checkpoints on the same problems";
const needsPart = `${needsPair}, at least ${minProblems} of them in one part`;

/** Bars over fewer problems than this say more about luck than about checkpoints. */
const isEnough = ({ parts }: Pick<ProblemSplit, "parts">, part: SplitPart): boolean =>
  parts[part].problems.length >= minProblems;

/** In the order in which the paper tells them. */
const shownParts: readonly SplitPart[] = ["both", "only second", "only first", "neither"];

const partName = (part: SplitPart, [first, second]: readonly [CheckpointRecord, CheckpointRecord]): string =>
  ({
    both: "solved by both",
    "only first": `only ${first.name}`,
    "only second": `only ${second.name}`,
    neither: "solved by neither",
  })[part];

function bySubset(context: Context): Item {
  const [id, title] = ["recovery-by-subset", "Recovery motifs by problem subset"];
  const pair = pairOf(context);
  const measure = context.alphabet.categories.find(({ name }) => name === "recovery");
  const name = measure === undefined ? "recovery primitives" : categoryMeasure(measure);
  const scopes = context.focus.flatMap((scope) => {
    const split = pair && splitOf(context, pair, scope);
    return split && shownParts.some((part) => isEnough(split, part)) ? [{ scope, split }] : [];
  });
  if (pair === undefined || scopes.length === 0) return missing(id, title, needsPart);
  const panels = scopes.map(({ scope, split }): Panel => subsetPanel(scope, split, pair, name));
  return {
    id,
    title,
    caption: `Problems sorted by which of ${pair[0].name} and ${pair[1].name} solves them at all (number of problems in brackets; parts of fewer than ${minProblems} are in the tables alone). Recovery that matters shows where only one run succeeds.`,
    body: { kind: "panels", panels, columns: 2, panelHeight: 190, legend: legendOf(pair, "bars") },
    n: pair.map((record) => `${record.name} ${context.of(record)?.traces} traces`).join(", "),
    interval: overProblems,
    labeled: labeledBy(context, pair),
  };
}

function subsetPanel(
  title: string,
  { parts }: ProblemSplit,
  pair: readonly [CheckpointRecord, CheckpointRecord],
  measure: string,
): Panel {
  const side = (part: SplitPart, i: number): SplitSide => (i === 0 ? parts[part].first : parts[part].second);
  const drawn = shownParts.filter((part) => isEnough({ parts }, part));
  const names = drawn.map((part) => `${partName(part, pair)} (${parts[part].problems.length})`);
  return barsPanel(title, names, `${measure} per trace`, pair, (_, i) =>
    drawn.map((part) => estimated(side(part, i).all[measure])),
  );
}

/** What solved traces are made of where both succeed, and where only one does. */
function motifsBySubset(context: Context): Item {
  const [id, title] = ["motifs-by-subset", "Motifs of solved traces, by problem subset"];
  const pair = pairOf(context);
  const scope = context.focus.at(-1);
  const split = pair && splitOf(context, pair, scope);
  const measures = [
    ...context.alphabet.categories.filter(({ length }) => length === 3).map(categoryMeasure),
    ...context.alphabet.motifs.map(({ name }) => name),
  ];
  const drawn = (["both", "only second"] as const).filter((part) => split !== undefined && isEnough(split, part));
  if (pair === undefined || split === undefined || measures.length === 0 || drawn.length === 0)
    return missing(id, title, needsPart);
  const panels = drawn.map((part): Panel => {
    const { problems, first, second } = split.parts[part];
    const title = `${partName(part, pair)} (${problems.length} problems) · ${scope}`;
    const names = measures.map((measure) => measure.replace(/ trigrams$/, ""));
    return barsPanel(title, names, "per solved trace", pair, (_, i) =>
      measures.map((measure) => estimated([first, second][i].solved[measure])),
    );
  });
  return {
    id,
    title,
    caption:
      "Solved traces only. Where both succeed they should look alike; where only one does, what it kept should show. A dash means that it solved none of them.",
    body: { kind: "panels", panels, columns: 2, panelHeight: 190, legend: legendOf(pair, "bars") },
    n: drawn
      .map(
        (part) =>
          `${partName(part, pair)}: ${split.parts[part].first.solvedTraces} and ${split.parts[part].second.solvedTraces} solved traces`,
      )
      .join("; "),
    interval: overProblems,
    labeled: labeledBy(context, pair),
  };
}

/** A row for each set, part of its problems and checkpoint that has traces there. */
function subsetRows(
  context: Context,
  pair: readonly [CheckpointRecord, CheckpointRecord],
  scopes: readonly string[],
  parts: readonly SplitPart[],
  cellsOf: (side: SplitSide, problems: number) => readonly Cell[],
): Cell[][] {
  return scopes.flatMap((scope) => {
    const split = splitOf(context, pair, scope);
    return (split === undefined ? [] : parts).flatMap((part) => {
      const { problems, first, second } = split!.parts[part];
      return [first, second].flatMap((side, i): Cell[][] => {
        const { length } = problems;
        return side.traces === 0
          ? []
          : [[scope, partName(part, pair), pair[i].name, count(length), ...cellsOf(side, length)]];
      });
    });
  });
}

function movesBySubset(context: Context): Item {
  const [id, title] = ["moves-by-subset", "Recovery moves by problem subset"];
  const pair = pairOf(context);
  if (pair === undefined) return missing(id, title, needsPair);
  const { recover } = context.taxonomy;
  const rows = subsetRows(context, pair, context.focus, shownParts, (side, _problems) =>
    (["all", "solved"] as const).flatMap((which) =>
      recover.map((move) => numberCell(estimated(side[which][move]), (value) => value.toFixed(2))),
    ),
  );
  if (rows.length === 0) return missing(id, title, needsPair);
  return {
    id,
    title,
    caption: "Mean per trace, over all traces of the subset and over those that solved their problem.",
    body: tableBody(
      [
        ...["set", "problems", "checkpoint", "n problems"],
        ...recover,
        ...recover.map((move) => `${move}, solved traces`),
      ],
      rows,
    ),
    n: "as in the table",
    interval: overProblems,
    labeled: labeledBy(context, pair),
  };
}

function subsetTable(context: Context): Item {
  const [id, title] = ["recovery-in-success", "Traces with recovery, by subset and success"];
  const pair = pairOf(context);
  if (pair === undefined) return missing(id, title, needsPair);
  const share = (having: number, all: number): Cell => (all === 0 ? null : `${having}/${all}`);
  const scopes = [...new Set([...context.focus, ...context.sets])];
  const rows = subsetRows(context, pair, scopes, splitParts, ({ traces, solvedTraces, withRecovery }) => [
    share(withRecovery.all, traces),
    share(withRecovery.solved, solvedTraces),
    share(withRecovery.failed, traces - solvedTraces),
  ]);
  if (rows.length === 0) return missing(id, title, needsPair);
  return {
    id,
    title,
    caption:
      "Traces that hold at least one recovery motif (a hypothesis and a return within three spans), out of all, of the solved, and of the failed ones.",
    body: tableBody(["set", "problems", "checkpoint", "n problems", "all traces", "solved", "failed"], rows),
    n: "as in the table",
    labeled: labeledBy(context, pair),
  };
}
