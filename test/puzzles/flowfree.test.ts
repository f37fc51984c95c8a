// Flow Free beside brute force: paths are laid cell by cell, with nothing of the project's model, solver or verifier.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { flowfree } from "../../src/puzzles/flowfree/index.ts";
import { pathsOver } from "../../src/puzzles/flowfree/paths.ts";

const beside = (width: number, height: number, cell: number): number[] => {
  const [x, y] = [cell % width, Math.floor(cell / width)];
  return [
    x > 0 ? cell - 1 : -1,
    x + 1 < width ? cell + 1 : -1,
    y > 0 ? cell - width : -1,
    y + 1 < height ? cell + width : -1,
  ].filter((at) => at >= 0);
};

/** Every way to fill the grid, by walking from each first dot to its second, one letter after the other. */
function fillings(width: number, height: number, dots: readonly string[]): string[] {
  const letters = [...new Set(dots.filter((dot) => dot !== "."))].sort();
  const cells = [...dots];
  const found: string[] = [];
  const walk = (color: number, at: number, before: number): void => {
    const letter = letters[color];
    for (const next of beside(width, height, at)) {
      if (next === before || (cells[next] !== "." && (dots[next] !== letter || next === dots.indexOf(letter))))
        continue;
      // The next cell may touch its path only where it comes from, or where it ends.
      const end = dots.lastIndexOf(letter);
      const touches = beside(width, height, next).filter(
        (other) => cells[other] === letter && other !== at && other !== end,
      );
      if (touches.length > 0) continue;
      if (next === end) {
        if (color + 1 < letters.length) walk(color + 1, dots.indexOf(letters[color + 1]), -1);
        else if (!cells.includes(".")) found.push(cells.join(""));
        continue;
      }
      // Beside its end the path must end.
      if (beside(width, height, at).includes(end) && at !== dots.indexOf(letter)) continue;
      if (at === dots.indexOf(letter) && beside(width, height, at).includes(end)) continue;
      cells[next] = letter;
      walk(color, next, at);
      cells[next] = ".";
    }
  };
  walk(0, dots.indexOf(letters[0]), -1);
  return found;
}

describe("brute force", () => {
  it.each([
    [3, 3, 150],
    [4, 3, 150],
    [4, 4, 120],
    [5, 4, 60],
  ])("%d by %d: %d boards, with as many solutions as walking finds", (width, height, count) => {
    const random = Random.from("flowfree").child(width, height);
    const seen = new Set<number>();
    for (let draw = 0; draw < count; draw++) {
      const colors = 1 + random.below(3);
      const order = random.shuffle(Array.from({ length: width * height }, (_, cell) => cell));
      const dots: string[] = Array.from({ length: width * height }, () => ".");
      // Every other board is one that has a solution.
      const paths = draw % 2 === 0 ? pathsOver(width, height, random) : undefined;
      if (paths === undefined) for (let at = 0; at < 2 * colors; at++) dots[order[at]] = "ABC"[at >> 1];
      else for (const [color, path] of paths.entries()) dots[path[0]] = dots[path.at(-1)!] = "ABCDEFGH"[color];
      const instance = { width, height, colors: paths?.length ?? colors, dots };
      const right = fillings(width, height, dots).sort();
      const { boards, all } = flowfree.solutions(instance, right.length + 1);
      expect(all).toBe(true);
      expect(boards.map(({ cells }) => cells.join("")).sort(), dots.join("")).toEqual(right);
      seen.add(Math.min(2, right.length));
    }
    expect(seen.has(0) && seen.has(1)).toBe(true);
  });
});

it("paths cover the grid, step by step, and touch themselves nowhere", () => {
  for (const [width, height] of [
    [3, 3],
    [5, 5],
    [9, 4],
    [12, 12],
  ]) {
    const paths = pathsOver(width, height, Random.from("paths").child(width, height))!;
    expect(paths.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: width * height }, (_, cell) => cell));
    for (const path of paths)
      for (const [at, cell] of path.entries()) {
        const own = beside(width, height, cell)
          .filter((other) => path.includes(other))
          .map((other) => path.indexOf(other));
        expect(own.sort((a, b) => a - b)).toEqual(
          [at - 1, at + 1].filter((other) => other >= 0 && other < path.length),
        );
      }
  }
});

it("a letter's name is no part of a puzzle, and an answer may be written small", () => {
  const [one, other] = ["5x5c3:fABdCcAfBC", "5x5c3:fCAdBcCfAB"].map((id) => flowfree.readId(id));
  const written = (instance: typeof one) => flowfree.images(instance).map(flowfree.writeId).sort();
  expect(written(one)).toEqual(written(other));
  const solved = flowfree.solve(one);
  if (solved.status !== "unique") throw new Error(solved.status);
  const small = flowfree.readAnswer(one, flowfree.renderAnswer(one, solved.solution).toLowerCase());
  expect(small).toEqual({ board: solved.solution });
});
