// An analysis on the terminal: its checkpoints side by side, what changed in words, what it shows of the paper.
import { join } from "node:path";
import pc from "picocolors";
import { ConfigurationError } from "../base/errors.ts";
import { shownCheckpoints } from "../results/shown-checkpoints.ts";
import { displayName } from "../runs/recipe-names.ts";
import { type Analysis, analyzeLimited, drawnRecords } from "../traces/analysis/analysis.ts";
import { analysisFiles, readRecords } from "../traces/analysis/analysis-folder.ts";
import type { CheckpointSummary } from "../traces/analysis/checkpoint-summary.ts";
import { type Claim, focusOf } from "../traces/analysis/claims.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";
import { depthMeasure, recoveryMeasure, runMeasure, strictDepthMeasure } from "../traces/analysis/measures.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { isLimited, type Limits, limited } from "../traces/analysis/scopes.ts";
import { verdictCounts, verdicts, verdictTotals } from "../traces/analysis/verdicts.ts";
import { categoryMeasure } from "../traces/categories.ts";
import { labelerClause } from "../traces/labeler.ts";
import { alphabetOf } from "../traces/sequence.ts";
import { commandName } from "./command-name.ts";
import { printSentences } from "./printed-conclusion.ts";
import { textTable } from "./text-table.ts";
import { warnUnread } from "./unread.ts";

/** What of an analysis is shown: all of it, or a part that its records are enough for. */
export async function shownScope(folder: string, analysis: Analysis, limits: Limits): Promise<ScopeAnalysis> {
  if (!isLimited(limits)) return analysis.scopes[0];
  const [wanted] = limits.sets ?? [];
  const known = analysis.scopes.find(({ scope }) => scope.name === wanted);
  if (known !== undefined && isOnlySets(limits, 1)) return known;
  const records = limited(drawnRecords(await readRecords(folder), analysis), limits);
  if (records.length === 0) {
    const sets = analysis.scopes.map(({ scope }) => scope.name).join(", ");
    const checkpoints = analysis.scopes[0].checkpoints.map(({ checkpoint }) => checkpoint).join(", ");
    throw new ConfigurationError(`no trace matches these filters; sets: ${sets}; checkpoints: ${checkpoints}`);
  }
  return analyzeLimited(records, analysis, nameOf(limits));
}

const isOnlySets = ({ sets, ...others }: Limits, count: number) => sets?.length === count && !isLimited(others);

const nameOf = ({ steps, ...limits }: Limits): string =>
  [...Object.values(limits).flatMap((values) => values ?? []), ...(steps ? [`steps ${steps.join("–")}`] : [])].join(
    ", ",
  );

