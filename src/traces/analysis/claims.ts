// What of the paper a run shows: its claims as records, each with a scope, a pair, a measure and a direction; one rule judges
// them all (`verdicts.ts`). For every variant that a run has, what the paper says of its bonus is asked of that variant.
import type { PoliciesByRole } from "../../runs/recipe-names.ts";
import { habitMeasure } from "../habits.ts";
import { type Comparison, signIsLost } from "./comparison.ts";
import type { Contrast } from "./contrasts.ts";
import type { Estimate } from "./estimates.ts";
import { depthMeasure, recoveryMeasure, runMeasure } from "./measures.ts";
import type { ScopeAnalysis } from "./scope-analysis.ts";
import { allMathematics, allPuzzles } from "./scopes.ts";
import type { TrainingSeries } from "./training-series.ts";
import { adjusted, type Direction, type Judgment, judged, minProblems, type Verdict } from "./verdicts.ts";

export type Claim = {
  /** Where the paper makes it. */
  readonly section: string;
  readonly claim: string;
  /** Which traces were looked at. */
  readonly scope: string;
  readonly pair: readonly [first: string, second: string];
  readonly verdict: Verdict;
  /** What the verdict is of; two where a sentence says two things. */
  readonly findings: readonly Finding[];
  readonly evidence: string;
  /** The same claim in another vocabulary, by words that nobody judged; absent where that has no word for it. */
  readonly otherWords?: { readonly verdict: Verdict; readonly evidence: string };
  readonly p?: number;
  /** Holm's, over all claims of the run. */
  readonly adjusted?: number;
  /** Where several runs are told of together, whose it is. */
  readonly run?: string;
};

type Finding = {
  readonly test: Test;
  readonly direction: Direction;
  readonly estimate: Estimate;
  readonly problems: number;
  readonly unit?: "points";
  /** The smallest effect that the run would have seen four times in five. */
  readonly detectable?: number;
};

/** The sets on which the paper makes its claims, as far as a run has them. */
type Focus = {
  readonly puzzles?: ScopeAnalysis;
  readonly mathematics?: ScopeAnalysis;
  readonly search?: ScopeAnalysis;
  /** Questions of mathematics whose first candidate is wrong. */
  readonly needed?: ScopeAnalysis;
  readonly larger?: ScopeAnalysis;
};

type Role = "base" | "sft" | "plain" | "variant";

type Test =
  | { readonly measure: string }
  /** pass@1, pass@k at the largest k, or how much more the largest k gains than the first attempt. */
  | { readonly pass: "first" | "last" | "growth" }
  /** Within problems, of the pair's second alone. */
  | { readonly within: "depthOfSolved" | "recoveryOfSolved" }
  /** Of traces with a move of recovery: on the problems that exactly one of them solves, or in solved traces where both do. */
  | { readonly recoveryWhere: "one" | "both" }
  /** Over the steps of the pair's second. */
  | { readonly trend: string };

type ClaimRecord = {
  readonly section: string;
  readonly sentence: string;
  readonly scopes: readonly (keyof Focus | "training")[];
  readonly pair: readonly [Role, Role];
  readonly test: Test;
  readonly direction: Direction;
  /** Shown only where this is, too. */
  readonly and?: { readonly test: Test; readonly direction: Direction };
};

const domains = ["puzzles", "mathematics"] as const;
const searching = ["search", "needed"] as const;
const rises = "rises" as const;
const falls = "falls" as const;

const of = (
  section: string,
  sentence: string,
  scopes: ClaimRecord["scopes"],
  pair: ClaimRecord["pair"],
  test: Test,
  direction: Direction = rises,
): ClaimRecord => ({ section, sentence, scopes, pair, test, direction });

const each = (values: readonly string[], make: (value: string) => ClaimRecord): ClaimRecord[] => values.map(make);
const measure = (name: string): Test => ({ measure: name });

/** A loss of less than this of pass@1 is taken for none, a difference of less than this in the share of traces for alike. */
const keepsPoints = 0.02;
const alikeShare = 0.05;

