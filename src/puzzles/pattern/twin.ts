// Whether another picture near a known one has the same clues. Most pictures that lines cannot solve have such a twin, and
// finding it takes less than proving anything.
import { full, opposite } from "./mark.ts";
import type { Worksheet } from "./worksheet.ts";

/** Whether the picture, changed to what the sheet has marked after its first `since` marks, still has the clues of the sheet. */
export function marksMakeTwin(sheet: Worksheet, picture: Uint8Array, since: number): boolean {
  const changed: number[] = [];
  for (let at = since; at < sheet.marked; at++) {
    const cell = sheet.trail[at];
    if (sheet.values[cell] !== picture[cell]) changed.push(cell);
  }
  const flip = () => {
    for (const cell of changed) picture[cell] = opposite(picture[cell]);
  };
  flip();
  const same = changed.every((cell) => {
    const row = Math.floor(cell / sheet.width);
    return hasClue(sheet, picture, sheet.width + row) && hasClue(sheet, picture, cell - row * sheet.width);
  });
  flip();
  return same;
}

function hasClue(sheet: Worksheet, picture: Uint8Array, line: number): boolean {
  const runs = sheet.runsOf(line);
  const length = sheet.lengthOf(line);
  const step = line < sheet.width ? sheet.width : 1;
  let run = 0;
  let open = 0;
  for (let place = 0, cell = sheet.cellOf(line, 0); place <= length; place++, cell += step) {
    if (place < length && picture[cell] === full) open++;
    else if (open > 0) {
      if (open !== runs[run++]) return false;
      open = 0;
    }
  }
  return run === runs.length;
}
