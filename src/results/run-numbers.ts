// A run in a few numbers, for a list of runs.
import type { Analysis } from "../traces/analysis/analysis.ts";
import { recoveryMeasure } from "../traces/analysis/measures.ts";
import { alarmsOfSeries } from "../traces/step-signs.ts";
import { told } from "./conclusion.ts";

export type RunNumbers = {
  readonly checkpoint: string;
  readonly passAt1?: number;
  readonly recovery: number;
  readonly tokens: number;
  /** What they are about. */
  readonly alarms: readonly string[];
};

/** Of the checkpoint that is told of. */
export function runNumbers(analysis: Analysis): RunNumbers | undefined {
  const { scope, comparison } = told(analysis);
  const { checkpoints } = scope;
  const last = checkpoints.find(({ checkpoint }) => checkpoint === comparison?.second) ?? checkpoints.at(-1);
  if (last === undefined) return undefined;
  const { checkpoint, passAtK, measures } = last;
  const alarms = analysis.training.flatMap((series) => alarmsOfSeries(series, analysis.taxonomy));
  return {
    ...{ checkpoint, recovery: measures[recoveryMeasure].value, tokens: measures.tokens.value },
    ...(passAtK[1] && { passAt1: passAtK[1].value }),
    alarms: [...new Set(alarms.map(({ about }) => about))],
  };
}
