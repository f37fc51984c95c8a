// How far traces carry one line of work: chain depth, exploit runs, depth by success, by puzzle and by board size.

import { type Item, missing, type Section } from "../../drawing/item.ts";
import { barsPanel, type DotsMark, type LineMark, type Panel, percent, withTimes } from "../../drawing/panel.ts";
import { type Cell, count, numberCell, pValue, tableBody } from "../../drawing/table.ts";
import type { CheckpointSummary, DepthGroup } from "../../traces/analysis/checkpoint-summary.ts";
import { depthMeasure, runMeasure, strictDepthMeasure } from "../../traces/analysis/measures.ts";
import { type Context, labeledBy, legendOf, sampleSizes } from "../context.ts";
import { estimated, overProblems } from "../intervals.ts";
import type { CheckpointRecord } from "../records.ts";
import { breadthFigure, breadthTable } from "./primitives.ts";

export function depthSection(context: Context): Section {
  const { exploit, exploitStrict } = context.taxonomy;
  return {
    id: "depth",
    title: "How deep traces go",
    intro: `An exploit run is an unbroken stretch of ${exploit.join(", ")}. A trace's chain depth is its longest run: how far it follows one line before it does anything else.`,
    items: [
      depthFigure(context),
      depthTable(context),
      depthByShareTable(context),
      breadthFigure(
        context,
        "breadth-chain-depth",
        "Mean chain depth by set",
        [depthMeasure, strictDepthMeasure],
        `Left as defined; right the stricter count of ${(exploitStrict ?? exploit).join(" and ")} alone, as a check that the definition does not make the effect.`,
      ),
      breadthTable(context, "breadth-chain-depth-table", "Mean chain depth, by set", [depthMeasure]),
      depthBySuccess(context),
      mannWhitneyTable(context),
      depthBySize(context),
      depthByPuzzle(context),
    ],
  };
}

/** Whether deeper chains are another finding than fewer moves of recovery, which break them. */
function depthByShareTable(context: Context): Item {
  const [id, title] = ["depth-decomposition", "How much of a change in depth is a change in the share of moves"];
  const named = new Map(context.labeled.map(({ key, name }) => [key, name]));
  const signed = (value: number) => `${value < 0 ? "−" : "+"}${two(Math.abs(value))}`;
  const rows = context.focus.flatMap((scope) =>
    (context.scope(scope)?.comparisons ?? []).flatMap(
      ({ first, second, changes, depthByShare, sharedProblems }): Cell[][] => {
        const depth = changes.find(({ measure }) => measure === depthMeasure);
        if (depth === undefined || depthByShare === undefined) return [];
        const between = [first, second].map((key) => named.get(key) ?? key).join(" → ");
        const rest = depth.difference.value - depthByShare.value;
        return [
          [
            ...[scope, between, numberCell(estimated(depth.difference), signed)],
            ...[numberCell(estimated(depthByShare), signed), { value: rest, text: signed(rest) }],
            count(sharedProblems),
          ],
        ];
      },
    ),
  );
  if (rows.length === 0) return missing(id, title, "two compared checkpoints, each with and without moves of recovery");
  return {
    id,
    title,
    caption: `A trace that makes no ${context.taxonomy.recover.join(" or ")} has longer chains, so fewer such moves alone make depth rise. “By share” is what the change of their share makes of depth, at the depth of both kinds of traces as it is over both checkpoints; the rest is that traces of a kind became deeper.`,
    body: tableBody(["set", "from → to", "depth", "by share", "rest", "problems"], rows),
    n: "problems of both, as in the table",
    interval: `${overProblems}, paired`,
    labeled: labeledBy(context, context.labeled),
  };
}

const needsLabels = "labeled traces of at least one checkpoint";
const needsBoth = "labeled and graded traces";
const two = (value: number) => value.toFixed(2);

function depthFigure(context: Context): Item {
  const [id, title] = ["chain-depth", "Chain depth, and exploit runs against pass@k"];
  if (context.labeled.length === 0) return missing(id, title, needsLabels);
  const panels = context.focus.flatMap((scope) => [
    distributionPanel(context, scope),
    summaryPanel(context, scope),
    runsPanel(context, scope),
  ]);
  return {
    id,
    title,
    caption:
      "Left: the share of traces whose chain depth is at least d; a curve further right is a policy with longer chains. Middle: mean and 90th percentile (p90). Right: mean exploit run against pass@k at the largest k; up is better, right is longer runs.",
    body: { kind: "panels", panels, columns: 3, panelHeight: 215, legend: legendOf(context.labeled) },
    n: sampleSizes(context, context.labeled, context.focus),
    interval: `${overProblems} (middle and right)`,
    labeled: labeledBy(context, context.labeled),
  };
}

