// What evaluations say about problems: solve counts by checkpoint, and what changed between two of them.
import type { ProblemCount } from "../evaluation/comparison.ts";
import { comparedAccuracy } from "../results/intervals.ts";
import type { ChangesReply, ProblemsReply, SolveCount } from "./api.ts";
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

/** Graded attempts and right ones by problem. */
function solveCounts({ columns }: Evaluation): Map<string, SolveCount> {
  const { hidden, problem, verdict } = columns.columns;
  const attempts = new Uint32Array(columns.problems.length);
  const correct = new Uint32Array(columns.problems.length);
  const [right, ungraded] = [verdictNames.indexOf("correct"), verdictNames.indexOf("ungraded")];
  for (let row = 0; row < columns.rows; row++) {
    if (hidden[row] === 1 || verdict[row] === ungraded) continue;
    attempts[problem[row]] += 1;
    if (verdict[row] === right) correct[problem[row]] += 1;
  }
  const counts = new Map<string, SolveCount>();
  columns.problems.forEach((id, code) => {
    if (attempts[code] > 0) counts.set(id, { correct: correct[code], attempts: attempts[code] });
  });
  return counts;
}

/** Whether anybody graded a rollout of it. */
export const hasGrades = (evaluation: Evaluation): boolean => solveCounts(evaluation).size > 0;

export function problemsReply(
  evaluations: readonly Evaluation[],
  problems: ReadonlyMap<string, ProblemFact>,
): ProblemsReply {
  const counts = evaluations.map(solveCounts);
  return {
    checkpoints: evaluations.map(({ id, name, role }) => ({ stage: id, name, ...(role && { role }) })),
    problems: Array.from(problems, ([problem, fact]) => ({
      problem,
      ...fact,
      counts: counts.map((own) => own.get(problem) ?? null),
    })),
  };
}

export function changesReply(first: Evaluation, second: Evaluation, set: string | undefined): ChangesReply {
  const countsOf = (evaluation: Evaluation): ProblemCount[] =>
    Array.from(solveCounts(evaluation), ([problem, count]) => ({ problem, ...count })).filter(
      ({ problem }) => set === undefined || evaluation.problems.get(problem)?.set === set,
    );
  const [a, b] = [countsOf(first), countsOf(second)];
  const comparison = comparedAccuracy(a, b);
  if (comparison === undefined)
    return { problems: 0, differences: [], gained: [], lost: [], gainedAgainstLost: 1, changes: [] };
  const { problems, differences, unlocked, regressed, unlockedAgainstRegressed, changes } = comparison;
  return {
    problems,
    differences,
    gained: unlocked,
    lost: regressed,
    gainedAgainstLost: unlockedAgainstRegressed,
    changes: changes.map(({ problem, first, second, p, benjaminiHochberg }) => ({
      problem,
      first,
      second,
      p,
      corrected: benjaminiHochberg,
    })),
  };
}
