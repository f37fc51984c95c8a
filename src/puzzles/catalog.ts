// The puzzles by name, and which of them an id belongs to. This is the one place that lists them: a new puzzle is a folder
// and a word here.
import { unknownName } from "../base/errors.ts";
import { bridges } from "./bridges/index.ts";
import { flowfree } from "./flowfree/index.ts";
import { galaxies } from "./galaxies/index.ts";
import { hitori } from "./hitori/index.ts";
import { nurikabe } from "./nurikabe/index.ts";
import { pattern } from "./pattern/index.ts";
import { type AnyPuzzle, PuzzleFormatError, shortened } from "./puzzle.ts";
import { slitherlink } from "./slitherlink/index.ts";
import { undead } from "./undead/index.ts";

export const catalog = { bridges, flowfree, galaxies, hitori, nurikabe, pattern, slitherlink, undead };

export type PuzzleName = keyof typeof catalog;

/** All puzzles, whatever their instances and boards are. */
export const puzzles: readonly AnyPuzzle[] = Object.values(catalog);

export const puzzleNames: readonly PuzzleName[] = puzzles.map(({ name }) => name);

/** By its name, its title, or the name of Simon Tatham's program. */
export function puzzleNamed(name: string): AnyPuzzle {
  const found = puzzles.find(
    (puzzle) => puzzle.name === name || puzzle.title.toLowerCase() === name.toLowerCase() || puzzle.original === name,
  );
  if (found === undefined) throw unknownName("puzzle", name, puzzleNames);
  return found;
}

/**
 * The puzzle that an id belongs to. Undead ids hold commas and Pattern ids slashes or only digits and dots, Bridges
 * parameters say `m` and those of Slitherlink `t0`; what is left is letters, which Bridges and Galaxies share, so an id that both can read is refused.
 */
export function puzzleOfId(id: string): AnyPuzzle {
  const readable: AnyPuzzle[] = [];
  const refused: string[] = [];
  for (const puzzle of puzzles) {
    try {
      puzzle.readId(id);
      readable.push(puzzle);
    } catch (error) {
      if (!(error instanceof PuzzleFormatError)) throw error;
      refused.push(`${puzzle.name}: ${error.message}`);
    }
  }
  if (readable.length === 1) return readable[0];
  const given = shortened(id);
  if (readable.length > 1)
    throw new PuzzleFormatError(
      `the id ${given} could be ${readable.map(({ name }) => name).join(" or ")}; name the puzzle`,
    );
  throw new PuzzleFormatError(`the id ${given} belongs to no puzzle (${refused.join("; ")})`);
}
