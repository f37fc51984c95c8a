// A teacher behind a server, as large models are: it solves the puzzle that it is asked, and now and then it is wrong,
// forgets the tags, thinks too long, is too busy, or loses the connection.
import { Random } from "../../src/base/random.ts";
import type { PuzzleProblem } from "../../src/problems/problem.ts";
import { PuzzleDraw } from "../../src/problems/puzzle-problems.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { puzzleResponse } from "../../src/puzzles/prompt.ts";
import { type Asked, type Behavior, type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";

/** The puzzles that `teach ask --puzzle <world> --count <n> --seed <seed>` asks. */
export const askedPuzzles = (world: string, count: number, seed = "1"): PuzzleProblem[] =>
  new PuzzleDraw(Random.from(seed).child("ask")).take(world, "teaching", count);

export function solutionOf({ puzzle: name, instance }: PuzzleProblem): string {
  const puzzle = puzzleNamed(name);
  const solved = puzzle.solve(puzzle.readId(instance));
  if (solved.status !== "unique") throw new Error(`${instance} has no single solution`);
  return puzzle.renderAnswer(puzzle.readId(instance), solved.solution);
}

/** What the teacher makes of one puzzle; `asked.nth` counts how often this very attempt has been asked. */
export type Mood = (answer: string, asked: Asked) => Behavior;

const right: Mood = (answer) => ({
  say: puzzleResponse("", answer),
  reasoning: "Let me see.",
  field: "reasoning_content",
});

export const moods = {
  /** As DeepSeek answers: thinking apart, the answer with its tags. */
  right,
  thinkingInline: (answer) => ({ say: `<think>Row by row.</think>\n<answer>\n${answer}\n</answer>` }),
  wrong: (answer) => ({
    say: puzzleResponse("Quick.", answer.replaceAll("#", "%").replaceAll(".", "#").replaceAll("%", ".")),
  }),
  withoutTags: (answer) => ({ say: `The solution is\n${answer}` }),
  withoutEnd: () => ({ say: null, reasoning: "First, let me consider", finish: "length" }),
  longWinded: (answer) => ({ say: puzzleResponse("and so on ".repeat(400), answer) }),
  busy: (answer, asked) =>
    asked.nth <= 2 ? { status: 429, headers: { "retry-after-ms": "5" } } : right(answer, asked),
  broken: (answer, asked) => (asked.nth === 1 ? { reset: true } : right(answer, asked)),
  cut: (answer, asked) =>
    asked.nth === 1 ? { say: puzzleResponse("Half a", answer), cut: true } : right(answer, asked),
  refusing: () => ({ status: 400, body: JSON.stringify({ error: { message: "this prompt is refused" } }) }),
} as const satisfies Record<string, Mood>;

/** Each puzzle has its mood, in turn. */
export function startTeacher(puzzles: readonly PuzzleProblem[], turns: readonly Mood[], slow = 0): Promise<FakeServer> {
  const byPrompt = new Map(puzzles.map((problem, i) => [problem.prompt, { problem, mood: turns[i % turns.length] }]));
  return startFakeServer((asked) => {
    const found = byPrompt.get(asked.body.messages?.at(-1)?.content ?? "");
    if (found === undefined) return { status: 404 };
    const behavior = found.mood(solutionOf(found.problem), asked);
    return slow > 0 && "say" in behavior ? { ...behavior, delay: slow } : behavior;
  });
}
