// The images of a puzzle: turned and mirrored. A square has eight; a longer board keeps its shape in four of them.
import type { LoopyInstance } from "./instance.ts";

export function images(instance: LoopyInstance): readonly LoopyInstance[] {
  const { width, height } = instance;
  const moved = (from: (row: number, column: number) => readonly [number, number]): LoopyInstance => ({
    width,
    height,
    clues: Array.from({ length: width * height }, (_, cell) => {
      const [row, column] = from(Math.floor(cell / width), cell % width);
      return instance.clues[row * width + column];
    }).join(""),
  });
  const [bottom, right] = [height - 1, width - 1];
  const upright = [
    instance,
    moved((row, column) => [row, right - column]),
    moved((row, column) => [bottom - row, column]),
    moved((row, column) => [bottom - row, right - column]),
  ];
  if (width !== height) return upright;
  return [
    ...upright,
    moved((row, column) => [column, row]),
    moved((row, column) => [column, right - row]),
    moved((row, column) => [bottom - column, row]),
    moved((row, column) => [bottom - column, right - row]),
  ];
}
