// What a miniature shows, in numbers and in words: primitives per trace by policy, and which of the paper's effects are
// there. Intervals are bootstrapped over problems; a difference is called one only when its interval leaves zero out.
import { Random } from "../../base/random.ts";
import { mean } from "../../base/statistics/descriptive.ts";
import { readProblems } from "../../evaluation/evaluation-folder.ts";
import { RolloutStore } from "../../evaluation/rollout-store.ts";
import { type EvaluationSummary, passAt } from "../../evaluation/summary.ts";
import { reasoningText } from "../../grading/tags.ts";
import { type Primitive, primitives } from "../../rollouts/primitives.ts";
import { terseLabels } from "../../teaching/terse-language.ts";
import { chainDepth } from "../../traces/depth.ts";
import { sequenceOf } from "../../traces/sequence.ts";
import { type PolicyName, policies } from "./config.ts";

/** Per problem, the mean over its traces: the unit that intervals resample. */
export type PolicyTraces = {
  readonly counts: Readonly<Record<Primitive, readonly number[]>>;
  readonly depth: readonly number[];
  readonly traces: number;
};

/** Reads the traces of one set of an evaluation by the teacher's own grammar. */
export async function tracesOf(folder: string, set: string): Promise<PolicyTraces> {
  const problems = new Set((await readProblems(folder)).filter((problem) => problem.set === set).map(({ id }) => id));
  const store = await RolloutStore.read(folder);
  const labels = new Map<string, Primitive[][]>();
  try {
    for await (const { problem, state, response } of store.rollouts()) {
      if (!problems.has(problem) || state === "failed") continue;
      const own = labels.get(problem) ?? [];
      own.push(terseLabels(reasoningText(response)));
      labels.set(problem, own);
    }
  } finally {
    await store.close();
  }
  // By problem id, so that the same place means the same problem for every policy.
  const sorted = [...labels].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, traces]) => traces);
  const perProblem = (measure: (trace: Primitive[]) => number) => sorted.map((traces) => mean(traces.map(measure)));
  const count = (primitive: Primitive) => perProblem((trace) => trace.filter((label) => label === primitive).length);
  return {
    counts: Object.fromEntries(primitives.map((primitive) => [primitive, count(primitive)])) as Record<
      Primitive,
      number[]
    >,
    depth: perProblem((trace) => chainDepth(sequenceOf(trace))),
    traces: sorted.flat().length,
  };
}

export type Finding = {
  readonly claim: string;
  readonly verdict: "shown" | "not shown" | "reversed";
  readonly evidence: string;
};

/** The difference of two means over the same problems, with its bootstrap interval. */
function difference(from: readonly number[], to: readonly number[], random: Random) {
  const changes = from.map((value, i) => to[i] - value);
  const draws = Array.from({ length: 2_000 }, () =>
    mean(changes.map(() => changes[random.below(changes.length)])),
  ).sort((a, b) => a - b);
  return { value: mean(changes), low: draws[50], high: draws[1949] };
}

const number = (value: number) => value.toFixed(2);
const percent = (value: number) => `${(100 * value).toFixed(1)}%`;

export function findings(
  summaries: Readonly<Record<PolicyName, EvaluationSummary>>,
  traces: Readonly<Record<PolicyName, PolicyTraces>>,
): Finding[] {
  const random = Random.from("findings");
  const compare = (
    claim: string,
    wanted: "rise" | "fall",
    from: PolicyName,
    to: PolicyName,
    read: (traces: PolicyTraces) => readonly number[],
  ): Finding => {
    const { value, low, high } = difference(read(traces[from]), read(traces[to]), random.child(claim));
    const rose = low > 0;
    const fell = high < 0;
    const verdict =
      wanted === "rise"
        ? rose
          ? "shown"
          : fell
            ? "reversed"
            : "not shown"
        : fell
          ? "shown"
          : rose
            ? "reversed"
            : "not shown";
    const evidence = `${number(mean(read(traces[from])))} → ${number(mean(read(traces[to])))} per trace, change ${number(value)} [${number(low)}, ${number(high)}]`;
    return { claim, verdict, evidence };
  };
  const accuracy = (claim: string, set: string, k: number, from: PolicyName, to: PolicyName): Finding => {
    const of = (policy: PolicyName) => passAt(summaries[policy].sets.find((one) => one.set === set)!, k);
    const [before, after] = [of(from), of(to)];
    const apart = before.newProblems && after.newProblems;
    const above = apart && after.newProblems!.low > before.newProblems!.high;
    const below = apart && after.newProblems!.high < before.newProblems!.low;
    return {
      claim,
      verdict: above ? "shown" : below ? "reversed" : "not shown",
      evidence: `pass@${k} ${percent(before.value)} → ${percent(after.value)} on ${set}`,
    };
  };
  const count = (primitive: Primitive) => (policy: PolicyTraces) => policy.counts[primitive];
  const mostOf = (set: string) => summaries.sft.sets.find((one) => one.set === set)!.attempts.fewest;
  return [
    accuracy("SFT lifts held-out puzzles", "held-out puzzles", 1, "base", "sft"),
    accuracy("SFT on puzzles alone lifts mathematics, which it never sees", "synthetic", 1, "base", "sft"),
    accuracy("SFT on puzzles alone raises the ceiling on mathematics", "synthetic", mostOf("synthetic"), "base", "sft"),
    compare(
      "SFT brings in hypothesize, which the base has only behind its tag",
      "rise",
      "base",
      "sft",
      count("hypothesize"),
    ),
    compare("SFT brings in backtrack", "rise", "base", "sft", count("backtrack")),
    accuracy("plain GSPO solves more held-out puzzles than SFT", "held-out puzzles", 1, "sft", "vanilla"),
    compare("plain GSPO suppresses hypothesize", "fall", "sft", "vanilla", count("hypothesize")),
    compare("plain GSPO suppresses backtrack", "fall", "sft", "vanilla", count("backtrack")),
    compare("plain GSPO lengthens exploit chains", "rise", "sft", "vanilla", ({ depth }) => depth),
    compare(
      "the novelty bonus keeps more hypothesize than plain GSPO",
      "rise",
      "vanilla",
      "novelty",
      count("hypothesize"),
    ),
    compare("the novelty bonus keeps more backtrack than plain GSPO", "rise", "vanilla", "novelty", count("backtrack")),
    accuracy(
      "the novelty bonus raises the ceiling where search is needed",
      "puzzles that need search",
      mostOf("puzzles that need search"),
      "vanilla",
      "novelty",
    ),
    accuracy("puzzle training raises the ceiling on mathematics", "synthetic", mostOf("synthetic"), "base", "novelty"),
  ];
}

export const primitiveTable = (traces: Readonly<Record<PolicyName, PolicyTraces>>) => ({
  header: ["primitive", ...policies],
  rows: [
    ...primitives.map((primitive) => [
      primitive,
      ...policies.map((policy) => number(mean(traces[policy].counts[primitive]))),
    ]),
    ["chain depth", ...policies.map((policy) => number(mean(traces[policy].depth)))],
  ],
});
