// What no line says alone: the full cells of some lines are as many as the lines across put there. Where those put in as few
// as they can, or as many, each of them must. Pictures built on this (Josh Greifer's dominoes: nine runs that need a row
// each, and nine rows with room for one) take a search that only learns clauses exponentially long.
import { empty, full, type Mark, opposite, unknown } from "./mark.ts";
import type { PropagationState } from "./propagation-state.ts";

/** So far from having to, a set of lines is not worth a closer look. */
const worthALook = 3;

/** Marks what counting says, for sets of lines with few full cells; false when they cannot have as many as they must. */
export function countAcross(state: PropagationState): boolean {
  const lines = Array.from({ length: state.lineCount }, (_, line) => line);
  const columns = lines.slice(0, state.width);
  const rows = lines.slice(state.width);
  for (const [counted, across] of [
    [rows, columns],
    [columns, rows],
  ]) {
    const totals = counted.map((line) => state.runsOf(line).reduce((sum, run) => sum + run, 0));
    const bounds = new Set(totals);
    // All lines together have as many as all across, whatever they are.
    bounds.delete(Math.max(...totals));
    for (const most of bounds)
      for (const sign of [1, -1]) {
        const weights = totals.map((total) => (total <= most ? sign : 0));
        if (!tighten(state, totals, weights, across)) return false;
      }
  }
  return true;
}

/** Leaves lines out while that brings their sum nearer to what the lines across weigh at least; if it is that, so must they. */
function tighten(
  state: PropagationState,
  totals: readonly number[],
  weights: number[],
  across: readonly number[],
): boolean {
  const crossing = across.map((line) => ({ line, runs: state.runsOf(line), marks: marksOf(state, line) }));
  const spare = () =>
    totals.reduce((sum, total, place) => sum + weights[place] * total, 0) -
    crossing.reduce((sum, { runs, marks }) => sum + lightest(runs, marks, weights), 0);
  let left = spare();
  if (left > worthALook) return true;
  for (let place = 0; place < weights.length && left > 0; place++) {
    const weight = weights[place];
    if (weight === 0) continue;
    weights[place] = 0;
    const without = spare();
    if (without < left) left = without;
    else weights[place] = weight;
  }
  if (left > 0) return true;
  if (left < 0) return false;
  for (const { line, runs, marks } of crossing) {
    const least = lightest(runs, marks, weights);
    for (let place = 0; place < marks.length; place++) {
      if (marks[place] !== unknown) continue;
      for (const value of [full, empty] as const) {
        marks[place] = value;
        if (lightest(runs, marks, weights) > least) {
          marks[place] = opposite(value);
          state.mark(state.cellOf(line, place), marks[place] as Mark);
          break;
        }
        marks[place] = unknown;
      }
    }
  }
  return true;
}

function marksOf(state: PropagationState, line: number): Uint8Array {
  return Uint8Array.from({ length: state.lengthOf(line) }, (_, place) => state.values[state.cellOf(line, place)]);
}

let room = new Float64Array(64);

/** The least that the full cells of a line can weigh, over all placements that go with its marks. */
function lightest(runs: ArrayLike<number>, marks: Uint8Array, weights: readonly number[]): number {
  const never = Number.POSITIVE_INFINITY;
  const { length } = marks;
  // At a place: the least that the runs so far weigh if the next may begin there. Behind the line is one more empty cell.
  if (room.length < 2 * (length + 2)) room = new Float64Array(4 * (length + 2));
  let before = room.subarray(0, length + 2);
  let after = room.subarray(length + 2);
  before[0] = 0;
  for (let place = 0; place < length; place++) before[place + 1] = marks[place] === full ? never : before[place];
  before[length + 1] = before[length];
  for (let run = 0; run < runs.length; run++) {
    const size = runs[run];
    after.fill(never);
    let weight = 0;
    for (let place = 0, free = 0; place <= length; place++) {
      const ended = free >= size ? before[place - size] + weight : never;
      if (place === length || marks[place] !== full) after[place + 1] = Math.min(after[place], ended);
      if (place === length) break;
      free = marks[place] === empty ? 0 : free + 1;
      weight += weights[place] - (place >= size ? weights[place - size] : 0);
    }
    [before, after] = [after, before];
  }
  return before[length + 1];
}
