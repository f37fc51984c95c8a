// What was asked: the problems of a run's evaluations as they were written down, and what the ids of others say. Files
// are read again only when they change.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { evaluationFiles, readProblems } from "../evaluation/evaluation-folder.ts";
import type { Problem } from "../problems/problem.ts";
import { problemFacts } from "../problems/problem-facts.ts";
import { type PuzzleIdentity, puzzleIdentity } from "../problems/problem-id.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import type { Gap, ProblemRow, ProblemStatement } from "./api.ts";
import type { FoundStage } from "./run-discovery.ts";

/** What lists and filters know about a problem besides its id. */
export type ProblemFact = Pick<ProblemRow, "set" | "kind" | "puzzle" | "size" | "subject" | "asked">;

type Asked = { readonly changed: number; readonly problems: ReadonlyMap<string, Problem>; readonly failure?: string };

export class ProblemBook {
  readonly #stages: readonly FoundStage[];
  readonly #asked = new Map<string, Asked>();
  #facts: ReadonlyMap<string, ProblemFact> = new Map();

  constructor(stages: readonly FoundStage[]) {
    this.#stages = stages.filter(
      ({ kind, problem }) => (kind === "evaluate" || kind === "import") && problem === undefined,
    );
  }

  /** Of every problem of every evaluation, in the order in which they were asked. */
  get facts(): ReadonlyMap<string, ProblemFact> {
    return this.#facts;
  }

  get gaps(): Gap[] {
    return this.#stages.flatMap(({ id }) => {
      const failure = this.#asked.get(id)?.failure;
      return failure === undefined
        ? []
        : [{ missing: `a readable ${evaluationFiles.problems} (${failure})`, where: id, remedy: "evaluate again" }];
    });
  }

  async refresh(): Promise<void> {
    let news = false;
    for (const { id, folder } of this.#stages) {
      const file = await stat(join(folder, evaluationFiles.problems)).catch(() => undefined);
      const changed = file?.mtimeMs ?? 0;
      if (this.#asked.get(id)?.changed === changed) continue;
      news = true;
      this.#asked.set(id, { changed, ...(await readAsked(folder, file !== undefined)) });
    }
    if (news) this.#gatherFacts();
  }

  #gatherFacts(): void {
    const facts = new Map<string, ProblemFact>();
    for (const { problems } of this.#asked.values())
      for (const [id, problem] of problems) if (!facts.has(id)) facts.set(id, factOf(problem));
    this.#facts = facts;
  }

  statement(id: string, prompt?: string): ProblemStatement {
    for (const { problems } of this.#asked.values()) {
      const problem = problems.get(id);
      if (problem !== undefined) return statementOf(problem);
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
  if (problem.kind === "puzzle") {
    const { kind, puzzle, instance, difficulty } = problem;
    return { id, set, prompt, kind, puzzle, instance, ...(difficulty && { difficulty }) };
  }
  const { answer, subject } = problem;
  const kind = problemFacts(problem).kind === "mathematics" ? "mathematics" : "question";
  return { id, set, prompt, kind, ...(answer !== undefined && { answer }), ...(subject && { subject }) };
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
  const { kind = "question", ...facts } = problemFacts(problem);
  // Trainers that do not name their problems leave a digest of the prompt, which tells nobody anything.
  const asked = problem.id.startsWith("prompt ") ? question(problem.prompt) : "";
  return { kind, ...facts, ...(asked !== "" && { asked }) };
}

const longestBeginning = 80;

/** A line that says whose turn it is, as chat templates write it, with its special tokens or without. */
const turnOf = (who: string) => new RegExp(`(?:^|\\n)(?:<[^\\n>]*>)*(?:${who})(?:<[^\\n>]*>)*:?\\s*(?:\\n|$)`, "i");
const [usersTurn, answersTurn] = [turnOf("user|human"), turnOf("assistant|model")];

/** How the user's turn begins: with a chat template, prompts begin with the same system message everywhere. */
function question(prompt: string): string {
  const [before, ...said] = prompt.split(usersTurn);
  const text = (said[0] ?? before)
    .split(answersTurn)[0]
    .replace(/<\|[^|>\n]*\|>/g, "")
    .trim();
  return text.length <= longestBeginning ? text : `${text.slice(0, longestBeginning)}…`;
}
