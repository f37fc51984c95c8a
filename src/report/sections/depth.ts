// How far traces carry one line of work: chain depth, exploit runs, depth by success, by puzzle and by board size.
import { mannWhitney } from "../../base/statistics/mann-whitney.ts";
import { passAt } from "../../evaluation/summary.ts";
import { chainDepth } from "../../traces/depth.ts";
import { figureSvg, type Panel, percent, withTimes } from "../charts/figure.ts";
import type { DotsMark, LineMark, Measured } from "../charts/marks.ts";
import { type Context, labelledBy, legendOf, sampleSizes, tracesIn } from "../context.ts";
import { type Item, missing, overProblems } from "../item.ts";
import { meansOf } from "../measures.ts";
import type { CheckpointRecord, TraceRecord } from "../records.ts";
import { type Cell, count, numberCell, pValue } from "../table.ts";
import { breadthFigure, breadthTable } from "./primitives.ts";
import type { Section } from "./section.ts";

export function depthSection(context: Context): Section {
  return {
    id: "depth",
    title: "How deep traces go",
    intro:
      "An exploit run is an unbroken stretch of compute, check and setup. A trace's chain depth is its longest run: how far it follows one line before it does anything else.",
    items: [
      depthFigure(context),
      breadthFigure(
        context,
        "breadth-chain-depth",
        "Mean chain depth by set",
        ["chain depth", "chain depth without setup"],
        robustness,
      ),
      breadthTable(context, "breadth-chain-depth-table", "Mean chain depth, by set", ["chain depth"]),
      depthBySuccess(context),
      mannWhitneyTable(context),
      depthBySize(context),
      depthByPuzzle(context),
    ],
  };
}

const robustness =
  "Left as defined; right the stricter count in which setup ends a run, as a check that the definition does not make the effect.";
const needsLabels = "labelled traces of at least one evaluation";
const needsBoth = "labelled traces with verdicts (rollouts.jsonl and grades.jsonl)";

function depthFigure(context: Context): Item {
  const [id, title] = ["chain-depth", "Chain depth, and exploit runs against pass@k"];
  if (context.labelled.length === 0) return missing(id, title, needsLabels);
  const panels = context.focus.flatMap((set) => [distributionPanel(context, set), runsPanel(context, set)]);
  return {
    type: "figure",
    id,
    title,
    caption:
      "Left: the share of traces whose chain depth is at least d; a curve further right is a policy with longer chains. Right: mean exploit run against pass@k at the largest k; up is better, right is longer runs.",
    svg: figureSvg({ title, panels, columns: 2, panelHeight: 215, legend: legendOf(context.labelled) }),
    n: sampleSizes(context, context.labelled, context.focus),
    interval: `${overProblems} (right panels)`,
    labelled: labelledBy(context.labelled),
  };
}

function distributionPanel(context: Context, set: string): Panel {
  const depths = context.labelled.map((record) => tracesIn(record, set).map(({ sequence }) => chainDepth(sequence)));
  const deepest = depths.flat().reduce((most, depth) => Math.max(most, depth), 1);
  const step = Math.max(1, Math.ceil(deepest / 30));
  const marks = context.labelled.map(
    ({ name, ink, symbol, dash }, i): LineMark => ({
      ...{ mark: "line", name, ink, symbol, dash },
      points: Array.from({ length: Math.floor(deepest / step) + 1 }, (_, j) => j * step).map((x) => ({
        x,
        value: depths[i].filter((depth) => depth >= x).length / Math.max(1, depths[i].length),
      })),
    }),
  );
  return {
    title: `Chain depth · ${set}`,
    x: { kind: "linear", label: "depth of at least d", domain: [0, deepest] },
    y: { label: "share of traces", domain: [0, 1], format: percent },
    marks: marks.filter((_, i) => depths[i].length > 0),
  };
}

