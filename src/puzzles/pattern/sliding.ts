// The first thing that people learn about a line: push its runs to one end, then to the other, and see what stays
// covered; and count. Full cells found so far are counted but do not yet hold a run in place.
import { empty, full, unknown } from "./mark.ts";

let marks = new Uint8Array(64);
let firstEnds = new Int32Array(32);

/**
 * What sliding says about a line of `values` that begins at `start` and goes on every `step`: a mark for each place,
 * valid until the next call. Undefined when the runs do not fit between the empty cells.
 */
export function slide(
  runs: Uint16Array,
  first: number,
  last: number,
  values: Uint8Array,
  start: number,
  step: number,
  length: number,
): Uint8Array | undefined {
  if (marks.length < length) {
    marks = new Uint8Array(2 * length);
    firstEnds = new Int32Array(length);
  }
  let wanted = 0;
  let place = 0;
  let cell = start;
  for (let run = first; run < last; run++) {
    const size = runs[run];
    wanted += size;
    for (let free = 0; free < size; place++, cell += step) {
      if (place >= length) return undefined;
      free = values[cell] === empty ? 0 : free + 1;
    }
    firstEnds[run - first] = place++;
    cell += step;
  }

  // From the far end; between a run's first start and its last end it may be anywhere, outside of all these is no run.
  let settledFrom = length;
  place = length;
  cell = start + length * step;
  for (let run = last - 1; run >= first; run--) {
    const size = runs[run];
    for (let free = 0; free < size; ) {
      place--;
      cell -= step;
      free = values[cell] === empty ? 0 : free + 1;
    }
    const firstEnd = firstEnds[run - first];
    const firstStart = firstEnd - size;
    const lastEnd = place + size;
    for (let beyond = lastEnd; beyond < settledFrom; beyond++) marks[beyond] = empty;
    for (let reached = firstStart; reached < lastEnd && reached < settledFrom; reached++) marks[reached] = unknown;
    for (let covered = place; covered < firstEnd; covered++) marks[covered] = full;
    settledFrom = Math.min(settledFrom, firstStart);
    place--;
    cell -= step;
  }
  for (let beyond = 0; beyond < settledFrom; beyond++) marks[beyond] = empty;

  let fullCount = 0;
  let emptyCount = 0;
  cell = start;
  for (place = 0; place < length; place++, cell += step) {
    if (marks[place] === unknown) marks[place] = values[cell];
    if (marks[place] === full) fullCount++;
    else if (marks[place] === empty) emptyCount++;
  }
  if (fullCount !== wanted && emptyCount !== length - wanted) return marks;
  const remaining = fullCount === wanted ? empty : full;
  for (place = 0; place < length; place++) if (marks[place] === unknown) marks[place] = remaining;
  return marks;
}
