// What a board filled in by hand is made of, shared by the four puzzles.

/** One string a cell, row by row: a symbol of the puzzle's answers, or `unknown`. */
export type Cells = readonly string[];
export const unknown = "?";

/** What a cell holds, what a click and a key do to it. Rules are not known here: the puzzle's own verifier judges. */
export type Playing<Instance> = {
  /** How to fill a board, in a sentence or two. */
  readonly how: string;
  readonly start: (instance: Instance) => Cells;
  /** Givens and mirrors cannot be changed. */
  readonly fixed: (instance: Instance, cell: number) => boolean;
  /** A click or Space; `backwards` for the other button. `brush` is what puzzles with a brush paint with. */
  readonly press: (
    instance: Instance,
    cells: Cells,
    cell: number,
    backwards: boolean,
    brush: string | undefined,
  ) => Cells;
  /** A character typed on a cell, or undefined where it means nothing. */
  readonly type: (instance: Instance, cells: Cells, cell: number, key: string) => Cells | undefined;
  /** The cells as a board that can be drawn and judged, however little is filled in. */
  readonly board: (instance: Instance, cells: Cells) => unknown;
  readonly complete: (instance: Instance, cells: Cells) => boolean;
  /** The board as it would be handed in, where that is not what is drawn: what is not known may count as empty. */
  readonly handedIn?: (instance: Instance, cells: Cells) => unknown;
  /** What to say about a board that the verifier cannot speak about yet. */
  readonly unfinished?: (instance: Instance, cells: Cells) => string | undefined;
  /** Where a brush exists: the one that pressing this cell picks up. */
  readonly brushAt?: (instance: Instance, cell: number) => string | undefined;
  /** What a screen reader says about a cell. */
  readonly spoken: (instance: Instance, cells: Cells, cell: number) => string;
};

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
