// `--puzzle bridges=7x7d0`, repeated: which puzzles a command works on. A name alone means the puzzle's usual training size.
import { InvalidArgumentError } from "commander";
import { paperValue } from "../problems/paper.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import type { AnyPuzzle, PuzzleParams } from "../puzzles/puzzle.ts";
import { collected } from "./arguments.ts";
import { flag } from "./flags.ts";

type NamedSet = { readonly puzzle: AnyPuzzle; readonly params: PuzzleParams; readonly text: string };

/** The paper's own. */
const paperSets: readonly string[] = paperValue("puzzles.training");

export const puzzleFlag = flag(
  "--puzzle <name=params>",
  `puzzles, repeatable; a name alone means its usual size (default: ${paperSets.join(" ")})`,
  collected,
);

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