const paperClaims: readonly ClaimRecord[] = [
  of("3", "SFT on puzzles alone solves more puzzles than the base", ["puzzles"], ["base", "sft"], { pass: "first" }),
  of("3", "SFT on puzzles alone raises the ceiling on mathematics", ["mathematics"], ["base", "sft"], { pass: "last" }),
  of("3", "SFT on puzzles alone solves more mathematics at the first attempt", ["mathematics"], ["base", "sft"], {
    pass: "first",
  }),
  of("3", "vanilla GSPO solves more puzzles than SFT", ["puzzles"], ["sft", "plain"], { pass: "first" }),
  of("3", "vanilla GSPO raises the ceiling on mathematics", ["mathematics"], ["sft", "plain"], { pass: "last" }),
  of("3", "{variant} raises the ceiling on mathematics above {other}", ["mathematics"], ["plain", "variant"], {
    pass: "last",
  }),
  of("3", "{variant} raises the ceiling above {other} where search is needed", searching, ["plain", "variant"], {
    pass: "last",
  }),
  of("3", "what {variant} gains on {other} grows with k", domains, ["plain", "variant"], { pass: "growth" }),
  of(
    "3",
    `{variant} loses at most ${100 * keepsPoints} points of {other}'s first attempt`,
    domains,
    ["plain", "variant"],
    { pass: "first" },
    { keeps: keepsPoints },
  ),
  of("3", "vanilla GSPO carries over to larger boards", ["larger"], ["sft", "plain"], { pass: "last" }),
  of("3", "{variant} carries over to larger boards", ["larger"], ["sft", "variant"], { pass: "last" }),
  ...each(["hypothesize", "backtrack", "check"], (label) =>
    of("4.1", `SFT brings in ${label}`, domains, ["base", "sft"], measure(label)),
  ),
  ...each(["recovery trigrams", "exploitation trigrams", "verification trigrams"], (motif) =>
    of("4.1", `SFT brings in ${motif}`, ["mathematics"], ["base", "sft"], measure(motif)),
  ),
  ...each(["compute", "check", "setup"], (label) =>
    of("4.2", `vanilla GSPO computes, checks and sets up more: ${label}`, domains, ["sft", "plain"], measure(label)),
  ),
  ...each(["check→compute→check", "check→compute→check→compute→check"], (motif) =>
    of("4.2", `vanilla GSPO alternates longer: ${motif}`, domains, ["sft", "plain"], measure(motif)),
  ),
  of("4.2", "vanilla GSPO deepens exploit chains beyond SFT's", domains, ["sft", "plain"], measure(depthMeasure)),
  of("4.2", "vanilla GSPO lengthens all exploit runs", domains, ["sft", "plain"], measure(runMeasure)),
  of(
    "4.2",
    "vanilla GSPO goes deeper than the base, not back to it",
    domains,
    ["base", "plain"],
    measure(depthMeasure),
  ),
  ...each(["hypothesize", "backtrack"], (label) =>
    of("4.3", `vanilla GSPO suppresses ${label}`, domains, ["sft", "plain"], measure(label), falls),
  ),
  ...each(["hypothesize", "backtrack"], (label) =>
    of("4.3", `${label} falls over the steps of vanilla GSPO`, ["training"], ["sft", "plain"], { trend: label }, falls),
  ),
  of("4.3", "the solve rate rises over the steps of vanilla GSPO", ["training"], ["sft", "plain"], { trend: "solved" }),
  {
    ...of(
      "4.3",
      "the solve rate rises while recovery falls over the steps of vanilla GSPO",
      ["training"],
      ["sft", "plain"],
      {
        trend: "solved",
      },
    ),
    and: { test: { trend: recoveryMeasure }, direction: falls },
  },
  ...each(["hypothesize", "backtrack"], (label) =>
    of("5", `{variant} keeps more ${label} than {other}`, domains, ["plain", "variant"], measure(label)),
  ),
  of(
    "5",
    "{variant} gives up some of {other}'s depth of exploit runs",
    domains,
    ["plain", "variant"],
    measure(runMeasure),
    falls,
  ),
  of("5.1", "{variant} recovers where {other} does not", domains, ["plain", "variant"], { recoveryWhere: "one" }),
  of(
    "5.1",
    "{variant} and {other} recover alike on problems that both solve",
    domains,
    ["plain", "variant"],
    { recoveryWhere: "both" },
    { alike: alikeShare },
  ),
  of("5.1", "recovery goes with success under {variant}", domains, ["sft", "variant"], { within: "recoveryOfSolved" }),
  of(
    "5.1",
    "unsolved traces of vanilla GSPO are deeper than solved ones of the same problem",
    domains,
    ["sft", "plain"],
    { within: "depthOfSolved" },
    falls,
  ),
  of(
    "5.1",
    "with {variant} solved traces are deeper than unsolved ones of the same problem",
    domains,
    ["sft", "variant"],
    { within: "depthOfSolved" },
  ),
];

/** A recipe that names its held-out or primary set is taken at its word; else all puzzles, all mathematics. */
export function focusOf(scopes: readonly ScopeAnalysis[]): Focus {
  const named = (...names: string[]) =>
    names.flatMap((name) => scopes.find(({ scope }) => scope.name === name) ?? [])[0];
  const first = (kind: "puzzle" | "mathematics") => scopes.find(({ scope }) => scope.kind === kind);
  return {
    puzzles: named("held-out puzzles", allPuzzles) ?? first("puzzle"),
    mathematics: named("olymmath-en-hard", allMathematics) ?? first("mathematics"),
    search: named("puzzles that need search"),
    needed: named("mathematics that needs search"),
    larger: named("larger puzzles"),
  };
}

