// Rollouts graded by the gold answer that their record carries, whatever the record says of them: our grade stands beside
// the trainer's, and where they disagree somebody's grader is broken, or is being gamed.
import { z } from "zod";
import { UserError } from "../base/errors.ts";
import { extractAnswer, gradeMath } from "../grading/math/grade.ts";
import { boardSize } from "../problems/problem-id.ts";
import { puzzleNamed, puzzleNames } from "../puzzles/catalog.ts";
import { puzzleGrader } from "../rollouts/puzzle-grading.ts";
import { pythonValue } from "./json-values.ts";
import { listOf, numberOf } from "./row-values.ts";
import type { Gold, Trace } from "./trace.ts";

const puzzleGold = z.object({ puzzle: z.enum(puzzleNames), id: z.string().min(1) });

/** Undefined for what cannot be graded, as the answer of another grader. */
type Grader = (response: string) => boolean | undefined;

/** Attempts at one problem come in a row; a few hundred golds are more than a batch holds. */
const kept = new Map<string, Grader | undefined>();
const maxKept = 500;

/** What a column of answers holds: a text, a number, a list of one of them, or a board of ours as JSON. */
export function goldOf(value: unknown): Gold | undefined {
  // A list as JSON, or as Python prints it.
  const list = listOf(typeof value === "string" && /^\[["']/.test(value) ? pythonValue(value) : value);
  const [only = value, another] = list ?? [];
  if (another !== undefined) return undefined;
  const board = puzzleGold.safeParse(typeof only === "string" ? parsedJson(only) : only);
  if (board.success) return { puzzle: board.data.puzzle, instance: board.data.id };
  const text = typeof only === "string" ? only.trim() : numberOf(only)?.toString();
  return text === "" ? undefined : text;
}

/** The trace with our grade in front of its own, where it has a gold answer that we can read. */
export function graded(trace: Trace): Trace {
  const { gold, correct, response } = trace;
  const told = correct === undefined ? {} : { gradedBy: "recorded" as const };
  if (gold === undefined) return { ...trace, ...told };
  const key = typeof gold === "string" ? gold : `${gold.puzzle}/${gold.instance}`;
  if (!kept.has(key)) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, graderOf(gold));
  }
  const ours = kept.get(key)?.(response);
  const board = typeof gold === "string" ? {} : { puzzle: gold.puzzle, size: boardSize(gold.instance) };
  if (ours === undefined) return { ...trace, ...board, ...told };
  const recorded = correct === undefined ? {} : { recorded: correct };
  return { ...trace, ...board, correct: ours, gradedBy: "gold", ...recorded };
}

function graderOf(gold: Gold): Grader | undefined {
  if (typeof gold === "string") return isMathematics(gold) ? (response) => mathematicsGrade(gold, response) : undefined;
  try {
    const { puzzle, instance } = gold;
    const grade = puzzleGrader({ kind: "puzzle", id: instance, prompt: "", puzzle, instance });
    return (response) => grade(response).verdict === "correct";
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const formula = /[\d\\^=√π∞]|^\(?[A-J]\)?$|^\(?[a-z](?:\s*[-+*/,]\s*[a-z])*\)?$/;
const longestAnswer = 4000;
/** What code or instructions are tested by: records as JSON, and code. */
const tests = /^\s*[[{]\s*["{[]|\b(?:assert|def|import|return|function)\b/;
const numberOfThings = /^[-+$]?\d[\d.,/]*(?: [a-z]+)+\.?$/;

/** An answer that is right when it is given, bare or at the end of its solution: words and code are for other graders. */
function isMathematics(gold: string): boolean {
  if (!formula.test(gold) || tests.test(gold) || gold.length > longestAnswer) return false;
  const given = [`\\boxed{${gold}}`, `A solution:\n${gold}`].map((said) => gradeMath(gold, said));
  if (given.every(({ verdict }) => verdict !== "equal")) return false;
  // A name or a sentence with a number in it, which others may say in other words.
  const isWords = given[0].gold.startsWith('"') && !gold.includes("\\") && !numberOfThings.test(gold);
  return !isWords || extractAnswer(gold)?.source === "answer";
}

const letter = /^["(]*[A-Z][)"]*$/i;

function mathematicsGrade(gold: string, response: string): boolean | undefined {
  const { verdict, prediction } = gradeMath(gold, response);
  // Who is asked for a letter may have said what stands beside it.
  const isOther = verdict === "different" && letter.test(gold) && !letter.test(prediction);
  return verdict === "undecided" || isOther ? undefined : verdict === "equal";
}

/** Whether it is a board that can be read and shown. */
export function isInstance({ puzzle, instance }: { readonly puzzle: string; readonly instance: string }): boolean {
  try {
    puzzleNamed(puzzle).readId(instance);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
