// Cells of a grid that hang together: neighbors, and what can be reached without leaving a set.

const kept = new Map<string, readonly (readonly number[])[]>();
const mostKept = 32;

/** For each cell the cells above, to the left, to the right and below. */
export function neighborsOf(width: number, height: number): readonly (readonly number[])[] {
  const key = `${width}x${height}`;
  let found = kept.get(key);
  if (found === undefined) {
    if (kept.size >= mostKept) kept.clear();
    found = Array.from({ length: width * height }, (_, cell) => {
      const [row, column] = [Math.floor(cell / width), cell % width];
      return [
        ...(row > 0 ? [cell - width] : []),
        ...(column > 0 ? [cell - 1] : []),
        ...(column < width - 1 ? [cell + 1] : []),
        ...(row < height - 1 ? [cell + width] : []),
      ];
    });
    kept.set(key, found);
  }
  return found;
}

type Reach = {
  /** 1 for cells that can be reached. */
  readonly reached: Uint8Array;
  /** 1 for cells that lie on every way from the start to some wanted cell. */
  readonly needed: Uint8Array;
};

/** What can be reached from a cell over cells that are allowed, itself included, and what the wanted ones cannot do without (Tarjan 1974). */
export function reachFrom(
  start: number,
  neighbors: readonly (readonly number[])[],
  allowed: (cell: number) => boolean,
  wanted: (cell: number) => boolean = () => false,
): Reach {
  const count = neighbors.length;
  const [order, low, below, next] = [0, 0, 0, 0].map(() => new Int32Array(count));
  const [reached, needed] = [new Uint8Array(count), new Uint8Array(count)];
  const path = [start];
  let visited = 0;
  const enter = (cell: number) => {
    reached[cell] = 1;
    order[cell] = low[cell] = ++visited;
    below[cell] = wanted(cell) ? 1 : 0;
  };
  enter(start);
  while (path.length > 0) {
    const cell = path[path.length - 1];
    if (next[cell] < neighbors[cell].length) {
      const other = neighbors[cell][next[cell]++];
      if (reached[other] === 1) low[cell] = Math.min(low[cell], order[other]);
      else if (allowed(other)) {
        enter(other);
        path.push(other);
      }
      continue;
    }
    path.pop();
    const before = path[path.length - 1];
    if (before === undefined) break;
    low[before] = Math.min(low[before], low[cell]);
    below[before] += below[cell];
    if (low[cell] >= order[before] && below[cell] > 0) needed[before] = 1;
  }
  return { reached, needed };
}

/**
 * What is possible where all cells of a value hang together, and one of them is known: those that cannot be reached do not
 * have it, and those that the known ones cannot do without do. Nothing on a contradiction.
 */
export function joinedWith(
  start: number,
  neighbors: readonly (readonly number[])[],
  value: number,
  possible: readonly number[],
): number[] | undefined {
  const bit = 1 << value;
  const { reached, needed } = reachFrom(
    start,
    neighbors,
    (cell) => (possible[cell] & bit) !== 0,
    (cell) => possible[cell] === bit,
  );
  const left = possible.map((bits, cell) => bits & (reached[cell] === 0 ? ~bit : needed[cell] === 1 ? bit : bits));
  return left.includes(0) ? undefined : left;
}
