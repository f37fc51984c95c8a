// Rollouts graded again from the gold that their record carries, where a record has a score but no grade: a score holds
// partial credit and bonuses, and does not say whether the answer was right.
import { z } from "zod";
import { UserError } from "../base/errors.ts";
import { type PuzzleName, puzzleNames } from "../puzzles/catalog.ts";
import { puzzleGrader } from "../rollouts/puzzle-grading.ts";
import type { Trace } from "./trace.ts";

const puzzleGold = z.object({ puzzle: z.enum(puzzleNames), id: z.string().min(1) });

type GradedFromGold = Pick<Trace, "correct" | "puzzle" | "size">;

type Grader = (response: string) => boolean;

/** Attempts at one problem come in a row; a few hundred boards are more than a batch holds. */
const kept = new Map<string, Grader | undefined>();
const maxKept = 500;

/** Nothing for gold that is no puzzle's: answers of mathematics are graded in an evaluation, where a grader may take its time. */
export function gradedFromGold(gold: unknown, response: string): GradedFromGold {
  const parsed = puzzleGold.safeParse(typeof gold === "string" ? parsedJson(gold) : gold);
  if (!parsed.success) return {};
  const { puzzle, id } = parsed.data;
  const key = `${puzzle}/${id}`;
  if (!kept.has(key)) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, graderOf(puzzle, id));
  }
  return { puzzle, size: /^\d+x\d+/.exec(id)?.[0], correct: kept.get(key)?.(response) };
}

function graderOf(puzzle: PuzzleName, id: string): Grader | undefined {
  try {
    const grade = puzzleGrader({ kind: "puzzle", id, prompt: "", puzzle, instance: id });
    return (response) => grade(response).verdict === "correct";
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function parsedJson(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
