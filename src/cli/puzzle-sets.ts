// `--puzzle bridges=7x7d0`, repeated: which puzzles a command works on.
import { InvalidArgumentError } from "commander";
import { puzzleNamed } from "../puzzles/catalog.ts";
import type { AnyPuzzle, PuzzleParams } from "../puzzles/puzzle.ts";

export type NamedSet = { readonly puzzle: AnyPuzzle; readonly params: PuzzleParams; readonly text: string };

/** The training sizes of the paper. */
export const paperSets = ["bridges=7x7d0", "pattern=4x4", "undead=4x4de", "galaxies=3x3dn"];

export function puzzleSets(texts: readonly string[] | undefined): NamedSet[] {
  return (texts ?? paperSets).map((text) => {
    const [name, params, ...rest] = text.split("=");
    if (params === undefined || rest.length > 0) {
      throw new InvalidArgumentError(`--puzzle ${text}: expected name=params, for example bridges=7x7d0`);
    }
    const puzzle = puzzleNamed(name);
    return { puzzle, params: puzzle.readParams(params), text };
  });
}
