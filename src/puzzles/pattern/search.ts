// Complete search for one or two solutions: conflict-driven clause learning over cells, with line logic as the
// propagator. A line explains what it implied only when a conflict asks, by dropping marks it can do without.
import { ActivityHeap } from "./activity-heap.ts";
import { empty, full, type Mark, opposite, unknown } from "./mark.ts";
import { given, type Worksheet } from "./worksheet.ts";

/** A literal is `2 · cell` for "full", one more for "empty"; a clause says that one of its literals holds. */
type Clause = {
  readonly literals: Int32Array;
  /** Number of different guesses the clause spoke of when it was learned: few means useful. */
  readonly spread: number;
  dropped: boolean;
};

const literalOf = (cell: number, value: Mark) => 2 * cell + (value === full ? 0 : 1);
const markOf = (literal: number): Mark => ((literal & 1) === 0 ? full : empty);

export type SearchOutcome =
  | { readonly found: readonly string[]; readonly steps: number }
  | { readonly gaveUp: true; readonly steps: number };

const byClause = -2;

export class Search {
  readonly #sheet: Worksheet;
  readonly #levelOf: Int32Array;
  readonly #phase: Uint8Array;
  readonly #clauseOf: (Clause | undefined)[];
  readonly #watchers: (Clause[] | undefined)[];
  readonly #heap: ActivityHeap;
  readonly #seen: Uint8Array;
  readonly #lineFull: Int32Array;
  readonly #lineEmpty: Int32Array;
  readonly #spreadSeen: Int32Array;
  #spreadStamp = 0;
  #learned: Clause[] = [];
  #levelStarts: number[] = [];
  #clausesSeen = 0;

  constructor(sheet: Worksheet) {
    this.#sheet = sheet;
    this.#levelOf = new Int32Array(sheet.area);
    this.#phase = new Uint8Array(sheet.area).fill(full);
    this.#clauseOf = new Array(sheet.area);
    this.#watchers = new Array(2 * sheet.area);
    this.#heap = new ActivityHeap(sheet.area);
    this.#seen = new Uint8Array(sheet.area);
    this.#spreadSeen = new Int32Array(sheet.area + 1);
    this.#lineFull = new Int32Array(sheet.limbs);
    this.#lineEmpty = new Int32Array(sheet.limbs);
  }

