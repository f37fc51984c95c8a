// Whether a board keeps the rules of Slitherlink, on the instance's own clues. Looks at cells alone: the loop is the border
// between the inside and the outside.
import type { Cell, Judgment, Violation } from "../puzzle.ts";
import { inside, noClue, type SlitherlinkBoard, type SlitherlinkInstance } from "./instance.ts";

/** One broken rule: a short name that programs can count by, words for a person, and every cell where it is broken. */
/** The first broken rule. */
export function judge(instance: SlitherlinkInstance, board: SlitherlinkBoard): Judgment {
  const [first] = violations(instance, board);
  return first === undefined ? { correct: true } : { correct: false, because: first.because, cells: first.cells };
}

export function violations(instance: SlitherlinkInstance, { cells }: SlitherlinkBoard): readonly Violation[] {
  const { width, height } = instance;
  if (cells.length !== width * height || /[^#.]/.test(cells))
    return [{ rule: "shape", because: `not a board of ${width}x${height} cells inside and outside`, cells: [] }];
  if (!cells.includes(inside))
    return [{ rule: "no loop", because: "no cell is inside, so there is no loop", cells: [] }];
  const board = new Sides(instance, cells);
  return [board.brokenClues(), board.touches(), board.severalLoops(), board.holes()].filter(
    (violation) => violation !== undefined,
  );
}

const steps = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const;

class Sides {
  readonly #instance: SlitherlinkInstance;
  readonly #cells: string;

  constructor(instance: SlitherlinkInstance, cells: string) {
    this.#instance = instance;
    this.#cells = cells;
  }

  brokenClues(): Violation | undefined {
    const { width, clues } = this.#instance;
    let because: string | undefined;
    const cells: Cell[] = [];
    for (let cell = 0; cell < clues.length; cell++) {
      if (clues[cell] === noClue) continue;
      const [row, column] = [Math.floor(cell / width), cell % width];
      const own = this.#isInside(row, column);
      let lines = 0;
      for (const [down, right] of steps) if (this.#isInside(row + down, column + right) !== own) lines += 1;
      if (lines === Number(clues[cell])) continue;
      because ??= `${place(row, column)} has the number ${clues[cell]}, but ${lines} of its sides ${lines === 1 ? "is" : "are"} part of the loop`;
      cells.push({ row, column });
    }
    return because === undefined ? undefined : { rule: "clue", because, cells };
  }

  /** Corners where two cells of a kind meet across two of the other. */
  touches(): Violation | undefined {
    const { width, height } = this.#instance;
    let because: string | undefined;
    const cells: Cell[] = [];
    for (let row = 0; row + 1 < height; row++)
      for (let column = 0; column + 1 < width; column++) {
        const own = this.#isInside(row, column);
        if (this.#isInside(row + 1, column + 1) !== own) continue;
        if (this.#isInside(row, column + 1) === own || this.#isInside(row + 1, column) === own) continue;
        because ??= `the loop touches itself at the corner between ${place(row, column)} and ${place(row + 1, column + 1)}`;
        cells.push({ row, column }, { row: row + 1, column: column + 1 });
      }
    return because === undefined ? undefined : { rule: "touch", because, cells };
  }

  severalLoops(): Violation | undefined {
    const parts = this.#parts(true).sort((one, other) => other.length - one.length);
    if (parts.length === 1) return undefined;
    const { row, column } = parts[1][0];
    const because = `the cells inside fall into ${parts.length} parts, each with a loop of its own; ${place(row, column)} is not joined to the largest`;
    return { rule: "several loops", because, cells: parts.slice(1).flat() };
  }

  holes(): Violation | undefined {
    const { width, height } = this.#instance;
    const atEdge = ({ row, column }: Cell) => row === 0 || column === 0 || row === height - 1 || column === width - 1;
    const holes = this.#parts(false).filter((part) => !part.some(atEdge));
    if (holes.length === 0) return undefined;
    const { row, column } = holes[0][0];
    const because = `${place(row, column)} is outside but enclosed by cells inside, so that there is a second loop around it`;
    return { rule: "hole", because, cells: holes.flat() };
  }

  /** Beyond the edge nothing is inside. */
  #isInside(row: number, column: number): boolean {
    const { width, height } = this.#instance;
    if (row < 0 || column < 0 || row >= height || column >= width) return false;
    return this.#cells[row * width + column] === inside;
  }

  /** The cells of one kind, in the parts in which they hang together. */
  #parts(kind: boolean): Cell[][] {
    const { width, height } = this.#instance;
    const met = new Uint8Array(width * height);
    const parts: Cell[][] = [];
    for (let start = 0; start < met.length; start++) {
      const first = { row: Math.floor(start / width), column: start % width };
      if (met[start] === 1 || this.#isInside(first.row, first.column) !== kind) continue;
      met[start] = 1;
      const part: Cell[] = [first];
      for (const { row, column } of part)
        for (const [down, right] of steps) {
          const next = { row: row + down, column: column + right };
          if (next.row < 0 || next.column < 0 || next.row >= height || next.column >= width) continue;
          const at = next.row * width + next.column;
          if (met[at] === 1 || this.#isInside(next.row, next.column) !== kind) continue;
          met[at] = 1;
          part.push(next);
        }
      parts.push(part);
    }
    return parts;
  }
}

const place = (row: number, column: number) => `row ${row + 1}, column ${column + 1}`;
