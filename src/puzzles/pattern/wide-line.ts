// The same deductions as narrow-line.ts for lines of any length: sets of positions are 30-bit limbs in an array, lowest
// first. Thirty bits, so that a sum with a carry stays a small integer.
export const limbBits = 30;
const limbMask = (1 << limbBits) - 1;

/** Limbs for the positions of a line: one more than it has cells. */
export const limbsFor = (length: number) => Math.floor(length / limbBits) + 1;

/** What `deduceWide` found, in limbs of cells. Replaced when a longer line comes along. */
export let deducedFull = new Int32Array(0);
export let deducedEmpty = new Int32Array(0);

let capacity = 0;
let afterGap = new Int32Array(0);
let afterRun = new Int32Array(0);
/** Positions preceded by 1, 2, 4, … cells that may be full, one set after the other. */
let fits = new Int32Array(0);
let open = new Int32Array(0);
let openAbove = new Int32Array(0);
let rest = new Int32Array(0);
let ends = new Int32Array(0);
let shifted = new Int32Array(0);
let emptyBefore = new Int32Array(0);
let fullBefore = new Int32Array(0);

function makeRoom(length: number): void {
  if (length <= capacity) return;
  capacity = length;
  const limbs = limbsFor(length);
  const sets = (count: number) => new Int32Array(limbs * count);
  const mostRuns = Math.ceil(length / 2);
  [afterGap, afterRun] = [sets(mostRuns + 1), sets(mostRuns + 1)];
  fits = sets(Math.floor(Math.log2(length)) + 1);
  [open, openAbove, rest, ends, shifted] = [sets(1), sets(1), sets(1), sets(1), sets(1)];
  [emptyBefore, fullBefore, deducedFull, deducedEmpty] = [sets(1), sets(1), sets(1), sets(1)];
}

/** `to = from << by`, within `limbs` limbs. The two may be the same set. */
function shiftUp(to: Int32Array, from: Int32Array, at: number, by: number, limbs: number): void {
  const whole = Math.floor(by / limbBits);
  const part = by - whole * limbBits;
  for (let limb = limbs - 1; limb >= 0; limb--) {
    const source = limb - whole;
    const high = source >= 0 ? from[at + source] << part : 0;
    const low = source >= 1 ? from[at + source - 1] >> (limbBits - part) : 0;
    to[limb] = (high | low) & limbMask;
  }
}

/** `to = from >> by`, within `limbs` limbs. The two may be the same set. */
function shiftDown(to: Int32Array, from: Int32Array, by: number, limbs: number): void {
  const whole = Math.floor(by / limbBits);
  const part = by - whole * limbBits;
  for (let limb = 0; limb < limbs; limb++) {
    const source = limb + whole;
    const low = source < limbs ? from[source] >> part : 0;
    const high = source + 1 < limbs ? from[source + 1] << (limbBits - part) : 0;
    to[limb] = (low | high) & limbMask;
  }
}

/** From the seeds in `shifted`, upwards through `openAbove`: the carry of a sum does the walking. */
function floodUp(to: Int32Array, at: number, limbs: number): void {
  let carry = 0;
  for (let limb = 0; limb < limbs; limb++) {
    const through = openAbove[limb];
    const seeds = shifted[limb] & through;
    const sum = through + seeds + carry;
    carry = sum >>> limbBits;
    to[at + limb] = ((sum ^ through) & through) | seeds;
  }
}

/** From the seeds in `rest`, downwards through `open`, in place. */
function floodDown(limbs: number): void {
  let arrived = 0;
  for (let limb = limbs - 1; limb >= 0; limb--) {
    const open1 = open[limb];
    const open2 = open1 & (open1 >> 1);
    const open4 = open2 & (open2 >> 2);
    const open8 = open4 & (open4 >> 4);
    let set = rest[limb] | (open1 & (arrived << (limbBits - 1)));
    set |= open1 & (set >> 1);
    set |= open2 & (set >> 2);
    set |= open4 & (set >> 4);
    set |= open8 & (set >> 8);
    set |= open8 & (open8 >> 8) & (set >> 16);
    rest[limb] = set;
    arrived = set & 1;
  }
}