  /**
   * Finds up to two solutions. After the first, each open cell in turn is assumed to be the other way round: either that
   * is refuted, and the cell is settled for good, or a second solution has been found.
   */
  run(budget: number): SearchOutcome {
    const sheet = this.#sheet;
    let first: string | undefined;
    let steps = 0;
    let conflicts = 0;
    let restartAt = restartLength(0);
    let restarts = 0;
    let keep = 2000;
    this.#clausesSeen = sheet.marked;
    for (let cell = 0; cell < sheet.area; cell++) if (sheet.values[cell] === unknown) this.#heap.insert(cell);
    for (;;) {
      const conflict = this.#propagate();
      if (conflict !== undefined) {
        if (this.#levelStarts.length === 0) return { found: first === undefined ? [] : [first], steps };
        conflicts++;
        this.#learnFrom(conflict);
        this.#heap.decay();
        continue;
      }
      if (sheet.solved) {
        const cells = sheet.cells();
        if (first !== undefined && this.#levelStarts.length > 0) return { found: [first, cells], steps };
        if (this.#levelStarts.length === 0) return { found: [first ?? cells], steps };
        first = cells;
        this.#backTo(0);
        continue;
      }
      if (conflicts >= restartAt) {
        restartAt = conflicts + restartLength(++restarts);
        this.#backTo(0);
      }
      if (this.#learned.length > keep && this.#levelStarts.length === 0) {
        this.#dropWorst();
        keep += 500;
      }
      if (steps++ >= budget) return { gaveUp: true, steps };
      const cell = this.#nextGuess();
      const saved = this.#phase[cell] as Mark;
      const assumed = first !== undefined && this.#levelStarts.length === 0;
      this.#levelStarts.push(sheet.marked);
      this.#place(cell, assumed ? opposite(first!.charCodeAt(cell) === 35 ? full : empty) : saved, given);
    }
  }

  #nextGuess(): number {
    for (;;) {
      const cell = this.#heap.take();
      if (this.#sheet.values[cell] === unknown) return cell;
    }
  }

  #place(cell: number, value: Mark, reason: number): void {
    this.#sheet.mark(cell, value, reason, this.#sheet.marked);
  }

  /** Clauses and lines, until nothing follows any more. Returns literals that cannot all be false but are, if any. */
  #propagate(): number[] | undefined {
    const sheet = this.#sheet;
    const level = this.#levelStarts.length;
    for (;;) {
      while (this.#clausesSeen < sheet.marked) {
        const cell = sheet.trail[this.#clausesSeen++];
        this.#levelOf[cell] = level;
        const broken = this.#visitWatchers(literalOf(cell, opposite(sheet.values[cell])));
        if (broken !== undefined) {
          for (let at = this.#clausesSeen; at < sheet.marked; at++) this.#levelOf[sheet.trail[at]] = level;
          return Array.from(broken.literals);
        }
      }
      if (sheet.quiet) return undefined;
      const line = sheet.deduceNext("placements");
      if (line >= 0) {
        return this.#explainLine(line, sheet.marked, -1, given);
      }
    }
  }

  /** A literal became false: every clause that watches it finds another to watch, or implies its last one. */
  #visitWatchers(falseLiteral: number): Clause | undefined {
    const watchers = this.#watchers[falseLiteral];
    if (watchers === undefined) return undefined;
    const { values } = this.#sheet;
    let kept = 0;
    for (let index = 0; index < watchers.length; index++) {
      const clause = watchers[index];
      if (clause.dropped) continue;
      const { literals } = clause;
      if (literals[0] === falseLiteral) {
        literals[0] = literals[1];
        literals[1] = falseLiteral;
      }
      const other = literals[0];
      const otherValue = values[other >> 1];
      if (otherValue === markOf(other)) {
        watchers[kept++] = clause;
        continue;
      }
      let moved = false;
      for (let place = 2; place < literals.length; place++) {
        const literal = literals[place];
        const value = values[literal >> 1];
        if (value === unknown || value === markOf(literal)) {
          literals[1] = literal;
          literals[place] = falseLiteral;
          this.#watch(literal, clause);
          moved = true;
          break;
        }
      }
      if (moved) continue;
      watchers[kept++] = clause;
      if (otherValue !== unknown) {
        while (++index < watchers.length) watchers[kept++] = watchers[index];
        watchers.length = kept;
        return clause;
      }
      this.#clauseOf[other >> 1] = clause;
      this.#place(other >> 1, markOf(other), byClause);
    }
    watchers.length = kept;
    return undefined;
  }

  /**
   * Marks of a line, made before the trail had length `before`, that together forbid `cell` to have any value but its
   * own (or, without a cell, forbid every placement), as literals that are false now. Latest marks are dropped first.
   */
  #explainLine(line: number, before: number, cell: number, value: number): number[] {
    const sheet = this.#sheet;
    const [knownFull, knownEmpty] = [this.#lineFull, this.#lineEmpty];
    knownFull.fill(0);
    knownEmpty.fill(0);
    const places: number[] = [];
    const length = sheet.lengthOf(line);
    for (let place = 0; place < length; place++) {
      const other = sheet.cellOf(line, place);
      if (other === cell) flip(value === full ? knownEmpty : knownFull, place);
      else if (sheet.values[other] !== unknown && sheet.placeOf[other] < before) {
        flip(sheet.values[other] === full ? knownFull : knownEmpty, place);
        if (this.#levelOf[other] > 0) places.push(place);
      }
    }
    // Marks that the conflict at hand speaks of anyway cost nothing more and are dropped last.
    const keenness = (place: number) => {
      const other = sheet.cellOf(line, place);
      return sheet.placeOf[other] - (this.#seen[other] === 1 ? sheet.area : 0);
    };
    places.sort((a, b) => keenness(b) - keenness(a));
    const reasons: number[] = [];
    for (const place of places) {
      const other = sheet.cellOf(line, place);
      const marks = sheet.values[other] === full ? knownFull : knownEmpty;
      flip(marks, place);
      if (sheet.feasible(line, knownFull, knownEmpty)) {
        flip(marks, place);
        reasons.push(literalOf(other, opposite(sheet.values[other])));
      }
    }
    return reasons;
  }

  /** The literals that were false and made this marked cell what it is. */
  #reasonsFor(cell: number): ArrayLike<number> {
    const sheet = this.#sheet;
    const reason = sheet.reasonOf[cell];
    if (reason === byClause) return this.#clauseOf[cell]!.literals;
    return this.#explainLine(reason, sheet.reasonAt[cell], cell, sheet.values[cell]);
  }

  /** Resolves the conflict back to the one mark of the last level that explains it, learns that, and goes back. */
  #learnFrom(conflict: ArrayLike<number>): void {
    const sheet = this.#sheet;
    const level = this.#levelStarts.length;
    const seen = this.#seen;
    const learned: number[] = [0];
    const touched: number[] = [];
    let open = 0;
    let reasons = conflict;
    let at = sheet.marked - 1;
    let cell = -1;
    for (;;) {
      for (let index = 0; index < reasons.length; index++) {
        const other = reasons[index] >> 1;
        if (other === cell || seen[other] === 1 || this.#levelOf[other] === 0) continue;
        seen[other] = 1;
        touched.push(other);
        this.#heap.bump(other);
        if (this.#levelOf[other] === level) open++;
        else learned.push(reasons[index]);
      }
      while (seen[sheet.trail[at]] === 0) at--;
      cell = sheet.trail[at--];
      if (--open === 0) break;
      reasons = this.#reasonsFor(cell);
    }
    learned[0] = literalOf(cell, opposite(sheet.values[cell]));
    for (const other of touched) seen[other] = 0;

    let back = 0;
    this.#spreadStamp++;
    let spread = 1;
    for (let index = 1; index < learned.length; index++) {
      const otherLevel = this.#levelOf[learned[index] >> 1];
      if (this.#spreadSeen[otherLevel] !== this.#spreadStamp) {
        this.#spreadSeen[otherLevel] = this.#spreadStamp;
        spread++;
      }
      if (otherLevel > back) {
        back = otherLevel;
        [learned[1], learned[index]] = [learned[index], learned[1]];
      }
    }
    this.#backTo(back);
    if (learned.length === 1) {
      this.#place(learned[0] >> 1, markOf(learned[0]), given);
      return;
    }
    const clause: Clause = { literals: Int32Array.from(learned), spread, dropped: false };
    this.#learned.push(clause);
    this.#watch(learned[0], clause);
    this.#watch(learned[1], clause);
    this.#clauseOf[learned[0] >> 1] = clause;
    this.#place(learned[0] >> 1, markOf(learned[0]), byClause);
  }

  #watch(literal: number, clause: Clause): void {
    const watchers = this.#watchers[literal];
    if (watchers === undefined) this.#watchers[literal] = [clause];
    else watchers.push(clause);
  }

  #backTo(level: number): void {
    if (this.#levelStarts.length <= level) return;
    const sheet = this.#sheet;
    const start = this.#levelStarts[level];
    for (let at = start; at < sheet.marked; at++) {
      const cell = sheet.trail[at];
      this.#phase[cell] = sheet.values[cell];
      this.#heap.insert(cell);
    }
    this.#levelStarts.length = level;
    sheet.undoTo(start);
    this.#clausesSeen = start;
  }

  /** Forgets the half of the learned clauses that spoke of the most guesses. Only before the first guess. */
  #dropWorst(): void {
    this.#learned.sort((a, b) => a.spread - b.spread);
    const half = this.#learned.length >> 1;
    for (let index = half; index < this.#learned.length; index++) {
      if (this.#learned[index].spread > 2) this.#learned[index].dropped = true;
    }
    this.#learned = this.#learned.filter((clause) => !clause.dropped);
  }
}

function flip(marks: Int32Array, place: number): void {
  const limb = Math.floor(place / 30);
  marks[limb] ^= 1 << (place - limb * 30);
}

/** Luby's sequence 1 1 2 1 1 2 4 …, times thirty conflicts. */
function restartLength(index: number): number {
  let size = 1;
  let power = 0;
  while (size < index + 1) {
    size = 2 * size + 1;
    power++;
  }
  let left = index;
  while (size - 1 !== left) {
    size = (size - 1) >> 1;
    power--;
    left %= size;
  }
  return 30 * 2 ** power;
}
