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

type CellPlaying<Instance, Board> = {
  readonly how: string;
  /** What an open cell shows; `unknown` unless said. */
  readonly open?: string;
  /** What a cell can be filled with, in the order of clicks, and what each is called. */
  symbols(instance: Instance): Readonly<Record<string, string>>;
  /** Keys that stand for a symbol; symbols stand for themselves. */
  readonly keys?: Readonly<Record<string, string>>;
  start(instance: Instance): Cells;
  fixed(instance: Instance, cell: number): boolean;
  board(cells: Cells): Board;
  /** What a screen reader says first about a cell: its clue. */
  clue?(instance: Instance, cell: number): string;
  /** Whether a fixed cell is picked up and painted with, as dots are. */
  readonly brushes?: boolean;
  /** What open cells count as when a board is handed in; without it, they are missing. */
  readonly openCounts?: string;
  readonly cluesBeyond?: number;
};

/** A puzzle whose cells are filled one at a time. */
export function cellPlaying<Instance, Board>({
  open = unknown,
  keys = {},
  clue = () => "",
  brushes = false,
  openCounts,
  ...own
}: CellPlaying<Instance, Board>): Playing<Instance, Board> {
  const { symbols, fixed } = own;
  const erasers = ["Backspace", "Delete"];
  return {
    ...own,
    press(instance, cells, cell, backwards, brush) {
      if (fixed(instance, cell)) return cells;
      if (!brushes)
        return withCell(cells, cell, cycled([open, ...Object.keys(symbols(instance))], cells[cell], backwards));
      return withCell(cells, cell, backwards || brush === undefined || cells[cell] === brush ? open : brush);
    },
    type(instance, cells, cell, key) {
      if (fixed(instance, cell)) return undefined;
      if (erasers.includes(key) || key === open) return withCell(cells, cell, open);
      const known = symbols(instance);
      const symbol = [key, keys[key.toLowerCase()], key.toUpperCase()].find(
        (name) => name !== undefined && name in known,
      );
      return symbol === undefined ? undefined : withCell(cells, cell, symbol);
    },
    board: (_, cells) => own.board(cells),
    complete: (_, cells) => !cells.includes(open),
    ...(openCounts === undefined
      ? {
          unfinished(_: Instance, cells: Cells) {
            const count = cells.filter((symbol) => symbol === open).length;
            return count === 0 ? undefined : `${count} ${count === 1 ? "cell is" : "cells are"} not filled yet`;
          },
        }
      : {
          handedIn: (_: Instance, cells: Cells) =>
            own.board(cells.map((symbol) => (symbol === open ? openCounts : symbol))),
        }),
    ...(brushes && {
      brushAt: (instance: Instance, cell: number) => (fixed(instance, cell) ? own.start(instance)[cell] : undefined),
    }),
    spoken(instance, cells, cell) {
      const held = symbols(instance)[cells[cell]] ?? (fixed(instance, cell) ? "" : "not known");
      return [clue(instance, cell), held].filter((words) => words !== "").join(", ");
    },
  };
}
