// Everything that is known about one scope: its checkpoints, what changed between them, who solves what, motifs, and what
// goes with success.
import { evaluationSuffix, type PoliciesByRole, policyRoles, recipeOrder } from "../../runs/recipe-names.ts";
import { motifLengths, motifOf } from "../motifs.ts";
import { readSequence } from "../sequence.ts";
import { type CheckpointSummary, checkpointSummary } from "./checkpoint-summary.ts";
import { type Comparison, comparison } from "./comparison.ts";
import { type Contrasts, contrasts } from "./contrasts.ts";
import { measureNames } from "./measures.ts";
import { type MotifRow, meanFrequencies, motifRows, type PassCorrelation, passCorrelations } from "./motif-tables.ts";
import { type ProblemSplit, problemSplit } from "./problem-split.ts";
import type { Scope } from "./scopes.ts";
import { trainingEnds } from "./training-ends.ts";
import { minProblems } from "./verdicts.ts";
import type { Workspace } from "./workspace.ts";

export type ScopeAnalysis = {
  readonly scope: Scope;
  readonly traces: number;
  readonly problems: number;
  readonly checkpoints: readonly CheckpointSummary[];
  readonly comparisons: readonly Comparison[];
  readonly splits: readonly ProblemSplit[];
  /** Of graded checkpoints that are compared: what goes with success within a problem. */
  readonly contrasts: readonly Contrasts[];
  readonly motifs: readonly MotifRow[];
  readonly correlations: readonly PassCorrelation[];
};

/** Of more checkpoints than this, neighbors are not compared, and of the steps of a training run only its end is. */
const maxCompared = 6;
/** Nor does anybody read more comparisons than this; `traces compare` makes any of them. */
const maxFromFirst = 24;

/** The transitions of a recipe, in the order in which the paper tells them: SFT, then each RL run, then RL runs with each other. */
function recipeTransitions(names: readonly string[], policiesByRole: PoliciesByRole): [string, string][] {
  const [base, sft] = ["base", "sft"].map((name) => names.filter((one) => one === name));
  const found = names.filter((name) => name !== "base" && name !== "sft" && !evaluationSuffix.test(name));
  // So many are not runs of one recipe: of those only the ones that the paper knows are told apart.
  const known = found.length > maxCompared ? found.filter((name) => recipeOrder.includes(name)) : found;
  const plain = policiesByRole[policyRoles.plain] ?? policyRoles.plain;
  const bonus = policiesByRole[policyRoles.bonus] ?? policyRoles.bonus;
  // What the bonus does is asked of its controls, too, so that it comes after them.
  const place = (name: string) => (name === plain ? 0 : name === bonus ? 2 : 1);
  const variants = [...known].sort((a, b) => place(a) - place(b));
  const pairs = (from: readonly string[], to: readonly string[]) =>
    from.flatMap((first) => to.map((second): [string, string] => [first, second]));
  return [
    ...pairs(base, sft),
    ...pairs(sft, variants),
    ...variants.flatMap((name, i) => pairs([name], variants.slice(i + 1))),
    ...pairs(base, variants),
  ];
}

/** How many problems were asked of both. */
type Shared = (first: string, second: string) => number;

export function sharedProblems({ of, problems }: Pick<Workspace, "of" | "problems">): Shared {
  const asked = new Map<string, ReadonlySet<number>>();
  const problemsOf = (name: string) => {
    const found = asked.get(name) ?? new Set(of(name).map((i) => problems.of[i]));
    asked.set(name, found);
    return found;
  };
  return (first, second) => [...problemsOf(first)].filter((problem) => problemsOf(second).has(problem)).length;
}

/** Which pairs are compared: the recipe's transitions, else the first with each other one and each with the next. */
export function comparedPairs(
  names: readonly string[],
  policiesByRole: PoliciesByRole = {},
  shared: Shared = () => Number.POSITIVE_INFINITY,
): [string, string][] {
  const usual = usualPairs(names, policiesByRole);
  // Where too little is in common, whoever came before and shares most stands in for the first.
  const overlapping = usual.flatMap(([first, second]): [string, string][] => {
    if (shared(first, second) >= minProblems) return [[first, second]];
    const before = names.slice(0, names.indexOf(second));
    const [best] = [...before].sort((a, b) => shared(b, second) - shared(a, second));
    if (best !== undefined && shared(best, second) >= minProblems) return [[best, second]];
    return shared(first, second) > 0 ? [[first, second]] : [];
  });
  const kept = [...new Map(overlapping.map((pair) => [JSON.stringify(pair), pair])).values()];
  // Where nothing is in common at all, the comparison says which problems differ.
  return kept.length > 0 ? kept : usual;
}

