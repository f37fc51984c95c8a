// Pattern as a language model sees it: the rules, the clues as two lines of numbers, the answer as a grid of # and .
import { readSymbols, writeGrid } from "../grid-text.ts";
import type { ReadBoard } from "../puzzle.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";

export const patternRules = `Pattern is played on a rectangular grid. Every cell is either full (#) or empty (.).
Each column and each row has a clue: the lengths of all its runs of full cells, in order, columns from top to bottom and rows from left to right.
A run is a stretch of neighbouring full cells that is as long as possible, so two runs in the same line have at least one empty cell between them. Empty cells may also come before the first run and after the last.
The clue 3 1 means: a run of exactly 3 full cells, later a run of exactly 1, and no other full cells in that line. The clue 0 means that the whole line is empty.
All clues of columns and rows must hold at once. Runs need not touch each other across lines.
The clues are written as two lists, separated by "|": the columns from left to right, then the rows from top to bottom. If a grid of given cells follows, # and . in it are fixed and must stay as they are; ? is not known yet.
The answer is the whole grid: one line of text for each row, from top to bottom, with # for a full cell and . for an empty one, separated by spaces.`;

/** A clue as people write it; a blank line has the clue 0. */
export const clueText = (runs: readonly number[]) => (runs.length === 0 ? "0" : runs.join(" "));

export function renderPatternGivens(instance: PatternInstance): string {
  const { columns, rows, prefilled, width } = instance;
  const text = `Columns: ${columns.map(clueText).join(" | ")}\nRows: ${rows.map(clueText).join(" | ")}`;
  return prefilled === undefined ? text : `${text}\nGiven cells:\n${writeGrid([...prefilled], width)}`;
}

export function renderPatternAnswer(instance: PatternInstance, board: PatternBoard): string {
  return writeGrid([...board.cells], instance.width);
}

export function readPatternAnswer(instance: PatternInstance, text: string): ReadBoard<PatternBoard> {
  const read = readSymbols(instance, text, ["#", "."]);
  return "unreadable" in read ? read : { board: { cells: read.cells.join("") } };
}
