// The images of a puzzle: turned and mirrored. A square has eight; a longer board keeps its shape in four of them.
import type { Dot, GalaxiesInstance } from "./instance.ts";

/**
 * Every image has white dots. Color changes nothing about a puzzle, so two that differ in color alone must have the same
 * canonical form.
 */
export function imagesOf({ width, height, dots }: GalaxiesInstance): readonly GalaxiesInstance[] {
  const [right, bottom] = [2 * width, 2 * height];
  const upright: ((dot: Dot) => Dot)[] = [
    ({ x, y }) => ({ x, y }),
    ({ x, y }) => ({ x: right - x, y }),
    ({ x, y }) => ({ x, y: bottom - y }),
    ({ x, y }) => ({ x: right - x, y: bottom - y }),
  ];
  const moves = width === height ? upright.flatMap((move) => [move, (dot: Dot) => transposed(move(dot))]) : upright;
  return moves.map((move) => ({
    width,
    height,
    dots: dots.map(move).sort((one, other) => one.y - other.y || one.x - other.x),
  }));
}

function transposed({ x, y }: Dot): Dot {
  return { x: y, y: x };
}
