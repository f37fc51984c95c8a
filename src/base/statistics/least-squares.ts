// Linear least squares over a few unknowns.

/** The coefficients that bring `rows · coefficients` nearest to `targets`; undefined where they are not determined. */
export function leastSquares(rows: readonly (readonly number[])[], targets: readonly number[]): number[] | undefined {
  const unknowns = rows[0]?.length ?? 0;
  const dot = (a: number, b: (row: number) => number) => rows.reduce((sum, row, i) => sum + row[a] * b(i), 0);
  // The normal equations, solved by elimination with the largest pivot first.
  const system = Array.from({ length: unknowns }, (_, a) => [
    ...Array.from({ length: unknowns }, (_, b) => dot(a, (i) => rows[i][b])),
    dot(a, (i) => targets[i]),
  ]);
  for (let at = 0; at < unknowns; at++) {
    const best = system.reduce(
      (most, row, i) => (i > at && Math.abs(row[at]) > Math.abs(system[most][at]) ? i : most),
      at,
    );
    [system[at], system[best]] = [system[best], system[at]];
    const pivot = system[at][at];
    if (Math.abs(pivot) < 1e-9) return undefined;
    system.forEach((row, i) => {
      if (i === at) return;
      const share = row[at] / pivot;
      for (let column = at; column <= unknowns; column++) row[column] -= share * system[at][column];
    });
  }
  return system.map((row, i) => row[unknowns] / row[i]);
}
