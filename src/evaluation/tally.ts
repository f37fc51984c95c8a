// Counts per problem, filled from the index of rollouts and from grades as they stream by; texts are never needed.
import { endOf } from "../endpoints/reply.ts";
import type { Problem } from "../problems/problem.ts";
import type { KeyedGrade, RolloutState, VerdictName } from "../rollouts/rollout.ts";
import type { ProblemCount } from "./comparison.ts";
import type { StoredRollout } from "./rollout-store.ts";

/** What is counted of one problem. */
type Counts = {
  readonly states: Record<RolloutState, number>;
  readonly verdicts: Record<VerdictName, number>;
  /** Which graded attempts were right. Grades count once a rollout, whatever a file says twice. */
  readonly graded?: Map<number, boolean>;
  /** How many turns each attempt took, where it could take several. */
  readonly turns?: Map<number, number>;
  /** How often each wrong answer was given; absent where wrong answers are not read apart. */
  wrongAnswers?: Map<string, number>;
  readonly responseTokens: number[];
  /** How replies ended that ended otherwise than a model or its limit ends them, in the server's words. */
  readonly ends?: string[];
  /** Why attempts failed. */
  readonly failures?: string[];
  cost?: number;
};

export type ProblemTally = Readonly<Counts> & {
  readonly problem: string;
  readonly set: string;
  readonly subject?: string;
  /** Of questions, which their ids may not tell apart. */
  readonly asked?: string;
  /** Answered but not graded yet. */
  readonly ungraded: number;
};

export class Tally {
  readonly #problems: ReadonlyMap<string, Problem>;
  readonly #counts = new Map<string, Counts>();
  readonly #servedBy = new Set<string>();
  #strangers = 0;

  constructor(problems: readonly Problem[]) {
    this.#problems = new Map(problems.map((problem) => [problem.id, problem]));
    for (const problem of problems) {
      this.#counts.set(problem.id, {
        states: { complete: 0, truncated: 0, failed: 0 },
        verdicts: { correct: 0, wrong: 0, unreadable: 0, undecided: 0 },
        graded: new Map(),
        turns: new Map(),
        wrongAnswers: new Map(),
        responseTokens: [],
        ends: [],
        failures: [],
      });
    }
  }

  addRollout({ problem, attempt, turns, state, responseTokens, cost, servedBy, finish, failure }: StoredRollout): void {
    const count = this.#counts.get(problem);
    if (count === undefined) {
      this.#strangers += 1;
      return;
    }
    count.states[state] += 1;
    if (turns !== undefined) count.turns?.set(attempt, turns);
    if (responseTokens !== undefined) count.responseTokens.push(responseTokens);
    if (cost !== undefined) count.cost = (count.cost ?? 0) + cost;
    if (finish !== undefined && state !== "truncated" && endOf(finish) !== "own") count.ends?.push(finish);
    if (state === "failed" && failure !== undefined) count.failures?.push(failure);
    if (servedBy !== undefined) this.#servedBy.add(servedBy);
  }

  addGrade({ problem, attempt, verdict, answer }: KeyedGrade): void {
    const count = this.#counts.get(problem);
    if (count === undefined || count.graded?.has(attempt)) return;
    count.graded?.set(attempt, verdict === "correct");
    count.verdicts[verdict] += 1;
    if (verdict !== "wrong") return;
    if (answer === undefined) count.wrongAnswers = undefined;
    else count.wrongAnswers?.set(answer, (count.wrongAnswers.get(answer) ?? 0) + 1);
  }

  get servedBy(): string[] {
    return [...this.#servedBy].sort();
  }

  /** What does not fit together. */
  get warnings(): string[] {
    if (this.#strangers === 0) return [];
    return [`${this.#strangers} rollouts answer problems that are not among the evaluation's; they count nowhere`];
  }

  problems(): ProblemTally[] {
    return [...this.#counts].map(([id, count]) => {
      const problem = this.#problems.get(id)!;
      const answered = count.states.complete + count.states.truncated;
      const { correct, wrong, unreadable, undecided } = count.verdicts;
      const subject = problem.kind === "puzzle" ? problem.difficulty : problem.subject;
      return {
        problem: id,
        set: problem.set ?? "problems",
        ...(subject !== undefined && { subject }),
        ...((problem.kind === "mathematics" || problem.kind === "question") && { asked: problem.prompt }),
        ...count,
        ungraded: answered - (correct + wrong + unreadable + undecided),
      };
    });
  }
}

/** Attempts that were graded. Failed ones are no attempts of the model; truncated ones are. */
export function solveCount({ problem, asked, verdicts, graded }: ProblemTally): ProblemCount {
  const { correct, wrong, unreadable, undecided } = verdicts;
  return { problem, asked, correct, attempts: correct + wrong + unreadable + undecided, graded };
}
