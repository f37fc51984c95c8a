// Filling a line of sight so that its two sightings allow no other filling: whoever solves the maze can then fill that
// line at once. Easy mazes consist of such lines, harder ones contain a few.
import type { Random } from "../../base/random.ts";
import { anyMonster } from "./deduction.ts";
import { passesOf, type SightLines, seenFromEnd, seenFromStart } from "./sight-lines.ts";

// What is seen from the end is a bit of a word, so a line may pass this many open cells and no more.
const mostPasses = 30;

const cells = new Int32Array(mostPasses);
const kinds = new Uint8Array(mostPasses);
/** At `cell * rows + seen from start`: the counts from the end that the cells before can show. */
const reachable = new Int32Array((mostPasses + 1) * (mostPasses + 1));
/** The same, where more than one filling shows it; only the latest two cells are kept. */
const ambiguous = new Int32Array(2 * (mostPasses + 1));

// Of a few such fillings the one is taken that keeps the monsters most even.
const fillingsCompared = 4;
const filling = new Uint8Array(mostPasses);
const added = new Int32Array(3);

/**
 * Fills the open cells of a line in one of the ways that are alone in what they show, and counts the monsters in `used`.
 * Returns how many cells it filled.
 */
export function fillUniquely(
  lines: SightLines,
  domains: Uint8Array,
  line: number,
  used: Int32Array,
  random: Random,
): number {
  let count = 0;
  let passes = 0;
  for (let place = lines.starts[line]; place < lines.starts[line + 1]; place++) {
    if (domains[lines.members[place]] !== anyMonster) continue;
    passes += passesOf[lines.kinds[place]];
    if (passes > mostPasses) return 0;
    cells[count] = lines.members[place];
    kinds[count++] = lines.kinds[place];
  }
  if (count === 0) return 0;

  const rows = passes + 1;
  reachable.fill(0, 0, (count + 1) * rows);
  ambiguous.fill(0, 0, rows);
  reachable[0] = 1;
  let highest = 0;
  for (let i = 0; i < count; i++) {
    const [from, to] = [i * rows, (i + 1) * rows];
    const [fromTwice, toTwice] = i % 2 === 0 ? [0, rows] : [rows, 0];
    ambiguous.fill(0, toTwice, toTwice + rows);
    for (let entry = kinds[i] * 3; entry < kinds[i] * 3 + 3; entry++) {
      const rise = seenFromStart[entry];
      const shift = seenFromEnd[entry];
      for (let row = 0; row <= highest; row++) {
        const once = reachable[from + row] << shift;
        if (once === 0) continue;
        const target = row + rise;
        ambiguous[toTwice + target] |= (ambiguous[fromTwice + row] << shift) | (reachable[to + target] & once);
        reachable[to + target] |= once;
      }
    }
    highest += passesOf[kinds[i]];
  }

  const last = count * rows;
  const lastTwice = count % 2 === 0 ? 0 : rows;
  let choices = 0;
  for (let row = 0; row < rows; row++) choices += bitsIn(reachable[last + row] & ~ambiguous[lastTwice + row]);
  if (choices === 0) return 0;
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < Math.min(choices, fillingsCompared); attempt++) {
    readBack(count, rows, lastTwice, random.below(choices));
    const most = Math.max(used[0] + added[0], used[1] + added[1], used[2] + added[2]);
    if (most >= best) continue;
    best = most;
    for (let i = 0; i < count; i++) domains[cells[i]] = 1 << filling[i];
  }
  for (let i = 0; i < count; i++) used[domains[cells[i]] >> 1]++;
  return count;
}

/** The filling behind a view that only one filling shows: the way back never has a choice. */
function readBack(count: number, rows: number, lastTwice: number, view: number): void {
  let skip = view;
  let start = 0;
  let alone = 0;
  for (; ; start++) {
    alone = reachable[count * rows + start] & ~ambiguous[lastTwice + start];
    const here = bitsIn(alone);
    if (skip < here) break;
    skip -= here;
  }
  for (; skip > 0; skip--) alone &= alone - 1;
  let end = 31 - Math.clz32(alone & -alone);
  added.fill(0);
  for (let i = count - 1; i >= 0; i--) {
    for (let monster = 0; monster < 3; monster++) {
      const startBefore = start - seenFromStart[kinds[i] * 3 + monster];
      const endBefore = end - seenFromEnd[kinds[i] * 3 + monster];
      if (startBefore < 0 || endBefore < 0 || ((reachable[i * rows + startBefore] >> endBefore) & 1) === 0) continue;
      filling[i] = monster;
      added[monster]++;
      start = startBefore;
      end = endBefore;
      break;
    }
  }
}

function bitsIn(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
