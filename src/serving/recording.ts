// What the reward server graded, as a run: every rollout with its problem, text and grade, in the folder that an evaluation
// writes. Written before the trainer hears its reward, so nothing that trained is missing, and read while it grows.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { messageOf } from "../base/errors.ts";
import { evaluationFiles, readProblems, recordEvaluation, reopenEvaluation } from "../evaluation/evaluation-folder.ts";
import { RolloutStore } from "../evaluation/rollout-store.ts";
import type { Problem } from "../problems/problem.ts";
import { boardSize, puzzleProblemId } from "../problems/problem-id.ts";
import type { Grade, KeyedGrade, Rollout } from "../rollouts/rollout.ts";
import { AppendLog } from "../runs/append-log.ts";
import { openRunFolder, type RunFolder } from "../runs/run-folder.ts";
import { promptText } from "./prompt-text.ts";
import type { Question } from "./question.ts";
import type { Score } from "./score.ts";
import type { RolloutToScore } from "./scorer.ts";

export type RecordingOptions = {
  readonly folder: string;
  /** By this many training rollouts a step is counted where requests do not name theirs. */
  readonly rolloutsPerStep?: number;
  readonly reward: string;
  /** The server's, of its owner's questions. */
  readonly grader?: string;
  readonly command?: string;
};

type Batch = { readonly problems: Problem[]; readonly rollouts: Rollout[]; readonly grades: KeyedGrade[] };
const emptyBatch = (): Batch => ({ problems: [], rollouts: [], grades: [] });

export class Recording {
  readonly #name: string;
  readonly #rolloutsPerStep: number | undefined;
  readonly #grader: string | undefined;
  readonly #run: RunFolder;
  readonly #problems: AppendLog;
  readonly #rollouts: RolloutStore;
  readonly #grades: AppendLog;
  /** How often each problem was attempted so far. */
  readonly #attempts = new Map<string, number>();
  /** Requests that were recorded and whose reply nobody read: they will come again. */
  readonly #undelivered = new Set<string>();
  #trained = 0;
  #batch = emptyBatch();
  #nextWrite: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #failed = false;
  #closed: Promise<void> | undefined;

  private constructor(
    { folder, rolloutsPerStep, grader }: RecordingOptions,
    files: {
      readonly run: RunFolder;
      readonly problems: AppendLog;
      readonly rollouts: RolloutStore;
      readonly grades: AppendLog;
    },
  ) {
    this.#name = basename(resolve(folder));
    this.#rolloutsPerStep = rolloutsPerStep;
    this.#grader = grader;
    this.#run = files.run;
    this.#problems = files.problems;
    this.#rollouts = files.rollouts;
    this.#grades = files.grades;
  }

  /** Begins a folder, or goes on with one that an earlier server began with the same settings. */
  static async open(options: RecordingOptions): Promise<Recording> {
    const { folder, rolloutsPerStep, reward, grader, command } = options;
    const config = { recordedBy: "serve rewards", gradedBy: `Repertoire, reward ${reward}`, grader, rolloutsPerStep };
    const run = await openRunFolder(folder, { kind: "evaluate", config, command, now: new Date() });
    try {
      await reopenEvaluation(folder);
      const place = (name: keyof typeof evaluationFiles) => join(folder, evaluationFiles[name]);
      const known = existsSync(place("problems")) ? await readProblems(folder) : [];
      const [problems, rollouts, grades] = await Promise.all([
        AppendLog.open(place("problems")),
        RolloutStore.open(folder),
        AppendLog.open(place("grades")),
      ]);
      const recording = new Recording(options, { run, problems, rollouts, grades });
      recording.#resume(known);
      return recording;
    } catch (error) {
      await run.release();
      throw error;
    }
  }

