// An evaluation's rollouts graded and summed up: what the command line and the recipes do with a folder once it is sampled.
import type { Problem } from "../problems/problem.ts";
import { ProblemGraders } from "../rollouts/problem-grading.ts";
import { readSampling } from "./evaluation-folder.ts";
import { type GradeChange, type GradingEvent, gradeRollouts } from "./grades.ts";
import type { RolloutStore } from "./rollout-store.ts";
import { samplingWarnings } from "./sampling-warnings.ts";
import { writeSummary } from "./summarize.ts";
import type { EvaluationSummary } from "./summary.ts";

export type GradeFolderInput = {
  readonly folder: string;
  readonly problems: readonly Problem[];
  readonly store: RolloutStore;
  readonly which: "ungraded" | "all";
  /** Whose rollouts they are; as the first of them says by default. */
  readonly policy?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: GradingEvent) => void;
};

export async function gradeFolder(
  input: GradeFolderInput,
): Promise<{ readonly summary: EvaluationSummary; readonly changes: readonly GradeChange[] }> {
  const { folder, problems, store, onEvent } = input;
  const graders = new ProblemGraders();
  const changes: GradeChange[] = [];
  try {
    for await (const event of gradeRollouts({ ...input, graders })) {
      onEvent?.(event);
      if (event.type === "grading-progress" && event.changed !== undefined) changes.push(event.changed);
    }
  } finally {
    await graders.close();
  }
  const [first] = store.entries();
  const policy = input.policy ?? (first === undefined ? "nobody" : (await store.rollout(first)).policy);
  const sampling = await readSampling(folder);
  const warnings =
    sampling === undefined ? [] : [...(sampling.probe?.notes ?? []), ...samplingWarnings(store.entries(), sampling)];
  return { summary: await writeSummary({ folder, policy, problems, store, warnings }), changes };
}
