// Makes puzzles with exactly one solution: a random loop with all its clues, from which clues are taken in random order as
// long as the rules of the level still solve it. Every draw ends, with a puzzle or with an error that says why not.
import type { Random } from "../../base/random.ts";
import { checkRequest } from "../notation.ts";
import { type Generated, GenerationError } from "../puzzle.ts";
import { type Deduction, deduced, deductionFor, levelOf } from "./deduction.ts";
import type { LoopGrid } from "./grid.ts";
import {
  inside,
  noClue,
  outside,
  type SlitherlinkBoard,
  type SlitherlinkInstance,
  type SlitherlinkParams,
  slitherlinkDifficulties,
} from "./instance.ts";
import { hard } from "./line-state.ts";
import { slitherlinkForm } from "./notation.ts";
import { changeableCells, randomLoop } from "./random-loop.ts";
import { deduce } from "./rules.ts";
import { searchLoops } from "./search.ts";

/** Loops tried before giving up; the rarest kind, 3x3 hard, takes some hundred on average. */
const mostTries = 20_000;
/** The effort grows with the square of the board: seconds at 50x50, minutes at this. */
const mostCellsMade = 10_000;
/** A board that needs more search than this counts as ambiguous. */
const searchSteps = 2_000;

export function generateSlitherlink(
  params: SlitherlinkParams,
  random: Random,
): Generated<SlitherlinkInstance, SlitherlinkBoard> {
  checkRequest(slitherlinkForm, params, mostCellsMade);
  const { width, height, difficulty } = params;
  const wanted = difficulty === undefined ? hard : Math.min(slitherlinkDifficulties.indexOf(difficulty), hard);
  const deduction = deductionFor(width, height);
  for (let tries = 0; tries < mostTries; tries++) {
    const sides = randomLoop(width, height, random);
    const clues = allClues(deduction.state.grid, sides);
    if (deduced(deduction, clues, wanted) !== "solved") continue;
    const order = random.shuffle(Array.from({ length: width * height }, (_, cell) => cell));
    takeClues(deduction, clues, wanted, order, neighborLoops(deduction.state.grid, sides, clues));
    if (difficulty === "unreasonable") {
      if (!takeOneMore(deduction, clues, order)) continue;
    } else if (difficulty !== undefined && wanted > 0 && deduced(deduction, clues, wanted - 1) === "solved") continue;
    const text = Array.from(clues, (clue) => (clue < 0 ? noClue : String(clue))).join("");
    return {
      instance: { width, height, clues: text },
      solution: { cells: Array.from(clues, (_, cell) => (sides[cell] === 1 ? inside : outside)).join("") },
      difficulty: difficulty ?? levelOf(deduction, clues) ?? "unreasonable",
    };
  }
  const kind = difficulty === undefined ? "" : `${difficulty} `;
  throw new GenerationError(
    `found no ${kind}${width}x${height} slitherlink puzzle in ${mostTries} tries; try another seed, size or difficulty`,
  );
}

function allClues({ cellCount, besideCell }: LoopGrid, sides: Uint8Array): Int8Array {
  const clues = new Int8Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++)
    for (let at = 4 * cell; at < 4 * cell + 4; at++) if (sides[besideCell[at]] !== sides[cell]) clues[cell] += 1;
  return clues;
}

/** Loops in which one cell is on the other side, as the cells whose numbers are other ones there. */
function neighborLoops(grid: LoopGrid, sides: Uint8Array, clues: Int8Array): number[][] {
  const { besideCell, cellCount } = grid;
  return changeableCells(grid, sides).map((cell) => {
    const changed = clues[cell] === 2 ? [] : [cell];
    for (let at = 4 * cell; at < 4 * cell + 4; at++) if (besideCell[at] < cellCount) changed.push(besideCell[at]);
    return changed;
  });
}

/**
 * Takes every clue that the rules can do without, in this order. The board was just solved: clues from which nothing was
 * concluded on the way go without another look, because the same conclusions stand without them. What follows from the
 * clues that have to stay is worked out once, and every try goes on from there.
 */
function takeClues(
  deduction: Deduction,
  clues: Int8Array,
  level: number,
  order: readonly number[],
  others: readonly (readonly number[])[],
): void {
  const { state, classes, needed } = deduction;
  const takeUnused = (from: number) => {
    for (let at = from; at < order.length; at++) if (state.used[order[at]] === 0) clues[order[at]] = -1;
  };
  takeUnused(0);
  deduced(needed, new Int8Array(clues.length).fill(-1), level);
  for (let at = 0; at < order.length; at++) {
    const cell = order[at];
    const clue = clues[cell];
    if (clue < 0) continue;
    // Without it another loop would do: that needs no closer look.
    if (!others.some((changed) => isOnlyClue(clues, changed, cell))) {
      state.copy(needed.state);
      if (level >= hard) classes.copy(needed.classes);
      for (let later = at + 1; later < order.length; later++)
        if (clues[order[later]] >= 0) state.addClue(order[later], clues[order[later]]);
      deduce(state, level, classes);
      if (state.solved) {
        clues[cell] = -1;
        takeUnused(at + 1);
        continue;
      }
    }
    needed.state.addClue(cell, clue);
    deduce(needed.state, level, needed.classes);
    if (!needed.state.solved) continue;
    for (let later = at + 1; later < order.length; later++) clues[order[later]] = -1;
    return;
  }
}

function isOnlyClue(clues: Int8Array, cells: readonly number[], cell: number): boolean {
  let found = false;
  for (const other of cells) {
    if (other === cell) found = true;
    else if (clues[other] >= 0) return false;
  }
  return found;
}

/** Takes a clue without which the rules get stuck although there is still one solution. False where there is none. */
function takeOneMore(deduction: Deduction, clues: Int8Array, order: readonly number[]): boolean {
  for (const cell of order) {
    const clue = clues[cell];
    if (clue < 0) continue;
    clues[cell] = -1;
    if (deduced(deduction, clues, hard) === "stuck") {
      const searched = searchLoops(deduction.state, searchSteps);
      if ("found" in searched && searched.found.length === 1) return true;
    }
    clues[cell] = clue;
  }
  return false;
}
