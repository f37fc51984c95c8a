// Every Slitherlink loop of a small board, found by walking from corner to corner: written without the project's own
// verifier, grid or solver, and without the idea of an inside.

export type Loop = {
  /** How many sides of each cell the loop takes, row by row. */
  readonly numbers: readonly number[];
  /** Which cells it encloses, as an answer is written. */
  readonly cells: string;
};

const known = new Map<string, readonly Loop[]>();

export function everyLoop(width: number, height: number): readonly Loop[] {
  const key = `${width}x${height}`;
  let loops = known.get(key);
  if (loops === undefined) {
    loops = walkedLoops(width, height);
    known.set(key, loops);
  }
  return loops;
}

function walkedLoops(width: number, height: number): Loop[] {
  const columns = width + 1;
  const loops: Loop[] = [];
  const visited = new Uint8Array(columns * (height + 1));
  const path: number[] = [];
  const beside = (corner: number): number[] => {
    const [row, column] = [Math.floor(corner / columns), corner % columns];
    const found: number[] = [];
    if (row > 0) found.push(corner - columns);
    if (column < width) found.push(corner + 1);
    if (row < height) found.push(corner + columns);
    if (column > 0) found.push(corner - 1);
    return found;
  };
  // A loop is walked from its first corner, and in one of its two directions.
  const walk = (start: number, corner: number): void => {
    for (const next of beside(corner)) {
      if (next === start && path.length > 3 && path[1] < corner) loops.push(describe([...path], width, height));
      if (next <= start || visited[next] === 1) continue;
      visited[next] = 1;
      path.push(next);
      walk(start, next);
      path.pop();
      visited[next] = 0;
    }
  };
  for (let start = 0; start < visited.length; start++) {
    path.push(start);
    walk(start, start);
    path.pop();
  }
  return loops;
}

function describe(path: readonly number[], width: number, height: number): Loop {
  const columns = width + 1;
  const lines = new Set(path.map((corner, at) => [corner, path[(at + 1) % path.length]].sort((a, b) => a - b).join()));
  const numbers: number[] = [];
  let cells = "";
  for (let row = 0; row < height; row++) {
    let crossed = 0;
    for (let column = 0; column < width; column++) {
      const corner = row * columns + column;
      const [top, left] = [`${corner},${corner + 1}`, `${corner},${corner + columns}`];
      const bottom = `${corner + columns},${corner + columns + 1}`;
      const right = `${corner + 1},${corner + columns + 1}`;
      if (lines.has(left)) crossed += 1;
      numbers.push([top, right, bottom, left].filter((line) => lines.has(line)).length);
      cells += crossed % 2 === 1 ? "#" : ".";
    }
  }
  return { numbers, cells };
}

/** The loops that give every clue what it says. */
export function loopsWith(width: number, height: number, clues: string): Loop[] {
  return everyLoop(width, height).filter(({ numbers }) =>
    numbers.every((number, cell) => clues[cell] === "." || Number(clues[cell]) === number),
  );
}
