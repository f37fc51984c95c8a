// A maze in the making: mirrors laid at random, monsters put in, one monster changed at a time.
import type { Random } from "../../base/random.ts";
import { anyMonster, Deduction } from "./deduction.ts";
import { fromClockwise, monsterSymbols, type UndeadBoard, type UndeadInstance } from "./instance.ts";
import {
  backslash,
  createSightLines,
  open,
  type SightLines,
  seenFromEnd,
  seenFromStart,
  setCell,
  sightingsOf,
  slash,
  traceSightLines,
} from "./sight-lines.ts";
import { fillUniquely } from "./unique-views.ts";

/** Tatham's limits: a mirror in two cells of five, give or take. */
const leastMonsters = 5;
const leastShare = 0.48;
const mostShare = 0.78;

export function isBalanced({ width, height, monsterCount }: SightLines): boolean {
  const share = monsterCount / (width * height);
  return monsterCount >= leastMonsters && share >= leastShare && share <= mostShare;
}

export function cellsOnLongestLine({ order, lineCount, starts }: SightLines): number {
  const last = order[lineCount - 1];
  return starts[last + 1] - starts[last];
}

export class Draft {
  readonly lines: SightLines;
  /** Its sightings are those of the filling. */
  readonly deduction: Deduction;
  /** The monster of each cell: 0 ghost, 1 vampire, 2 zombie. */
  readonly filling: Uint8Array;
  readonly totals = new Int32Array(3);
  /** How often a maze was solved to see what it is. */
  looks = 0;
  readonly #domains: Uint8Array;
  readonly #filledLines: Uint8Array;
  readonly #candidates: Int32Array;

  constructor(width: number, height: number) {
    this.lines = createSightLines(width, height);
    this.deduction = new Deduction(this.lines);
    this.filling = new Uint8Array(width * height);
    this.#domains = new Uint8Array(width * height);
    this.#filledLines = new Uint8Array(width + height);
    this.#candidates = new Int32Array(width * height);
  }

  /** A new maze without monsters; false when it came out unbalanced or with a line of more than `longest` cells. */
  layMirrors(longest: number, random: Random): boolean {
    const { lines } = this;
    const { width, height, grid } = lines;
    for (let row = 1; row <= height; row++) {
      const start = row * (width + 2) + 1;
      for (let at = start; at < start + width; at++) {
        const content = random.below(5);
        grid[at] = content === 0 ? backslash : content === 1 ? slash : open;
      }
    }
    traceSightLines(lines);
    if (this.#closeUnseen(random)) traceSightLines(lines);
    return isBalanced(lines) && cellsOnLongestLine(lines) <= longest;
  }

  /** A cell that no line passes gets a mirror: nobody could see what it hides, and no line changes by it. */
  #closeUnseen(random: Random): boolean {
    const { places, cellOfMonster, monsterCount } = this.lines;
    let any = false;
    for (let monster = 0; monster < monsterCount; monster++) {
      if (places[2 * monster] >= 0) continue;
      setCell(this.lines, cellOfMonster[monster], random.below(2) === 0 ? backslash : slash);
      any = true;
    }
    return any;
  }

  /** Fills lines so that they can be read off until at most `leftToChance` cells are open, and those at random. */
  fill(leftToChance: number, random: Random): void {
    const { lines, filling, totals } = this;
    const domains = this.#domains;
    const count = lines.monsterCount;
    domains.fill(anyMonster, 0, count);
    this.#filledLines.fill(0);
    totals.fill(0);
    for (let unset = count; unset > leftToChance; ) {
      const line = this.#nextToFill();
      if (line < 0) break;
      this.#filledLines[line] = 1;
      unset -= fillUniquely(lines, domains, line, totals, random);
    }
    for (let monster = 0; monster < count; monster++) {
      if (domains[monster] === anyMonster) totals[(filling[monster] = random.below(3))]++;
      else filling[monster] = domains[monster] >> 1;
    }
    sightingsOf(lines, filling, this.deduction.seen);
  }

  /**
   * Between two mirrors ghosts and zombies look the same, so a line that is to be read off has only vampires there.
   * Lines with few such open cells come first: the other cells are then decided on lines where they can be anything.
   */
  #nextToFill(): number {
    const { lineCount, starts, members, kinds } = this.lines;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let line = 0; line < lineCount; line++) {
      if (this.#filledLines[line] === 1) continue;
      let cost = 0;
      for (let place = starts[line]; place < starts[line + 1]; place++) {
        if (this.#domains[members[place]] === anyMonster) cost += costOfKind[kinds[place]];
      }
      if (cost === 0) this.#filledLines[line] = 1;
      else if (cost < least) {
        least = cost;
        best = line;
      }
    }
    return best;
  }

  /** Puts another monster into a cell. */
  change(cell: number, monster: number): void {
    const { lines, filling, totals, deduction } = this;
    const former = filling[cell];
    for (let side = 0; side < 2; side++) {
      const place = lines.places[2 * cell + side];
      if (place < 0) break;
      const line = lines.lineOfPlace[place];
      const entry = lines.kinds[place] * 3;
      deduction.seen[lines.startEdges[line]] += seenFromStart[entry + monster] - seenFromStart[entry + former];
      deduction.seen[lines.endEdges[line]] += seenFromEnd[entry + monster] - seenFromEnd[entry + former];
    }
    totals[former]--;
    totals[monster]++;
    filling[cell] = monster;
  }

  /** One of the cells that deduction left open. */
  openCell(random: Random): number {
    const { domains } = this.deduction;
    let count = 0;
    for (let cell = 0; cell < this.lines.monsterCount; cell++) {
      if ((domains[cell] & (domains[cell] - 1)) !== 0) this.#candidates[count++] = cell;
    }
    return this.#candidates[random.below(count)];
  }

  /** One of the cells in which two fillings differ. */
  differingCell(one: Uint8Array, other: Uint8Array, random: Random): number {
    let count = 0;
    for (let cell = 0; cell < one.length; cell++) if (one[cell] !== other[cell]) this.#candidates[count++] = cell;
    return this.#candidates[random.below(count)];
  }

  record(): { readonly instance: UndeadInstance; readonly solution: UndeadBoard } {
    const { width, height, grid } = this.lines;
    let cells = "";
    let solved = "";
    let monster = 0;
    for (let row = 1; row <= height; row++)
      for (let at = row * (width + 2) + 1; at <= row * (width + 2) + width; at++) {
        const mirror = grid[at] === slash ? "/" : "\\";
        cells += grid[at] === open ? "." : mirror;
        solved += grid[at] === open ? monsterSymbols[this.filling[monster++]] : mirror;
      }
    const totals = { ghosts: this.totals[0], vampires: this.totals[1], zombies: this.totals[2] };
    const sightings = fromClockwise(width, height, this.deduction.seen);
    return { instance: { width, height, totals, cells, sightings }, solution: { cells: solved } };
  }
}

const costOfKind = Uint8Array.from({ length: seenFromStart.length / 3 }, (_, kind) => {
  const [ghost, zombie] = [3 * kind, 3 * kind + 2];
  return seenFromStart[ghost] === seenFromStart[zombie] && seenFromEnd[ghost] === seenFromEnd[zombie] ? 5 : 1;
});
