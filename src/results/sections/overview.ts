// The report's first tables: every checkpoint in one row, and what of the paper the run shows.

import { type Item, missing, type Section } from "../../drawing/item.ts";
import { type Cell, count, numberCell, percentage, pValue, tableBody } from "../../drawing/table.ts";
import { policyOf } from "../../runs/recipe-names.ts";
import type { Claim } from "../../traces/analysis/claims.ts";
import { depthMeasure, runMeasure } from "../../traces/analysis/measures.ts";
import { minProblems, verdictTotals } from "../../traces/analysis/verdicts.ts";
import { type Context, labeledBy, problemCounts, sampleSizes } from "../context.ts";
import { estimated, overProblems } from "../intervals.ts";
import { type StoryCheckpoint, type StoryDomain, storyBody } from "./story.ts";

export function overviewSection(context: Context): Section {
  return {
    id: "overview",
    title: "At a glance",
    intro: "Each row is a checkpoint: what it solves, and how it reasons while it does.",
    items: [story(context), glance(context), claimsTable(context)],
  };
}

function story(context: Context): Item {
  const [id, title] = ["story", "Every checkpoint in one figure"];
  if (context.labeled.length === 0) return missing(id, title, "at least one evaluation or analysis with traces");
  const { focus, of, measured } = context;
  const { recover, exploit } = context.taxonomy;
  // Greedy answers, other steps and other temperatures of a policy that is shown would hide it behind themselves.
  const keys = new Set(context.labeled.map(({ key }) => key));
  const labeled = context.labeled.filter(({ key }) => policyOf(key) === key || !keys.has(policyOf(key)));
  const checkpoints = labeled.map((record): StoryCheckpoint => {
    const domains = focus.flatMap((scope) => {
      const found = of(record, scope);
      if (found === undefined) return [];
      const domain: StoryDomain = {
        passAtK: Object.entries(found.passAtK).flatMap(([k, estimate]) => {
          const solved = estimated(estimate);
          return solved === undefined ? [] : [{ k: Number(k), ...solved }];
        }),
        moves: recover.map((move) => measured(record, move, scope)),
        depth: measured(record, depthMeasure, scope),
      };
      const asked = problemCounts(labeled.map((one) => of(one, scope)?.problems));
      return [[scope, { ...domain, asked }] as const];
    });
    const { name, ink, symbol } = record;
    return { name, ink, symbol, domains: Object.fromEntries(domains) };
  });
  return {
    id,
    title,
    caption: `One row per domain. Left: problems solved within k attempts. Middle: ${recover.join(" and ")}, the moves that lead out of a dead end. Right: the longest unbroken chain of ${exploit.join(", ")}.`,
    body: storyBody(checkpoints, recover),
    n: sampleSizes(context, labeled, focus),
    interval: overProblems,
    labeled: labeledBy(context, labeled),
  };
}

function glance(context: Context): Item {
  const [id, title] = ["glance", "Checkpoints in numbers"];
  if (context.labeled.length === 0) return missing(id, title, "at least one evaluation or analysis with traces");
  const { taxonomy, focus, of } = context;
  const measures = [...taxonomy.recover, depthMeasure, runMeasure];
  const rows = focus.flatMap((scope) =>
    context.labeled.flatMap((record): Cell[][] => {
      const found = of(record, scope);
      if (found === undefined) return [];
      const { passAtK } = found;
      const last = Object.keys(passAtK).at(-1);
      return [
        [
          scope,
          record.name,
          numberCell(estimated(passAtK[1]), percentage),
          last === undefined || last === "1" ? null : count(Number(last)),
          last === undefined || last === "1" ? null : numberCell(estimated(passAtK[last]), percentage),
          ...measures.map((measure) => numberCell(estimated(found.measures[measure]), (value) => value.toFixed(2))),
        ],
      ];
    }),
  );
  return {
    id,
    title,
    caption: "pass@k in percent; labels and depth per trace. Puzzles and mathematics are never pooled.",
    body: tableBody(["set", "checkpoint", "pass@1", "k", "pass@k", ...measures], rows),
    n: sampleSizes(context, context.labeled, focus),
    interval: overProblems,
    labeled: labeledBy(context, context.labeled),
  };
}

/** A shape beside the word, so that color is never the only sign. */
const verdictSigns: Readonly<Record<Claim["verdict"], string>> = {
  ...{ shown: "●", "not shown": "○", reversed: "▼" },
  "cannot be tested here": "–",
};

function claimsTable({ data }: Context): Item {
  const [id, title] = ["claims", "What this shows of the paper"];
  const claims = data.analysis?.claims ?? [];
  if (claims.length === 0)
    return missing(id, title, "checkpoints called base, sft, vanilla and novelty, as the recipes name them");
  return {
    id,
    title,
    caption: `Each claim of the paper's sections 3 to 5 that these traces can test. Shown: the interval over problems excludes zero on the side that the paper claims; reversed: on the other side; not shown: neither, with the smallest effect that these problems would have shown four times in five; cannot be tested here: fewer than ${minProblems} problems, or nobody makes the move. Adjusted: Holm's, over all claims of the table. By its words: the same claim where backtracking and verification are found by the words that announce them, without a classifier or a judge; empty where that vocabulary has no word for it or the labels are exact.`,
    body: tableBody(
      ["verdict", "claim", "adjusted p", "by its words", "§", "on", "evidence"],
      claims.map(({ section, claim, verdict, adjusted, otherWords, scope, evidence }) => [
        ...[`${verdictSigns[verdict]} ${verdict}`, claim],
        adjusted === undefined ? null : { value: adjusted, text: pValue(adjusted) },
        otherWords === undefined ? null : `${verdictSigns[otherWords.verdict]} ${otherWords.verdict}`,
        ...[section, scope, evidence],
      ]),
    ),
    n: verdictTotals(claims),
    interval: `${overProblems}, paired`,
  };
}