  #resume(known: readonly Problem[]): void {
    const tests = new Set(known.filter(isTest).map(({ id }) => id));
    for (const { id } of known) this.#attempts.set(id, 0);
    for (const { problem, attempt } of this.#rollouts.entries()) {
      this.#attempts.set(problem, Math.max(this.#attempts.get(problem) ?? 0, attempt + 1));
      if (!tests.has(problem)) this.#trained += 1;
    }
  }

  get size(): number {
    return this.#rollouts.size;
  }

  /** Resolves when they are safely on disk. A disk that fails ends the record, which is said once, and never the training. */
  async add(rollouts: readonly RolloutToScore[], scores: readonly Score[]): Promise<void> {
    if (this.#failed || (this.#undelivered.size > 0 && this.#undelivered.delete(requestKey(rollouts)))) return;
    for (const [i, rollout] of rollouts.entries()) this.#take(rollout, scores[i]);
    this.#nextWrite ??= this.#write(this.#lastWrite);
    await this.#nextWrite.catch((error: unknown) => {
      if (!this.#failed) console.error(`recording stops, grading goes on: ${messageOf(error)}`);
      this.#failed = true;
    });
  }

  /** The client of these went away before it read its scores, and will ask again: that is no second attempt. */
  undelivered(rollouts: readonly RolloutToScore[]): void {
    this.#undelivered.add(requestKey(rollouts));
  }

  /** Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await (this.#nextWrite ?? this.#lastWrite).catch(() => {});
    await Promise.all([this.#problems.close(), this.#rollouts.close(), this.#grades.close()]);
    await recordEvaluation(this.#run.path);
    await this.#run.release();
  }

  #take({ question, prompt, step, response }: RolloutToScore, score: Score): void {
    // Without a ground truth that can be read it is nobody's attempt at anything; the reply says so.
    if (question.kind === "unknown") return;
    const problem = problemOf(question, promptText(prompt), this.#grader);
    const attempt = this.#attempts.get(problem.id) ?? 0;
    if (!this.#attempts.has(problem.id)) this.#batch.problems.push(problem);
    this.#attempts.set(problem.id, attempt + 1);
    const grade = gradeOf(score);
    const reached = this.#rolloutsPerStep && Math.floor(this.#trained / this.#rolloutsPerStep);
    const test = isTest(problem);
    if (!test) this.#trained += 1;
    this.#batch.rollouts.push({
      problem: problem.id,
      attempt,
      ...(test
        ? { policy: reached === undefined ? `${this.#name} validation` : `${this.#name} validation, step ${reached}` }
        : { policy: this.#name, step: step ?? (reached === undefined ? undefined : reached + 1) }),
      ...(grade === undefined ? { state: "failed", failure: score.because } : { state: "complete", grade }),
      response,
    });
    if (grade !== undefined) this.#batch.grades.push({ problem: problem.id, attempt, ...grade });
  }

  /** One write for all that came while the one before was under way. */
  async #write(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    const { problems, rollouts, grades } = this.#batch;
    this.#batch = emptyBatch();
    this.#lastWrite = this.#nextWrite ?? Promise.resolve();
    this.#nextWrite = undefined;
    if (problems.length > 0) await this.#problems.append(...problems);
    if (rollouts.length > 0) await this.#rollouts.append(...rollouts);
    if (grades.length > 0) await this.#grades.append(...grades);
  }
}

const isTest = ({ set }: Problem): boolean => set?.endsWith(" test") ?? false;

const hash = (...texts: readonly string[]): string =>
  createHash("sha256").update(texts.join("\u0000")).digest("hex").slice(0, 16);

const requestKey = (rollouts: readonly RolloutToScore[]): string =>
  hash(...rollouts.map(({ question, response }) => `${JSON.stringify(question)}${response}`));

/** Puzzles by their own name; a question by its words and its gold answer, as many share an answer. */
function problemOf(question: Question, prompt: string, grader: string | undefined): Problem {
  const split = question.split ?? "train";
  if (question.kind === "question") {
    const { id, answer, data } = question;
    return { kind: "question", id, set: `questions ${split}`, prompt, grader: grader ?? "unknown", answer, data };
  }
  if (question.kind === "puzzle") {
    const { puzzle, id: instance } = question;
    const set = `${puzzle} ${boardSize(instance) ?? "boards"} ${split}`;
    return { kind: "puzzle", id: puzzleProblemId(puzzle, instance), set, prompt, puzzle, instance };
  }
  const { answer, decimals, set: grammar } = question;
  const kept = grammar ?? `mathematics ${split}`;
  return { kind: "mathematics", id: `mathematics/${hash(prompt, answer)}`, set: kept, prompt, answer, decimals };
}

function gradeOf({ score, verdict, because, exact, completion, format }: Score): Grade | undefined {
  if (verdict === "failed" || score === null) return undefined;
  return { verdict, because: because || undefined, reward: { exact, completion, format, total: score } };
}
