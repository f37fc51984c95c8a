// Hitori beside brute force.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { hitori } from "../../src/puzzles/hitori/index.ts";

/** Reads the three rules off a board, with nothing of ours. */
function keepsRules(width: number, height: number, numbers: readonly number[], shaded: readonly boolean[]): boolean {
  const at = (x: number, y: number) => y * width + x;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (shaded[at(x, y)]) {
        if (x + 1 < width && shaded[at(x + 1, y)]) return false;
        if (y + 1 < height && shaded[at(x, y + 1)]) return false;
        continue;
      }
      for (let other = x + 1; other < width; other++)
        if (!shaded[at(other, y)] && numbers[at(other, y)] === numbers[at(x, y)]) return false;
      for (let other = y + 1; other < height; other++)
        if (!shaded[at(x, other)] && numbers[at(x, other)] === numbers[at(x, y)]) return false;
    }
  const group = shaded.map((_, cell) => cell);
  for (let round = 0; round < shaded.length; round++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (const other of [x + 1 < width ? at(x + 1, y) : -1, y + 1 < height ? at(x, y + 1) : -1])
          if (other >= 0 && !shaded[other] && !shaded[at(x, y)])
            group[other] = group[at(x, y)] = Math.min(group[other], group[at(x, y)]);
  return new Set(group.filter((_, cell) => !shaded[cell])).size === 1;
}

describe("brute force", () => {
  it.each([
    [3, 3, 200],
    [4, 3, 60],
    [2, 4, 100],
  ])("%d by %d: the solutions of %d boards of any numbers, and the verdict on every answer", (width, height, count) => {
    const random = Random.from("hitori").child(width, height);
    const seen = new Set<number>();
    for (let draw = 0; draw < count; draw++) {
      const numbers = Array.from({ length: width * height }, () => 1 + random.below(Math.max(width, height)));
      const instance = { width, height, numbers };
      const right: string[] = [];
      for (let bits = 0; bits < 2 ** numbers.length; bits++) {
        const shaded = numbers.map((_, cell) => ((bits >> cell) & 1) === 1);
        const cells = shaded.map((dark) => (dark ? "#" : "."));
        const keeps = keepsRules(width, height, numbers, shaded);
        if (draw < 5) expect(hitori.judge(instance, { cells }).correct).toBe(keeps);
        if (keeps) right.push(cells.join(""));
      }
      const { boards, all } = hitori.solutions(instance, right.length + 1);
      expect(all).toBe(true);
      expect(boards.map(({ cells }) => cells.join("")).sort()).toEqual(right.sort());
      seen.add(Math.min(2, right.length));
    }
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });
});
