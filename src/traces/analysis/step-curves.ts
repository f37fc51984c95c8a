// What is drawn of a trainer's steps besides their labels, as far as an analysis knows it: the one definition for the report
// and the dashboard. Ids are those of the curves that a run of ours has.
import type { TrainingPoint } from "./training-series.ts";

export type StepCurve = {
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly unit?: "share";
  /** Undefined where nobody graded, scored or measured. */
  readonly read: (point: TrainingPoint) => number | undefined;
};

export const stepCurves: readonly StepCurve[] = [
  {
    ...{ id: "solve-rate", title: "Solve rate", label: "of graded rollouts", unit: "share" },
    read: ({ passAtK }) => passAtK[1],
  },
  { ...{ id: "reward", title: "Score", label: "recorded by the trainer, mean" }, read: ({ score }) => score },
  {
    ...{ id: "response-tokens", title: "Response length", label: "tokens, estimated if not recorded" },
    read: ({ measures }) => (Number.isFinite(measures.tokens?.value) ? measures.tokens.value : undefined),
  },
];

/** By id, what a step has of them. */
export const curvesAt = (point: TrainingPoint): Record<string, number> =>
  Object.fromEntries(
    stepCurves.flatMap(({ id, read }) => {
      const value = read(point);
      return value === undefined || !Number.isFinite(value) ? [] : [[id, value]];
    }),
  );
