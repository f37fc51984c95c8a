// How far a Pattern is solved: marked cells, in the order they were marked so that marks can be taken back, and the lines
// that deserve another look. Knows line logic and nothing about guessing.
import type { Clues, PatternInstance } from "./instance.ts";
import { cellsOf, empty, full, type Mark, unknown } from "./mark.ts";
import { deduced, deduceNarrow, narrowLimit } from "./narrow-line.ts";
import { slide } from "./sliding.ts";
import { deduceWide } from "./wide-line.ts";

/** What is asked of a line: see sliding.ts, or everything that all its placements agree on. */
type LineLogic = "sliding" | "placements";

const nobody = -1;

export class PropagationState {
  readonly width: number;
  readonly height: number;
  readonly area: number;
  /** Columns, then rows, as in an id. */
  readonly lineCount: number;
  readonly values: Uint8Array;
  marked = 0;
  /** Lines looked at so far: the measure of effort. */
  looks = 0;

  /** The marked cells, first to last. */
  readonly #trail: Int32Array;
  /** Cells of lines that fit a machine word, as bits. */
  readonly #full: Int32Array;
  readonly #empty: Int32Array;
  readonly #runs: Uint16Array;
  readonly #runsFrom: Int32Array;
  readonly #waiting: Int32Array;
  readonly #isWaiting: Uint8Array;
  #nextWaiting = 0;
  #waitingCount = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.area = width * height;
    this.lineCount = width + height;
    this.values = new Uint8Array(this.area);
    this.#trail = new Int32Array(this.area);
    this.#full = new Int32Array(this.lineCount);
    this.#empty = new Int32Array(this.lineCount);
    this.#runs = new Uint16Array(width * Math.ceil(height / 2) + height * Math.ceil(width / 2));
    this.#runsFrom = new Int32Array(this.lineCount + 1);
    this.#waiting = new Int32Array(this.lineCount);
    this.#isWaiting = new Uint8Array(this.lineCount);
  }

  static of(instance: PatternInstance): PropagationState {
    const state = new PropagationState(instance.width, instance.height);
    state.start(instance);
    for (let cell = 0; cell < (instance.prefilled?.length ?? 0); cell++) {
      const symbol = instance.prefilled![cell];
      if (symbol !== "?") state.mark(cell, symbol === "#" ? full : empty);
    }
    return state;
  }

  /** Clears the marks and takes new clues; every line deserves a look. */
  start(clues: Clues): void {
    let at = 0;
    for (let line = 0; line < this.lineCount; line++) {
      this.#runsFrom[line] = at;
      const runs = line < this.width ? clues.columns[line] : clues.rows[line - this.width];
      for (const run of runs) this.#runs[at++] = run;
    }
    this.#runsFrom[this.lineCount] = at;
    this.#wipe();
  }

  /** The same with the clues of a picture, a mark for each cell. */
  startFrom(picture: Uint8Array): void {
    let at = 0;
    for (let line = 0; line < this.lineCount; line++) {
      this.#runsFrom[line] = at;
      const step = this.#stepOf(line);
      let run = 0;
      for (let cell = this.cellOf(line, 0), left = this.lengthOf(line); left > 0; left--, cell += step) {
        if (picture[cell] === full) run++;
        else if (run > 0) {
          this.#runs[at++] = run;
          run = 0;
        }
      }
      if (run > 0) this.#runs[at++] = run;
    }
    this.#runsFrom[this.lineCount] = at;
    this.#wipe();
  }

  #wipe(): void {
    this.values.fill(unknown);
    this.#full.fill(0);
    this.#empty.fill(0);
    this.marked = 0;
    this.lookAtAllLines();
  }

  get solved(): boolean {
    return this.marked === this.area;
  }

  runsOf(line: number): Uint16Array {
    return this.#runs.subarray(this.#runsFrom[line], this.#runsFrom[line + 1]);
  }

  lengthOf(line: number): number {
    return line < this.width ? this.height : this.width;
  }

  cellOf(line: number, place: number): number {
    return line < this.width ? place * this.width + line : (line - this.width) * this.width + place;
  }

  #stepOf(line: number): number {
    return line < this.width ? this.width : 1;
  }

  lookAtAllLines(): void {
    this.#forgetWaiting();
    for (let line = 0; line < this.lineCount; line++) this.#lookLater(line);
  }

  #forgetWaiting(): void {
    while (this.#waitingCount > 0) this.#isWaiting[this.#takeWaiting()] = 0;
  }

  #lookLater(line: number): void {
    if (this.#isWaiting[line] === 1) return;
    this.#isWaiting[line] = 1;
    let place = this.#nextWaiting + this.#waitingCount++;
    if (place >= this.lineCount) place -= this.lineCount;
    this.#waiting[place] = line;
  }

  #takeWaiting(): number {
    const line = this.#waiting[this.#nextWaiting];
    if (++this.#nextWaiting === this.lineCount) this.#nextWaiting = 0;
    this.#waitingCount--;
    return line;
  }

  /** Marks an unknown cell. If a line implied it, that line has nothing more to say and is not looked at again. */
  mark(cell: number, value: Mark, impliedBy: number = nobody): void {
    const row = Math.floor(cell / this.width);
    const column = cell - row * this.width;
    const rowLine = this.width + row;
    this.values[cell] = value;
    this.#trail[this.marked++] = cell;
    this.#flip(value, column, row);
    this.#flip(value, rowLine, column);
    if (impliedBy !== column) this.#lookLater(column);
    if (impliedBy !== rowLine) this.#lookLater(rowLine);
  }

  #flip(value: number, line: number, place: number): void {
    (value === full ? this.#full : this.#empty)[line] ^= 1 << place;
  }

  /** Takes back all marks but the first `count`. Lines that wait for a look are forgotten. */
  undoTo(count: number): void {
    this.#forgetWaiting();
    while (this.marked > count) {
      const cell = this.#trail[--this.marked];
      const row = Math.floor(cell / this.width);
      const column = cell - row * this.width;
      this.#flip(this.values[cell], column, row);
      this.#flip(this.values[cell], this.width + row, column);
      this.values[cell] = unknown;
    }
  }

  /** Looks at waiting lines until none is left. Returns the line whose clue cannot be met, or -1. */
  deduce(logic: LineLogic): number {
    while (this.#waitingCount > 0) {
      const line = this.#lookAtNext(logic);
      if (line >= 0) return line;
    }
    return -1;
  }

  /** Looks at the line that has waited longest. Returns it if its clue cannot be met, else -1. */
  #lookAtNext(logic: LineLogic): number {
    const line = this.#takeWaiting();
    this.#isWaiting[line] = 0;
    this.looks++;
    const length = this.lengthOf(line);
    const [first, last] = [this.#runsFrom[line], this.#runsFrom[line + 1]];
    if (logic === "placements" && length <= narrowLimit) {
      const [knownFull, knownEmpty] = [this.#full[line], this.#empty[line]];
      if (!deduceNarrow(this.#runs, first, last, length, knownFull, knownEmpty)) return line;
      this.#markAll(line, deduced[0] & ~knownFull, full);
      this.#markAll(line, deduced[1] & ~knownEmpty, empty);
      return -1;
    }
    const step = this.#stepOf(line);
    let cell = this.cellOf(line, 0);
    const marks = (logic === "sliding" ? slide : deduceWide)(this.#runs, first, last, this.values, cell, step, length);
    if (marks === undefined) return line;
    for (let place = 0; place < length; place++, cell += step) {
      const mark = marks[place];
      if (mark === this.values[cell] || mark === unknown) continue;
      if (this.values[cell] !== unknown) return line;
      this.mark(cell, mark as Mark, line);
    }
    return -1;
  }

  #markAll(line: number, bits: number, value: Mark): void {
    for (let left = bits; left !== 0; left &= left - 1) {
      this.mark(this.cellOf(line, 31 - Math.clz32(left & -left)), value, line);
    }
  }

  /** The picture, where every cell is marked. */
  cells(): string {
    return cellsOf(this.values);
  }
}
