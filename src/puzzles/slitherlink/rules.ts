// The rules of reasoning behind Simon Tatham's levels, each level with those before it. Easy: a clue, a corner, a path that
// must not close early. Normal: pairs of lines side by side at a corner, of which at least or at most one is drawn. Tricky:
// what clues and corners say about such pairs. Hard: lines that are known to be equal or opposite. What they leave does not
// depend on the order in which they are tried.

import type { LineClasses } from "./line-classes.ts";
import { atLeastOne, atMostOne, hard, type LineState, no, normal, tricky, unknown, yes } from "./line-state.ts";
import { parityAtCell, parityAtCorner, parityOfFresh } from "./parity-rules.ts";

/** Applies the rules of a level until they say nothing new. False on a contradiction. */
export function deduce(state: LineState, level: number, classes: LineClasses): boolean {
  while (!state.contradiction) {
    state.looks++;
    const cell = state.cells.take();
    if (cell >= 0) {
      clueAlone(state, cell);
      continue;
    }
    const corner = state.corners.take();
    if (corner >= 0) {
      cornerAlone(state, corner);
      continue;
    }
    if (state.closed > 0) return state.solved;
    const closing = state.closings.take();
    if (closing >= 0) {
      closingLine(state, closing);
      continue;
    }
    if (level < normal) return true;
    const pairCell = state.pairCells.take();
    if (pairCell >= 0) {
      pairsAtCell(state, pairCell, level);
      continue;
    }
    const pairCorner = state.pairCorners.take();
    if (pairCorner >= 0) {
      pairsAtCorner(state, pairCorner, level);
      continue;
    }
    if (level < hard) return true;
    const fresh = state.fresh.take();
    if (fresh >= 0) {
      parityOfFresh(state, classes, fresh);
      continue;
    }
    const parityCell = state.parityCells.take();
    if (parityCell >= 0) {
      parityAtCell(state, classes, parityCell);
      continue;
    }
    const parityCorner = state.parityCorners.take();
    if (parityCorner < 0) return true;
    parityAtCorner(state, classes, parityCorner);
  }
  return false;
}

function setOpenAtCell(state: LineState, cell: number, value: number): void {
  for (let at = 4 * cell; at < 4 * cell + 4; at++) {
    const line = state.grid.linesOfCell[at];
    if (state.lines[line] === unknown) state.set(line, value);
  }
}

function setOpenAtCorner(state: LineState, corner: number, value: number): void {
  for (let at = 4 * corner; at < 4 * corner + 4; at++) {
    const line = state.grid.linesOfCorner[at];
    if (state.lines[line] === unknown) state.set(line, value);
  }
}

function clueAlone(state: LineState, cell: number): void {
  const clue = state.clues[cell];
  if (clue < 0) return;
  const open = state.openAtCell[cell];
  const needed = clue - state.yesAtCell[cell];
  if (needed < 0 || needed > open) {
    state.contradiction = true;
    return;
  }
  if (open === 0) return;
  if (needed === 0 || needed === open) {
    state.used[cell] = 1;
    setOpenAtCell(state, cell, needed === 0 ? no : yes);
    return;
  }
  if (needed !== open - 1 || open < 3) return;
  // All but one are drawn. Where a path arrives at a corner between two of them, only one of these two can be: the others are.
  const { linesOfCell, cornersOfCell } = state.grid;
  for (let k = 0; k < 4; k++) {
    const before = linesOfCell[4 * cell + ((k + 3) & 3)];
    const after = linesOfCell[4 * cell + k];
    if (state.lines[before] !== unknown || state.lines[after] !== unknown) continue;
    if (state.yesAtCorner[cornersOfCell[4 * cell + k]] === 0) continue;
    state.used[cell] = 1;
    for (let at = 4 * cell; at < 4 * cell + 4; at++) {
      const line = linesOfCell[at];
      if (line !== before && line !== after && state.lines[line] === unknown) state.set(line, yes);
    }
    return;
  }
}

function cornerAlone(state: LineState, corner: number): void {
  const drawn = state.yesAtCorner[corner];
  const open = state.openAtCorner[corner];
  if (drawn > 2 || (drawn === 1 && open === 0)) state.contradiction = true;
  else if (open === 0) return;
  else if (drawn === 2 || (drawn === 0 && open === 1)) setOpenAtCorner(state, corner, no);
  else if (drawn === 1 && open === 1) setOpenAtCorner(state, corner, yes);
}

/** A line that would close a path is not drawn, unless that loop would be a whole solution; then nothing is concluded. */
function closingLine(state: LineState, line: number): void {
  const { cornersOfLine } = state.grid;
  const [one, other] = [cornersOfLine[2 * line], cornersOfLine[2 * line + 1]];
  if (state.lines[line] !== unknown || state.pathEnd[one] !== other) return;
  if (state.pathLength[one] === state.drawn) {
    const reason = clueLeftBy(state, line);
    if (reason < 0) {
      state.wouldSolve = line;
      return;
    }
    state.used[reason] = 1;
  }
  state.set(line, no);
}

