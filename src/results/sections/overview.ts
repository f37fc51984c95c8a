// The report's first tables: every checkpoint in one row, and what of the paper the run shows.

import { type Item, missing, type Section } from "../../drawing/item.ts";
import { type Cell, count, numberCell, percentage, pValue, tableBody } from "../../drawing/table.ts";
import { policyOf } from "../../runs/recipe-names.ts";
import type { Claim } from "../../traces/analysis/claims.ts";
import { depthMeasure, runMeasure } from "../../traces/analysis/measures.ts";
import { claimsOverSeeds } from "../../traces/analysis/seed-claims.ts";
import { minProblems, stands, verdictCounts, verdictTotals } from "../../traces/analysis/verdicts.ts";
import { type Context, labeledBy, problemCounts, sampleSizes } from "../context.ts";
import { estimated, overProblems } from "../intervals.ts";
import { groupNames, runGroups, seedName } from "../run-groups.ts";
import { type StoryCheckpoint, type StoryDomain, storyBody } from "./story.ts";

export function overviewSection(context: Context): Section {
  return {
    id: "overview",
    title: "At a glance",
    intro: "Each row is a checkpoint: what it solves, and how it reasons while it does.",
    items: [story(context), glance(context), claimsTotals(context), claimsTable(context)],
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

/** What the paper's sections are about, in their order. */
const aboutSection = new Map([
  ["3", "what is solved"],
  ["4.1", "what SFT brings in"],
  ["4.2", "what plain RL does more"],
  ["4.3", "what plain RL takes away"],
  ["5", "what the bonus keeps"],
  ["5.1", "whether recovery pays"],
]);

/** Of runs that differ in the seed alone what all of them say together; the claims of any other run as they are. */
function toldClaims({ data }: Context): { readonly claims: readonly Claim[]; readonly seeded: boolean } {
  const all = data.analysis?.claims ?? [];
  // One seed twice is one network.
  const groups = runGroups(data.runs).filter((runs) => new Set(runs.map(seedName)).size > 1);
  const of = (wanted: string) => all.filter(({ run }) => run === wanted);
  const over = groups.map((runs) =>
    claimsOverSeeds(runs.map((run) => ({ seed: seedName(run), claims: of(run.name) }))),
  );
  const names = groupNames(groups);
  const repeated = over.flatMap((claims, i) =>
    claims.map((claim) => ({ ...claim, ...(groups.length > 1 && { run: names[i] }) })),
  );
  const inGroups = new Set(groups.flat().map(({ name }) => name));
  const seeded = repeated.length > 0;
  const single = seeded ? all.filter(({ run }) => run === undefined || !inGroups.has(run)) : all;
  const sections = [...aboutSection.keys()];
  const claims = [...repeated, ...single].sort((a, b) => sections.indexOf(a.section) - sections.indexOf(b.section));
  return { claims, seeded };
}

const needsRoles = "checkpoints called base, sft, vanilla and novelty, as the recipes name them";

function claimsTotals(context: Context): Item {
  const [id, title] = ["claims-totals", "How much of the paper this shows"];
  const { claims } = toldClaims(context);
  if (claims.length === 0) return missing(id, title, needsRoles);
  return {
    id,
    title,
    caption: "Standing: those that are shown or reversed also after adjustment for all looks.",
    body: tableBody(
      ["section", "claims", "standing"],
      [...new Set(claims.map(({ section }) => section))].map((section) => {
        const own = claims.filter((claim) => claim.section === section);
        return [
          `${section} ${aboutSection.get(section) ?? ""}`.trim(),
          verdictCounts(own),
          count(own.filter(stands).length),
        ];
      }),
    ),
    n: verdictTotals(claims),
  };
}

function claimsTable(context: Context): Item {
  const [id, title] = ["claims", "What this shows of the paper"];
  const { claims, seeded } = toldClaims(context);
  if (claims.length === 0) return missing(id, title, needsRoles);
  const interval = seeded ? "interval over seeds, which are named," : "interval over problems";
  return {
    id,
    title,
    caption: `Each claim of the paper's sections 3 to 5 that these traces can test. Shown: the ${interval} excludes zero on the side that the paper claims; reversed: on the other side; not shown: neither, with the smallest effect that would have been seen four times in five; cannot be tested here: fewer than ${minProblems} problems, nobody makes the move${seeded ? ", or no seed differs" : ""}. Adjusted: Holm's, over all claims of ${seeded ? "these runs" : "the table"}. By its words: the same claim where backtracking and verification are found by the words that announce them, without a classifier or a judge; empty where that vocabulary has no word for it or the labels are exact.`,
    body: tableBody(
      ["verdict", "claim", "adjusted p", "by its words", "§", "on", "evidence"],
      claims.map(({ section, claim, verdict, adjusted, otherWords, scope, evidence, run }) => [
        ...[`${verdictSigns[verdict]} ${verdict}`, claim],
        adjusted === undefined ? null : { value: adjusted, text: pValue(adjusted) },
        otherWords === undefined ? null : `${verdictSigns[otherWords.verdict]} ${otherWords.verdict}`,
        ...[section, run === undefined ? scope : `${scope} (${run})`, evidence],
      ]),
    ),
    n: verdictTotals(claims),
    interval: seeded ? "95% Student's t over seeds" : `${overProblems}, paired`,
  };
}
