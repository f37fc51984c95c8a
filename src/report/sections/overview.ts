// The report's first table: every checkpoint in one row.
import { passAt } from "../../evaluation/summary.ts";
import { type Context, labelledBy } from "../context.ts";
import { type Item, missing, overProblems } from "../item.ts";
import { type Cell, numberCell, percentage } from "../table.ts";
import type { Section } from "./section.ts";
import { type StoryCheckpoint, type StoryDomain, storySvg } from "./story.ts";

export function overviewSection(context: Context): Section {
  return {
    id: "overview",
    title: "At a glance",
    intro: "Each row is a checkpoint: what it solves, and how it reasons while it does.",
    items: [story(context), glance(context)],
  };
}

/** Powers of two, and the most that every checkpoint allows. */
const shownKs = (most: number) => [...Array(20).keys()].map((i) => 2 ** i).filter((k) => k <= most);

function story(context: Context): Item {
  const [id, title] = ["story", "The recipe in one figure"];
  const { checkpoints } = context.data;
  if (checkpoints.length === 0) return missing(id, title, "at least one evaluation");
  const drawn = checkpoints.map((checkpoint): StoryCheckpoint => {
    const domains = context.focus.flatMap((set) => {
      const found = checkpoint.summary?.sets.find((one) => one.set === set);
      if (found === undefined) return [];
      const most = found.passAtK.at(-1)?.k ?? 0;
      const measured = (measure: "hypothesize" | "backtrack" | "chain depth") =>
        context.measured(checkpoint, measure, set);
      const domain: StoryDomain = {
        passAtK: shownKs(most).map((k) => {
          const { value, newProblems } = passAt(found, k);
          return { k, value, ...newProblems };
        }),
        hypothesize: measured("hypothesize"),
        backtrack: measured("backtrack"),
        depth: measured("chain depth"),
      };
      return [[`${set} (${found.problems} problems)`, domain] as const];
    });
    const { name, ink, symbol } = checkpoint;
    return { name, ink, symbol, domains: Object.fromEntries(domains) };
  });
  return {
    type: "figure",
    id,
    title,
    caption:
      "One row a domain. Left: what is solved within k attempts. Middle: hypothesize and backtrack, the moves that leave a line of thought that fails. Right: the longest unbroken chain of computing and checking.",
    svg: storySvg(title, drawn),
    n: checkpoints.map(({ name, problems }) => `${name}: ${problems.size} problems`).join("; "),
    interval: overProblems,
    labelled: labelledBy(context.labelled),
  };
}

function glance(context: Context): Item {
  const [id, title] = ["glance", "Checkpoints in numbers"];
  const { checkpoints } = context.data;
  if (checkpoints.length === 0) return missing(id, title, "at least one evaluation");
  const two = (value: number) => value.toFixed(2);
  const ends = (set: string) => {
    const fewest = checkpoints
      .flatMap(({ summary }) => summary?.sets.filter((one) => one.set === set) ?? [])
      .reduce((least, { attempts }) => Math.min(least, attempts.fewest), Number.POSITIVE_INFINITY);
    return Number.isFinite(fewest) ? [...new Set([1, fewest])] : [];
  };
  const accuracies = context.focus.flatMap((set) => ends(set).map((k) => ({ set, k })));
  const moves = ["hypothesize", "backtrack", "chain depth"] as const;
  return {
    type: "table",
    id,
    title,
    caption:
      "pass@k in percent on the first set of puzzles and of mathematics; primitives and depth per trace, over all sets.",
    table: {
      columns: ["checkpoint", ...accuracies.map(({ set, k }) => `${set} @${k}`), ...moves],
      rows: checkpoints.map((checkpoint) => [
        checkpoint.name,
        ...accuracies.map(({ set, k }): Cell => {
          const found = checkpoint.summary?.sets.find((one) => one.set === set);
          if (!found?.passAtK.some((entry) => entry.k === k)) return undefined;
          const { value, newProblems } = passAt(found, k);
          return numberCell({ value, ...newProblems }, percentage);
        }),
        ...moves.map((measure) => numberCell(context.measured(checkpoint, measure), two)),
      ]),
    },
    n: checkpoints
      .map(({ name, traces, problems }) => `${name}: ${traces?.length ?? 0} traces of ${problems.size} problems`)
      .join("; "),
    interval: overProblems,
    labelled: labelledBy(context.labelled),
  };
}