function runsPanel(context: Context, set: string): Panel {
  let most = 1;
  const marks = context.labelled.flatMap((record): DotsMark[] => {
    const run = context.measured(record, "mean exploit run", set);
    const found = record.summary?.sets.find((one) => one.set === set);
    if (run === undefined || found === undefined || found.passAtK.length === 0) return [];
    most = found.attempts.fewest;
    const { value, newProblems } = passAt(found, most);
    const title = `${record.name}: mean exploit run ${run.value.toFixed(2)}, pass@${most} ${percent(value)}`;
    const points = [{ x: run, y: { value, ...newProblems }, title, label: record.name }];
    return [{ mark: "dots", ink: record.ink, symbol: record.symbol, points }];
  });
  return {
    title: `Runs and ceiling · ${set}`,
    x: { kind: "linear", label: "mean exploit run" },
    y: { label: `pass@${most}`, format: percent, domain: [0, 1] },
    marks,
  };
}

const bySuccess = (record: CheckpointRecord, set: string) => {
  const traces = tracesIn(record, set);
  return {
    solved: traces.filter(({ correct }) => correct === true),
    unsolved: traces.filter(({ correct }) => correct === false),
  };
};

function meanDepth(traces: readonly TraceRecord[]): Measured | undefined {
  return traces.length === 0 ? undefined : meansOf(traces).of("chain depth");
}

function depthBySuccess(context: Context): Item {
  const [id, title] = ["depth-by-success", "Chain depth of solved and unsolved traces"];
  const graded = context.labelled.filter(({ tallies }) => tallies !== undefined);
  if (graded.length === 0) return missing(id, title, needsBoth);
  const panels = context.sets.map((set): Panel => {
    const parts = graded.map((record) => bySuccess(record, set));
    return {
      title: set,
      x: { kind: "categories", names: graded.map(({ name }) => name) },
      y: { label: "chain depth", fromZero: true },
      marks: [
        {
          mark: "bars",
          series: [
            { name: "solved", ink: "gain", values: parts.map(({ solved }) => meanDepth(solved)) },
            { name: "unsolved", ink: "muted", hollow: true, values: parts.map(({ unsolved }) => meanDepth(unsolved)) },
          ],
        },
      ],
    };
  });
  return {
    type: "figure",
    id,
    title,
    caption:
      "Where unsolved traces are the deeper ones, depth is spent on lines that fail. A dash means that there was no such trace.",
    svg: figureSvg({
      title,
      panels,
      columns: 2,
      panelHeight: 175,
      legend: [
        { name: "solved", ink: "gain" },
        { name: "unsolved", ink: "muted", hollow: true },
      ],
    }),
    n: sampleSizes(context, graded, context.sets),
    interval: overProblems,
    labelled: labelledBy(graded),
  };
}

function mannWhitneyTable(context: Context): Item {
  const [id, title] = ["mann-whitney", "Chain depth, solved against unsolved: Mann–Whitney U"];
  const graded = context.labelled.filter(({ tallies }) => tallies !== undefined);
  if (graded.length === 0) return missing(id, title, needsBoth);
  const two = (value: number) => value.toFixed(2);
  const rows = context.sets.flatMap((set) =>
    graded.map((record): Cell[] => {
      const { solved, unsolved } = bySuccess(record, set);
      const depths = (traces: readonly TraceRecord[]) => traces.map(({ sequence }) => chainDepth(sequence));
      const [first, second] = [meanDepth(solved)?.value, meanDepth(unsolved)?.value];
      const test = mannWhitney(depths(solved), depths(unsolved));
      const plain = (value: number | undefined) => (value === undefined ? undefined : numberCell({ value }, two));
      return [
        set,
        record.name,
        plain(first),
        plain(second),
        first === undefined || second === undefined
          ? undefined
          : numberCell({ value: first - second }, (value) => `${value >= 0 ? "+" : "−"}${two(Math.abs(value))}`),
        test && { value: test.u, text: test.u.toFixed(Number.isInteger(test.u) ? 0 : 1) },
        test && { value: test.p, text: pValue(test.p) },
        test && { value: test.commonLanguageEffect, text: two(test.commonLanguageEffect) },
        count(solved.length),
        count(unsolved.length),
      ];
    }),
  );
  return {
    type: "table",
    id,
    title,
    caption:
      "Two-sided, unadjusted. The effect is the chance that a solved trace is deeper than an unsolved one; one half is no effect. The test treats traces as independent, which attempts at one problem are not: read p as a lower bound.",
    table: {
      columns: [
        "set",
        "checkpoint",
        "depth solved",
        "depth unsolved",
        "Δ",
        "U",
        "p",
        "effect",
        "n solved",
        "n unsolved",
      ],
      rows,
    },
    n: "as in the table",
    labelled: labelledBy(graded),
  };
}

