// Small worlds: the clues of every solved board of a size.

import { ModelSearch } from "../model-solver.ts";
import { bridgesModel } from "./constraints.ts";
import { type BridgesInstance, type BridgesParams, largestClue } from "./instance.ts";
import { spansOf } from "./spans.ts";

const mostCells = 16;

/** Boards whose islands do not touch and reach all four sides; undefined where they are too many to list. The number of islands is free. */
export function solvedBoards(params: BridgesParams): Iterable<BridgesInstance> | undefined {
  return params.width * params.height > mostCells ? undefined : boards(params);
}

function* boards({ width, height, maxBridges, loops }: BridgesParams): Generator<BridgesInstance> {
  for (const islands of islandPatterns(width, height)) {
    // Every island could have as many bridges as there is room for: what is left of the rules says how they can lie.
    const open: BridgesInstance = {
      width,
      height,
      maxBridges,
      loops,
      clues: Array.from(islands, (is) => is * largestClue),
    };
    const model = bridgesModel(open);
    const constraints = model.constraints.filter(({ rule }) => rule !== "island-count");
    const spans = spansOf(open);
    for (const values of new ModelSearch({ ...model, constraints }).solutions(Number.POSITIVE_INFINITY)) {
      const clues: number[] = new Array(width * height).fill(0);
      for (const [span, { from, to }] of spans.entries()) {
        clues[from] += values[span];
        clues[to] += values[span];
      }
      yield { ...open, clues };
    }
  }
}

/** Patterns of islands, none beside or below another, with one in each outer row and column. */
function* islandPatterns(width: number, height: number): Generator<Uint8Array> {
  const area = width * height;
  const islands = new Uint8Array(area);
  const fillsGrid = () => {
    let [top, bottom, west, east] = [false, false, false, false];
    for (let cell = 0; cell < area; cell++) {
      if (islands[cell] === 0) continue;
      if (cell < width) top = true;
      if (cell >= area - width) bottom = true;
      if (cell % width === 0) west = true;
      if (cell % width === width - 1) east = true;
    }
    return top && bottom && west && east;
  };
  function* from(cell: number): Generator<Uint8Array> {
    if (cell === area) {
      if (fillsGrid()) yield islands;
      return;
    }
    yield* from(cell + 1);
    if ((cell % width > 0 && islands[cell - 1] === 1) || (cell >= width && islands[cell - width] === 1)) return;
    islands[cell] = 1;
    yield* from(cell + 1);
    islands[cell] = 0;
  }
  yield* from(0);
}
