// Nurikabe beside brute force: every board of small sizes is tried on numbers at random, and of all layouts.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { nurikabe } from "../../src/puzzles/nurikabe/index.ts";

/** Reads the rules off a board, with nothing of ours: flood by flood, as a person would with a pencil. */
function keepsRules(width: number, height: number, clues: readonly string[], isLand: readonly boolean[]): boolean {
  const parts: number[][] = [];
  const seen = new Set<number>();
  for (let start = 0; start < isLand.length; start++) {
    if (seen.has(start)) continue;
    const part = [start];
    seen.add(start);
    for (const cell of part)
      for (const [x, y] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        const [column, row] = [(cell % width) + x, Math.floor(cell / width) + y];
        const other = row * width + column;
        if (column < 0 || row < 0 || column >= width || row >= height || seen.has(other)) continue;
        if (isLand[other] !== isLand[start]) continue;
        seen.add(other);
        part.push(other);
      }
    parts.push(part);
  }
  if (parts.filter(([cell]) => !isLand[cell]).length > 1) return false;
  for (const part of parts) {
    const numbers = part.filter((cell) => clues[cell] !== ".").map((cell) => clues[cell]);
    if (!isLand[part[0]] && numbers.length > 0) return false;
    if (isLand[part[0]] && (numbers.length !== 1 || (numbers[0] !== "*" && Number(numbers[0]) !== part.length)))
      return false;
  }
  for (let row = 0; row + 1 < height; row++)
    for (let column = 0; column + 1 < width; column++) {
      const corner = row * width + column;
      if (![corner, corner + 1, corner + width, corner + width + 1].some((cell) => isLand[cell])) return false;
    }
  return true;
}

describe("brute force", () => {
  it.each([
    [3, 3, 200],
    [4, 3, 40],
  ])("%d by %d: the solutions of %d boards, and the verdict on every answer", (width, height, count) => {
    const random = Random.from("nurikabe").child(width, height);
    const seen = new Set<number>();
    for (let draw = 0; draw < count; draw++) {
      const clues = Array.from({ length: width * height }, () =>
        random.chance(0.25) ? random.pick(["1", "1", "2", "2", "3", "4", "6", "*"]) : ".",
      );
      const instance = { width, height, clues };
      const right: string[] = [];
      for (let bits = 0; bits < 2 ** clues.length; bits++) {
        const isLand = clues.map((_, cell) => ((bits >> cell) & 1) === 1);
        const cells = isLand.map((dry) => (dry ? "o" : "#"));
        const keeps = keepsRules(width, height, clues, isLand);
        if (draw < 4) expect(nurikabe.judge(instance, { cells }).correct, cells.join("")).toBe(keeps);
        if (keeps) right.push(cells.join(""));
      }
      const { boards, all } = nurikabe.solutions(instance, right.length + 1);
      expect(all).toBe(true);
      expect(boards.map(({ cells }) => cells.join("")).sort(), clues.join("")).toEqual(right.sort());
      seen.add(Math.min(2, right.length));
    }
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });
});

it("says what is wrong with an answer, once for each rule", () => {
  const instance = nurikabe.readId("3x3:2.......1");
  const rules = (cells: string) =>
    nurikabe.violations(instance, { cells: [...cells] }).map(({ rule, cells }) => `${rule} ${cells.length}`);
  expect(rules("o##o####o")).toEqual(["square 4"]);
  expect(rules("o#######o")).toEqual(["square 4", "square 4", "islands 1"]);
  expect(rules("ooo####oo")).toEqual(["islands 5"]);
  expect(rules("####o#o#o")).toEqual(["number 1", "islands 2", "sea 0"]);
});

it("its picture has a frame on all four sides", () => {
  expect(nurikabe.svg(nurikabe.readId(nurikabe.example)).match(/stroke-width="2"/g)).toHaveLength(4);
});
