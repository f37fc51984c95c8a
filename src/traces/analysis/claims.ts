// What of the paper a run shows: each claim of its sections 3 to 5 with a verdict and its evidence, read from the analysis. A
// claim is shown when its interval leaves zero out on the right side, reversed on the wrong one; nothing else counts.

import { fisherExact } from "../../base/statistics.ts";
import type { PoliciesByRole } from "../../runs/recipe-names.ts";
import type { CheckpointSummary } from "./checkpoint-summary.ts";
import { type Change, type Comparison, changeOf, minProblems } from "./comparison.ts";
import type { Estimate } from "./estimates.ts";
import { depthMeasure, runMeasure } from "./measures.ts";
import type { ScopeAnalysis } from "./scope-analysis.ts";
import { allMathematics, allPuzzles } from "./scopes.ts";
import type { TrainingSeries } from "./training-series.ts";

type ClaimOutcome = "shown" | "not shown" | "reversed";

export type Claim = {
  /** Where the paper makes it. */
  readonly section: string;
  readonly claim: string;
  /** Which traces were looked at. */
  readonly scope: string;
  readonly verdict: ClaimOutcome;
  readonly evidence: string;
};

type Direction = "rises" | "falls";
type Pair = readonly [string, string];

/** The sets on which the paper makes its claims, as far as a run has them. */
type Focus = {
  readonly puzzles?: ScopeAnalysis;
  readonly mathematics?: ScopeAnalysis;
  readonly search?: ScopeAnalysis;
  readonly larger?: ScopeAnalysis;
};

/** A recipe that names its held-out or primary set is taken at its word; else all puzzles, all mathematics. */
export function focusOf(scopes: readonly ScopeAnalysis[]): Focus {
  const named = (...names: string[]) =>
    names.flatMap((name) => scopes.find(({ scope }) => scope.name === name) ?? [])[0];
  const first = (kind: "puzzle" | "mathematics") => scopes.find(({ scope }) => scope.kind === kind);
  return {
    puzzles: named("held-out puzzles", allPuzzles) ?? first("puzzle"),
    mathematics: named("olymmath-en-hard", allMathematics) ?? first("mathematics"),
    search: named("puzzles that need search"),
    larger: named("larger puzzles"),
  };
}

/** What rounds to zero has no sign. */
const signed = (value: number, digits: number) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) > 0 ? `−${text}` : text;
};
const number = (value: number) => signed(value, 2);
const percent = (value: number) => `${signed(100 * value, 1)}%`;
const interval = ({ value, low, high }: Estimate, text: (value: number) => string) =>
  `change ${text(value)}${Number.isNaN(low) ? "" : ` [${text(low)}, ${text(high)}]`}`;

/** What goes for a comparison goes for a claim: too few problems show nothing. */
function verdictOf(change: Change, wanted: Direction): ClaimOutcome {
  if (change !== "rose" && change !== "fell") return "not shown";
  return (change === "rose") === (wanted === "rises") ? "shown" : "reversed";
}

const evidenceOf = (change: Change, evidence: string): string =>
  change === "too few problems" ? `${evidence}; fewer than ${minProblems} problems` : evidence;

type Naming = (role: string) => string;

