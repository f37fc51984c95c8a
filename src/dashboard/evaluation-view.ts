// What evaluations say, for the run page and the problems page: summaries with their intervals, solve counts by problem,
// and what changed between two checkpoints.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { messageOf } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import { compareCheckpoints, type ProblemCount } from "../evaluation/comparison.ts";
import { evaluationFiles } from "../evaluation/evaluation-folder.ts";
import { summaryOf } from "../evaluation/summarise.ts";
import { type EvaluationSummary, evaluationSummarySchema } from "../evaluation/summary.ts";
import type { ProblemTally } from "../evaluation/tally.ts";
import type { ChangesReply, EvaluationEntry, Gap, ProblemsReply, SolveCount } from "./api.ts";
import type { ProblemFact } from "./problem-book.ts";
import { type RolloutColumns, stateNames, verdictNames } from "./rollout-columns.ts";
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
  readonly problems: ReadonlyMap<string, ProblemFact>;
};

export function policyName({ description, name }: FoundStage): string {
  const { policy } = description.config;
  if (typeof policy === "string") return policy;
  const { model, checkpoint } = (policy ?? {}) as { readonly model?: unknown; readonly checkpoint?: unknown };
  if (typeof model === "string") return model;
  return typeof checkpoint === "string" ? basename(checkpoint) : name;
}

/** The summary that the evaluation wrote, or one of the grades that are there. Undefined before anything is graded. */
export async function evaluationEntry(
  evaluation: Evaluation,
  gap: (gap: Gap) => void,
): Promise<EvaluationEntry | undefined> {
  const summary = (await writtenSummary(evaluation, gap)) ?? computedSummary(evaluation);
  if (summary === undefined) return undefined;
  const { id: stage, name, role } = evaluation;
  const { policy, level, sets, warnings } = summary;
  return { stage, name, ...(role && { role }), policy, level, sets, warnings };
}

async function writtenSummary(
  { id, summary: path }: Evaluation,
  gap: (gap: Gap) => void,
): Promise<EvaluationSummary | undefined> {
  const text = path === undefined ? undefined : await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return evaluationSummarySchema.parse(JSON.parse(text));
  } catch (error) {
    const what = messageOf(error).slice(0, 200);
    gap({
      missing: `a readable ${evaluationFiles.summary} (${what})`,
      where: id,
      remedy: "grade the evaluation again; the numbers here are made from its grades",
    });
    return undefined;
  }
}

/** Intervals take a moment, and a page asks every few seconds. */
const computed = new WeakMap<
  RolloutColumns,
  { readonly version: string; readonly summary: EvaluationSummary | undefined }
>();

function computedSummary(evaluation: Evaluation): EvaluationSummary | undefined {
  const { columns } = evaluation;
  // Problems may become known after their rollouts.
  const version = `${columns.gradesVersion} ${evaluation.problems.size}`;
  const known = computed.get(columns);
  if (known?.version === version) return known.summary;
  const summary = summaryOfGrades(evaluation);
  computed.set(columns, { version, summary });
  return summary;
}

function summaryOfGrades(evaluation: Evaluation): EvaluationSummary | undefined {
  const tallies = talliesOf(evaluation).filter(({ verdicts }) => Object.values(verdicts).some((count) => count > 0));
  if (tallies.length === 0) return undefined;
  return summaryOf(tallies, { policy: evaluation.policy, servedBy: [], warnings: [] });
}

function talliesOf({ columns, problems }: Evaluation): ProblemTally[] {
  const { hidden, problem, state, verdict, tokens } = columns.columns;
  const codes = columns.problems.length;
  const states = new Uint32Array(codes * stateNames.length);
  const verdicts = new Uint32Array(codes * verdictNames.length);
  const responseTokens: number[][] = columns.problems.map(() => []);
  for (let row = 0; row < columns.rows; row++) {
    if (hidden[row] === 1) continue;
    states[problem[row] * stateNames.length + state[row]] += 1;
    // A failed attempt was not graded, and will not be.
    if (stateNames[state[row]] !== "failed") verdicts[problem[row] * verdictNames.length + verdict[row]] += 1;
    if (tokens[row] >= 0) responseTokens[problem[row]].push(tokens[row]);
  }
  return columns.problems.flatMap((id, code) => {
    const asked = problems.get(id);
    if (asked === undefined) return [];
    const counts = <Name extends string>(names: readonly Name[], values: Uint32Array) =>
      Object.fromEntries(names.map((name, i) => [name, values[code * names.length + i]])) as Record<Name, number>;
    const { ungraded, ...graded } = counts(verdictNames, verdicts);
    return {
      problem: id,
      set: asked.set,
      ...(asked.subject !== undefined && { subject: asked.subject }),
      states: counts(stateNames, states),
      verdicts: graded,
      ungraded,
      responseTokens: responseTokens[code],
      cost: undefined,
    };
  });
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