function distributionPanel(context: Context, scope: string): Panel {
  const found = context.labeled.flatMap((record) => {
    const counts = context.of(record, scope)?.depthCounts;
    return counts === undefined ? [] : [{ record, counts }];
  });
  const deepest = found.reduce((most, { counts }) => Math.max(most, counts.length - 1), 1);
  const step = Math.max(1, Math.ceil(deepest / 30));
  const marks = found.map(({ record: { name, ink, symbol, dash }, counts }): LineMark => {
    const total = counts.reduce((a, b) => a + b, 0);
    const atLeast = (depth: number) => counts.slice(depth).reduce((a, b) => a + b, 0) / Math.max(1, total);
    const points = Array.from({ length: Math.floor(deepest / step) + 1 }, (_, i) => i * step);
    return { mark: "line", name, ink, symbol, dash, points: points.map((x) => ({ x, value: atLeast(x) })) };
  });
  return {
    title: `Chain depth · ${scope}`,
    x: { kind: "linear", label: "depth of at least d", domain: [0, deepest] },
    y: { label: "share of traces", domain: [0, 1], format: "percent" },
    marks,
  };
}

function summaryPanel(context: Context, scope: string): Panel {
  const names = ["mean", "90th percentile"];
  return barsPanel(`Mean and p90 · ${scope}`, names, "chain depth", context.labeled, (record) => {
    const found = context.of(record, scope);
    const values = [found?.measures[depthMeasure], found?.depthPercentile90];
    return values.map((value) => estimated(value));
  });
}

function runsPanel(context: Context, scope: string): Panel {
  let most = 1;
  const marks = context.labeled.flatMap((record): DotsMark[] => {
    const found = context.of(record, scope);
    const run = context.measured(record, runMeasure, scope);
    const k = Object.keys(found?.passAtK ?? {}).at(-1);
    if (found === undefined || run === undefined || k === undefined) return [];
    most = Number(k);
    const pass = estimated(found.passAtK[k])!;
    const title = `${record.name}: mean exploit run ${two(run.value)}, pass@${k} ${percent(pass.value)}`;
    return [
      {
        mark: "dots",
        ink: record.ink,
        symbol: record.symbol,
        points: [{ x: run, y: pass, title }],
      },
    ];
  });
  return {
    title: `Ceiling · ${scope}`,
    x: { kind: "linear", label: "mean exploit run" },
    y: { label: `pass@${most}`, format: "percent", domain: [0, 1] },
    marks,
  };
}

