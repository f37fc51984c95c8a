// The data of Undead: a maze of mirrors, how many monsters of each kind hide in it, and what is seen from its edges.
import type { PuzzleParams } from "../puzzle.ts";

/** What is seen looking in from each edge; top and bottom from left to right, left and right from top to bottom. */
type Sightings = {
  readonly top: readonly number[];
  readonly right: readonly number[];
  readonly bottom: readonly number[];
  readonly left: readonly number[];
};

type MonsterTotals = { readonly ghosts: number; readonly vampires: number; readonly zombies: number };

export type UndeadInstance = {
  readonly width: number;
  readonly height: number;
  readonly totals: MonsterTotals;
  /** One character a cell, row by row: a mirror `/` or `\`, a monster given in its place `G` `V` `Z`, or `.`. */
  readonly cells: string;
  readonly sightings: Sightings;
};

/** One character a cell, row by row, as it was read: `G` `V` `Z` `/` `\`, and `.` where nothing was filled in. */
export type UndeadBoard = { readonly cells: string };

export const undeadDifficulties = ["easy", "normal", "tricky"] as const;
export type UndeadDifficulty = (typeof undeadDifficulties)[number];

export type UndeadParams = PuzzleParams & { readonly difficulty?: UndeadDifficulty };

/** Nothing smaller is a legal puzzle in Tatham's collection. */
export const smallestSide = 3;

export const isMirror = (symbol: string): boolean => symbol === "/" || symbol === "\\";

/** The kinds of monster in the order that every table here follows. */
export const monsterSymbols = "GVZ";

/**
 * The 2(W+H) edge positions are numbered clockwise from the top left corner: top from the left, right from the top,
 * bottom from the right, left from the bottom.
 */
export function clockwise(sightings: Sightings): number[] {
  return [...sightings.top, ...sightings.right, ...sightings.bottom.toReversed(), ...sightings.left.toReversed()];
}

export function fromClockwise(width: number, height: number, seen: ArrayLike<number>): Sightings {
  const top: number[] = [];
  const right: number[] = [];
  const bottom: number[] = [];
  const left: number[] = [];
  for (let column = 0; column < width; column++) {
    top.push(seen[column]);
    bottom.push(seen[2 * width + height - 1 - column]);
  }
  for (let row = 0; row < height; row++) {
    right.push(seen[width + row]);
    left.push(seen[2 * (width + height) - 1 - row]);
  }
  return { top, right, bottom, left };
}
