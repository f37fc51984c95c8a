// The images of a puzzle: turned and mirrored.
import { movesOf } from "../symmetry.ts";
import type { GalaxiesInstance } from "./instance.ts";

/**
 * Every image has white dots. Color changes nothing about a puzzle, so two that differ in color alone must have the same
 * canonical form.
 */
export function imagesOf({ width, height, dots }: GalaxiesInstance): readonly GalaxiesInstance[] {
  return movesOf(width, height, 2 * width, 2 * height).map((move) => ({
    width,
    height,
    dots: dots
      .map(({ x, y }) => {
        const [movedX, movedY] = move(x, y);
        return { x: movedX, y: movedY };
      })
      .sort((one, other) => one.y - other.y || one.x - other.x),
  }));
}