const puzzleOf = (record: CheckpointRecord, { problem }: TraceRecord) => record.problems.get(problem);

function depthBySize(context: Context): Item {
  const [id, title] = ["depth-by-size", "Chain depth by board size, solved traces"];
  const graded = context.labelled.filter(({ tallies }) => tallies !== undefined);
  const places = new Map<string, Set<string>>();
  for (const record of graded)
    for (const { puzzle, size } of record.problems.values())
      if (puzzle && size) places.set(puzzle, (places.get(puzzle) ?? new Set()).add(size));
  if (places.size === 0) return missing(id, title, `${needsBoth} of puzzles`);
  const cells = (size: string) =>
    size
      .split("x")
      .map(Number)
      .reduce((a, b) => a * b, 1);
  const panels = [...places].sort().map(([puzzle, found]): Panel => {
    const sizes = [...found].sort((a, b) => cells(a) - cells(b) || (a < b ? -1 : 1));
    return {
      title: puzzle,
      x: { kind: "categories", names: sizes.map((size) => withTimes(size)) },
      y: { label: "chain depth", fromZero: true },
      marks: [
        {
          mark: "bars",
          series: graded.map((record) => ({
            name: record.name,
            ink: record.ink,
            values: sizes.map((size) =>
              meanDepth(
                tracesIn(record).filter((trace) => {
                  const problem = puzzleOf(record, trace);
                  return trace.correct === true && problem?.puzzle === puzzle && problem.size === size;
                }),
              ),
            ),
          })),
        },
      ],
    };
  });
  return {
    type: "figure",
    id,
    title,
    caption:
      "Sizes from few cells to many. Solved traces only, so that giving up or running out of room does not count as depth; a dash means that none was solved.",
    svg: figureSvg({ title, panels, columns: 2, panelHeight: 175, legend: legendOf(graded, "bars") }),
    n: graded
      .map(
        (record) =>
          `${record.name} ${tracesIn(record).filter((trace) => trace.correct && puzzleOf(record, trace)?.puzzle).length} solved traces`,
      )
      .join(", "),
    interval: overProblems,
    labelled: labelledBy(graded),
  };
}

function depthByPuzzle(context: Context): Item {
  const [id, title] = ["depth-by-puzzle", "Chain depth by puzzle, all traces"];
  const puzzles = [
    ...new Set(
      context.labelled.flatMap(({ problems }) => [...problems.values()].flatMap(({ puzzle }) => puzzle ?? [])),
    ),
  ].sort();
  if (puzzles.length === 0) return missing(id, title, `${needsLabels} of puzzles`);
  const panel: Panel = {
    title: "All puzzle sets together",
    x: { kind: "categories", names: puzzles },
    y: { label: "chain depth", fromZero: true },
    marks: [
      {
        mark: "bars",
        series: context.labelled.map((record) => ({
          name: record.name,
          ink: record.ink,
          values: puzzles.map((puzzle) =>
            meanDepth(tracesIn(record).filter((trace) => puzzleOf(record, trace)?.puzzle === puzzle)),
          ),
        })),
      },
    ],
  };
  return {
    type: "figure",
    id,
    title,
    caption: "The same policy goes deeper where the puzzle asks for it.",
    svg: figureSvg({
      title,
      panels: [panel],
      columns: 1,
      panelHeight: 190,
      legend: legendOf(context.labelled, "bars"),
    }),
    n: context.labelled
      .map(
        (record) =>
          `${record.name} ${tracesIn(record).filter((trace) => puzzleOf(record, trace)?.puzzle).length} traces`,
      )
      .join(", "),
    interval: overProblems,
    labelled: labelledBy(context.labelled),
  };
}