function depthTable(context: Context): Item {
  const [id, title] = ["depth-statistics", "Chain depth and exploit runs in numbers"];
  if (context.labeled.length === 0) return missing(id, title, needsLabels);
  const scopes = context.data.analysis!.scopes.map(({ scope }) => scope.name);
  const rows = scopes.flatMap((scope) =>
    context.labeled.flatMap((record): Cell[][] => {
      const found = context.of(record, scope);
      if (found === undefined || found.traces === 0) return [];
      const cell = (value: CheckpointSummary["depthPercentile90"]) => numberCell(estimated(value), two);
      return [
        [
          scope,
          record.name,
          cell(found.measures[depthMeasure]),
          cell(found.depthPercentile90),
          cell(found.measures[strictDepthMeasure]),
          cell(found.measures[runMeasure]),
        ],
      ];
    }),
  );
  return {
    id,
    title,
    caption: "Per trace. The mean exploit run is over traces that have one.",
    body: tableBody(["set", "checkpoint", "mean depth", "90th percentile", "stricter depth", "mean exploit run"], rows),
    n: "as in the other tables of each set",
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

const gradedOf = ({ labeled, of }: Context) => labeled.filter((record) => (of(record)?.gradedTraces ?? 0) > 0);

const shownScopes = ({ sets, scope, focus }: Context) => {
  const known = sets.filter((set) => scope(set) !== undefined);
  return [...new Set([...focus, ...known])];
};

function depthBySuccess(context: Context): Item {
  const [id, title] = ["depth-by-success", "Chain depth of solved and unsolved traces"];
  const graded = gradedOf(context);
  if (graded.length === 0) return missing(id, title, needsBoth);
  const parts = [
    { name: "solved", ink: "gain" },
    { name: "unsolved", ink: "muted", hollow: true },
  ] as const;
  const names = graded.map(({ name }) => name);
  const panels = shownScopes(context).map((scope) =>
    barsPanel(scope, names, "chain depth", parts, ({ name }) =>
      graded.map((record) => {
        const found = context.of(record, scope);
        return found && estimated(found.depthBySuccess[name].depth);
      }),
    ),
  );
  return {
    id,
    title,
    caption:
      "Where unsolved traces are the deeper ones, depth is spent on lines that fail. A dash means that there was no such trace.",
    body: { kind: "panels", panels, columns: 2, panelHeight: 175, legend: parts },
    n: sampleSizes(context, graded, shownScopes(context)),
    interval: overProblems,
    labeled: labeledBy(context, graded),
  };
}

function mannWhitneyTable(context: Context): Item {
  const [id, title] = ["mann-whitney", "Chain depth, solved against unsolved: Mann–Whitney U"];
  const graded = gradedOf(context);
  if (graded.length === 0) return missing(id, title, needsBoth);
  const rows = shownScopes(context).flatMap((scope) =>
    graded.flatMap((record): Cell[][] => {
      const found = context.of(record, scope)?.depthBySuccess;
      if (found === undefined) return [];
      const { solved, unsolved, u, p, effect } = found;
      const [first, second] = [solved.depth.value, unsolved.depth.value];
      const plain = (value: number) => numberCell({ value }, two);
      return [
        [
          scope,
          record.name,
          plain(first),
          plain(second),
          numberCell({ value: first - second }, (value) => `${value >= 0 ? "+" : "−"}${two(Math.abs(value))}`),
          u === undefined ? null : { value: u, text: u.toFixed(Number.isInteger(u) ? 0 : 1) },
          p === undefined ? null : { value: p, text: pValue(p) },
          effect === undefined ? null : { value: effect, text: two(effect) },
          count(solved.traces),
          count(unsolved.traces),
        ],
      ];
    }),
  );
  return {
    id,
    title,
    caption:
      "Two-sided, unadjusted. The effect is the chance that a solved trace is deeper than an unsolved one; one half is no effect. The test treats traces as independent, which attempts at one problem are not: read p as a lower bound.",
    body: tableBody(
      ["set", "checkpoint", "depth solved", "depth unsolved", "Δ", "U", "p", "effect", "n solved", "n unsolved"],
      rows,
    ),
    n: "as in the table",
    labeled: labeledBy(context, graded),
  };
}

const cells = (size: string) =>
  size
    .split("x")
    .map(Number)
    .reduce((a, b) => a * b, 1);

type Place = { readonly puzzle: string; readonly size: string };

/** Every puzzle with its board sizes, from few cells to many. */
function placesOf(context: Context, records: readonly CheckpointRecord[]): Map<string, string[]> {
  const places = new Map<string, Set<string>>();
  for (const record of records)
    for (const { puzzle, size } of context.of(record)?.depthByPuzzle ?? [])
      if (puzzle && size) places.set(puzzle, (places.get(puzzle) ?? new Set()).add(size));
  return new Map(
    [...places]
      .sort()
      .map(([puzzle, sizes]) => [puzzle, [...sizes].sort((a, b) => cells(a) - cells(b) || (a < b ? -1 : 1))]),
  );
}

const groupAt = (context: Context, record: CheckpointRecord, { puzzle, size }: Place): DepthGroup | undefined =>
  context.of(record)?.depthByPuzzle.find((group) => group.puzzle === puzzle && group.size === size);

function depthBySize(context: Context): Item {
  const [id, title] = ["depth-by-size", "Chain depth by board size, solved traces"];
  const graded = gradedOf(context);
  const places = placesOf(context, graded);
  if (places.size === 0) return missing(id, title, `${needsBoth} of puzzles`);
  const panels = [...places].map(([puzzle, sizes]) =>
    barsPanel(puzzle, sizes.map(withTimes), "chain depth", graded, (record) =>
      sizes.map((size) => {
        const group = groupAt(context, record, { puzzle, size });
        return group && estimated(group.solvedDepth);
      }),
    ),
  );
  const solved = (record: CheckpointRecord) =>
    (context.of(record)?.depthByPuzzle ?? []).reduce((total, { solvedTraces }) => total + solvedTraces, 0);
  return {
    id,
    title,
    caption:
      "Sizes from few cells to many. Solved traces only, so that giving up or running out of room does not count as depth; a dash means that none was solved.",
    body: { kind: "panels", panels, columns: 2, panelHeight: 175, legend: legendOf(graded, "bars") },
    n: graded.map((record) => `${record.name} ${solved(record)} solved traces`).join(", "),
    interval: overProblems,
    labeled: labeledBy(context, graded),
  };
}

function depthByPuzzle(context: Context): Item {
  const [id, title] = ["depth-by-puzzle", "Chain depth by puzzle, each at its largest boards, all traces"];
  const places = [...placesOf(context, context.labeled)].map(([puzzle, sizes]) => ({ puzzle, size: sizes.at(-1)! }));
  if (places.length === 0) return missing(id, title, `${needsLabels} of puzzles`);
  const names = places.map(({ puzzle, size }) => `${puzzle} ${withTimes(size)}`);
  const panel = barsPanel("The largest boards of each puzzle", names, "chain depth", context.labeled, (record) =>
    places.map((place) => {
      const group = groupAt(context, record, place);
      return group && estimated(group.depth);
    }),
  );
  return {
    id,
    title,
    caption: "The same policy goes deeper where the puzzle asks for it, which need not be where the board is larger.",
    body: { kind: "panels", panels: [panel], columns: 1, panelHeight: 190, legend: legendOf(context.labeled, "bars") },
    n: context.labeled
      .map((record) => {
        const traces = places.reduce((total, place) => total + (groupAt(context, record, place)?.traces ?? 0), 0);
        return `${record.name} ${traces} traces`;
      })
      .join(", "),
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}
