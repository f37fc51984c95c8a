// A puzzle played by hand, cell by cell: what a cell holds, what a click and a key do to it. Rules are not known here: the
// puzzle's own verifier judges.

/** One string a cell, row by row: a symbol of the puzzle's answers, or `unknown`. */
export type Cells = readonly string[];
export const unknown = "?";

// Methods and not properties, so that a puzzle of known types can stand where any puzzle is wanted.
export interface Playing<Instance, Board> {
  /** How to fill a board, in a sentence or two. */
  readonly how: string;
  start(instance: Instance): Cells;
  /** Givens and mirrors cannot be changed. */
  fixed(instance: Instance, cell: number): boolean;
  /** A click or Space; `backwards` for the other button. `brush` is what puzzles with a brush paint with. */
  press(instance: Instance, cells: Cells, cell: number, backwards: boolean, brush: string | undefined): Cells;
  /** A character typed on a cell, or undefined where it means nothing. */
  type(instance: Instance, cells: Cells, cell: number, key: string): Cells | undefined;
  /** The cells as a board that can be drawn and judged, however little is filled in. */
  board(instance: Instance, cells: Cells): Board;
  complete(instance: Instance, cells: Cells): boolean;
  /** The board as it would be handed in, where that is not what is drawn: what is not known may count as empty. */
  handedIn?(instance: Instance, cells: Cells): Board;
  /** What to say about a board that the verifier cannot speak about yet. */
  unfinished?(instance: Instance, cells: Cells): string | undefined;
  /** Where a brush exists: the one that pressing this cell picks up. */
  brushAt?(instance: Instance, cell: number): string | undefined;
  /** Brings a cell to what the solution has there, where that takes more than this one cell. */
  hint?(instance: Instance, cells: Cells, cell: number, solution: Cells): Cells;
  /** What a screen reader says about a cell. */
  spoken(instance: Instance, cells: Cells, cell: number): string;
  /** How many cells wide the clues are that the puzzle's picture shows to the right of the grid and below it; 0 unless said. */
  readonly cluesBeyond?: number;
}

/** The cells that are filled in and differ from the solution. */
export function mistakes(cells: Cells, start: Cells, solution: Cells): number[] {
  return cells.flatMap((symbol, cell) =>
    symbol !== start[cell] && symbol !== unknown && symbol !== solution[cell] ? [cell] : [],
  );
}

export const withCell = (cells: Cells, cell: number, symbol: string): Cells =>
  cells.map((old, at) => (at === cell ? symbol : old));

export function cycled(symbols: readonly string[], current: string, backwards: boolean): string {
  const at = symbols.indexOf(current);
  return symbols[(at + (backwards ? symbols.length - 1 : 1)) % symbols.length];
}
