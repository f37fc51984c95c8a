// The same deductions as narrow-line.ts for lines of any length: sets of positions are 30-bit limbs in an array, lowest
// first. Thirty bits, so that a sum with a carry stays a small integer.
export const limbBits = 30;
const limbMask = (1 << limbBits) - 1;

/** Limbs for the positions of a line: one more than it has cells. */
export const limbsFor = (length: number) => Math.floor(length / limbBits) + 1;

/** What `deduceWide` found, in limbs of cells. Replaced when a longer line comes along. */
export let deducedFull = new Int32Array(2);
export let deducedEmpty = new Int32Array(2);

/** Room for the sets of a line; sets of a kind lie one after the other. */
function roomFor(length: number) {
  const limbs = limbsFor(length);
  const sets = (count: number) => new Int32Array(limbs * count);
  const mostRuns = Math.ceil(length / 2);
  return {
    length,
    // As in narrow-line.ts: for k runs placed, positions after a gap and after run k.
    afterGap: sets(mostRuns + 1),
    afterRun: sets(mostRuns + 1),
    /** Positions preceded by 1, 2, 4, … cells that may be full. */
    fits: sets(Math.floor(Math.log2(length)) + 1),
    /** Cells that may be empty, and the positions right after them. */
    open: sets(1),
    openAbove: sets(1),
    rest: sets(1),
    ends: sets(1),
    emptyBefore: sets(1),
    fullBefore: sets(1),
  };
}

let room = roomFor(limbBits);

function makeRoom(length: number): void {
  if (length <= room.length) return;
  room = roomFor(length);
  deducedFull = new Int32Array(limbsFor(length));
  deducedEmpty = new Int32Array(limbsFor(length));
}

/** The bits low … high - 1 of a set, as they fall into one limb. */
function span(low: number, high: number, limb: number): number {
  const from = low - limb * limbBits;
  const to = high - limb * limbBits;
  const below = from <= 0 ? 0 : from >= limbBits ? limbMask : (1 << from) - 1;
  return (to <= 0 ? 0 : to >= limbBits ? limbMask : (1 << to) - 1) & ~below;
}

/** One more than the highest bit that is set. */
function bitLength(set: Int32Array, at: number, limbs: number): number {
  let limb = limbs - 1;
  while (limb >= 0 && set[at + limb] === 0) limb--;
  return limb < 0 ? 0 : limb * limbBits + 32 - Math.clz32(set[at + limb]);
}

/** Whether the runs fit at all. `full` and `empty` are limbs of cells from `at` on. */
export function feasibleWide(
  runs: Uint16Array,
  first: number,
  last: number,
  length: number,
  full: Int32Array,
  empty: Int32Array,
  at: number,
): boolean {
  makeRoom(length);
  const { afterGap, afterRun, fits, open, openAbove } = room;
  const limbs = limbsFor(length);
  let longest = 0;
  for (let run = first; run < last; run++) if (runs[run] > longest) longest = runs[run];
  let openBelow = 0;
  let fitBelow = 0;
  for (let limb = 0; limb < limbs; limb++) {
    const cells = span(0, length, limb);
    const mayBeEmpty = cells & ~full[at + limb];
    const mayBeFull = cells & ~empty[at + limb];
    open[limb] = mayBeEmpty;
    openAbove[limb] = ((mayBeEmpty << 1) & limbMask) | openBelow;
    fits[limb] = ((mayBeFull << 1) & limbMask) | fitBelow;
    openBelow = mayBeEmpty >> (limbBits - 1);
    fitBelow = mayBeFull >> (limbBits - 1);
  }
  for (let reach = 1, set = limbs; 2 * reach <= longest; reach *= 2, set += limbs) {
    const whole = Math.floor(reach / limbBits);
    const part = reach - whole * limbBits;
    for (let limb = 0; limb < limbs; limb++) {
      fits[set + limb] = fits[set - limbs + limb] & shiftedUp(fits, set - limbs, limb - whole, part);
    }
  }

  // Flooding upwards: adding seeds to a mask lets a carry run through each stretch of ones that holds a seed.
  let seeds = 2 & openAbove[0];
  let carry = 0;
  for (let limb = 0; limb < limbs; limb++, seeds = 0) {
    const through = openAbove[limb];
    const sum = through + seeds + carry;
    carry = sum >>> limbBits;
    afterGap[limb] = ((sum ^ through) & through) | seeds;
  }
  afterGap[0] |= 1;
  let set = 0;
  for (let run = first; run < last; run++) {
    const before = set;
    set += limbs;
    const size = runs[run];
    const power = 31 - Math.clz32(size);
    const whole = Math.floor(size / limbBits);
    const part = size - whole * limbBits;
    const fit = power * limbs;
    const extra = size - (1 << power);
    const extraWhole = Math.floor(extra / limbBits);
    const extraPart = extra - extraWhole * limbBits;
    let any = 0;
    let endedBelow = 0;
    carry = 0;
    for (let limb = 0; limb < limbs; limb++) {
      let ended = fits[fit + limb];
      if (ended !== 0) {
        ended &= shiftedUp(afterGap, before, limb - whole, part) & shiftedUp(fits, fit, limb - extraWhole, extraPart);
      }
      afterRun[set + limb] = ended;
      any |= ended;
      const through = openAbove[limb];
      seeds = (((ended << 1) & limbMask) | endedBelow) & through;
      endedBelow = ended >> (limbBits - 1);
      const sum = through + seeds + carry;
      carry = sum >>> limbBits;
      afterGap[set + limb] = ((sum ^ through) & through) | seeds;
    }
    if (any === 0) return false;
  }
  const top = set + limbs - 1;
  const ended = last > first ? afterRun[top] : 0;
  return ((ended | afterGap[top]) & (1 << (length % limbBits))) !== 0;
}

