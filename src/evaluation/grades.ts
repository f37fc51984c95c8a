// Grades beside their rollouts, in a file of their own: made after sampling, made again at any time without sampling,
// and compared with what they were. Whatever happens, there is always one whole file of grades.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DataError, schemaProblems } from "../base/errors.ts";
import { writeFileAtomically } from "../base/files.ts";
import { expectChanges } from "../base/integrity.ts";
import { readJsonLinesFile } from "../base/json-lines.ts";
import type { Problem } from "../problems/problem.ts";
import type { ProblemGraders, ResponseGrader } from "../rollouts/problem-grading.ts";
import { gradedKeySchema, type KeyedGrade, rolloutKey, type VerdictName } from "../rollouts/rollout.ts";
import { AppendLog } from "../runs/append-log.ts";
import { evaluationFiles } from "./evaluation-folder.ts";
import type { RolloutStore, StoredRollout } from "./rollout-store.ts";

export type GradeChange = {
  readonly problem: string;
  readonly attempt: number;
  readonly from: VerdictName;
  readonly to: VerdictName;
  readonly because?: string;
};

export type GradingEvent =
  | { readonly type: "grading-plan"; readonly total: number }
  | { readonly type: "grading-progress"; readonly done: number; readonly total: number; readonly changed?: GradeChange }
  | { readonly type: "grading-end"; readonly graded: number; readonly changes: number };

type GradingInput = {
  readonly folder: string;
  readonly problems: readonly Problem[];
  readonly store: RolloutStore;
  readonly graders: ProblemGraders;
  /** Which rollouts: those without a grade, or all of them again. */
  readonly which: "ungraded" | "all";
  readonly signal?: AbortSignal;
};

/** Graded at the same time, so that a pool of workers has something to do; also what memory holds. */
const inFlight = 32;
const gradesPerSync = 64;

/** A line that is no grade is an error, or told to `onBroken` and passed over. */
export async function* readGrades(
  folder: string,
  { onBroken }: { readonly onBroken?: (message: string) => void } = {},
): AsyncGenerator<KeyedGrade> {
  const path = join(folder, evaluationFiles.grades);
  if (!existsSync(path)) return;
  for await (const read of readJsonLinesFile(path)) {
    const grade = "value" in read ? gradedKeySchema.safeParse(read.value) : undefined;
    if (grade?.success) {
      yield grade.data;
      continue;
    }
    const what = "error" in read ? read.error : `not a grade: ${schemaProblems(grade!.error!)}`;
    const message = `${path} line ${read.line}: ${what}`;
    if (onBroken === undefined)
      throw new DataError(`${message}; make the file anew with \`repertoire grade ${folder} --again\``);
    onBroken(message);
  }
}

export async function* gradeRollouts(input: GradingInput): AsyncGenerator<GradingEvent> {
  const { folder, store, which } = input;
  const path = join(folder, evaluationFiles.grades);
  const again = which === "all";
  const before = new Map<string, VerdictName>();
  // Grading again replaces a broken file of grades; it must not fail on it.
  for await (const grade of readGrades(folder, again ? { onBroken: () => {} } : {}))
    before.set(rolloutKey(grade), grade.verdict);

  const graders = graderCache(input);
  const todo = [...store.entries()].filter(
    (entry) => entry.state !== "failed" && (again || !before.has(rolloutKey(entry))),
  );
  yield { type: "grading-plan", total: todo.length };
  const next = `${path}.next`;
  if (again) await rm(next, { force: true });
  const log = await AppendLog.open(again ? next : path);
  const changes: GradeChange[] = [];
  let done = 0;
  try {
    let pending: KeyedGrade[] = [];
    for await (const grade of inOrder(todo, (entry) => gradeOne(entry, store, graders))) {
      input.signal?.throwIfAborted();
      pending.push(grade);
      if (pending.length === gradesPerSync) {
        await log.append(...pending);
        pending = [];
      }
      done += 1;
      const changed = changeOf(before.get(rolloutKey(grade)), grade);
      if (changed !== undefined) changes.push(changed);
      yield { type: "grading-progress", done, total: todo.length, ...(changed && { changed }) };
    }
    if (pending.length > 0) await log.append(...pending);
  } finally {
    await log.close();
  }
  if (again) {
    await expectChanges(folder, { growing: [], replaced: [evaluationFiles.grades, evaluationFiles.gradeChanges] });
    const lines = changes.map((change) => `${JSON.stringify(change)}\n`).join("");
    await writeFileAtomically(join(folder, evaluationFiles.gradeChanges), lines);
    await rename(next, path);
  }
  yield { type: "grading-end", graded: done, changes: changes.length };
}

function changeOf(before: VerdictName | undefined, grade: KeyedGrade): GradeChange | undefined {
  if (before === undefined || before === grade.verdict) return undefined;
  const { problem, attempt, verdict, because } = grade;
  return { problem, attempt, from: before, to: verdict, because };
}

/** No answer is so long, and reading one that is would end the process at every start. */
const mostGradedBytes = 32_000_000;

async function gradeOne(
  entry: StoredRollout,
  store: RolloutStore,
  graderOf: (problem: string) => ResponseGrader,
): Promise<KeyedGrade> {
  const { problem, attempt, bytes } = entry;
  if (bytes > mostGradedBytes) {
    const because = `the record has ${bytes} bytes; more than ${mostGradedBytes} are not graded`;
    return { problem, attempt, verdict: "unreadable", because, reward: { exact: 0, total: 0 } };
  }
  const grade = await graderOf(problem)((await store.rollout(entry)).response);
  return { problem, attempt, ...grade };
}

/** Puzzles are solved once to grade them; a problem's attempts come in rounds, so every problem's grader is kept. */
function graderCache({ problems, graders: all }: GradingInput): (problem: string) => ResponseGrader {
  const byId = new Map(problems.map((problem) => [problem.id, problem]));
  const graders = new Map<string, ResponseGrader>();
  return (id) => {
    let grader = graders.get(id);
    if (grader === undefined) {
      const problem = byId.get(id);
      if (problem === undefined)
        throw new DataError(`a rollout has the problem ${id}, which this evaluation does not have`);
      grader = all.of(problem);
      graders.set(id, grader);
    }
    return grader;
  };
}

/** Several at once, results in the order of the items. */
async function* inOrder<T>(
  items: readonly StoredRollout[],
  work: (item: StoredRollout) => Promise<T>,
): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  try {
    for (const item of items) {
      const result = work(item);
      // Awaited in its turn below; until then its failure is not a stray one.
      result.catch(() => {});
      running.push(result);
      if (running.length === inFlight) yield await running.shift()!;
    }
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}