export function claims(
  scopes: readonly ScopeAnalysis[],
  training: readonly TrainingSeries[],
  /** A part is played by the checkpoint of its name unless the run says otherwise. */
  policiesByRole: PoliciesByRole = {},
): Claim[] {
  const as = (name: string): string => policiesByRole[name] ?? name;
  const { puzzles, mathematics, search, larger } = focusOf(scopes);
  return [
    ...passes("3", "SFT on puzzles alone solves more puzzles than the base", puzzles, ["base", "sft"], "first"),
    ...passes("3", "SFT on puzzles alone raises the ceiling on mathematics", mathematics, ["base", "sft"], "last"),
    ...passes(
      "3",
      "SFT on puzzles alone solves more mathematics at the first attempt",
      mathematics,
      ["base", "sft"],
      "first",
    ),
    ...passes("3", "plain RL solves more puzzles than SFT", puzzles, ["sft", as("vanilla")], "first"),
    ...passes("3", "plain RL raises the ceiling on mathematics", mathematics, ["sft", as("vanilla")], "last"),
    ...passes(
      "3",
      "the novelty bonus raises the ceiling on mathematics above plain RL",
      mathematics,
      [as("vanilla"), as("novelty")],
      "last",
    ),
    ...passes(
      "3",
      "the novelty bonus raises the ceiling where search is needed",
      search,
      [as("vanilla"), as("novelty")],
      "last",
    ),
    ...passes("3", "plain RL carries over to larger boards", larger, ["sft", as("vanilla")], "last"),
    ...passes("3", "RL with the bonus carries over to larger boards", larger, ["sft", as("novelty")], "last"),
    ...[puzzles, mathematics].flatMap((scope) =>
      ["hypothesize", "backtrack", "check"].flatMap((label) =>
        moves("4.1", `SFT brings in ${label}`, scope, ["base", "sft"], label, "rises"),
      ),
    ),
    ...["recovery trigrams", "exploitation trigrams", "verification trigrams"].flatMap((motif) =>
      moves("4.1", `SFT brings in ${motif}`, mathematics, ["base", "sft"], motif, "rises"),
    ),
    ...[puzzles, mathematics].flatMap((scope) => [
      ...["compute", "check", "setup"].flatMap((label) =>
        moves(
          "4.2",
          `plain RL computes, checks and sets up more: ${label}`,
          scope,
          ["sft", as("vanilla")],
          label,
          "rises",
        ),
      ),
      ...["check→compute→check", "check→compute→check→compute→check"].flatMap((motif) =>
        moves("4.2", `plain RL alternates longer: ${motif}`, scope, ["sft", as("vanilla")], motif, "rises"),
      ),
      ...moves(
        "4.2",
        "plain RL deepens exploit chains beyond SFT's",
        scope,
        ["sft", as("vanilla")],
        depthMeasure,
        "rises",
      ),
      ...moves("4.2", "plain RL lengthens all exploit runs", scope, ["sft", as("vanilla")], runMeasure, "rises"),
      ...moves(
        "4.2",
        "plain RL goes deeper than the base, not back to it",
        scope,
        ["base", as("vanilla")],
        depthMeasure,
        "rises",
      ),
    ]),
    ...[puzzles, mathematics].flatMap((scope) =>
      ["hypothesize", "backtrack"].flatMap((label) =>
        moves("4.3", `plain RL suppresses ${label}`, scope, ["sft", as("vanilla")], label, "falls"),
      ),
    ),
    ...["hypothesize", "backtrack"].flatMap((label) => overTraining(training, as, label)),
    ...[puzzles, mathematics].flatMap((scope) =>
      ["hypothesize", "backtrack"].flatMap((label) =>
        moves(
          "5",
          `the novelty bonus keeps more ${label} than plain RL`,
          scope,
          [as("vanilla"), as("novelty")],
          label,
          "rises",
        ),
      ),
    ),
    ...[puzzles, mathematics].flatMap((scope) =>
      moves(
        "5",
        "the novelty bonus gives up some depth of exploit runs",
        scope,
        [as("vanilla"), as("novelty")],
        runMeasure,
        "falls",
      ),
    ),
    ...[puzzles, mathematics].flatMap((scope) => [...selectivity(scope, as), ...depthOfSuccess(scope, as)]),
  ];
}

function compared(scope: ScopeAnalysis | undefined, [first, second]: Pair): Comparison | undefined {
  return scope?.comparisons.find((one) => one.first === first && one.second === second);
}

function moves(
  section: string,
  claim: string,
  scope: ScopeAnalysis | undefined,
  pair: Pair,
  measure: string,
  wanted: Direction,
): Claim[] {
  const found = compared(scope, pair)?.changes.find((change) => change.measure === measure);
  if (scope === undefined || found === undefined || Number.isNaN(found.difference.value)) return [];
  const { first, second, difference, change } = found;
  const evidence = evidenceOf(
    change,
    `${number(first)} → ${number(second)} per trace, ${interval(difference, number)}`,
  );
  return [{ section, claim, scope: scope.scope.name, verdict: verdictOf(change, wanted), evidence }];
}

function passes(
  section: string,
  claim: string,
  scope: ScopeAnalysis | undefined,
  pair: Pair,
  which: "first" | "last",
): Claim[] {
  const all = compared(scope, pair)?.passes ?? [];
  const found = which === "first" ? all[0] : all.at(-1);
  if (scope === undefined || found === undefined) return [];
  const { k, first, second, difference, change } = found;
  const evidence = evidenceOf(
    change,
    `pass@${k} ${percent(first)} → ${percent(second)}, ${interval(difference, (value) => signed(100 * value, 1))} points`,
  );
  return [{ section, claim, scope: scope.scope.name, verdict: verdictOf(change, "rises"), evidence }];
}

