// How much a picture's own clues say about it, for pictures made here: its maker knows the solution and asks whether there is
// another. Lines are machine words, and the whole state is small enough to be copied where others would keep a trail:
// making an unreasonable puzzle asks this some thousand times.
import { full } from "./mark.ts";
import { deduced, deduceNarrow, narrowLimit } from "./narrow-line.ts";

/** Differences between pictures and their twins that are remembered. */
const mostTwins = 128;

const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits);

export class KnownPicture {
  static fits(width: number, height: number): boolean {
    return Math.max(width, height) <= narrowLimit;
  }

  /** Lines looked at: the measure of effort. */
  looks = 0;
  readonly #width: number;
  readonly #height: number;
  /** The cells of a line, as bits: of the picture, and of what is known. Rows, then columns. */
  readonly #picture: Int32Array;
  readonly #full: Int32Array;
  readonly #empty: Int32Array;
  readonly #runs: Uint16Array;
  readonly #runsFrom: Int32Array;
  #rowsWaiting = 0;
  #columnsWaiting = 0;
  /** Known cells to come back to, full lines and empty ones, a stretch for every supposition within another. */
  #saved: Int32Array;
  readonly #unbroken: Int32Array;
  /** By lines, the cells in which twins met lately differed: a change to a picture often brings one of them back. */
  readonly #twins: Int32Array[] = [];
  #twinsMet = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    const lines = width + height;
    this.#picture = new Int32Array(lines);
    this.#full = new Int32Array(lines);
    this.#empty = new Int32Array(lines);
    this.#runs = new Uint16Array(width * Math.ceil(height / 2) + height * Math.ceil(width / 2));
    this.#runsFrom = new Int32Array(lines + 1);
    this.#saved = new Int32Array(8 * lines);
    this.#unbroken = new Int32Array(height);
  }

  /** Takes a picture, a mark for each cell. Nothing is known about it. */
  take(cells: Uint8Array): void {
    const picture = this.#picture.fill(0);
    for (let row = 0, cell = 0; row < this.#height; row++)
      for (let column = 0; column < this.#width; column++, cell++) {
        if (cells[cell] !== full) continue;
        picture[row] |= 1 << column;
        picture[this.#height + column] |= 1 << row;
      }
    let at = 0;
    for (let line = 0; line < picture.length; line++) {
      this.#runsFrom[line] = at;
      for (let left = picture[line]; left !== 0; ) {
        left >>= lowest(left);
        const run = lowest(~left);
        this.#runs[at++] = run;
        left >>= run;
      }
    }
    this.#runsFrom[picture.length] = at;
    this.#full.fill(0);
    this.#empty.fill(0);
  }

  /** Whether it has a twin that differs from it as one met lately did from its own. */
  hasKnownTwin(): boolean {
    return this.#twins.some((twin) => {
      let line = 0;
      while (line < twin.length && this.#keepsClue(line, twin[line])) line++;
      return line === twin.length;
    });
  }

  /** Marks what line logic says about the picture's clues. */
  lookAtAllLines(): void {
    this.#rowsWaiting = (1 << this.#height) - 1;
    this.#columnsWaiting = (1 << this.#width) - 1;
    this.#deduce();
  }

  get solved(): boolean {
    for (let row = 0; row < this.#height; row++) if (this.#openIn(row) !== 0) return false;
    return true;
  }

  openCells(): number[] {
    const open: number[] = [];
    for (let row = 0; row < this.#height; row++)
      for (let left = this.#openIn(row); left !== 0; left &= left - 1) open.push(row * this.#width + lowest(left));
    return open;
  }

  /**
   * Supposes of every open cell that it is otherwise, and settles it where that breaks a line, until nothing breaks any more.
   * Returns how often none broke: how hard it was to find where to go on. Undefined when there is another picture.
   */
  settle(): number | undefined {
    let vain = 0;
    const area = this.#width * this.#height;
    // What follows from a supposition that breaks nothing breaks nothing itself, as long as nothing new is known.
    const unbroken = this.#unbroken.fill(0);
    this.#save(0);
    for (let cell = 0, sinceNews = 0; sinceNews < area; cell = cell + 1 === area ? 0 : cell + 1) {
      sinceNews++;
      const row = Math.floor(cell / this.#width);
      const column = cell - row * this.#width;
      if (((this.#openIn(row) >> column) & 1) === 0) continue;
      if (((unbroken[row] >> column) & 1) === 1) {
        vain++;
        continue;
      }
      if (this.#suppose(row, column, "otherwise")) {
        if (this.#marksMakeTwin()) {
          this.#twins[this.#twinsMet++ % mostTwins] = this.#picture.map((_, line) => this.#differenceIn(line));
          this.#restore(0);
          return undefined;
        }
        for (let other = 0; other < this.#height; other++) unbroken[other] |= this.#differenceIn(other);
        this.#restore(0);
        vain++;
        continue;
      }
      this.#restore(0);
      this.#suppose(row, column, "as it is");
      if (this.solved) break;
      this.#save(0);
      sinceNews = 0;
      unbroken.fill(0);
    }
    return vain;
  }

  /** Whether no other picture has these clues, as far as `steps` suppositions within suppositions tell. Marks are used up. */
  unique(steps: number): boolean {
    const left = { steps };
    while (!this.solved) {
      const { row, column } = this.#mostTelling();
      this.#save(0);
      if (this.#suppose(row, column, "otherwise") && this.#another(1, left) !== false) return false;
      this.#restore(0);
      this.#suppose(row, column, "as it is");
    }
    return true;
  }

  /** The open cell that says most, were it otherwise. */
  #mostTelling(): { readonly row: number; readonly column: number } {
    let best = { row: 0, column: 0 };
    let fewestOpen = Number.POSITIVE_INFINITY;
    this.#save(0);
    for (let row = 0; row < this.#height; row++)
      for (let left = this.#openIn(row); left !== 0; left &= left - 1) {
        const column = lowest(left);
        const open = this.#suppose(row, column, "otherwise") ? this.openCells().length : -1;
        this.#restore(0);
        if (open >= fewestOpen) continue;
        best = { row, column };
        fewestOpen = open;
        if (open < 0) return best;
      }
    return best;
  }

  /** Whether a picture goes with what is marked, which no longer allows the known one; undefined where the steps are used up. */
  #another(depth: number, left: { steps: number }): boolean | undefined {
    if (this.solved || this.#marksMakeTwin()) return true;
    if (left.steps-- <= 0) return undefined;
    let row = 0;
    while (this.#openIn(row) === 0) row++;
    const column = lowest(this.#openIn(row));
    this.#save(depth);
    for (const value of ["otherwise", "as it is"] as const) {
      const found = this.#suppose(row, column, value) && this.#another(depth + 1, left);
      if (found !== false) return found;
      this.#restore(depth);
    }
    return false;
  }

  #openIn(row: number): number {
    return ((1 << this.#width) - 1) & ~(this.#full[row] | this.#empty[row]);
  }

  /** The known cells of a line that the picture has otherwise. */
  #differenceIn(line: number): number {
    return (this.#full[line] & ~this.#picture[line]) | (this.#empty[line] & this.#picture[line]);
  }

  /** Marks an open cell and what line logic concludes; false when that breaks a line. */
  #suppose(row: number, column: number, value: "as it is" | "otherwise"): boolean {
    const isFull = ((this.#picture[row] >> column) & 1) === (value === "as it is" ? 1 : 0);
    const marks = isFull ? this.#full : this.#empty;
    marks[row] |= 1 << column;
    marks[this.#height + column] |= 1 << row;
    this.#rowsWaiting = 1 << row;
    this.#columnsWaiting = 1 << column;
    return this.#deduce();
  }

  #deduce(): boolean {
    const height = this.#height;
    while ((this.#rowsWaiting | this.#columnsWaiting) !== 0) {
      for (; this.#rowsWaiting !== 0; this.#rowsWaiting &= this.#rowsWaiting - 1) {
        const changed = this.#lookAt(lowest(this.#rowsWaiting), this.#width, height);
        if (changed < 0) return false;
        this.#columnsWaiting |= changed;
      }
      for (; this.#columnsWaiting !== 0; this.#columnsWaiting &= this.#columnsWaiting - 1) {
        const changed = this.#lookAt(height + lowest(this.#columnsWaiting), height, 0);
        if (changed < 0) return false;
        this.#rowsWaiting |= changed;
      }
    }
    return true;
  }

  /** Marks what a line says, also in the lines across, of which the first is `across`; returns which changed, or -1. */
  #lookAt(line: number, length: number, across: number): number {
    this.looks++;
    const [knownFull, knownEmpty] = [this.#full[line], this.#empty[line]];
    if (!deduceNarrow(this.#runs, this.#runsFrom[line], this.#runsFrom[line + 1], length, knownFull, knownEmpty))
      return -1;
    const newFull = deduced[0] & ~knownFull;
    const newEmpty = deduced[1] & ~knownEmpty;
    if ((newFull | newEmpty) === 0) return 0;
    this.#full[line] |= newFull;
    this.#empty[line] |= newEmpty;
    const bit = 1 << (line < this.#height ? line : line - this.#height);
    for (let left = newFull; left !== 0; left &= left - 1) this.#full[across + lowest(left)] |= bit;
    for (let left = newEmpty; left !== 0; left &= left - 1) this.#empty[across + lowest(left)] |= bit;
    return newFull | newEmpty;
  }

  /** Whether the picture, changed to what is marked, is another one with the same clues. Most pictures that lines cannot solve have such a twin nearby. */
  #marksMakeTwin(): boolean {
    let differs = false;
    for (let line = 0; line < this.#picture.length; line++) {
      const difference = this.#differenceIn(line);
      if (!this.#keepsClue(line, difference)) return false;
      if (difference !== 0) differs = true;
    }
    return differs;
  }

  /** Whether a line of the picture keeps its clue when these cells change. */
  #keepsClue(line: number, difference: number): boolean {
    if (difference === 0) return true;
    const cells = this.#picture[line] ^ difference;
    let at = this.#runsFrom[line];
    const end = this.#runsFrom[line + 1];
    for (let left = cells; left !== 0; at++) {
      left >>= lowest(left);
      const run = lowest(~left);
      if (at === end || this.#runs[at] !== run) return false;
      left >>= run;
    }
    return at === end;
  }

  #save(depth: number): void {
    const lines = this.#full.length;
    const start = 2 * lines * depth;
    if (start + 2 * lines > this.#saved.length) {
      const larger = new Int32Array(2 * this.#saved.length);
      larger.set(this.#saved);
      this.#saved = larger;
    }
    for (let line = 0; line < lines; line++) {
      this.#saved[start + line] = this.#full[line];
      this.#saved[start + lines + line] = this.#empty[line];
    }
  }

  #restore(depth: number): void {
    const lines = this.#full.length;
    const start = 2 * lines * depth;
    for (let line = 0; line < lines; line++) {
      this.#full[line] = this.#saved[start + line];
      this.#empty[line] = this.#saved[start + lines + line];
    }
  }
}
