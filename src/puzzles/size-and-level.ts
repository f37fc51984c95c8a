// Parameters that are a size and a level, `7x7dn`, as most puzzles have them; a puzzle may have something in between.
import { mostCells, PuzzleFormatError, type PuzzleParams, shortened, tidyParams } from "./puzzle.ts";

type Form<Level extends string> = {
  readonly name: string;
  readonly smallestSide: number;
  readonly longestSide?: number;
  /** Written by their first letters. */
  readonly levels: readonly Level[];
  /** His level where none is written. */
  readonly usual: Level;
  /** What may stand after the size. */
  readonly between?: RegExp;
};

export function readSizeAndLevel<Level extends string>(
  given: string,
  { name, smallestSide, longestSide = mostCells, levels, usual, between }: Form<Level>,
): PuzzleParams & { readonly difficulty: Level } {
  const text = tidyParams(given);
  const malformed = (problem: string) => new PuzzleFormatError(`${name} parameters ${shortened(text)}: ${problem}`);
  const [size, across, down = across] = /^(\d+)(?:x(\d+))?/.exec(text) ?? [];
  if (size === undefined || text[size.length] === "x") throw malformed("expected a size such as 7x7 at character 1");
  const [width, height] = [Number(across), Number(down)];
  const sides = `${name} size ${width}x${height}`;
  if (width < smallestSide || height < smallestSide)
    throw new PuzzleFormatError(`${sides} is too small; both sides must be at least ${smallestSide}`);
  if (width > longestSide || height > longestSide)
    throw new PuzzleFormatError(`${sides} is too large; no side may be over ${longestSide}`);
  if (width * height > mostCells) throw new PuzzleFormatError(`${sides} is more than ${mostCells} cells`);
  const at = size.length + (between?.exec(text.slice(size.length))?.[0].length ?? 0);
  const rest = text.slice(at);
  if (rest === "") return { width, height, difficulty: usual };
  const difficulty = rest[0] === "d" ? levels.find((level) => level[0] === rest[1]) : undefined;
  if (difficulty === undefined) {
    const known = levels.map((level) => `d${level[0]} (${level})`);
    const expected = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
    throw malformed(`expected ${expected} at character ${at + 1}, found ${shortened(rest.slice(0, 2))}`);
  }
  if (rest.length > 2) throw malformed(`unexpected ${shortened(rest.slice(2))} at character ${at + 3}`);
  return { width, height, difficulty };
}
