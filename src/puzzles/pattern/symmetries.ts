// The symmetries of a Pattern: mirrors, and for squares the exchange of rows and columns.
import { gridImages, movesOf } from "../symmetry.ts";
import type { PatternInstance } from "./instance.ts";

const reversed = <T>(items: readonly T[], really: boolean): readonly T[] => (really ? items.toReversed() : items);

/** Eight images of a square, four of any other rectangle; the instance itself comes first. */
export function patternImages(instance: PatternInstance): readonly PatternInstance[] {
  const { width, height, prefilled } = instance;
  const givens = prefilled === undefined ? undefined : gridImages([...prefilled], width, height);
  return movesOf(width, height).map((_, image) => {
    const [across, down] = [image % 2 === 1, image % 4 >= 2];
    const [columns, rows] = image < 4 ? [instance.columns, instance.rows] : [instance.rows, instance.columns];
    return {
      width,
      height,
      columns: reversed(columns, across).map((runs) => reversed(runs, down)),
      rows: reversed(rows, down).map((runs) => reversed(runs, across)),
      ...(givens !== undefined && { prefilled: givens[image].join("") }),
    };
  });
}
