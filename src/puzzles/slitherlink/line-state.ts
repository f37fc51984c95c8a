// What is known about each line of a board, with the counts, paths and lists of places to look at again that the rules
// need. A line of the loop is `yes`, a line that is not part of it is `no`.
import { type LoopGrid, loopGrid } from "./grid.ts";

export const [unknown, yes, no] = [0, 1, 2];

/** The levels of rules. What only higher ones look at is not put on their agendas. */
export const [easy, normal, tricky, hard] = [0, 1, 2, 3];

/** What is known of two lines side by side at a corner, when neither is known: bits. */
export const [atLeastOne, atMostOne] = [1, 2];

/** Places that a rule has to look at again, each at most once at a time. */
class Agenda {
  readonly #places: Int32Array;
  readonly #waiting: Uint8Array;
  #count = 0;

  constructor(size: number) {
    this.#places = new Int32Array(size);
    this.#waiting = new Uint8Array(size);
  }

  add(place: number): void {
    if (this.#waiting[place] === 1) return;
    this.#waiting[place] = 1;
    this.#places[this.#count++] = place;
  }

  /** The place added last, or -1. */
  take(): number {
    if (this.#count === 0) return -1;
    const place = this.#places[--this.#count];
    this.#waiting[place] = 0;
    return place;
  }

  clear(): void {
    while (this.take() >= 0);
  }

  fill(size: number): void {
    for (let place = 0; place < size; place++) this.add(place);
  }
}

export class LineState {
  readonly grid: LoopGrid;
  /** By cell, -1 where none is given; one place more for all that lies beyond the edge. */
  readonly clues: Int8Array;
  /** By line; the one place more is `no`. */
  readonly lines: Uint8Array;
  readonly yesAtCorner: Uint8Array;
  readonly openAtCorner: Uint8Array;
  readonly yesAtCell: Uint8Array;
  readonly openAtCell: Uint8Array;
  /** By corner and direction: what is known of the pair of that line and the next one clockwise. */
  readonly pairs: Uint8Array;
  /** The other end of the path that ends at a corner, itself where no line does, and how many lines that path has. */
  readonly pathEnd: Int32Array;
  readonly pathLength: Int32Array;
  /** By cell: whether something was concluded from its clue. */
  readonly used: Uint8Array;
  /** Lines of the loop found so far, and how many more the clues ask for, line by line and cell by cell. */
  drawn = 0;
  missing = 0;
  /** The length of the loop, once a path has closed. */
  closed = 0;
  /** A line that would complete a solution; a reason to look at it again when more is drawn elsewhere. -1 if none. */
  wouldSolve = -1;
  contradiction = false;
  /** Places looked at since the state was made: the measure of effort. */
  looks = 0;
  #level = easy;

  readonly cells: Agenda;
  readonly corners: Agenda;
  readonly pairCells: Agenda;
  readonly pairCorners: Agenda;
  readonly parityCells: Agenda;
  readonly parityCorners: Agenda;
  /** Lines that would close a path. */
  readonly closings: Agenda;
  /** Lines that have become known and that the parity rules have not looked at. */
  readonly fresh: Agenda;
  readonly #agendas: readonly Agenda[];
  readonly #bytes: Uint8Array;
  readonly #paths: Int32Array;
  /** As they are where nothing is known. */
  readonly #blank: Uint8Array;
  readonly #noPaths: Int32Array;

  constructor(width: number, height: number) {
    this.grid = loopGrid(width, height);
    const { cellCount, cornerCount, lineCount } = this.grid;
    // Of one piece, so that a board is begun, and copied, at once.
    const [cells1, lines1] = [cellCount + 1, lineCount + 1];
    this.#bytes = new Uint8Array(4 * cells1 + lines1 + 6 * cornerCount);
    let from = 0;
    const bytes = (size: number) => this.#bytes.subarray(from, (from += size));
    this.clues = new Int8Array(this.#bytes.buffer, from, cells1);
    from += cells1;
    this.lines = bytes(lines1);
    this.yesAtCorner = bytes(cornerCount);
    this.openAtCorner = bytes(cornerCount);
    this.yesAtCell = bytes(cells1);
    this.openAtCell = bytes(cells1);
    this.pairs = bytes(4 * cornerCount);
    this.used = bytes(cells1);
    this.#paths = new Int32Array(2 * cornerCount);
    this.pathEnd = this.#paths.subarray(0, cornerCount);
    this.pathLength = this.#paths.subarray(cornerCount);
    this.clues.fill(-1);
    this.lines[lineCount] = no;
    this.openAtCell.fill(4);
    for (let at = 0; at < 4 * cornerCount; at++)
      if (this.grid.linesOfCorner[at] < lineCount) this.openAtCorner[at >> 2] += 1;
    for (let corner = 0; corner < cornerCount; corner++) this.pathEnd[corner] = corner;
    this.#blank = this.#bytes.slice();
    this.#noPaths = this.#paths.slice();
    this.cells = new Agenda(cellCount + 1);
    this.corners = new Agenda(cornerCount);
    this.pairCells = new Agenda(cellCount + 1);
    this.pairCorners = new Agenda(cornerCount);
    this.parityCells = new Agenda(cellCount + 1);
    this.parityCorners = new Agenda(cornerCount);
    this.closings = new Agenda(lineCount + 1);
    this.fresh = new Agenda(lineCount + 1);
    const { cells, corners, pairCells, pairCorners, parityCells, parityCorners, closings, fresh } = this;
    this.#agendas = [cells, corners, pairCells, pairCorners, parityCells, parityCorners, closings, fresh];
  }

  /** Forgets everything and begins with these clues, -1 where none is given, for the rules of a level. */
  load(clues: ArrayLike<number>, level: number): void {
    this.#level = level;
    const { cellCount, cornerCount } = this.grid;
    this.#bytes.set(this.#blank);
    this.#paths.set(this.#noPaths);
    this.missing = 0;
    for (let cell = 0; cell < cellCount; cell++) {
      this.clues[cell] = clues[cell];
      if (clues[cell] > 0) this.missing += clues[cell];
    }
    this.drawn = 0;
    this.closed = 0;
    this.wouldSolve = -1;
    this.contradiction = false;
    for (const agenda of this.#agendas) agenda.clear();
    for (let cell = 0; cell < cellCount; cell++) this.#lookAtCell(cell, level);
    this.corners.fill(cornerCount);
    if (level >= normal) this.pairCorners.fill(cornerCount);
    if (level >= hard) this.parityCorners.fill(cornerCount);
  }

  /** Becomes what another state of the same size is, with nothing left to look at. */
  copy(other: LineState): void {
    this.#bytes.set(other.#bytes);
    this.#paths.set(other.#paths);
    this.used.fill(0);
    this.drawn = other.drawn;
    this.missing = other.missing;
    this.closed = other.closed;
    this.wouldSolve = other.wouldSolve;
    this.contradiction = other.contradiction;
    this.#level = other.#level;
    for (const agenda of this.#agendas) agenda.clear();
  }

  /** One clue more than before. */
  addClue(cell: number, clue: number): void {
    this.clues[cell] = clue;
    this.missing += clue - this.yesAtCell[cell];
    this.#lookAtCell(cell, this.#level);
    if (this.wouldSolve >= 0) this.closings.add(this.wouldSolve);
  }

  /** A cell without a number has nothing to say, nor has what lies beyond the edge. */
  #lookAtCell(cell: number, level: number): void {
    if (this.clues[cell] < 0) return;
    this.cells.add(cell);
    // Only the first rule sees that too much or too little is drawn; the others speak of lines that are open.
    if (level === easy || this.openAtCell[cell] === 0) return;
    this.pairCells.add(cell);
    if (level >= hard) this.parityCells.add(cell);
  }

  /** Writes down what a line is; a contradiction where it is known to be something else. */
  set(line: number, value: number): void {
    const known = this.lines[line];
    if (known !== unknown) {
      if (known !== value) this.contradiction = true;
      return;
    }
    const { cellsOfLine, cornersOfLine } = this.grid;
    const level = this.#level;
    this.lines[line] = value;
    if (level >= hard) this.fresh.add(line);
    for (let at = 2 * line; at < 2 * line + 2; at++) {
      const cell = cellsOfLine[at];
      this.openAtCell[cell] -= 1;
      if (value === yes) {
        this.yesAtCell[cell] += 1;
        if (this.clues[cell] >= 0) this.missing -= 1;
      }
      this.#lookAtCell(cell, level);
      const corner = cornersOfLine[at];
      this.openAtCorner[corner] -= 1;
      if (value === yes) this.yesAtCorner[corner] += 1;
      this.corners.add(corner);
      if (level >= normal && this.openAtCorner[corner] > 0) {
        this.pairCorners.add(corner);
        if (level >= hard) this.parityCorners.add(corner);
      }
      // Around the corner a cell without this line may have a clue that counts on it.
      if (value === yes)
        for (let q = 4 * corner; q < 4 * corner + 4; q++) {
          const beside = this.grid.cellsOfCorner[q];
          if (this.clues[beside] >= 0) this.cells.add(beside);
        }
    }
    if (value === yes) this.#join(cornersOfLine[2 * line], cornersOfLine[2 * line + 1]);
  }

  #join(one: number, other: number): void {
    this.drawn += 1;
    if (this.wouldSolve >= 0) this.closings.add(this.wouldSolve);
    this.wouldSolve = -1;
    // A corner with three lines, or a line beside a finished loop.
    if (this.yesAtCorner[one] > 2 || this.yesAtCorner[other] > 2 || this.closed > 0) {
      this.contradiction = true;
      return;
    }
    const start = this.pathEnd[one];
    const end = this.pathEnd[other];
    if (start === other) {
      this.closed = this.pathLength[one] + 1;
      return;
    }
    const length = this.pathLength[start] + this.pathLength[end] + 1;
    this.pathEnd[start] = end;
    this.pathEnd[end] = start;
    this.pathLength[start] = length;
    this.pathLength[end] = length;
    const closing = this.#lineBetween(start, end);
    if (closing >= 0) this.closings.add(closing);
  }

  #lineBetween(one: number, other: number): number {
    const { linesOfCorner, cornersOfLine, lineCount } = this.grid;
    for (let at = 4 * one; at < 4 * one + 4; at++) {
      const line = linesOfCorner[at];
      if (line < lineCount && (cornersOfLine[2 * line] === other || cornersOfLine[2 * line + 1] === other)) return line;
    }
    return -1;
  }

  /** Notes something about a pair of lines at a corner. */
  note(pair: number, flag: number): void {
    if ((this.pairs[pair] & flag) !== 0) return;
    this.pairs[pair] |= flag;
    this.pairCorners.add(pair >> 2);
    if (this.#level >= hard) this.parityCorners.add(pair >> 2);
    const cell = this.grid.cellsOfCorner[pair];
    if (this.clues[cell] >= 0) this.pairCells.add(cell);
  }

  /** The one loop is closed, nothing else is drawn, and every clue has its lines. */
  get solved(): boolean {
    return !this.contradiction && this.closed > 0 && this.closed === this.drawn && this.missing === 0;
  }
}
