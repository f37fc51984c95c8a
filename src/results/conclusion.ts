// What happened, in at most three sentences with numbers: what the last checkpoint solves, how it reasons, what training
// changed. The same for terminal, report and dashboard; everything is taken from the analysis as it stands.
import { displayName } from "../runs/recipe-names.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { CheckpointSummary } from "../traces/analysis/checkpoint-summary.ts";
import { focusOf } from "../traces/analysis/claims.ts";
import { type Comparison, isMoved, signIsLost } from "../traces/analysis/comparison.ts";
import type { Estimate } from "../traces/analysis/estimates.ts";
import { depthMeasure, recoveryMeasure } from "../traces/analysis/measures.ts";
import type { ScopeAnalysis } from "../traces/analysis/scope-analysis.ts";
import { everything } from "../traces/analysis/scopes.ts";
import { minProblems } from "../traces/analysis/verdicts.ts";
import { isExact, labelerClause, labelerId } from "../traces/labeler.ts";

/** A sentence, and the ids of the items that show what it says. */
export type Said = { readonly words: string; readonly evidence: readonly string[] };

type Analyzed = Pick<Analysis, "scopes" | "taxonomy" | "labelers" | "training" | "input">;
type Change = Comparison["changes"][number];
/** What a checkpoint is called. */
type Naming = (checkpoint: string) => string;

const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
const points = (value: number) => (100 * value).toFixed(1).replace("-", "−");
const plain = (value: number) => value.toFixed(2).replace("-", "−");
const range = ({ low, high }: Estimate, text: (value: number) => string) =>
  Number.isFinite(low) && Number.isFinite(high) ? ` [${text(low)}, ${text(high)}]` : "";

/** The steps of a training run, several together. */
export const isEnd = (checkpoint: string): boolean => /(?:^| )steps \d+–\d+$/.test(checkpoint);

const isStep = (checkpoint: string): boolean => /(?:^| )step \d+$/.test(checkpoint);

/** Labels that rose or fell, those of recovery first, and whether the labeler's own mistakes could have made them. */
export function movedLabels({ changes, labeledBy }: Comparison, { taxonomy, labelers }: Analyzed) {
  const recovers = ({ measure }: Change) => Number(taxonomy.recover.includes(measure));
  const exact = labelers.filter((labeler) => labeledBy.includes(labelerId(labeler))).every(isExact);
  return changes
    .filter(
      (one) => (isMoved(one) || signIsLost(one.difference)) && taxonomy.labels.some(({ name }) => name === one.measure),
    )
    .sort((a, b) => recovers(b) - recovers(a) || relative(b) - relative(a))
    .map((one) => ({ ...one, surely: isMoved(one) && (exact || isSeen(one)) }));
}

/** Not by less than anybody would write down. */
const isSeen = ({ difference: { raw, value, low, high } }: Change): boolean =>
  raw !== undefined && Math.min(...[value, low, high].map(Math.abs)) >= 0.005;

/** By less than one move in ten traces, of a move that is made often enough that this is little. */
const isSlight = ({ first, second, difference: { value } }: Change): boolean =>
  Math.abs(value) < Math.min(0.1, (first + second) / 4);

const relative = ({ first, second }: Change): number => Math.abs(Math.log((second + 0.05) / (first + 0.05)));

type Told = { readonly scope: ScopeAnalysis; readonly comparison?: Comparison };

/** What is told of: puzzles and mathematics are never pooled, and of all pairs with enough problems the one in which most happened. */
export function told(analysis: Analyzed): Told {
  const { puzzles, mathematics } = focusOf(analysis.scopes);
  const scopes = puzzles && mathematics ? [puzzles, mathematics] : analysis.scopes.slice(0, 1);
  const all = scopes.map((scope): Told => ({ scope, comparison: tellingComparison(scope, analysis) }));
  return all.find(({ comparison }) => comparison !== undefined) ?? all[0];
}

