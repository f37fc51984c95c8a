// What evaluations say about problems: solve counts by checkpoint, and what changed between two of them.
import { basename } from "node:path";
import { Random } from "../base/random.ts";
import { compareCheckpoints, type ProblemCount } from "../evaluation/comparison.ts";
import type { ChangesReply, ProblemsReply, SolveCount } from "./api.ts";
import type { ProblemFact } from "./problem-book.ts";
import { type RolloutColumns, verdictNames } from "./rollout-columns.ts";
import type { FoundStage } from "./run-discovery.ts";

/** One checkpoint's verdicts on problems, as they stand. */
export type Evaluation = {
  /** The source's. */
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  readonly policy: string;
  /** The file in which the evaluation summed itself up. */
  readonly summary?: string;
  readonly columns: RolloutColumns;
  /** False while its log is being read for the first time. */
  readonly isRead: boolean;
  readonly problems: ReadonlyMap<string, ProblemFact>;
};

export function policyName({ description, name }: FoundStage): string {
  const { policy } = description.config;
  if (typeof policy === "string") return policy;
  const { model, checkpoint } = (policy ?? {}) as { readonly model?: unknown; readonly checkpoint?: unknown };
  if (typeof model === "string") return model;
  return typeof checkpoint === "string" ? basename(checkpoint) : name;
}

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
  const shared = new Set(b.map(({ problem }) => problem));
  const fewest = [...a, ...b].reduce((least, { attempts }) => Math.min(least, attempts), Number.POSITIVE_INFINITY);
  if (!a.some(({ problem }) => shared.has(problem)))
    return { problems: 0, differences: [], gained: [], lost: [], gainedAgainstLost: 1, changes: [] };
  const comparison = compareCheckpoints(a, b, {
    ks: [...new Set([1, fewest])],
    // A fixed stream: the same counts give the same intervals, whenever they are asked for.
    random: Random.from("dashboard changes"),
  });
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
