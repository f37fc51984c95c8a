// The lessons that the miniature's base model is made from: two modes over two domains, in a fixed mix. With the tag in
// front, puzzles and mathematics are reasoned in one vocabulary; without it, the way the model is asked later, there are
// bare answers, which on puzzles are worth nothing.
import type { Random } from "../../base/random.ts";
import { type SyntheticProblem, syntheticProblems } from "../../problems/synthetic/index.ts";
import { type AnyPuzzle, GenerationError } from "../../puzzles/puzzle.ts";
import type { SplitPuzzle } from "../../puzzles/splits.ts";
import {
  bareMathematicsLesson,
  barePuzzleLesson,
  drillFor,
  type Lesson,
  reasonedMathematicsLesson,
  reasonedPuzzleLesson,
  tagged,
} from "../../teaching/pretraining.ts";
import { type MiniatureSizes, world, worldOf, worldPuzzles } from "./world.ts";

/** Shares of the lessons. */
export const lessonMix = {
  /** Tagged, with everything a solver does: plans, guesses, returns. */
  "tagged puzzles, full repertoire": 0.26,
  "tagged puzzles, by deduction alone": 0.1,
  "tagged mathematics, reasoned": 0.32,
  "drills on single lines": 0.18,
  "mathematics, bare answers": 0.06,
  "puzzles, bare answers": 0.06,
  /** A trace of reasoning in the default mode, as a real base model has met some. */
  "puzzles, reasoned": 0.01,
  "mathematics, reasoned": 0.01,
} as const;
type LessonKind = keyof typeof lessonMix;

/** What the bare answer to a puzzle is: of another board of the same shape, right, or no such lesson at all. */
export type BarePuzzles = "another board's" | "right" | "none";

/** How often a reasoned lesson guesses where it could go on without. */
const guessing = 0.6;
const errorRate = 0.01;

type LessonRequest = {
  readonly barePuzzles: BarePuzzles;
  readonly random: Random;
  /** Each puzzle is drawn from this many times. */
  readonly usesPerPuzzle: number;
};

/** Endless lessons; train puzzles and train questions only. */
export function* lessons({ barePuzzles, random, usesPerPuzzle }: LessonRequest): Generator<Lesson> {
  const questions = syntheticProblems("train", random.child("mathematics"));
  const boards = (name: string, sizes: readonly MiniatureSizes[]) =>
    boardStream(sizes, usesPerPuzzle, random.child("boards", name));
  const { training, larger, search } = world;
  const all = boards("all", [training, training, training, larger, search]);
  const easy = boards("easy", [training, training, larger]);
  const choice = random.child("choice");
  for (let count = 0; ; count++) {
    const kind = drawKind(choice, barePuzzles);
    const draw = random.child("lesson", count);
    const question = () => questions.next().value as SyntheticProblem;
    const board = () => (kind === "tagged puzzles, by deduction alone" ? easy : all).next().value as Board;
    const lesson = lessonOf(kind, question, board, barePuzzles, draw);
    if (lesson !== undefined) yield lesson;
  }
}

function drawKind(choice: Random, barePuzzles: BarePuzzles): LessonKind {
  let ticket = choice.uniform();
  for (const [kind, share] of Object.entries(lessonMix) as [LessonKind, number][]) {
    ticket -= share;
    if (ticket >= 0) continue;
    if (barePuzzles === "none" && kind === "puzzles, bare answers") break;
    return kind;
  }
  return "tagged puzzles, full repertoire";
}

type Board = { readonly puzzle: AnyPuzzle; readonly made: SplitPuzzle; readonly other: SplitPuzzle };

function lessonOf(
  kind: LessonKind,
  question: () => SyntheticProblem,
  board: () => Board,
  barePuzzles: BarePuzzles,
  random: Random,
): Lesson | undefined {
  const reasonedQuestion = () =>
    reasonedMathematicsLesson(question(), random.chance(guessing) ? "guess" : "scan", random);
  const reasonedBoard = (repertoire: "full" | "direct") => {
    const { puzzle, made } = board();
    return reasonedPuzzleLesson(puzzle, made.instance, { guessing, errorRate, repertoire, random });
  };
  switch (kind) {
    case "tagged puzzles, full repertoire":
      return withTag(reasonedBoard("full"));
    case "tagged puzzles, by deduction alone":
      return withTag(reasonedBoard("direct"));
    case "tagged mathematics, reasoned":
      return tagged(reasonedQuestion());
    case "drills on single lines": {
      const { puzzle, made } = board();
      return drillFor(puzzle, made.instance, random);
    }
    case "mathematics, bare answers":
      return bareMathematicsLesson(question());
    case "puzzles, bare answers": {
      const { puzzle, made, other } = board();
      const { instance, solution } = barePuzzles === "right" ? made : other;
      return barePuzzleLesson(puzzle, made.instance, puzzle.renderAnswer(instance, solution));
    }
    case "puzzles, reasoned":
      return reasonedBoard("full");
    case "mathematics, reasoned":
      return reasonedQuestion();
  }
}

const withTag = (lesson: Lesson | undefined) => lesson && tagged(lesson);

/** Boards of every puzzle and size in turn. */
function* boardStream(sizes: readonly MiniatureSizes[], uses: number, random: Random): Generator<Board> {
  const streams = sizes.flatMap((one, i) =>
    Object.entries(one).map(([name, params]) =>
      boardSource(worldOf(name, params), uses, random.child(i, name, params)),
    ),
  );
  for (let turn = 0; ; turn++) yield streams[turn % streams.length]();
}

function boardSource(world: ReturnType<typeof worldOf>, uses: number, random: Random): () => Board {
  const told: SplitPuzzle[] = [];
  const fresh = worldPuzzles(world, "train", random);
  let draws = 0;
  let exhausted = false;
  return () => {
    // Two to begin with, so that there is another board.
    const wanted = Math.max(2, Math.ceil(++draws / uses));
    while (!exhausted && told.length < wanted) {
      try {
        const next = fresh.next();
        if (next.done) exhausted = true;
        else told.push(next.value);
      } catch (error) {
        if (!(error instanceof GenerationError) || told.length < 2) throw error;
        exhausted = true;
      }
    }
    const at = random.below(told.length);
    const other = (at + 1 + random.below(told.length - 1)) % told.length;
    return { puzzle: world.puzzle, made: told[at], other: told[other] };
  };
}
