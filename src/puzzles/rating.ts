// A number for how difficult an instance is, with what it was made of. The same for every image of an instance, because it
// is measured on the canonical one; the same on every machine, because everything in it is counted and nothing timed.
import { type AnyPuzzle, canonicalId, type Effort } from "./puzzle.ts";

export type Rating = Effort & {
  /**
   * Levels are bands: the whole part is the level's place among the puzzle's difficulties, and within it more work is more.
   * 0.4 is an easy board of a puzzle that has easy ones, 2.9 one of its third level that takes long.
   */
  readonly rating: number;
};

/** How much of each counts as much as having begun the level: what is left of the band halves with each. */
const halfBand = { chain: 8, guesses: 1, searchSteps: 1 };

/** Undefined where there is no single solution, or the puzzle does not measure its effort. */
export function rated(
  puzzle: AnyPuzzle,
  instance: unknown,
  canonical = canonicalId(puzzle, instance),
): Rating | undefined {
  const image = puzzle.readId(canonical);
  const effort = puzzle.effort(image);
  if (effort === undefined) return undefined;
  const { width, height } = puzzle.size(image);
  const cells = width * height;
  const work =
    effort.chain / halfBand.chain +
    effort.guesses / (halfBand.guesses * cells) +
    effort.searchSteps / (halfBand.searchSteps * cells);
  const within = work / (1 + work);
  // Rounded down, so that no board reaches the next level by rounding.
  const rating = (1000 * puzzle.difficulties.indexOf(effort.difficulty) + Math.floor(1000 * within)) / 1000;
  return { rating, ...effort };
}

/** The level of a board is the band that its rating lies in: the same for every image, also where one of them was made as another. */
export const levelOf = (made: { readonly difficulty: string }, rating: Rating | undefined): string =>
  rating?.difficulty ?? made.difficulty;