/** The bits low … high - 1 of a set, as they fall into one limb. */
function span(low: number, high: number, limb: number): number {
  const from = Math.max(0, low - limb * limbBits);
  const to = Math.min(limbBits, high - limb * limbBits);
  return from < to ? (to === limbBits ? limbMask : (1 << to) - 1) & ~((1 << from) - 1) : 0;
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
  const limbs = limbsFor(length);
  for (let limb = 0; limb < limbs; limb++) {
    const cells = span(0, length, limb);
    open[limb] = cells & ~full[at + limb];
    fits[limb] = cells & ~empty[at + limb];
  }
  shiftUp(openAbove, open, 0, 1, limbs);
  shiftUp(fits, fits, 0, 1, limbs);
  let longest = 0;
  for (let run = first; run < last; run++) longest = Math.max(longest, runs[run]);
  for (let power = 1; 1 << power <= longest; power++) {
    const [before, now] = [(power - 1) * limbs, power * limbs];
    shiftUp(shifted, fits, before, 1 << (power - 1), limbs);
    for (let limb = 0; limb < limbs; limb++) fits[now + limb] = fits[before + limb] & shifted[limb];
  }

  shifted.fill(0, 0, limbs);
  shifted[0] = 2;
  floodUp(afterGap, 0, limbs);
  afterGap[0] |= 1;
  ends.fill(0, 0, limbs);
  for (let run = first, placed = limbs; run < last; run++, placed += limbs) {
    const size = runs[run];
    const power = 31 - Math.clz32(size);
    const fit = power * limbs;
    shiftUp(ends, afterGap, placed - limbs, size, limbs);
    shiftUp(shifted, fits, fit, size - (1 << power), limbs);
    let any = 0;
    for (let limb = 0; limb < limbs; limb++)
      any |= afterRun[placed + limb] = ends[limb] &= fits[fit + limb] & shifted[limb];
    if (any === 0) return false;
    shiftUp(shifted, ends, 0, 1, limbs);
    floodUp(afterGap, placed, limbs);
  }
  const gap = afterGap[(last - first) * limbs + limbs - 1];
  return ((ends[limbs - 1] | gap) & (1 << (length % limbBits))) !== 0;
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
  const limbs = limbsFor(length);
  emptyBefore.fill(0, 0, limbs);
  fullBefore.fill(0, 0, limbs);
  const afterLastFull = bitLength(full, at, limbs);
  for (let limb = 0; limb < limbs; limb++) rest[limb] = span(afterLastFull, length + 1, limb);

  for (let run = last - 1, placed = (last - first) * limbs; run >= first; run--, placed -= limbs) {
    const size = runs[run];
    shiftDown(shifted, rest, 1, limbs);
    for (let limb = 0; limb < limbs; limb++) {
      emptyBefore[limb] |= afterGap[placed + limb] & rest[limb];
      ends[limb] = afterRun[placed + limb] & open[limb] & shifted[limb];
    }
    if (run === last - 1) ends[limbs - 1] |= afterRun[placed + limbs - 1] & (1 << (length % limbBits));
    shiftDown(rest, ends, size, limbs);
    let reach = 1;
    for (; reach << 1 <= size; reach <<= 1) {
      shiftDown(shifted, ends, reach, limbs);
      for (let limb = 0; limb < limbs; limb++) ends[limb] |= shifted[limb];
    }
    shiftDown(shifted, ends, size - reach, limbs);
    for (let limb = 0; limb < limbs; limb++) fullBefore[limb] |= ends[limb] | shifted[limb];
    floodDown(limbs);
  }

  for (let limb = 0; limb < limbs; limb++) emptyBefore[limb] |= afterGap[limb] & rest[limb];
  shiftDown(emptyBefore, emptyBefore, 1, limbs);
  shiftDown(fullBefore, fullBefore, 1, limbs);
  for (let limb = 0; limb < limbs; limb++) {
    const cells = span(0, length, limb);
    deducedFull[limb] = cells & ~emptyBefore[limb];
    deducedEmpty[limb] = cells & ~fullBefore[limb];
  }
  return true;
}
