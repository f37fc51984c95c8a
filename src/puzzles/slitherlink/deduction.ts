// Solving by rules alone, on state that is made once a size: what the solver, the levels and the generator share.
import { cellsInside } from "./grid.ts";
import { noClue, type SlitherlinkDifficulty, type SlitherlinkInstance, slitherlinkDifficulties } from "./instance.ts";
import { LineClasses } from "./line-classes.ts";
import { hard, LineState, yes } from "./line-state.ts";
import { deduce } from "./rules.ts";

type Knowledge = { readonly state: LineState; readonly classes: LineClasses };

/** Two of a kind: `needed` is what the generator knows from the clues that have to stay. */
export type Deduction = Knowledge & { readonly needed: Knowledge };

const mostKept = 8;
const kept = new Map<string, Deduction>();

/** State for boards of this size; the same at every call, so never to be held across one. */
export function deductionFor(width: number, height: number): Deduction {
  const key = `${width}x${height}`;
  let found = kept.get(key);
  if (found === undefined) {
    if (kept.size >= mostKept) kept.clear();
    found = { ...newKnowledge(width, height), needed: newKnowledge(width, height) };
    kept.set(key, found);
  }
  return found;
}

function newKnowledge(width: number, height: number): Knowledge {
  const state = new LineState(width, height);
  return { state, classes: new LineClasses(state.grid.lineCount) };
}

export function cluesOf({ clues }: SlitherlinkInstance): Int8Array {
  return Int8Array.from(clues, (clue) => (clue === noClue ? -1 : Number(clue)));
}

/** What the rules of a level make of some clues. The state holds what they found. */
export function deduced(
  { state, classes }: Knowledge,
  clues: ArrayLike<number>,
  level: number,
): "solved" | "stuck" | "impossible" {
  state.load(clues, level);
  if (level >= hard) classes.clear();
  if (!deduce(state, level, classes)) return "impossible";
  return state.solved ? "solved" : "stuck";
}

/** The lowest of the first levels that solves it. */
export function levelOf(deduction: Deduction, clues: ArrayLike<number>): SlitherlinkDifficulty | undefined {
  for (let level = 0; level <= hard; level++)
    if (deduced(deduction, clues, level) === "solved") return slitherlinkDifficulties[level];
  return undefined;
}

/** The cells of a solved state. */
export const solvedCells = ({ grid, lines }: LineState): string =>
  cellsInside(grid, (line) => lines[line] === yes).join("");