function usualPairs(names: readonly string[], policiesByRole: PoliciesByRole): [string, string][] {
  if (names.some((name) => recipeOrder.includes(name))) {
    const transitions = recipeTransitions(names, policiesByRole);
    if (transitions.length > 0) return transitions;
  }
  const many = names.length > maxCompared;
  const ends = new Map(names.map((name) => [runOfStep(name), name]));
  const others = names.slice(1).filter((name) => !many || ends.get(runOfStep(name)) === name);
  const fromFirst = others.map((name): [string, string] => [names[0], name]);
  if (many) return fromFirst.length > maxFromFirst ? fromFirst.slice(-1) : fromFirst;
  const neighbors = names.slice(2).map((name, i): [string, string] => [names[i + 1], name]);
  return [...fromFirst, ...neighbors];
}

/** The steps of a run share it; any other checkpoint is its own. */
const runOfStep = (name: string): string => name.replace(/(?:^| )step \d+$/, "");

/** `trained`: the steps of training, where what is compared is validation at some of them. */
export function analyzeScope(
  scope: Scope,
  work: Workspace,
  motifsPerLength: number,
  policiesByRole?: PoliciesByRole,
  trained: Workspace = work,
): ScopeAnalysis {
  const { records, checkpoints: names } = work;
  const checkpoints = names.map((name) => checkpointSummary(work, name));
  const pairs = comparedPairs(names, policiesByRole, sharedProblems(work));
  const graded = new Set(checkpoints.filter((one) => one.gradedTraces > 0).map(({ checkpoint }) => checkpoint));
  const motifs = names.flatMap((name) => motifRows(work, name, motifsPerLength));
  return {
    scope,
    traces: records.length,
    problems: work.problems.problems.length,
    checkpoints,
    comparisons: [
      ...trainingEnds(trained, trained !== work),
      ...pairs.map(([first, second]) => comparison(work, first, second)),
    ],
    splits: pairs.filter((pair) => pair.every((name) => graded.has(name))).map((pair) => problemSplit(work, pair)),
    contrasts: names
      .filter((name) => graded.has(name) && (names.length <= maxCompared || pairs.some((pair) => pair.includes(name))))
      .map((name) => contrasts(work, name)),
    motifs,
    correlations: correlationsOf(work, checkpoints, motifs),
  };
}

/** Four checkpoints in perfect order are 2 of 24 orders: nothing could be told from luck. */
export const fewestCorrelated = 5;

function correlationsOf(
  { records, alphabet, of }: Workspace,
  checkpoints: readonly CheckpointSummary[],
  motifs: readonly MotifRow[],
): PassCorrelation[] {
  const graded = checkpoints.filter(({ passAtK }) => Object.keys(passAtK).length > 0);
  if (graded.length < fewestCorrelated) return [];
  const ks = Object.keys(graded[0].passAtK)
    .map(Number)
    .filter((k) => graded.every(({ passAtK }) => k in passAtK));
  const sequences = graded.map(({ checkpoint }) =>
    of(checkpoint)
      .filter((i) => records[i].sequence !== "")
      .map((i) => readSequence(records[i].sequence, alphabet)),
  );
  const series: Record<string, number[]> = Object.fromEntries(
    measureNames(alphabet).map((name) => [name, graded.map(({ measures }) => measures[name].value)]),
  );
  for (const length of motifLengths(alphabet)) {
    // Every motif that is among the most frequent anywhere is followed everywhere.
    const texts = [...new Set(motifs.filter((row) => row.length === length).map(({ motif }) => motif))];
    if (texts.length === 0) continue;
    const means = sequences.map((list) => meanFrequencies(list, texts.map(motifOf), alphabet));
    for (const [i, text] of texts.entries()) series[`motif ${text}`] = means.map((values) => values[i]);
  }
  return [...new Set([1, Math.max(...ks)])]
    .filter((k) => ks.includes(k))
    .flatMap((k) =>
      passCorrelations(
        graded.map(({ passAtK }) => passAtK[k].value),
        k,
        series,
      ),
    );
}