/** The ends of a training run, else the pair in which most changed; the way from a base to SFT only where nothing else is. */
export function tellingComparison(
  { comparisons, checkpoints }: ScopeAnalysis,
  analysis: Analyzed,
): Comparison | undefined {
  const tested = comparisons.filter(({ changes }) =>
    changes.some(({ change }) => change !== "too few problems" && change !== "not measured"),
  );
  const names = checkpoints.map(({ checkpoint }) => checkpoint);
  const ends =
    tested.find(({ first, second }) => isEnd(first) && isEnd(second)) ??
    // Of steps the first and the last: another pair would be chosen by its own outcome.
    tested.find(({ first, second }) => names.every(isStep) && first === names[0] && second === names.at(-1));
  const happened = (one: Comparison) =>
    movedLabels(one, analysis).filter(({ surely }) => surely).length + one.passes.filter(isMoved).length;
  const trained = tested.filter(({ first }) => first !== "base");
  return ends ?? [...(trained.length > 0 ? trained : tested)].sort((a, b) => happened(b) - happened(a))[0];
}

export function conclusion(analysis: Analyzed, nameOf: Naming = displayName): Said[] {
  const { scope, comparison } = told(analysis);
  const last = summaryOf(scope, comparison?.second) ?? scope.checkpoints.at(-1);
  if (last === undefined) return [];
  return [
    { words: solves(last, scope, analysis, nameOf), evidence: ["glance", "pass-at-k"] },
    { words: reasons(last, analysis), evidence: ["chain-depth", "suppression-by-checkpoint"] },
    { words: changed(analysis, nameOf), evidence: ["changes", "changes-spans", "traces-recovery", "traces-depth"] },
  ];
}

const summaryOf = ({ checkpoints }: ScopeAnalysis, name: string | undefined): CheckpointSummary | undefined =>
  checkpoints.find(({ checkpoint }) => checkpoint === name);

function solves(last: CheckpointSummary, scope: ScopeAnalysis, { scopes }: Analyzed, nameOf: Naming): string {
  const name = nameOf(last.checkpoint);
  if (last.passAtK[1] === undefined)
    return `${name} is ungraded: its ${last.traces} rollouts have neither grades nor gold answers; --columns correct=<column> or gold=<column> names them.`;
  const { puzzles, mathematics } = focusOf(scopes);
  const others = [puzzles, mathematics].filter(
    (one) => one !== undefined && scope.scope.name !== everything && one !== scope,
  );
  const rates = ({ passAtK }: CheckpointSummary, first: string) => {
    const k = Math.max(...Object.keys(passAtK).map(Number));
    const rate = (at: number) => `${percent(passAtK[at].value)}${range(passAtK[at], percent)}`;
    return `${rate(1)}${first}${k > 1 ? ` and ${rate(k)} in ${k}` : ""}`;
  };
  const problems = ({ gradedProblems: n }: CheckpointSummary) => `${n} ${n === 1 ? "problem" : "problems"}`;
  const asked = (summary: CheckpointSummary, { scope: { name: set } }: ScopeAnalysis) =>
    set === everything ? `of ${problems(summary)}` : `of ${problems(summary)} (${set})`;
  const elsewhere = others.flatMap((other) => {
    const summary = summaryOf(other!, last.checkpoint);
    return summary?.passAtK[1] === undefined ? [] : [`; ${asked(summary, other!)} ${rates(summary, "")}`];
  });
  return `${name} solves ${rates(last, ` ${asked(last, scope)} at the first attempt`)}${elsewhere.join("")}.`;
}