export function claims(
  scopes: readonly ScopeAnalysis[],
  training: readonly TrainingSeries[],
  /** A part is played by the checkpoint of its name unless the run says otherwise. */
  policiesByRole: PoliciesByRole = {},
): Claim[] {
  const plain = policiesByRole.vanilla ?? "vanilla";
  const novelty = policiesByRole.novelty ?? "novelty";
  const compared = scopes.flatMap(({ comparisons }) => comparisons);
  const variants = new Set([novelty, ...compared.filter(({ first }) => first === plain).map(({ second }) => second)]);
  variants.delete(plain);
  const told = (name: string) => ({ [plain]: "vanilla GSPO", [novelty]: "the novelty bonus" })[name] ?? name;
  const others = compared.filter(({ first, second }) => variants.has(first) && variants.has(second));
  const pairs = new Map(
    [...[...variants].map((second) => ({ first: plain, second })), ...others].map((pair) => [
      `${pair.first}\u0000${pair.second}`,
      pair,
    ]),
  );
  const focus = focusOf(scopes);
  const found = paperClaims.flatMap((record) => {
    // Of the bonus against plain RL the paper speaks, and of any two variants it is asked.
    const cast = record.pair[0] === "plain" ? [...pairs.values()] : castOf(record, [...variants], { plain, novelty });
    return cast.flatMap(({ first, second }) => {
      const fill = (text: string) => text.replace("{variant}", told(second)).replace("{other}", told(first));
      return record.scopes.flatMap((name): Claim[] => {
        const scope = name === "training" ? undefined : focus[name];
        if (name !== "training" && scope === undefined) return [];
        const series = training.find((one) => one.series === second);
        const evidence = (test: Test) =>
          name === "training" ? trendEvidence(test, series) : evidenceFor(test, scope!, [first, second]);
        const where = scope?.scope.name ?? "training problems";
        const judge = (tested: Pick<ClaimRecord, "test" | "direction">) => {
          const found = evidence(tested.test);
          return found && claimOf(tested, found);
        };
        const found = judge(record);
        const and = record.and && judge(record.and);
        if (found === undefined || (record.and !== undefined && and === undefined)) return [];
        const other = scope && otherWords(record.test, scope, [first, second]);
        const inOther = other && claimOf(record, other);
        return [
          {
            ...{ section: record.section, claim: fill(record.sentence), scope: where, pair: [first, second] },
            ...(and === undefined ? found : bothOf(found, and)),
            ...(inOther && { otherWords: { verdict: inOther.verdict, evidence: inOther.evidence } }),
          },
        ];
      });
    });
  });
  return withAdjusted(found);
}

export function withAdjusted(found: readonly Claim[]): Claim[] {
  const corrected = adjusted(found.map(({ p }) => p));
  return found.map((claim, i) => ({ ...claim, ...(corrected[i] !== undefined && { adjusted: corrected[i] }) }));
}

function castOf(
  { pair }: ClaimRecord,
  variants: readonly string[],
  { plain, novelty }: Record<"plain" | "novelty", string>,
) {
  const nameOf = (role: Role, variant: string) => ({ base: "base", sft: "sft", plain, variant })[role];
  const each = pair.includes("variant") ? variants : [novelty];
  return each.map((variant) => ({ first: nameOf(pair[0], variant), second: nameOf(pair[1], variant) }));
}

export type Judged = Pick<Claim, "verdict" | "evidence" | "p" | "findings">;

/** Two findings in one sentence: it is as sure as the less sure of them, and wrong where one is. */
export function bothOf(claim: Judged, and: Judged): Judged {
  const either = (verdict: Verdict) => claim.verdict === verdict || and.verdict === verdict;
  const verdict = (["cannot be tested here", "reversed", "not shown"] as const).find(either) ?? "shown";
  const known = [claim, and].filter((one) => verdict !== "reversed" || one.verdict === "reversed");
  const ps = known.flatMap(({ p }) => p ?? []);
  const { p: _, ...rest } = claim;
  const findings = [...claim.findings, ...and.findings];
  return {
    ...{ ...rest, verdict, findings, evidence: `${claim.evidence}; and ${and.evidence}` },
    ...(verdict !== "cannot be tested here" && { p: Math.max(...ps) }),
  };
}

type Evidence = Pick<Finding, "estimate" | "problems" | "unit"> & {
  /** What stands before the estimate. */
  readonly told: string;
  /** Where nobody made the move at all there is nothing to compare. */
  readonly nothing?: boolean;
};

/** As evidence has it, with its unit. */
export const effectText = (value: number, unit?: "points"): string =>
  unit === "points" ? signed(100 * value, 1) : number(value);

