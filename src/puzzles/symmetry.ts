// Where a place goes when its board is turned or mirrored. A square has eight images; a longer board keeps its shape in four.
type Move = (x: number, y: number) => readonly [number, number];

/** `right` and `bottom` are where the last column and row go to be the first. The first move leaves all as it is. */
export function movesOf(width: number, height: number, right = width - 1, bottom = height - 1): readonly Move[] {
  const upright: readonly Move[] = [
    (x, y) => [x, y],
    (x, y) => [right - x, y],
    (x, y) => [x, bottom - y],
    (x, y) => [right - x, bottom - y],
  ];
  return width === height
    ? [
        ...upright,
        ...upright.map(
          (move): Move =>
            (x, y) =>
              move(y, x),
        ),
      ]
    : upright;
}

/** The cells of a grid, row by row, in each of its images. */
export function gridImages<T>(cells: readonly T[], width: number, height: number): readonly (readonly T[])[] {
  return movesOf(width, height).map((move) => {
    const moved = [...cells];
    for (let cell = 0; cell < cells.length; cell++) {
      const [x, y] = move(cell % width, Math.floor(cell / width));
      moved[y * width + x] = cells[cell];
    }
    return moved;
  });
}