function reasons({ measures }: CheckpointSummary, { taxonomy }: Analyzed): string {
  const [depth, recovery] = [measures[depthMeasure], measures[recoveryMeasure]];
  const tenths = (value: number) => value.toFixed(1);
  return (
    `A trace makes ${plain(recovery.value)}${range(recovery, plain)} moves of recovery (${listed(taxonomy.recover)}); ` +
    `its longest run of ${listed(taxonomy.exploit)} has ${tenths(depth.value)}${range(depth, tenths)} spans.`
  );
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const mostNamed = 3;

function changed(analysis: Analyzed, nameOf: Naming): string {
  const { scope, comparison } = told(analysis);
  if (comparison === undefined) return notCompared(scope);
  const { first, second, sharedProblems } = comparison;
  const between = !comparison.onlyShared ? "" : `, on ${sharedProblems} problems of both`;
  const moved = movedLabels(comparison, analysis);
  const sure = moved.filter(({ surely }) => surely);
  const telling = sure.filter((one) => !isSlight(one));
  const named = telling.slice(0, mostNamed).map(moveWords);
  const counted = (count: number, what: string) =>
    count === 0 ? [] : [`${count}${named.length > 0 ? " more" : ""} ${count === 1 ? "change" : "changes"} ${what}`];
  const rest = [
    ...(telling.length > mostNamed ? [`${telling.length - mostNamed} more moved`] : []),
    ...counted(sure.length - telling.length, "too slight to tell"),
    ...counted(moved.length - sure.length, "could be the labeler’s own mistakes"),
  ];
  const moves = named.length === 0 ? ["no move of reasoning changed beyond doubt"] : named;
  return `From ${nameOf(first)} to ${nameOf(second)}${between}: ${[...solvedWords(comparison, analysis), ...moves, ...rest, ...againstIt(told(analysis), analysis, nameOf)].join("; ")}.`;
}

/** What another variant does that this one does not: of a recipe, its bonus. */
function againstIt({ scope, comparison }: Told, analysis: Analyzed, nameOf: Naming): string[] {
  const other = scope.comparisons.find(({ first }) => first === comparison?.second);
  const sure = other === undefined ? [] : movedLabels(other, analysis).filter(({ surely }) => surely);
  const move = sure.find((one) => !isSlight(one));
  return move === undefined ? [] : [`under ${nameOf(other!.second)}, against it, ${moveWords(move)}`];
}

function notCompared({ checkpoints, comparisons }: ScopeAnalysis): string {
  if (checkpoints.length < 2) return "This is one checkpoint: a second one would say what training changed.";
  const [{ first, second, sharedProblems } = { first: "", second: "", sharedProblems: 0 }] = comparisons;
  return `Nothing is said of what changed: ${first} and ${second} have ${sharedProblems} problems in common, and no pair has the ${minProblems} that a comparison needs.`;
}

function solvedWords({ passes, second }: Comparison, { training }: Analyzed): string[] {
  const [pass] = passes;
  if (pass !== undefined && pass.change !== "too few problems") {
    const { change, first: before, second: after, difference } = pass;
    const how = change === "within noise" ? "did not change beyond noise" : change;
    return [
      `the first attempt ${how} (${percent(before)} → ${percent(after)}, ${points(difference.value)}${range(difference, points)} points)`,
    ];
  }
  // Its steps ask different problems: what their slope says.
  const run = training.find(({ series }) => series === second.replace(/ ?steps \d+–\d+$/, "") || training.length === 1);
  const trend = isEnd(second) ? run?.trends.find(({ measure }) => measure === "solved") : undefined;
  if (trend === undefined || trend.problems < minProblems || Number.isNaN(trend.change.value)) return [];
  const { low, high, value } = trend.change;
  const how = low > 0 ? "rises" : high < 0 ? "falls" : "does not change beyond noise";
  return [`the solve rate ${how} over all steps (${points(value)}${range(trend.change, points)} points)`];
}

/** Corrected for the labeler's mistakes where it makes any, and as labeled beside it. */
function moveWords({ measure, change, first, second, difference: { value, low, high, raw } }: Change): string {
  const by = value < 0 ? { value: -value, low: -high, high: -low } : { value, low, high };
  const given = raw === undefined ? "" : `; as labeled ${raw.value < 0 ? "" : "+"}${plain(raw.value)}`;
  return `${measure} ${change} by ${plain(by.value)}${range(by, plain)} a trace (${plain(first)} → ${plain(second)}${given})`;
}

/** What the sentences rest on; every table has all of the labelers' quality. */
export function labelsClause({ labelers, input }: Pick<Analysis, "labelers" | "input">): string {
  const cut =
    input.spansBefore === undefined
      ? []
      : [`every paragraph is a span, because cut as usual a trace would have only ${input.spansBefore}`];
  return ["95% intervals over problems", ...labelers.map(labelerClause), ...cut].join("; ");
}