function claimOf({ test, direction }: Pick<ClaimRecord, "test" | "direction">, found: Evidence): Judged {
  const { estimate, problems, told, nothing = false, unit } = found;
  const judgment: Judgment = nothing ? { verdict: "cannot be tested here" } : judged(estimate, problems, direction);
  const { verdict, p, detectable } = judgment;
  const text = (value: number) => effectText(value, unit);
  const [suffix, interval] = [
    unit === undefined ? "" : " points",
    (one: Omit<Estimate, "raw">) => intervalText(one, text),
  ];
  const few = problems < minProblems;
  const asked = `${problems} problem${problems === 1 ? "" : "s"}${few ? `, fewer than ${minProblems}` : ""}`;
  const why = nothing ? "; neither of them makes it" : "";
  const seen =
    verdict === "not shown" && detectable !== undefined ? `; would have seen ${text(detectable)}${suffix} or more` : "";
  const { raw } = estimate;
  const given = raw === undefined ? "" : `; as labeled ${text(raw.value)}${interval(raw)}`;
  const hidden = signIsLost(estimate) ? ", which the labeler's mistakes could make" : "";
  const measured = { estimate, problems, ...(unit && { unit }), ...(detectable !== undefined && { detectable }) };
  return {
    ...{ verdict, findings: [{ test, direction, ...measured }] },
    evidence: `${told} ${text(estimate.value)}${few ? "" : interval(estimate)}${suffix}, ${asked}${why}${seen}${given}${hidden}`,
    ...(p !== undefined && { p }),
  };
}

export const intervalText = ({ low, high }: Omit<Estimate, "raw">, text: (value: number) => string): string =>
  Number.isNaN(low) ? "" : ` [${text(low)}, ${text(high)}]`;

function evidenceFor(
  test: Test,
  scope: ScopeAnalysis,
  [first, second]: readonly [string, string],
): Evidence | undefined {
  if ("within" in test) {
    const found = scope.contrasts.find(({ checkpoint }) => checkpoint === second)?.[test.within];
    return found && contrastEvidence(found, "solved − unsolved within problems");
  }
  if ("recoveryWhere" in test) {
    const split = scope.splits.find((one) => one.first === first && one.second === second);
    return split && contrastEvidence(split.recoveryWhere[test.recoveryWhere], "share of traces with recovery, change");
  }
  const found = scope.comparisons.find((one) => one.first === first && one.second === second);
  if (found === undefined || "trend" in test) return undefined;
  return "measure" in test ? measureEvidence(found, test.measure) : passEvidence(found, test.pass);
}

const contrastEvidence = ({ difference, problems }: Contrast, told: string): Evidence | undefined =>
  Number.isNaN(difference.value) ? undefined : { estimate: difference, problems, told };

function otherWords(test: Test, scope: ScopeAnalysis, [first, second]: readonly [string, string]) {
  const name = "measure" in test ? habitMeasure(test.measure) : undefined;
  const found = scope.comparisons.find((one) => one.first === first && one.second === second);
  return name === undefined || found === undefined ? undefined : measureEvidence(found, name, found.beside);
}

function measureEvidence(found: Comparison, name: string, among = found.changes): Evidence | undefined {
  const change = among.find((one) => one.measure === name);
  if (change === undefined || Number.isNaN(change.difference.value)) return undefined;
  const { first, second, difference } = change;
  return {
    ...{ estimate: difference, problems: found.sharedProblems, nothing: first === 0 && second === 0 },
    told: `${number(first)} → ${number(second)} per trace, change`,
  };
}

function passEvidence({ passes, growth }: Comparison, which: "first" | "last" | "growth"): Evidence | undefined {
  const unit = "points";
  if (which === "growth")
    return growth && { ...growth, unit, estimate: growth.difference, told: `gain at k = ${growth.k} − gain at 1:` };
  const found = which === "first" ? passes[0] : passes.at(-1);
  if (found === undefined) return undefined;
  const { k, first, second, difference, problems } = found;
  const told = `pass@${k} ${signed(100 * first, 1)}% → ${signed(100 * second, 1)}%, change`;
  return { unit, estimate: difference, problems, told };
}

/** Over all steps, with the kind of problem held. */
function trendEvidence(test: Test, series: TrainingSeries | undefined): Evidence | undefined {
  const found = "trend" in test ? series?.trends.find((one) => one.measure === test.trend) : undefined;
  if (found === undefined || Number.isNaN(found.change.value)) return undefined;
  const [start, end] = [series!.points[0].step, series!.points[series!.points.length - 1].step];
  const { change: estimate, problems, measure: name } = found;
  const told = `${name}, slope over steps ${start}–${end}, kind of problem held:`;
  return { estimate, problems, told };
}

/** What rounds to zero has no sign. */
const signed = (value: number, digits: number) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) > 0 ? `−${text}` : text;
};
const number = (value: number) => signed(value, 2);
