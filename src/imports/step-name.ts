// How a step of a training run is called, and what a name says: `vanilla step 12` is step 12 of vanilla; a step without a
// run is of the run that was given.
export const stepName = (run: string | undefined, step: number): string =>
  run === undefined || run === "" ? `step ${step}` : `${run} step ${step}`;

/** The training run that a step's checkpoint belongs to; empty where it has no name. */
export function stepOfName({ checkpoint, step }: { readonly checkpoint: string; readonly step?: number }): {
  readonly series: string;
} {
  const end = `step ${step}`;
  return { series: checkpoint.endsWith(end) ? checkpoint.slice(0, -end.length).trim() : checkpoint };
}
