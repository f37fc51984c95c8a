// The narrating teacher's model of Slitherlink: its constraints together say what the rules say, no more and no less.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type ConstraintModel, only } from "../../src/puzzles/constraint-model.ts";
import { linesAround, loopGrid } from "../../src/puzzles/slitherlink/grid.ts";
import { slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { everyLoop } from "./slitherlink-brute-force.ts";

const grid = loopGrid(3, 3);

/** Whether the model accepts a board on which every line is known. */
function accepts(model: ConstraintModel, values: readonly number[]): boolean {
  return (
    model.constraints.every(({ scope, compatible, narrow }) => {
      const own = scope.map((unknown) => values[unknown]);
      return narrow === undefined ? compatible(own) : narrow(own.map(only)) !== undefined;
    }) && model.wholeBoard.every(({ holds }) => holds(values))
  );
}

const linesOf = (cells: string): number[] => {
  const loop = new Set(linesAround(grid, (cell) => cells[cell] === "#"));
  return Array.from({ length: grid.lineCount }, (_, line) => (loop.has(line) ? 1 : 0));
};

describe("the model", () => {
  const random = Random.from("model");
  const loops = everyLoop(3, 3);

  it("accepts, of all borders between cells of two kinds, exactly the loops with these clues", () => {
    for (let draw = 0; draw < 12; draw++) {
      const { numbers } = random.pick(loops);
      const clues = numbers.map((number) => (random.chance(0.4) ? String(number) : ".")).join("");
      const model = slitherlink.constraints({ width: 3, height: 3, clues });
      const right = new Set(
        loops
          .filter((loop) => loop.numbers.every((number, cell) => clues[cell] === "." || clues[cell] === String(number)))
          .map(({ cells }) => cells),
      );
      for (let bits = 0; bits < 512; bits++) {
        const cells = Array.from({ length: 9 }, (_, cell) => ((bits >> cell) & 1 ? "#" : ".")).join("");
        expect(accepts(model, linesOf(cells)), `${clues} ${cells}`).toBe(right.has(cells));
      }
    }
  });

  it("refuses lines that have ends", () => {
    const model = slitherlink.constraints({ width: 3, height: 3, clues: "........." });
    for (const { cells } of loops.slice(0, 60)) {
      const values = linesOf(cells);
      values[random.below(values.length)] ^= 1;
      expect(accepts(model, values)).toBe(false);
    }
  });

  it("concludes nothing that a loop with these clues contradicts", () => {
    for (let draw = 0; draw < 40; draw++) {
      const loop = random.pick(loops);
      const clues = loop.numbers.map((number) => (random.chance(0.5) ? String(number) : ".")).join("");
      const model = slitherlink.constraints({ width: 3, height: 3, clues });
      const known = random.uniform();
      const values = linesOf(loop.cells);
      const possible = values.map((value) => (random.chance(known) ? only(value) : 3));
      for (const { scope, narrow } of model.constraints) {
        if (narrow === undefined) continue;
        const left = narrow(scope.map((unknown) => possible[unknown]));
        scope.forEach((unknown, at) => {
          expect(left![at] & only(values[unknown]), `${clues} ${loop.cells}`).not.toBe(0);
        });
      }
      expect(model.answer(values).replaceAll(/\s/g, "")).toBe(loop.cells);
    }
  });
});
