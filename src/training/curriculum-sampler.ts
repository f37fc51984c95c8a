// Problems for a training loop as its curriculum goes: drawn by the weights of the level that the policy has reached.
import type { Random } from "../base/random.ts";
import { weightedChoice } from "../puzzles/mix.ts";
import type { PromptedProblem, SampledRollout } from "../rollouts/collect.ts";
import {
  type Curriculum,
  type CurriculumProgress,
  kindWeights,
  nextProgress,
  startOfCurriculum,
} from "./curriculum.ts";

/** Where problems of a kind come from: the same one for the same place, however often it is asked. */
export type CurriculumSource = {
  readonly curriculum: Curriculum;
  readonly problem: (kind: string, place: number) => PromptedProblem;
  /** Problems that the curriculum does not choose, by their place in the run; undefined where it does. */
  readonly among?: (place: number) => PromptedProblem | undefined;
};

/** A loop's place in its curriculum. Holds which kind each problem was, for as long as the problem is asked about. */
export class CurriculumSampler {
  readonly #source: CurriculumSource;
  readonly #random: Random;
  readonly #kinds = new Map<string, string>();
  progress: CurriculumProgress;

  constructor(source: CurriculumSource, random: Random, progress: CurriculumProgress = startOfCurriculum) {
    this.#source = source;
    this.#random = random;
    this.progress = progress;
  }

  /** The problems from one place of the run on. */
  problems(from: number, count: number): PromptedProblem[] {
    const weights = [...kindWeights(this.#source.curriculum, this.progress)];
    const taken = { ...this.progress.taken };
    const problems = Array.from({ length: count }, (_, index) => {
      const other = this.#source.among?.(from + index);
      if (other !== undefined) return other;
      const values = weights.map(([, weight]) => weight);
      const [kind] = weights[weightedChoice(values, this.#random.child("lesson", from + index))];
      const place = taken[kind] ?? 0;
      taken[kind] = place + 1;
      const problem = this.#source.problem(kind, place);
      this.#kinds.set(problem.id, kind);
      return problem;
    });
    this.progress = { ...this.progress, taken };
    return problems;
  }

  /** Takes in what came of a step; each group is the attempts at one problem. */
  learn(groups: readonly (readonly Pick<SampledRollout, "problem" | "grade">[])[]): void {
    const outcomes = groups.flatMap((rollouts) => {
      const kind = rollouts.length === 0 ? undefined : this.#kinds.get(rollouts[0].problem.id);
      if (kind === undefined) return [];
      const solved = rollouts.filter(({ grade }) => grade.verdict === "correct").length;
      return [{ kind, solved, attempts: rollouts.length }];
    });
    this.progress = nextProgress(this.#source.curriculum, this.progress, outcomes);
    this.#kinds.clear();
  }
}
