// Rules of the hard level: a corner has an even number of lines and a clue says whether a cell has, so that two or three
// open lines are tied to each other, and ties across the board meet.
import { apart, type LineClasses } from "./line-classes.ts";
import { atLeastOne, atMostOne, type LineState, no, unknown, yes } from "./line-state.ts";

const open = new Int32Array(4);

function openLines(state: LineState, lines: Int32Array, base: number): number {
  let count = 0;
  for (let at = base; at < base + 4; at++) if (state.lines[lines[at]] === unknown) open[count++] = lines[at];
  return count;
}

/** A line has become known: so have all that are tied to it. */
export function parityOfFresh(state: LineState, classes: LineClasses, line: number): void {
  const value = state.lines[line];
  for (let other = classes.next[line]; other !== line; other = classes.next[other]) {
    const opposite = classes.relation(line, other);
    state.set(other, opposite === 1 ? yes + no - value : value);
  }
}

/** Ties two open lines, and everything around their classes is looked at again. */
function tie(state: LineState, classes: LineClasses, one: number, other: number, opposite: number): void {
  if (!classes.join(one, other, opposite)) {
    if (classes.relation(one, other) !== opposite) state.contradiction = true;
    return;
  }
  const { cellsOfLine, cornersOfLine } = state.grid;
  let line = one;
  do {
    for (let at = 2 * line; at < 2 * line + 2; at++) {
      state.parityCells.add(cellsOfLine[at]);
      state.parityCorners.add(cornersOfLine[at]);
    }
    line = classes.next[line];
  } while (line !== one);
}

/** Of the open lines of a place, an odd or an even number is drawn. True when something new was said. */
function evenOrOdd(state: LineState, classes: LineClasses, count: number, odd: number): boolean {
  if (count === 2) {
    const before = classes.relation(open[0], open[1]);
    if (before === odd) return false;
    tie(state, classes, open[0], open[1], odd);
    return true;
  }
  if (count !== 3 && count !== 4) return false;
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) {
      const relation = classes.relation(open[i], open[j]);
      if (relation === apart) continue;
      const left = odd ^ relation;
      let first = -1;
      let second = -1;
      for (let k = 0; k < count; k++) {
        if (k === i || k === j) continue;
        if (first < 0) first = open[k];
        else second = open[k];
      }
      if (count === 3) {
        state.set(first, left === 1 ? yes : no);
        return true;
      }
      if (classes.relation(first, second) === left) continue;
      tie(state, classes, first, second, left);
      return true;
    }
  return false;
}

export function parityAtCell(state: LineState, classes: LineClasses, cell: number): void {
  const clue = state.clues[cell];
  if (clue < 0) return;
  const count = openLines(state, state.grid.linesOfCell, 4 * cell);
  if (count === 0) return;
  const needed = clue - state.yesAtCell[cell];
  // Two equal lines are both drawn or neither; where one is needed neither is, where one is too many both are.
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) {
      if ((needed !== 1 && needed !== count - 1) || classes.relation(open[i], open[j]) !== 0) continue;
      const value = needed === 1 ? no : yes;
      const [one, other] = [open[i], open[j]];
      state.used[cell] = 1;
      state.set(one, value);
      state.set(other, value);
      return;
    }
  if (evenOrOdd(state, classes, count, needed & 1)) state.used[cell] = 1;
}

export function parityAtCorner(state: LineState, classes: LineClasses, corner: number): void {
  const { linesOfCorner } = state.grid;
  for (let q = 0; q < 4; q++) {
    const one = linesOfCorner[4 * corner + q];
    const other = linesOfCorner[4 * corner + ((q + 1) & 3)];
    if (state.lines[one] !== unknown || state.lines[other] !== unknown) continue;
    const relation = classes.relation(one, other);
    if (relation === 1) {
      state.note(4 * corner + q, atMostOne);
      state.note(4 * corner + q, atLeastOne);
    } else if (state.pairs[4 * corner + q] === (atMostOne | atLeastOne)) tie(state, classes, one, other, 1);
  }
  const count = openLines(state, linesOfCorner, 4 * corner);
  if (count > 0) evenOrOdd(state, classes, count, state.yesAtCorner[corner] & 1);
}
