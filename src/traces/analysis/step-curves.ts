// What is drawn of a trainer's steps besides their labels, as far as an analysis knows it. Ids are those of the curves that a run of ours has.
import type { TrainingPoint } from "./training-series.ts";

type StepCurve = {
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
  {
    ...{ id: "dead-groups", title: "Groups without a gradient", label: "all right or all wrong", unit: "share" },
    read: ({ signs }) =>
      signs?.allRight !== undefined && signs.allWrong !== undefined ? signs.allRight + signs.allWrong : undefined,
  },
  ...(
    [
      ["truncated", "Truncated responses", "of rollouts"],
      ["garbled", "Garbled responses", "of rollouts"],
      ["unboxed", "Without a final answer in a box or tags", "of rollouts"],
      ["identical", "Word for word like another attempt", "of rollouts"],
      ["disagreeing", "Trainer and our grade disagree", "of rollouts that both graded"],
    ] as const
  ).map(([id, title, label]): StepCurve => ({ id, title, label, unit: "share", read: ({ signs }) => signs?.[id] })),
];
