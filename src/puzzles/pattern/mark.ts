// What a solver may write into a cell.

export const unknown = 0;
export const full = 1;
export const empty = 2;
export type Mark = typeof full | typeof empty;
export const opposite = (mark: number): Mark => (mark === full ? empty : full);

/** A picture in symbols: `#` for full, `.` for anything else. */
export function cellsOf(marks: Uint8Array): string {
  let cells = "";
  for (let cell = 0; cell < marks.length; cell++) cells += marks[cell] === full ? "#" : ".";
  return cells;
}
