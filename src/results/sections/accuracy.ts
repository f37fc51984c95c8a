// What the policies solve: pass@k curves and accuracy tables.

import { type Item, missing, type Section } from "../../drawing/item.ts";
import { type LineMark, type Panel, withTimes } from "../../drawing/panel.ts";
import { passAxis } from "../../drawing/scales.ts";
import { type Cell, count, numberCell, percentage, tableBody } from "../../drawing/table.ts";
import { passAt } from "../../evaluation/summary.ts";
import { solveCount } from "../../evaluation/tally.ts";
import { type Context, legendOf, problemCounts } from "../context.ts";
import { overProblems, passMeasured } from "../intervals.ts";
import { drawnLines, groupLegend, lineGroups } from "../mean-lines.ts";
import { passCell, passColumnName, passColumns, summaryOn } from "../pass-columns.ts";
import type { CheckpointRecord } from "../records.ts";
import { solveRateScatter, solveSetSplit, transitionTable } from "./changes.ts";
import { diversityItems } from "./diversity.ts";

export function accuracySection(context: Context): Section {
  const graded = context.data.checkpoints.filter(({ tallies }) => tallies !== undefined);
  return {
    id: "accuracy",
    title: "What is solved",
    intro:
      "pass@k is the chance that at least one of k attempts is right. pass@1 says how often a policy succeeds; pass@k at large k says what it can reach at all.",
    items: [
      passAtKFigure(context, graded),
      passAtKByPuzzle(graded),
      accuracyTable(context, graded),
      attemptsTable(context, graded),
      puzzleAccuracy(graded),
      solveRateScatter(context),
      transitionTable(context),
      solveSetSplit(context),
      ...diversityItems(context),
    ],
  };
}

const needsGrades = "graded evaluations (evaluations/*/problems.jsonl, rollouts.jsonl and grades.jsonl)";

/** 1, 2, 4, … and the most that the attempts allow. */
const shownKs = (most: number) => [
  ...new Set([...Array.from({ length: 31 }, (_, i) => 2 ** i).filter((k) => k <= most), most]),
];

function passAtKFigure({ sets, data }: Context, graded: readonly CheckpointRecord[]): Item {
  const [id, title] = ["pass-at-k", "pass@k by checkpoint"];
  if (graded.length === 0) return missing(id, title, needsGrades);
  const policies = graded.map(({ inRun, ...record }) => ({ ...record, policy: inRun }));
  const groups = lineGroups(policies, data.runs);
  const panels = sets.map((set): Panel => {
    const pointsOf = (policy: (typeof policies)[number]): LineMark["points"] => {
      const found = summaryOn(policy, set);
      if (found === undefined) return [];
      return shownKs(found.attempts.fewest).map((k) => {
        const { value, newProblems } = passAt(found, k);
        return { x: k, value, ...newProblems };
      });
    };
    const lines = drawnLines(groups, pointsOf, { share: true }).filter(({ points }) => points.length > 0);
    const problems = graded.map(({ summary }) => summary?.sets.find((one) => one.set === set)?.problems);
    return passAtKPanel(`${set} ${problemCounts(problems)}`, lines);
  });
  return {
    id,
    title,
    caption: "One panel per set of problems. Bands are 95% intervals for other problems of the same kind.",
    body: { kind: "panels", panels, columns: panels.length === 4 ? 2 : 3, legend: groupLegend(groups) },
    n: sizesOf(graded),
    interval: overProblems,
  };
}

function passAtKPanel(title: string, lines: readonly LineMark[]): Panel {
  const points = lines.flatMap((line) => line.points);
  const { unsolved, domain } = passAxis(points);
  const marks: readonly LineMark[] = unsolved
    ? lines.map((line) => ({ ...line, points: line.points.map(({ x, value }) => ({ x, value })) }))
    : lines;
  const most = points.reduce((largest, { x }) => Math.max(largest, x), 1);
  return {
    title: unsolved ? `none solved · ${title}` : title,
    x: { kind: "doubling", label: "k attempts", domain: [1, Math.max(2, most)] },
    y: { label: "pass@k", format: "percent", domain },
    marks,
  };
}

const sizesOf = (graded: readonly CheckpointRecord[]): string => {
  const sizes = graded.flatMap(({ name, summary }) =>
    (summary?.sets ?? []).map(({ set, problems, attempts, states: { failed, truncated } }) => {
      const each = attempts.fewest === attempts.most ? attempts.most : `${attempts.fewest} to ${attempts.most}`;
      const lost = [failed > 0 && `${failed} failed`, truncated > 0 && `${truncated} truncated`].filter(Boolean);
      const whose = lost.length === 0 ? "" : ` (${name}: ${lost.join(", ")})`;
      return `${set}: ${problems} problems, ${each} attempts each${whose}`;
    }),
  );
  return [...new Set(sizes)].join("; ");
};

function puzzlePlaces(checkpoints: readonly CheckpointRecord[]): string[] {
  const places = new Set<string>();
  for (const { problems } of checkpoints)
    for (const { puzzle, size } of problems.values()) if (puzzle) places.add(`${puzzle} ${size ?? ""}`.trim());
  return [...places].sort();
}

const placeOf = (checkpoint: CheckpointRecord, problem: string) => {
  const { puzzle, size } = checkpoint.problems.get(problem) ?? {};
  return puzzle ? `${puzzle} ${size ?? ""}`.trim() : undefined;
};