/** A cell whose clue would not be right if this were the last line; one that was used before, if there is one; else -1. */
function clueLeftBy(state: LineState, line: number): number {
  const { cellCount, cellsOfLine } = state.grid;
  let found = -1;
  for (let cell = 0; cell < cellCount; cell++) {
    if (state.clues[cell] < 0) continue;
    const gained = cellsOfLine[2 * line] === cell || cellsOfLine[2 * line + 1] === cell ? 1 : 0;
    if (state.yesAtCell[cell] + gained === state.clues[cell]) continue;
    if (state.used[cell] === 1) return cell;
    found = cell;
  }
  return found;
}

// For the four lines around a cell: the fewest and the most of them that are drawn, alone and with the next one.
const least = new Int8Array(4);
const most = new Int8Array(4);
const leastOfTwo = new Int8Array(4);
const mostOfTwo = new Int8Array(4);

function pairsAtCell(state: LineState, cell: number, level: number): void {
  const clue = state.clues[cell];
  if (clue < 0 || state.openAtCell[cell] === 0) return;
  const { linesOfCell, cornersOfCell } = state.grid;
  const { lines, pairs } = state;
  const base = 4 * cell;
  for (let k = 0; k < 4; k++) {
    const value = lines[linesOfCell[base + k]];
    least[k] = value === yes ? 1 : 0;
    most[k] = value === no ? 0 : 1;
  }
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) & 3;
    const flags = pairs[4 * cornersOfCell[base + next] + ((next + 1) & 3)];
    const low = least[k] + least[next];
    const high = most[k] + most[next];
    leastOfTwo[k] = low === 0 && (flags & atLeastOne) !== 0 ? 1 : low;
    mostOfTwo[k] = high === 2 && (flags & atMostOne) !== 0 ? 1 : high;
  }
  for (let k = 0; k < 4; k++) {
    const line = linesOfCell[base + k];
    if (lines[line] !== unknown) continue;
    const a = (k + 1) & 3;
    const b = (k + 2) & 3;
    const c = (k + 3) & 3;
    const low = Math.max(least[a] + leastOfTwo[b], leastOfTwo[a] + least[c]);
    const high = Math.min(most[a] + mostOfTwo[b], mostOfTwo[a] + most[c]);
    if (low > clue || high < clue - 1) {
      state.contradiction = true;
      return;
    }
    if (low === clue || high === clue - 1) {
      state.used[cell] = 1;
      state.set(line, low === clue ? no : yes);
      // The bounds above are those of before; the cell is on the agenda again.
      return;
    }
  }
  if (level < tricky) return;
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) & 3;
    if (lines[linesOfCell[base + k]] !== unknown || lines[linesOfCell[base + next]] !== unknown) continue;
    const pair = 4 * cornersOfCell[base + next] + ((next + 1) & 3);
    const opposite = (k + 2) & 3;
    if (leastOfTwo[opposite] > clue - 2) noteFromClue(state, cell, pair, atMostOne);
    if (mostOfTwo[opposite] < clue) noteFromClue(state, cell, pair, atLeastOne);
  }
}

function noteFromClue(state: LineState, cell: number, pair: number, flag: number): void {
  if ((state.pairs[pair] & flag) !== 0) return;
  state.used[cell] = 1;
  state.note(pair, flag);
}

function pairsAtCorner(state: LineState, corner: number, level: number): void {
  const { linesOfCorner } = state.grid;
  const { lines, pairs } = state;
  const drawn = state.yesAtCorner[corner];
  const open = state.openAtCorner[corner];
  if (open === 0) return;
  const base = 4 * corner;
  for (let q = 0; q < 4; q++) {
    const first = linesOfCorner[base + q];
    const second = linesOfCorner[base + ((q + 1) & 3)];
    const one = lines[first];
    const two = lines[second];
    if (one === no || two === no) state.note(base + q, atMostOne);
    if (one === yes || two === yes) state.note(base + q, atLeastOne);
    const flags = pairs[base + q];
    if (one !== unknown || two !== unknown) {
      if (one !== unknown && two !== unknown) continue;
      const known = one + two;
      if ((flags & (known === yes ? atMostOne : atLeastOne)) === 0) continue;
      state.set(one === unknown ? first : second, known === yes ? no : yes);
      return;
    }
    // Both or neither, where nothing else is open.
    if (drawn === 0 && open === 2 && flags !== 0) {
      if (flags === (atLeastOne | atMostOne)) state.contradiction = true;
      else setOpenAtCorner(state, corner, flags === atMostOne ? no : yes);
      return;
    }
    if (drawn === 1) {
      state.note(base + q, atMostOne);
      if (open === 2) state.note(base + q, atLeastOne);
    }
    if (level < tricky || (pairs[base + q] & atLeastOne) === 0) continue;
    const opposite = base + ((q + 2) & 3);
    state.note(opposite, atMostOne);
    if (drawn !== 0 || (pairs[base + q] & atMostOne) === 0) continue;
    // Exactly one of the two is drawn, so exactly one of the others is.
    if (open === 3) {
      for (const at of [q + 2, q + 3]) {
        const line = linesOfCorner[base + (at & 3)];
        if (lines[line] === unknown) state.set(line, yes);
      }
      return;
    }
    if (open === 4) state.note(opposite, atLeastOne);
  }
}
