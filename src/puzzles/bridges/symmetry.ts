// The images of an instance: turned and mirrored. A board that is not square keeps its shape under four of the eight.
import type { BridgesInstance } from "./instance.ts";

type Transform = (x: number, y: number, lastX: number, lastY: number) => readonly [number, number];

const keepingShape: readonly Transform[] = [
  (x, y) => [x, y],
  (x, y, lastX) => [lastX - x, y],
  (x, y, _lastX, lastY) => [x, lastY - y],
  (x, y, lastX, lastY) => [lastX - x, lastY - y],
];

const transposing: readonly Transform[] = keepingShape.map(
  (transform) => (x, y, lastX, lastY) => transform(y, x, lastX, lastY),
);

export function images(instance: BridgesInstance): BridgesInstance[] {
  const { width, height, clues } = instance;
  const transforms = width === height ? [...keepingShape, ...transposing] : keepingShape;
  return transforms.map((transform) => {
    const turned: number[] = new Array(clues.length).fill(0);
    for (let cell = 0; cell < clues.length; cell++) {
      if (clues[cell] === 0) continue;
      const [x, y] = transform(cell % width, Math.floor(cell / width), width - 1, height - 1);
      turned[y * width + x] = clues[cell];
    }
    return { ...instance, clues: turned };
  });
}