export function withInterval({ value, low, high }: Estimate): string {
  if (Number.isNaN(value)) return "–";
  return Number.isNaN(low) ? value.toFixed(2) : `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
const withoutInterval = ({ value }: Estimate): string => (Number.isNaN(value) ? "–" : value.toFixed(2));

/** More checkpoints than this leave no room for intervals in a terminal; they are in the files. */
const widestTable = 4;
const maxComparisons = 3;

/** Every checkpoint in a row, without intervals: what fits under the sentences. */
export function glanceTable({ scopes }: Analysis, isShown: (checkpoint: string) => boolean): string {
  const { puzzles, mathematics } = focusOf(scopes);
  const focus = [puzzles, mathematics].filter((one) => one !== undefined);
  const shown = focus.length > 0 ? focus : scopes.slice(0, 1);
  const names = shown[0].checkpoints.map(({ checkpoint }) => checkpoint).filter(isShown);
  const columns = shown.flatMap(({ scope, checkpoints }) => {
    const k = Math.max(1, ...checkpoints.flatMap(({ passAtK }) => Object.keys(passAtK).map(Number)));
    const what = scope.kind === "mathematics" ? "math " : scope.kind === "puzzle" ? "puzzles " : "";
    const pass = (at: number, name: string) => ({
      name,
      read: ({ passAtK }: CheckpointSummary) =>
        passAtK[at] === undefined ? "–" : `${(100 * passAtK[at].value).toFixed(1)}%`,
    });
    const measured = (measure: string, name: string) => ({
      name,
      read: ({ measures }: CheckpointSummary) => withoutInterval(measures[measure]),
    });
    return [
      pass(1, `${what}pass@1`),
      ...(k > 1 ? [pass(k, `@${k}`)] : []),
      measured(recoveryMeasure, "recovery"),
      measured(depthMeasure, "depth"),
    ].map((column) => ({ ...column, checkpoints }));
  });
  return textTable(
    ["", ...columns.map(({ name }) => name)],
    names.map((name) => [
      displayName(name),
      ...columns.map(({ read, checkpoints }) => {
        const own = checkpoints.find(({ checkpoint }) => checkpoint === name);
        return own === undefined ? "–" : read(own);
      }),
    ]),
  );
}

export function printAnalysis(analysis: Analysis, shown: ScopeAnalysis, folder: string): void {
  const { labelers, input } = analysis;
  const what = shown === analysis.scopes[0] ? "" : ` · ${shown.scope.name}: ${shown.traces} traces`;
  console.log(pc.bold(`${input.traces} traces, ${input.spans} spans${what}`));
  printParseWarnings(analysis);
  if (shown === analysis.scopes[0]) printSentences(analysis);
  else console.log(pc.dim(labelers.map(labelerClause).join("; ")));
  printCheckpoints(analysis, shown);
  for (const { words } of shown.comparisons.slice(0, maxComparisons)) console.log(`\n${words.join("\n")}`);
  const unsaid = shown.comparisons.length - maxComparisons;
  if (unsaid > 0) console.log(pc.dim(`\n${unsaid} more comparisons in words: ${commandName} traces compare ${folder}`));
  if (analysis.claims.length > 0) {
    console.log(`\n${pc.bold("What this shows of the paper")}\n`);
    printClaims(analysis.claims);
  }
  console.log(
    pc.dim(
      `\neverything else: ${join(folder, analysisFiles.analysis)}; sets: ${analysis.scopes.map(({ scope }) => scope.name).join(", ")} (--set); tables: ${folder}/*.parquet; figures: ${commandName} report ${folder}`,
    ),
  );
}

export function printCheckpoints({ taxonomy }: Analysis, { checkpoints: all }: ScopeAnalysis): void {
  const alphabet = alphabetOf(taxonomy);
  // A training run has a checkpoint a step.
  const checkpoints = shownCheckpoints(all);
  const estimate = checkpoints.length > widestTable ? withoutInterval : withInterval;
  const row = (name: string, cell: (checkpoint: CheckpointSummary) => string) => [name, ...checkpoints.map(cell)];
  const measure = (name: string, title = name) => row(title, ({ measures }) => estimate(measures[name]));
  const percent = (value: Estimate | undefined) =>
    value === undefined || Number.isNaN(value.value) ? "–" : `${(100 * value.value).toFixed(1)}%`;
  console.log(
    textTable(
      ["per trace", ...checkpoints.map(({ checkpoint }) => displayName(checkpoint))],
      [
        row("traces", ({ traces }) => String(traces)),
        row("problems", ({ problems }) => String(problems)),
        row("pass@1", ({ passAtK }) => percent(passAtK[1])),
        row("pass@k, largest k", ({ passAtK }) => {
          const k = Object.keys(passAtK).at(-1);
          return k === undefined ? "–" : `${percent(passAtK[k])} @${k}`;
        }),
        measure("spans"),
        // A language need not have a word for each label.
        ...alphabet.labels
          .filter((label) => checkpoints.some(({ measures }) => measures[label].value > 0))
          .map((label) => measure(label)),
        ...alphabet.categories.map((category) => measure(categoryMeasure(category))),
        ...alphabet.motifs.map(({ name }) => measure(name)),
        measure(depthMeasure),
        measure(strictDepthMeasure, "  stricter"),
        row("  90th percentile", ({ depthPercentile90 }) => estimate(depthPercentile90)),
        measure(runMeasure),
        row("depth, solved", ({ depthBySuccess: d }) => (d.solved.traces === 0 ? "–" : estimate(d.solved.depth))),
        row("depth, unsolved", ({ depthBySuccess: d }) => (d.unsolved.traces === 0 ? "–" : estimate(d.unsolved.depth))),
        row("  Mann–Whitney p", ({ depthBySuccess: d }) => d.p?.toPrecision(2) ?? "–"),
      ],
    ),
  );
  if (checkpoints.length < all.length)
    console.log(pc.dim(`${checkpoints.length} of ${all.length} checkpoints shown; --checkpoint chooses others`));
}

/** Under the sections of the paper that make them, each with its totals. */
export function printClaims(claims: readonly Claim[]): void {
  const colors = { shown: pc.green, "not shown": pc.yellow, reversed: pc.red, "cannot be tested here": pc.dim };
  const width = Math.max(...verdicts.map(({ length }) => length));
  for (const section of [...new Set(claims.map((claim) => claim.section))]) {
    const own = claims.filter((claim) => claim.section === section);
    console.log(`  §${section}: ${verdictCounts(own)}`);
    for (const { claim, scope, verdict, evidence, otherWords } of own) {
      const beside = otherWords === undefined ? "" : `; by its words: ${otherWords.verdict}, ${otherWords.evidence}`;
      console.log(
        `    ${colors[verdict](verdict.padEnd(width))}  ${claim} ${pc.dim(`(${scope}): ${evidence}${beside}`)}`,
      );
    }
  }
  console.log(`\n  ${verdictTotals(claims)}`);
}

export function printParseWarnings({ input, scopes }: Analysis): void {
  const { damaged, unclosed, unopened, empty, ungraded } = input.oddities;
  const odd = [
    [empty, "without any reasoning"],
    [unclosed, "with reasoning that is never closed"],
    [unopened, "with reasoning that is never opened"],
    [damaged, "with invalid bytes"],
    [ungraded, "ungraded"],
  ] as const;
  const said = odd.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (said.length > 0) console.log(pc.yellow(`traces: ${said.join(", ")}`));
  const unsure = scopes.at(0)?.checkpoints.reduce((total, { abstainedSpans }) => total + abstainedSpans, 0) ?? 0;
  if (unsure > 0) console.log(pc.yellow(`spans: ${unsure} without a label that is sure, counted under none`));
  warnUnread(input.skipped);
}
