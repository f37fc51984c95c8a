// What was asked: the problems of a run's evaluations as they were written down, and what the ids of others say. Files
// are read again only when they change.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import type { Problem } from "../problems/problem.ts";
import { boardSize, type PuzzleIdentity, puzzleIdentity } from "../problems/problem-id.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import type { Gap, ProblemRow, ProblemStatement } from "./api.ts";
import type { FoundStage } from "./run-discovery.ts";

/** What lists and filters know about a problem besides its id. */
export type ProblemFact = Pick<ProblemRow, "set" | "kind" | "puzzle" | "size" | "subject" | "asked">;

/** What an analysis knows of a problem, which nobody else may have written down. */
export type LearnedProblem = ProblemFact & { readonly prompt?: string };

type Asked = { readonly changed: number; readonly problems: ReadonlyMap<string, Problem>; readonly failure?: string };

export class ProblemBook {
  readonly #evaluations: readonly FoundStage[];
  readonly #asked = new Map<string, Asked>();
  readonly #learned = new Map<string, ReadonlyMap<string, LearnedProblem>>();
  #facts: ReadonlyMap<string, ProblemFact> = new Map();

  constructor(stages: readonly FoundStage[]) {
    this.#evaluations = stages.filter(({ kind, problem }) => kind === "evaluate" && problem === undefined);
  }

  /** Of every problem of every evaluation, in the order in which they were asked. */
  get facts(): ReadonlyMap<string, ProblemFact> {
    return this.#facts;
  }

  get gaps(): Gap[] {
    return this.#evaluations.flatMap(({ id }) => {
      const failure = this.#asked.get(id)?.failure;
      return failure === undefined
        ? []
        : [{ missing: `a readable ${evaluationFiles.problems} (${failure})`, where: id, remedy: "evaluate again" }];
    });
  }

  async refresh(): Promise<void> {
    let news = false;
    for (const { id, folder } of this.#evaluations) {
      const file = await stat(join(folder, evaluationFiles.problems)).catch(() => undefined);
      const changed = file?.mtimeMs ?? 0;
      if (this.#asked.get(id)?.changed === changed) continue;
      news = true;
      this.#asked.set(id, { changed, ...(await readAsked(folder, file !== undefined)) });
    }
    if (news) this.#gatherFacts();
  }

  /** What somebody else knows about the problems of a source. */
  learn(source: string, problems: ReadonlyMap<string, LearnedProblem>): void {
    if (this.#learned.get(source)?.size === problems.size) return;
    this.#learned.set(source, new Map(problems));
    this.#gatherFacts();
  }

  #gatherFacts(): void {
    const facts = new Map<string, ProblemFact>();
    for (const { problems } of this.#asked.values())
      for (const [id, problem] of problems) if (!facts.has(id)) facts.set(id, factOf(problem));
    for (const problems of this.#learned.values())
      for (const [id, { prompt: _, ...fact }] of problems) if (!facts.has(id)) facts.set(id, fact);
    this.#facts = facts;
  }

  /** Those of one evaluation or one source. */
  problemsOf(id: string): ReadonlyMap<string, ProblemFact> {
    const asked = this.#asked.get(id)?.problems;
    if (asked === undefined) return this.#learned.get(id) ?? new Map();
    return new Map(Array.from(asked, ([problem, record]) => [problem, factOf(record)]));
  }

  statement(id: string, prompt?: string): ProblemStatement {
    for (const { problems } of this.#asked.values()) {
      const problem = problems.get(id);
      if (problem !== undefined) return statementOf(problem);
    }
    for (const problems of this.#learned.values()) {
      const learned = problems.get(id);
      if (learned !== undefined) return statementOfId(id, learned.set, learned.prompt ?? prompt);
    }
    return statementOfId(id, "", prompt);
  }
}

async function readAsked(folder: string, present: boolean): Promise<Omit<Asked, "changed">> {
  if (!present) return { problems: new Map() };
  try {
    const problems = await readProblems(folder);
    return { problems: new Map(problems.map((problem) => [problem.id, problem])) };
  } catch (error) {
    return { problems: new Map(), failure: messageOf(error).replaceAll(`${folder}/`, "") };
  }
}

function statementOf(problem: Problem): ProblemStatement {
  const { id, prompt, set = "problems" } = problem;
  if (problem.kind !== "puzzle") {
    const { kind, answer, subject } = problem;
    return { id, set, prompt, kind, ...(answer !== undefined && { answer }), ...(subject && { subject }) };
  }
  const { kind, puzzle, instance, difficulty } = problem;
  return { id, set, prompt, kind, puzzle, instance, ...(difficulty && { difficulty }) };
}

/** Training and teaching keep no problems beside their rollouts; a puzzle's id says what was asked. */
function statementOfId(id: string, set: string, prompt?: string): ProblemStatement {
  const shared = { id, set, ...(prompt !== undefined && { prompt }) };
  const asked = puzzleIdentity(id);
  if (asked === undefined || !isInstance(asked)) return { ...shared, kind: "unknown" };
  return { ...shared, kind: "puzzle", puzzle: asked.puzzle, instance: asked.instance };
}

function isInstance({ puzzle, instance }: PuzzleIdentity): boolean {
  try {
    puzzleNamed(puzzle).readId(instance);
    return true;
  } catch {
    return false;
  }
}

function factOf(problem: Problem): ProblemFact {
  const { set = "problems", kind } = problem;
  if (problem.kind !== "puzzle") return { set, kind, ...(problem.subject && { subject: problem.subject }) };
  const size = boardSize(problem.instance);
  const { puzzle, difficulty } = problem;
  return { set, kind, puzzle, ...(size && { size }), ...(difficulty && { subject: difficulty }) };
}
