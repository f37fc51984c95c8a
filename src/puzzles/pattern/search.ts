// Complete search for one or two solutions, when line logic has said what it can: by guesses. One step is one
// guess.
import { encoded } from "./encoding.ts";
import { cellsOf, empty, full } from "./mark.ts";
import type { PropagationState } from "./propagation-state.ts";

type SearchOutcome =
  /** None, the only one, or two of several. */
  | { readonly found: readonly string[]; readonly guesses: number }
  | { readonly gaveUp: true; readonly found: readonly string[] };

/** The state keeps its marks. After each solution a clause says that some cell is otherwise, and the search goes on. */
export function searchSheet(state: PropagationState, steps: number, most = 2): SearchOutcome {
  const { solver, openCells } = encoded(state);
  const found: Uint8Array[] = [];
  while (found.length < most) {
    const verdict = solver.solve({ guesses: steps });
    if (verdict === "gave-up") return { gaveUp: true, found: found.map(cellsOf) };
    if (verdict === "refuted") break;
    const values = state.values.slice();
    for (const [variable, cell] of openCells.entries()) values[cell] = solver.isTrue(variable) ? full : empty;
    solver.add(openCells.map((cell, variable) => 2 * variable + (values[cell] === full ? 1 : 0)));
    found.push(values);
  }
  return { found: found.map(cellsOf), guesses: solver.guesses };
}
