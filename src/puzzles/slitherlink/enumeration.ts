// All puzzles of the smallest size: every loop, and every choice of its clues that no other loop shares.
import { loopGrid } from "./grid.ts";
import { noClue, outside, type SlitherlinkInstance, type SlitherlinkParams } from "./instance.ts";
import { slitherlinkEffort, slitherlinkSolutions } from "./solver.ts";

/** 3x3 has ninety thousand puzzles; nobody waits for 3x4. */
const mostCells = 9;

/** Each uniquely solvable instance once, of the given difficulty if one is given. */
export function enumerateSlitherlink(params: SlitherlinkParams): Iterable<SlitherlinkInstance> | undefined {
  if (params.width * params.height > mostCells) return undefined;
  return { [Symbol.iterator]: () => uniqueInstances(params) };
}

function* uniqueInstances({ width, height, difficulty }: SlitherlinkParams): Generator<SlitherlinkInstance> {
  const area = width * height;
  const { besideCell } = loopGrid(width, height);
  const blank: SlitherlinkInstance = { width, height, clues: noClue.repeat(area) };
  const numbers = slitherlinkSolutions(blank, 2 ** area).boards.map(({ cells }) =>
    Array.from({ length: area }, (_, cell) => {
      let lines = 0;
      for (const beside of besideCell.subarray(4 * cell, 4 * cell + 4))
        if ((cells[beside] ?? outside) !== cells[cell]) lines += 1;
      return lines;
    }),
  );
  for (const [own, clues] of numbers.entries()) {
    // By other loop, the cells where its numbers differ, as bits: a choice of clues that misses all of them is ambiguous.
    const differences = numbers.flatMap((other, at) =>
      at === own ? [] : [other.reduce((bits, number, cell) => (number === clues[cell] ? bits : bits | (1 << cell)), 0)],
    );
    for (let chosen = 0; chosen < 1 << area; chosen++) {
      if (differences.some((difference) => (difference & chosen) === 0)) continue;
      const text = clues.map((number, cell) => ((chosen >> cell) & 1 ? String(number) : noClue)).join("");
      const instance = { width, height, clues: text };
      if (difficulty === undefined || slitherlinkEffort(instance)?.difficulty === difficulty) yield instance;
    }
  }
}
