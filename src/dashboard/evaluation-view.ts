// What evaluations say about problems: solve counts by checkpoint.
import type { ProblemCount } from "../evaluation/comparison.ts";
import type { ProblemsReply } from "./api.ts";
import type { ProblemFact } from "./problem-book.ts";
import { type RolloutColumns, verdictNames } from "./rollout-columns.ts";

/** One checkpoint's verdicts on problems, as they stand. */
export type Evaluation = {
  /** The source's. */
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  readonly columns: RolloutColumns;
  /** False while its log is being read for the first time. */
  readonly isRead: boolean;
  readonly problems: ReadonlyMap<string, ProblemFact>;
};

/** Graded attempts by problem. */
function solveCounts({ columns }: Evaluation): ProblemCount[] {
  const { hidden, problem, verdict, attempt } = columns.columns;
  const graded = columns.problems.map(() => new Map<number, boolean>());
  const [right, ungraded] = [verdictNames.indexOf("correct"), verdictNames.indexOf("ungraded")];
  for (let row = 0; row < columns.rows; row++)
    if (hidden[row] !== 1 && verdict[row] !== ungraded) graded[problem[row]].set(attempt[row], verdict[row] === right);
  return columns.problems.flatMap((id, code) => {
    const own = graded[code];
    const correct = [...own.values()].filter(Boolean).length;
    return own.size === 0 ? [] : [{ problem: id, attempts: own.size, correct, graded: own }];
  });
}

/** Whether anybody graded a rollout of it. */
export const hasGrades = (evaluation: Evaluation): boolean => solveCounts(evaluation).length > 0;

export function problemsReply(
  evaluations: readonly Evaluation[],
  problems: ReadonlyMap<string, ProblemFact>,
): ProblemsReply {
  const counts = evaluations.map(
    (evaluation) =>
      new Map(solveCounts(evaluation).map(({ problem, attempts, correct }) => [problem, { attempts, correct }])),
  );
  return {
    checkpoints: evaluations.map(({ id, name, role }) => ({ stage: id, name, ...(role && { role }) })),
    problems: Array.from(problems, ([problem, fact]) => ({
      problem,
      ...fact,
      counts: counts.map((own) => own.get(problem) ?? null),
    })),
  };
}