/** One limb of a set moved up by whole limbs (already taken off `limb`) and `part` bits. */
function shiftedUp(set: Int32Array, at: number, limb: number, part: number): number {
  if (limb < 0) return 0;
  const low = limb > 0 ? set[at + limb - 1] >> (limbBits - part) : 0;
  return ((set[at + limb] << part) & limbMask) | low;
}

/** One limb of a set moved down likewise. */
function shiftedDown(set: Int32Array, limb: number, limbs: number, part: number): number {
  if (limb >= limbs) return 0;
  const high = limb + 1 < limbs ? (set[limb + 1] << (limbBits - part)) & limbMask : 0;
  return (set[limb] >> part) | high;
}

/** What all placements agree on goes to `deducedFull` and `deducedEmpty`; false when there is no placement. */
export function deduceWide(
  runs: Uint16Array,
  first: number,
  last: number,
  length: number,
  full: Int32Array,
  empty: Int32Array,
  at: number,
): boolean {
  if (!feasibleWide(runs, first, last, length, full, empty, at)) return false;
  const { afterGap, afterRun, open, rest, ends, emptyBefore, fullBefore } = room;
  const limbs = limbsFor(length);
  const afterLastFull = bitLength(full, at, limbs);
  for (let limb = 0; limb < limbs; limb++) {
    rest[limb] = span(afterLastFull, length + 1, limb);
    emptyBefore[limb] = 0;
    fullBefore[limb] = 0;
  }
  // Only the last run may end at the very end, where no empty cell follows.
  let atEnd = 1 << (length % limbBits);
  for (let run = last - 1, set = (last - first) * limbs; run >= first; run--, set -= limbs) {
    const size = runs[run];
    const whole = Math.floor(size / limbBits);
    const part = size - whole * limbBits;
    let restAbove = 0;
    let flooded = 0;
    for (let limb = limbs - 1; limb >= 0; limb--) {
      const still = rest[limb];
      emptyBefore[limb] |= afterGap[set + limb] & still;
      ends[limb] = afterRun[set + limb] & ((open[limb] & ((still >> 1) | restAbove)) | atEnd);
      atEnd = 0;
      restAbove = (still & 1) << (limbBits - 1);
      const floodedNow = floodedDown(shiftedDown(ends, limb + whole, limbs, part), open[limb], flooded);
      rest[limb] = floodedNow;
      flooded = floodedNow & 1;
    }
    cover(ends, fullBefore, size, limbs);
  }
  for (let limb = 0; limb < limbs; limb++) emptyBefore[limb] |= afterGap[limb] & rest[limb];
  for (let limb = 0; limb < limbs; limb++) {
    const cells = span(0, length, limb);
    deducedFull[limb] = cells & ~shiftedDown(emptyBefore, limb, limbs, 1);
    deducedEmpty[limb] = cells & ~shiftedDown(fullBefore, limb, limbs, 1);
  }
  return true;
}

/** Seeds of one limb spread downwards through its open cells; `arrived` when the limb above floods into it. */
function floodedDown(seeds: number, open1: number, arrived: number): number {
  const open2 = open1 & (open1 >> 1);
  const open4 = open2 & (open2 >> 2);
  const open8 = open4 & (open4 >> 4);
  let set = seeds | (open1 & (arrived << (limbBits - 1)));
  set |= open1 & (set >> 1);
  set |= open2 & (set >> 2);
  set |= open4 & (set >> 4);
  set |= open8 & (set >> 8);
  return set | (open8 & (open8 >> 8) & (set >> 16));
}

/** Adds the cells of runs of `size` that end at `ends` to `fullBefore`. Uses up `ends`. */
function cover(ends: Int32Array, fullBefore: Int32Array, size: number, limbs: number): void {
  let reach = 1;
  for (; 2 * reach <= size; reach *= 2) {
    const whole = Math.floor(reach / limbBits);
    for (let limb = 0; limb < limbs; limb++) {
      ends[limb] |= shiftedDown(ends, limb + whole, limbs, reach - whole * limbBits);
    }
  }
  const whole = Math.floor((size - reach) / limbBits);
  for (let limb = 0; limb < limbs; limb++) {
    fullBefore[limb] |= ends[limb] | shiftedDown(ends, limb + whole, limbs, size - reach - whole * limbBits);
  }
}
