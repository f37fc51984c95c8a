// `--puzzle bridges=7x7d0`, repeated: which puzzles a command works on. A name alone means the puzzle's usual training size.
import { InvalidArgumentError } from "commander";
import { paperValue } from "../problems/paper.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import type { AnyPuzzle, PuzzleParams } from "../puzzles/puzzle.ts";

type NamedSet = { readonly puzzle: AnyPuzzle; readonly params: PuzzleParams; readonly text: string };

/** The paper's own. */
export const paperSets: readonly string[] = paperValue("puzzles.training");

export function namedPuzzleSets(texts: readonly string[] | undefined): NamedSet[] {
  return (texts ?? paperSets).map((text) => {
    const [name, given, ...rest] = text.split("=");
    if (given === "" || rest.length > 0) {
      throw new InvalidArgumentError(`--puzzle ${text}: expected name=params or a name, for example bridges=7x7d0`);
    }
    const puzzle = puzzleNamed(name);
    const params = given ?? puzzle.usual.training;
    return { puzzle, params: puzzle.readParams(params), text: `${puzzle.name}=${params}` };
  });
}
