// A puzzle problem of a run as boards: what was given, what was answered, where that breaks a rule. Ids and answers come
// from files and models, so nothing here may throw.
import { puzzleNamed } from "../../puzzles/catalog.ts";
import type { AnyPuzzle } from "../../puzzles/puzzle.ts";

type ReadPuzzle = { readonly puzzle: AnyPuzzle; readonly instance: unknown } | { readonly unreadable: string };

export function readPuzzle(name: string, id: string): ReadPuzzle {
  try {
    const puzzle = puzzleNamed(name);
    return { puzzle, instance: puzzle.readId(id) };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

type AnswerPicture = {
  readonly svg: string;
  /** The verifier's words; absent where no answer is shown. */
  readonly says?: string;
  readonly correct?: boolean;
};

export function answerPicture(
  { puzzle, instance }: { readonly puzzle: AnyPuzzle; readonly instance: unknown },
  answer?: string,
): AnswerPicture {
  if (answer === undefined) return { svg: puzzle.svg(instance) };
  const read = puzzle.readAnswer(instance, answer);
  if ("unreadable" in read) return { svg: puzzle.svg(instance), says: read.unreadable, correct: false };
  const judgment = puzzle.judge(instance, read.board);
  if (judgment.correct) return { svg: puzzle.svg(instance, read.board), says: "keeps every rule", correct: true };
  return { svg: puzzle.svg(instance, read.board, judgment.cells), says: judgment.because, correct: false };
}
