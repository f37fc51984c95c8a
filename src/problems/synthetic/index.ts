// Synthetic mathematics as problems: distinct questions, split into train and test by the question itself.
import { hash128, type Random } from "../../base/random.ts";
import type { MathematicsProblem } from "../problem.ts";
import { families } from "./families.ts";
import { type Family, levels, type WorkedProblem } from "./family.ts";

export { families } from "./families.ts";
export { type Family, largestNumber, levels, noNumber, type Step, type Trial, type WorkedProblem } from "./family.ts";

export type SyntheticProblem = WorkedProblem & {
  readonly family: string;
  readonly nature: Family["nature"];
  readonly level: number;
};

/** What problems are looked at by: whether whoever commits to the first candidate is wrong, and must try more. */
export const syntheticSets = { usual: "synthetic", needsSearch: "mathematics that needs search" } as const;

export const isSyntheticSet = (set: string | undefined): boolean =>
  Object.values<string | undefined>(syntheticSets).includes(set);

export const firstCandidateFails = ({ solution }: WorkedProblem): boolean =>
  "trials" in solution && !solution.trials[0].holds;

/** A third is held out; the same question always falls on the same side. */
export function isHeldOut(question: string): boolean {
  return hash128(`synthetic:${question}`)[0] % 3 === 0;
}

/** Endless problems of one side, families and levels in turn; questions may repeat, as small worlds do. */
export function* syntheticProblems(side: "train" | "test", random: Random): Generator<SyntheticProblem> {
  for (let draw = 0; ; draw++) {
    const family = families[draw % families.length];
    const level = 1 + (Math.floor(draw / families.length) % levels);
    const made = family.make(level, random.child(draw));
    if (isHeldOut(made.question) !== (side === "test")) continue;
    yield { ...made, family: family.name, nature: family.nature, level };
  }
}

/** A set of distinct held-out problems to evaluate on. */
export const syntheticTestSet = (count: number, random: Random): MathematicsProblem[] =>
  syntheticSet("test", count, random);

/** So many draws without a new question: there are no more. */
const patience = 10_000;

/** Distinct problems of one side, as many as there are up to `count`. */
export function syntheticSet(side: "train" | "test", count: number, random: Random): MathematicsProblem[] {
  const chosen = new Map<string, MathematicsProblem>();
  let idle = 0;
  for (const problem of syntheticProblems(side, random)) {
    const { question, answer, family } = problem;
    if (chosen.size === count || idle === patience) break;
    idle = chosen.has(question) ? idle + 1 : 0;
    chosen.set(question, {
      kind: "mathematics",
      id: question,
      prompt: question,
      answer,
      subject: family,
      set: firstCandidateFails(problem) ? syntheticSets.needsSearch : syntheticSets.usual,
    });
  }
  return [...chosen.values()];
}

/** Exact: the same numbers and signs in the same order, whatever the spacing. */
export function syntheticAnswerEquals(gold: string, answer: string): boolean {
  const words = (text: string) =>
    text
      .trim()
      .split(/[\s,]+/)
      .join(" ");
  return answer.length < 100 && words(gold) === words(answer);
}
