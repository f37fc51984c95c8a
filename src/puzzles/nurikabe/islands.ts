// Nurikabe in the making: cells of a sea become land, one by one and at random, until no four of them are a square of water.
import type { Random } from "../../base/random.ts";
import { neighborsOf, reachFrom } from "../cell-regions.ts";

/** Islands as cells; nothing where this try ended with a square of water, or with no sea. */
export function islandsIn(width: number, height: number, random: Random): number[][] | undefined {
  const neighbors = neighborsOf(width, height);
  const land = new Uint8Array(width * height);
  const largest = 2 + random.below(Math.max(2, Math.round((width + height) / 2) - 1));
  const isLand = (cell: number) => land[cell] === 1;
  const islandOf = (cell: number) => cellsWhere(reachFrom(cell, neighbors, isLand).reached);
  const waters = random.shuffle([...squaresOf(width, height)]);
  for (const square of waters) {
    if (square.some(isLand)) continue;
    const sunk = random.shuffle(square).find((cell) => {
      land[cell] = 1;
      const sea = land.indexOf(0);
      const { reached } = reachFrom(sea, neighbors, (other) => !isLand(other));
      if (islandOf(cell).length <= largest && land.every((is, other) => is === 1 || reached[other] === 1)) return true;
      land[cell] = 0;
      return false;
    });
    if (sunk === undefined) return undefined;
  }
  const islands: number[][] = [];
  for (const cell of land.keys())
    if (isLand(cell) && !islands.some((island) => island.includes(cell))) islands.push(islandOf(cell));
  return islands;
}

const cellsWhere = (marks: Uint8Array): number[] => [...marks.keys()].filter((cell) => marks[cell] === 1);

/** The four cells around each corner inside the grid. */
export function* squaresOf(width: number, height: number): Generator<number[]> {
  for (let row = 0; row + 1 < height; row++)
    for (let column = 0; column + 1 < width; column++) {
      const cell = row * width + column;
      yield [cell, cell + 1, cell + width, cell + width + 1];
    }
}
