// What happened to each problem between two checkpoints: unlocked, regressed, and which run solves what.
import { Random } from "../../base/random.ts";
import { type Item, missing } from "../../drawing/item.ts";
import type { Panel } from "../../drawing/panel.ts";
import { type Cell, count, numberCell, percentage, pValue, tableBody } from "../../drawing/table.ts";
import type { Context } from "../context.ts";

const needsTwo = "two graded evaluations of the same problems";

/** One benchmark at a time: the primary set of mathematics, or the first set there is. */
function primarySet({ focus, scope, sets }: Context): string | undefined {
  const single = [...focus].reverse().flatMap((name) => {
    const own = scope(name)?.scope.sets;
    return own?.length === 1 ? own : [];
  });
  return single[0] ?? sets[0];
}

export function solveRateScatter(context: Context): Item {
  const [id, title] = ["solve-rates", "Solve rate of each problem, before and after"];
  const set = primarySet(context);
  const pairs = context.transitions.flatMap(([first, second]) => {
    const comparison = context.compare(first, second, set);
    return comparison ? [{ first, second, comparison }] : [];
  });
  if (pairs.length === 0) return missing(id, title, needsTwo);
  const panels = pairs.map(({ first, second, comparison }): Panel => {
    const [unlocked, regressed] = [new Set(comparison.unlocked), new Set(comparison.regressed)];
    // A rate that moved less than sampling the same policy twice would move it is drawn hollow.
    const beyondNoise = new Set(comparison.changes.filter(({ p }) => p < 0.05).map(({ problem }) => problem));
    const rose = new Set(
      comparison.changes
        .filter(({ first, second }) => second.correct * first.attempts > first.correct * second.attempts)
        .map(({ problem }) => problem),
    );
    const points = (wanted: (problem: string) => boolean) =>
      comparison.changes
        .filter(({ problem }) => wanted(problem))
        .map(({ problem, ...change }) => {
          const [x, y] = [change.first, change.second].map(({ attempts, correct }) => correct / attempts);
          // Many problems share a rate; a small shift that depends on the problem alone lets each be seen.
          const random = Random.from(problem);
          const shift = () => 0.02 * (random.uniform() - 0.5);
          const share = (count: { correct: number; attempts: number }) => `${count.correct}/${count.attempts}`;
          return {
            x: { value: x + shift() },
            y: { value: y + shift() },
            title: `${problem}: ${share(change.first)} → ${share(change.second)}, Fisher p ${change.p.toPrecision(2)}`,
          };
        });
    return {
      title: `${first.name} → ${second.name}: +${unlocked.size} −${regressed.size}`,
      x: { kind: "linear", label: first.name, domain: [-0.02, 1.02], format: "percent" },
      y: { label: second.name, domain: [-0.02, 1.02], format: "percent" },
      marks: [
        { mark: "diagonal" },
        { mark: "dots", ink: "muted", hollow: true, points: points((problem) => !beyondNoise.has(problem)) },
        {
          mark: "dots",
          ink: "gain",
          symbol: "triangle",
          points: points((problem) => beyondNoise.has(problem) && rose.has(problem)),
        },
        {
          mark: "dots",
          ink: "loss",
          symbol: "diamond",
          points: points((problem) => beyondNoise.has(problem) && !rose.has(problem)),
        },
      ],
    };
  });
  return {
    id,
    title,
    caption:
      "Each mark is a problem: fraction of attempts that solved it before (horizontal) and after (vertical). Triangles rose and diamonds fell by more than resampling would explain (Fisher's exact test, p below 0.05, unadjusted); circles are within that noise. The panel's title counts the problems newly solved (+) and no longer solved (−). Hover over a mark for its counts.",
    body: {
      kind: "panels",
      panels,
      columns: 2,
      panelHeight: 300,
      legend: [
        { name: "rose", ink: "gain", symbol: "triangle" },
        { name: "fell", ink: "loss", symbol: "diamond" },
        { name: "within noise", ink: "muted", symbol: "circle", hollow: true },
      ],
    },
    n: `${pairs[0].comparison.problems} problems of ${set ?? "all sets"}`,
    interval: "none; the table below tests unlocked against regressed",
  };
}

export function transitionTable(context: Context): Item {
  const [id, title] = ["transitions", "Problems gained and lost"];
  const rows = context.transitions.flatMap(([first, second]) =>
    context.sets.flatMap((set) => {
      const comparison = context.compare(first, second, set);
      if (comparison === undefined) return [];
      const last = comparison.differences[comparison.differences.length - 1];
      const points = { value: last.difference, ...(comparison.problems > 1 && last.newProblems) };
      const surely = comparison.changes.filter(({ benjaminiHochberg }) => benjaminiHochberg < 0.05).length;
      return [
        [
          `${first.name} → ${second.name}`,
          set,
          numberCell(points, percentage),
          count(last.k),
          count(comparison.problems),
          count(comparison.unlocked.length),
          count(comparison.regressed.length),
          { value: comparison.unlockedAgainstRegressed, text: pValue(comparison.unlockedAgainstRegressed) },
          count(surely),
        ],
      ];
    }),
  );
  if (rows.length === 0) return missing(id, title, needsTwo);
  return {
    id,
    title,
    caption:
      "Unlocked: solved after and never before. p: exact test that gaining and losing are equally likely. Changed: solve rate differs beyond chance (Fisher's exact test, false discovery rate 5%). Δ: difference of pass@k at the largest k, in percentage points.",
    body: tableBody(["transition", "set", "Δ pass@k", "k", "problems", "unlocked", "regressed", "p", "changed"], rows),
    n: "as in the table",
    interval: "95% paired bootstrap over problems",
  };
}

export function solveSetSplit(context: Context): Item {
  const [vanilla, novelty] = [context.role("vanilla"), context.role("novelty")];
  const [id, title] = ["solve-set-split", `Which problems each ${vanilla && novelty ? "RL run" : "checkpoint"} solves`];
  const pair = vanilla && novelty ? ([vanilla, novelty] as const) : context.transitions.at(-1);
  if (pair === undefined) return missing(id, title, needsTwo);
  const [first, second] = pair;
  const splits = context.sets.flatMap((set) => {
    const comparison = context.compare(first, second, set);
    return comparison ? [{ set, split: comparison.split }] : [];
  });
  if (splits.length === 0) return missing(id, title, needsTwo);
  const row = (name: string, read: (split: (typeof splits)[number]["split"]) => readonly string[]): Cell[] => [
    name,
    ...splits.map(({ split }) => count(read(split).length)),
  ];
  return {
    id,
    title,
    caption: "Number of problems. A problem is solved by a checkpoint if at least one of its attempts is right.",
    body: tableBody(
      ["outcome", ...splits.map(({ set }) => set)],
      [
        row(`solved by both ${first.name} and ${second.name}`, ({ both }) => both),
        row(`only by ${second.name}`, ({ onlySecond }) => onlySecond),
        row(`only by ${first.name}`, ({ onlyFirst }) => onlyFirst),
        row("by neither", ({ neither }) => neither),
      ],
    ),
    n: "all problems that both were asked",
  };
}