/** On the puzzles that plain RL trains on, from its first step to its last. */
function overTraining(training: readonly TrainingSeries[], as: Naming, label: string): Claim[] {
  const points = training.find(({ series }) => series === as("vanilla"))?.points ?? [];
  const [start, end] = [points[0]?.measures[label], points.at(-1)?.measures[label]];
  if (points.length < 2 || start === undefined || end === undefined) return [];
  // The two steps hold other problems, so they are independent: the interval of their difference follows from their own
  // (Zou and Donner 2008).
  const value = end.value - start.value;
  const low = value - Math.hypot(end.value - end.low, start.high - start.value);
  const difference = { value, low, high: value + Math.hypot(end.high - end.value, start.value - start.low) };
  const few = [points[0], points.at(-1)!].some(({ problems }) => problems < minProblems);
  const change = few ? "too few problems" : changeOf(difference);
  const evidence = evidenceOf(
    change,
    `${number(start.value)} at step ${points[0].step} → ${number(end.value)} at step ${points.at(-1)!.step} per trace`,
  );
  const claim = `${label} falls over the steps of plain RL`;
  return [{ section: "4.3", claim, scope: "training problems", verdict: verdictOf(change, "falls"), evidence }];
}

/** Recovery where plain RL fails: on the problems that only the bonus solves. */
function selectivity(scope: ScopeAnalysis | undefined, as: Naming): Claim[] {
  const split = scope?.splits.find(({ first, second }) => first === as("vanilla") && second === as("novelty"));
  if (scope === undefined || split === undefined) return [];
  const { first, second } = split.parts["only second"];
  if (first.traces === 0 || second.traces === 0) return [];
  const shared = { section: "5.1", scope: `${scope.scope.name}, solved only with the bonus` };
  const failed = second.traces - second.solvedTraces;
  return [
    {
      ...shared,
      claim: "the bonus recovers where plain RL does not",
      ...enriched([second.withRecovery.all, second.traces], [first.withRecovery.all, first.traces]),
    },
    {
      ...shared,
      claim: "recovery goes with success under the bonus",
      ...enriched([second.withRecovery.solved, second.solvedTraces], [second.withRecovery.failed, failed]),
    },
  ];
}

type Count = readonly [number, number];

function enriched([more, all]: Count, [less, others]: Count): Pick<Claim, "verdict" | "evidence"> {
  const { p } = fisherExact([
    [more, all - more],
    [less, others - less],
  ]);
  const higher = more / Math.max(1, all) > less / Math.max(1, others);
  return {
    verdict: p < 0.05 ? (higher ? "shown" : "reversed") : "not shown",
    evidence: `a recovery motif in ${more} of ${all} traces against ${less} of ${others}, Fisher's p ${p.toPrecision(2)}`,
  };
}

function depthOfSuccess(scope: ScopeAnalysis | undefined, as: Naming): Claim[] {
  const claimOf = (checkpoint: string, claim: string, deeper: "solved" | "unsolved"): Claim[] => {
    const found = scope?.checkpoints.find((one) => one.checkpoint === checkpoint)?.depthBySuccess;
    if (scope === undefined || found?.p === undefined) return [];
    return [{ section: "5.1", claim, scope: scope.scope.name, ...depthVerdict(found, deeper) }];
  };
  return [
    ...claimOf(as("vanilla"), "unsolved traces of plain RL are deeper than solved ones", "unsolved"),
    ...claimOf(as("novelty"), "with the bonus solved traces are the deeper ones", "solved"),
  ];
}

function depthVerdict(
  { solved, unsolved, p }: CheckpointSummary["depthBySuccess"],
  deeper: "solved" | "unsolved",
): Pick<Claim, "verdict" | "evidence"> {
  const asClaimed = solved.depth.value > unsolved.depth.value === (deeper === "solved");
  return {
    verdict: p! < 0.05 ? (asClaimed ? "shown" : "reversed") : "not shown",
    evidence: `depth ${number(solved.depth.value)} solved, ${number(unsolved.depth.value)} unsolved, Mann–Whitney p ${p!.toPrecision(2)}`,
  };
}
