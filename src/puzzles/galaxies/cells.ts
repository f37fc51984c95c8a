// A board cell by cell, for the completion reward: cells of two answers are equal when they belong to the same dot,
// whatever the answers call it.
import { cellsUnderDot, dotLabels, type GalaxiesBoard, type GalaxiesInstance } from "./instance.ts";

const unknown = "?";
/** Belongs to no dot in particular, and so equals no cell of a solution. */
const nowhere = "-";

/** What the dots give away: the cells under a dot are its own from the start, and copying them must pay little. */
export function initialCells(instance: GalaxiesInstance): readonly string[] {
  const { width, height, dots } = instance;
  const names = dotLabels(instance);
  const cells = new Array<string>(width * height).fill(unknown);
  dots.forEach((dot, index) => {
    for (const cell of cellsUnderDot(width, dot)) cells[cell] = names[index];
  });
  return cells;
}

/**
 * A label stands for the one dot that lies wholly on it. A label with two dots or none stands for nothing: otherwise one
 * letter all over the board would be paid for its largest region.
 */
export function answerCells(instance: GalaxiesInstance, { labels }: GalaxiesBoard): readonly string[] {
  const names = dotLabels(instance);
  const meaning = new Map<string, string>();
  instance.dots.forEach((dot, index) => {
    const under = cellsUnderDot(instance.width, dot);
    const label = labels[under[0]];
    if (under.every((cell) => labels[cell] === label)) meaning.set(label, meaning.has(label) ? nowhere : names[index]);
  });
  return labels.map((label) => meaning.get(label) ?? nowhere);
}

/** Every cell that no dot touches to the dot of this name. */
export const openCellsTo = (instance: GalaxiesInstance, name: (cell: number) => string): readonly string[] =>
  initialCells(instance).map((given, cell) => (given === unknown ? name(cell) : given));

/** Every cell to the dot that is nearest, the first in the order of an id among equals. */
export function nearestDots(instance: GalaxiesInstance): GalaxiesBoard {
  const { width, height, dots } = instance;
  const names = dotLabels(instance);
  const labels: string[] = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let nearest = 0;
      let least = Number.POSITIVE_INFINITY;
      dots.forEach(({ x, y }, index) => {
        const distance = (x - 1 - 2 * column) ** 2 + (y - 1 - 2 * row) ** 2;
        if (distance < least) [least, nearest] = [distance, index];
      });
      labels.push(names[nearest]);
    }
  }
  return { labels };
}
