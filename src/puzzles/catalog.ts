// The four puzzles by name, and which of them an id belongs to.
import { unknownName } from "../base/errors.ts";
import { bridges } from "./bridges/index.ts";
import { galaxies } from "./galaxies/index.ts";
import { pattern } from "./pattern/index.ts";
import { type AnyPuzzle, PuzzleFormatError, type PuzzleName, puzzleNames, shortened } from "./puzzle.ts";
import { undead } from "./undead/index.ts";

export const catalog: Readonly<Record<PuzzleName, AnyPuzzle>> = { bridges, galaxies, pattern, undead };

export function puzzleNamed(name: string): AnyPuzzle {
  if (!Object.hasOwn(catalog, name)) throw unknownName("puzzle", name, puzzleNames);
  return catalog[name as PuzzleName];
}

/**
 * The puzzle that an id belongs to. Undead ids hold commas and Pattern ids slashes or only digits and dots, and Bridges
 * parameters say `m`; what is left is letters, which Bridges and Galaxies share, so an id that both can read is refused.
 */
export function puzzleOfId(id: string): AnyPuzzle {
  const readable: PuzzleName[] = [];
  const refused: string[] = [];
  for (const name of puzzleNames) {
    try {
      catalog[name].readId(id);
      readable.push(name);
    } catch (error) {
      if (!(error instanceof PuzzleFormatError)) throw error;
      refused.push(`${name}: ${error.message}`);
    }
  }
  if (readable.length === 1) return catalog[readable[0]];
  const given = shortened(id);
  if (readable.length > 1)
    throw new PuzzleFormatError(`the id ${given} could be ${readable.join(" or ")}; name the puzzle`);
  throw new PuzzleFormatError(`the id ${given} is no puzzle's (${refused.join("; ")})`);
}
