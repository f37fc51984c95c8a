// Learning rates over a run: a linear warm-up, then constant, linear or cosine down to a floor.
//
//   cosine: floor + (1 − floor) · (1 + cos(π·progress))/2

export type Schedule = {
  readonly shape: "constant" | "linear" | "cosine";
  /** Steps from zero to the full rate; the first step already learns. */
  readonly warmupSteps: number;
  /** The last rate as a share of the full one. */
  readonly floor: number;
};

/** The share of the full learning rate at a step counted from 0, of `totalSteps`. */
export function scheduleFactor({ shape, warmupSteps, floor }: Schedule, step: number, totalSteps: number): number {
  if (step < warmupSteps) return (step + 1) / (warmupSteps + 1);
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps));
  switch (shape) {
    case "constant":
      return 1;
    case "linear":
      return 1 - (1 - floor) * progress;
    case "cosine":
      return floor + ((1 - floor) * (1 + Math.cos(Math.PI * progress))) / 2;
  }
}
