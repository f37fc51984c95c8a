// The identity of a puzzle problem, `bridges/7x7m2:…`: the puzzle's name and Simon Tatham's game id. Every id is written
// and read here. Version 0.1 also wrote `bridges 7x7m2:…`; that is still read.
import { type PuzzleName, puzzleNames } from "../puzzles/catalog.ts";

export type PuzzleIdentity = {
  readonly puzzle: PuzzleName;
  /** Simon Tatham's `params:desc`. */
  readonly instance: string;
  /** `7x7` */
  readonly size: string;
};

export const puzzleProblemId = (puzzle: PuzzleName, instance: string): string => `${puzzle}/${instance}`;

/** What a puzzle problem's id says; undefined for the id of anything else. */
export function puzzleIdentity(id: string): PuzzleIdentity | undefined {
  const [, name, instance] = id.match(/^([a-z]+)[/ ](\d+x\d+\S*:.*)$/s) ?? [];
  const puzzle = puzzleNames.find((one) => one === name);
  return puzzle === undefined ? undefined : { puzzle, instance, size: boardSize(instance)! };
}

/** `7x7` from `7x7m2:…`. */
export function boardSize(instance: string): string | undefined {
  return instance.match(/^(\d+x\d+)/)?.[1];
}
