// What one line's clue says about its cells, for lines that fit a machine word. All placements of all runs are
// followed at once, one bit per position, so that the answer is exact and costs a few dozen operations a run.
//
// A line of n cells has n + 1 positions: position p lies before cell p and after cell p - 1.

/** The longest line whose positions fit a non-negative 32-bit integer. */
export const narrowLimit = 30;

/** What `deduceNarrow` found, as bits of cells: [certainly full, certainly empty]. */
export const deduced = new Int32Array(2);

// For k runs placed: positions right after an empty cell (or at the start), and positions where run k just ended.
const afterGap = new Int32Array(narrowLimit + 2);
const afterRun = new Int32Array(narrowLimit + 2);
/** Positions preceded by at least 1, 2, 4, 8, 16 cells that may be full. */
const fits = new Int32Array(5);

/** Whether the runs fit at all, given the cells that are known to be full and to be empty. */
export function feasibleNarrow(
  runs: Uint16Array,
  first: number,
  last: number,
  length: number,
  full: number,
  empty: number,
): boolean {
  const cells = (1 << length) - 1;
  const open = (cells & ~full) << 1;
  let fit = (cells & ~empty) << 1;
  for (let power = 0; power < 5; power++) {
    fits[power] = fit;
    fit &= fit << (1 << power);
  }
  // Adding seeds to a mask lets a carry run upwards through each stretch of ones that holds a seed.
  let seeds = 2 & open;
  let gap = 1 | (((open + seeds) ^ open) & open) | seeds;
  let ended = 0;
  afterGap[0] = gap;
  for (let run = first, placed = 1; run < last; run++, placed++) {
    const size = runs[run];
    const power = 31 - Math.clz32(size);
    const start = fits[power];
    ended = (gap << size) & start & (start << (size - (1 << power)));
    if (ended === 0) return false;
    seeds = (ended << 1) & open;
    gap = (((open + seeds) ^ open) & open) | seeds;
    afterRun[placed] = ended;
    afterGap[placed] = gap;
  }
  return ((ended | gap) & (1 << length)) !== 0;
}

/** What all placements agree on goes to `deduced`, what was known included; false when there is no placement. */
export function deduceNarrow(
  runs: Uint16Array,
  first: number,
  last: number,
  length: number,
  full: number,
  empty: number,
): boolean {
  if (!feasibleNarrow(runs, first, last, length, full, empty)) return false;
  const cells = (1 << length) - 1;
  const open = cells & ~full;
  const open2 = open & (open >> 1);
  const open4 = open2 & (open2 >> 2);
  const open8 = open4 & (open4 >> 4);
  const open16 = open8 & (open8 >> 8);

  // Positions from which the runs not yet passed (from the end) can still be placed.
  let rest = 0x7fffffff >> (narrowLimit - length);
  if (full !== 0) rest &= ~((2 << (31 - Math.clz32(full))) - 1);
  let runEnds = (open & (rest >> 1)) | (1 << length);
  let emptyBefore = 0;
  let fullBefore = 0;
  for (let run = last - 1, placed = last - first; run >= first; run--, placed--) {
    const size = runs[run];
    emptyBefore |= afterGap[placed] & rest;
    const ends = afterRun[placed] & runEnds;
    let covered = ends;
    let reach = 1;
    for (; reach << 1 <= size; reach <<= 1) covered |= covered >> reach;
    fullBefore |= covered | (covered >> (size - reach));

    // Downwards no carry runs: double the distance five times instead.
    rest = ends >> size;
    rest |= open & (rest >> 1);
    rest |= open2 & (rest >> 2);
    rest |= open4 & (rest >> 4);
    rest |= open8 & (rest >> 8);
    rest |= open16 & (rest >> 16);
    runEnds = open & (rest >> 1);
  }
  emptyBefore |= afterGap[0] & rest;
  deduced[0] = cells & ~(emptyBefore >> 1);
  deduced[1] = cells & ~(fullBefore >> 1);
  return true;
}