const countsAt = (checkpoint: CheckpointRecord, place: string) =>
  (checkpoint.tallies ?? []).filter(({ problem }) => placeOf(checkpoint, problem) === place).map(solveCount);

function passAtKByPuzzle(graded: readonly CheckpointRecord[]): Item {
  const [id, title] = ["pass-at-k-by-puzzle", "pass@k by puzzle and board size"];
  const places = puzzlePlaces(graded);
  if (graded.length === 0 || places.length === 0) return missing(id, title, `${needsGrades} of puzzles`);
  const panels = places.map((key): Panel => {
    const lines = graded.flatMap((checkpoint): LineMark[] => {
      const counts = countsAt(checkpoint, key);
      if (counts.length === 0) return [];
      const ks = shownKs(Math.min(...counts.map(({ attempts }) => attempts)));
      const measured = passMeasured(counts, ks);
      const { name, ink, symbol, dash } = checkpoint;
      return [{ mark: "line", name, ink, symbol, dash, points: ks.map((k, i) => ({ x: k, ...measured[i] })) }];
    });
    return passAtKPanel(withTimes(key), lines);
  });
  const counts = places.map((key) => `${key}: ${countsAt(graded[0], key).length}`);
  return {
    id,
    title,
    caption:
      "The same curves for each puzzle and size. Sizes not used in training show what transfers to larger boards.",
    body: { kind: "panels", panels, columns: 4, panelHeight: 160, legend: legendOf(graded) },
    n: `problems at each place: ${counts.join(", ")}`,
    interval: `${overProblems}; none for a single problem`,
  };
}

function accuracyTable({ sets }: Context, graded: readonly CheckpointRecord[]): Item {
  const [id, title] = ["accuracy", "Accuracy and ceiling by set"];
  if (graded.length === 0) return missing(id, title, needsGrades);
  const columns = passColumns(sets, graded);
  return {
    id,
    title,
    caption:
      "pass@k in percent. pass@1 is accuracy over all attempts; the larger k is the ceiling that the attempts allow to estimate.",
    body: tableBody(
      ["checkpoint", ...columns.map(passColumnName)],
      graded.map((checkpoint) => [checkpoint.name, ...columns.map((column) => passCell(checkpoint, column))]),
    ),
    n: sizesOf(graded),
    interval: overProblems,
  };
}

/** What pass@k rests on: how attempts ended and were graded. */
function attemptsTable({ sets }: Context, graded: readonly CheckpointRecord[]): Item {
  const [id, title] = ["attempts", "How attempts ended"];
  if (graded.length === 0) return missing(id, title, needsGrades);
  const rows = sets.flatMap((set) =>
    graded.flatMap(({ name, summary }): (Cell | undefined)[][] => {
      const found = summary?.sets.find((one) => one.set === set);
      if (found === undefined) return [];
      const { majority, verdicts, states, responseTokens: tokens } = found;
      return [
        [
          ...[set, name, count(found.problems), count(found.solved)],
          majority && numberCell({ value: majority.value, ...majority.newProblems }, percentage),
          ...[verdicts.wrong, verdicts.unreadable, verdicts.undecided, states.truncated, states.failed].map(count),
          tokens && { value: tokens.mean, text: tokens.mean.toFixed(0) },
        ],
      ];
    }),
  );
  const warnings = [...new Set(graded.flatMap(({ summary }) => summary?.warnings ?? []))];
  return {
    id,
    title,
    caption: [
      "Solved: by at least one attempt. Majority: problems whose most frequent answer is right, in percent.",
      ...warnings.map((warning) => `${warning}.`),
    ].join(" "),
    n: sizesOf(graded),
    interval: overProblems,
    body: tableBody(
      [
        ...["set", "checkpoint", "problems", "solved", "majority"],
        ...["wrong", "unreadable", "undecided", "truncated", "failed", "tokens, mean"],
      ],
      rows,
    ),
  };
}

function samplingWords({ asked: { temperature } }: CheckpointRecord): string | undefined {
  if (temperature === undefined) return undefined;
  return temperature === 0 ? "greedy" : `T ${temperature}`;
}

function puzzleAccuracy(graded: readonly CheckpointRecord[]): Item {
  const [id, title] = ["accuracy-puzzles", "Accuracy by puzzle and board size"];
  const places = puzzlePlaces(graded);
  if (places.length === 0) return missing(id, title, `${needsGrades} of puzzles`);
  return {
    id,
    title,
    caption: "pass@1 in percent, over all sampled attempts; greedy where the evaluation sampled at temperature 0.",
    body: tableBody(
      ["checkpoint", "step", "sampled", ...places.map((key) => withTimes(key))],
      graded.map((checkpoint) => [
        checkpoint.name,
        checkpoint.asked.step === undefined ? undefined : String(checkpoint.asked.step),
        samplingWords(checkpoint),
        ...places.map((key): Cell => {
          const counts = countsAt(checkpoint, key);
          return counts.length === 0 ? null : numberCell(passMeasured(counts, [1])[0], percentage);
        }),
      ]),
    ),
    n: `problems: ${places.map((key) => `${key} ${countsAt(graded[0], key).length}`).join(", ")}`,
    interval: overProblems,
  };
}
