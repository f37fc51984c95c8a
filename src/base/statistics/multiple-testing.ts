// Adjusting p-values for having tested many things.

/** Holm's step-down adjustment: controls the chance of any false positive. Same order as given. */
export function holm(pValues: readonly number[]): number[] {
  const order = ascending(pValues);
  const adjusted = new Array<number>(pValues.length);
  let running = 0;
  order.forEach((index, rank) => {
    running = Math.max(running, Math.min(1, (pValues.length - rank) * pValues[index]));
    adjusted[index] = running;
  });
  return adjusted;
}

/** Benjamini–Hochberg step-up adjustment: controls the share of false discoveries. Same order as given. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = ascending(pValues);
  const adjusted = new Array<number>(pValues.length);
  let running = 1;
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const index = order[rank];
    running = Math.min(running, (pValues.length / (rank + 1)) * pValues[index]);
    adjusted[index] = running;
  }
  return adjusted;
}

function ascending(pValues: readonly number[]): number[] {
  return pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b]);
}
