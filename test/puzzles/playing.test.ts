// Every puzzle as it is played by hand: one suite over the catalog.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { puzzles } from "../../src/puzzles/catalog.ts";
import { cellSize, margin } from "../../src/puzzles/picture.ts";
import { type Cells, mistakes, withCell } from "../../src/puzzles/playing.ts";

describe.each(puzzles.map((puzzle) => [puzzle.name, puzzle] as const))("%s played by hand", (name, puzzle) => {
  const { playing } = puzzle;
  const instance = puzzle.readId(puzzle.example);
  const start = playing.start(instance);
  const move = fc.record({
    cell: fc.nat(start.length - 1),
    backwards: fc.boolean(),
    brush: fc.constantFrom(...new Set(start)),
  });

  const solutionCells = () => {
    const solved = puzzle.solve(instance);
    if (solved.status !== "unique") throw new Error(`${puzzle.example} has no single solution`);
    return puzzle.answerCells(instance, solved.solution);
  };

  it("whatever is pressed, givens stay, and the board can be drawn, judged and said aloud", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        let cells: Cells = start;
        for (const { cell, backwards, brush } of moves) cells = playing.press(instance, cells, cell, backwards, brush);
        start.forEach((symbol, cell) => {
          if (playing.fixed(instance, cell)) expect(cells[cell]).toBe(symbol);
          expect(playing.spoken(instance, cells, cell)).toEqual(expect.any(String));
        });
        const board = playing.board(instance, cells);
        expect(puzzle.svg(instance, board)).toContain("<svg");
        const judgment = puzzle.judge(instance, playing.handedIn?.(instance, cells) ?? board);
        // Bridges are built and taken down whole.
        if (name === "bridges" && !judgment.correct) expect(judgment.because).not.toMatch(/broken|cross|nowhere/);
      }),
      { numRuns: 60 },
    );
  });

  it("the solution, cell by cell, is right and holds no mistake; any other symbol is one", () => {
    const solution = solutionCells();
    expect(puzzle.judge(instance, playing.board(instance, solution)).correct).toBe(true);
    expect(playing.complete(instance, solution)).toBe(true);
    expect(mistakes(solution, start, solution)).toEqual([]);
    const open = start.findIndex((_, cell) => !playing.fixed(instance, cell));
    const other = [...new Set(solution), "X"].find((symbol) => symbol !== solution[open] && symbol !== start[open])!;
    expect(mistakes(solution.with(open, other), start, solution)).toEqual([open]);
  });

  it("hints alone lead from an empty board to the solution", () => {
    const solution = solutionCells();
    let cells: Cells = start;
    for (let hints = 0; hints <= start.length; hints++) {
      const cell = mistakes(cells, start, solution)[0] ?? cells.findIndex((symbol, at) => symbol !== solution[at]);
      if (cell < 0) break;
      cells = playing.hint?.(instance, cells, cell, solution) ?? withCell(cells, cell, solution[cell]);
    }
    expect(cells).toEqual(solution);
  });

  it("the grid of cells lies inside the picture", () => {
    const [, across, down] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(puzzle.svg(instance))!.map(Number);
    const { width, height } = puzzle.size(instance);
    const { cluesBeyond = 0 } = playing;
    expect(across - 2 * margin - (width + cluesBeyond) * cellSize).toBeGreaterThanOrEqual(0);
    expect(down - 2 * margin - (height + cluesBeyond) * cellSize).toBeGreaterThanOrEqual(0);
  });
});
