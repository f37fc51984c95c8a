// Complete search for one or two solutions, when line logic has said what it can: counting first, then guesses. One step is
// one guess.
import { countAcross } from "./counting.ts";
import { encoded } from "./encoding.ts";
import { cellsOf, empty, full } from "./mark.ts";
import type { Worksheet } from "./worksheet.ts";

type SearchOutcome =
  /** None, the only one, or two of several. */
  | { readonly found: readonly string[]; readonly guesses: number }
  | { readonly gaveUp: true; readonly found: readonly string[] };

/** The sheet keeps its marks. */
export function searchSheet(sheet: Worksheet, steps: number, most = 2): SearchOutcome {
  const before = sheet.marked;
  const outcome = deduceByCounting(sheet) ? searchOpenCells(sheet, steps, most) : { found: [], guesses: 0 };
  sheet.undoTo(before);
  return outcome;
}

/** False when counting, and what lines say to it, contradict each other. */
function deduceByCounting(sheet: Worksheet): boolean {
  for (let before = -1; sheet.marked > before; ) {
    before = sheet.marked;
    if (!countAcross(sheet) || sheet.deduce("placements") >= 0) return false;
  }
  return true;
}

/** After each solution a clause says that some cell is otherwise, and the search goes on. */
function searchOpenCells(sheet: Worksheet, steps: number, most: number): SearchOutcome {
  const { solver, openCells } = encoded(sheet);
  const found: Uint8Array[] = [];
  while (found.length < most) {
    const verdict = solver.solve({ guesses: steps });
    if (verdict === "gave-up") return { gaveUp: true, found: found.map(cellsOf) };
    if (verdict === "refuted") break;
    const values = sheet.values.slice();
    for (const [variable, cell] of openCells.entries()) values[cell] = solver.isTrue(variable) ? full : empty;
    solver.add(openCells.map((cell, variable) => 2 * variable + (values[cell] === full ? 1 : 0)));
    found.push(values);
  }
  return { found: found.map(cellsOf), guesses: solver.guesses };
}
