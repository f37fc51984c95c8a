// The analysis of a recipe's traces as its last stage: teacher, training and evaluations, in `analysis/`.
import type { Analysis } from "../traces/analysis/analysis.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { analyzeRun } from "../traces/run-analysis.ts";
import type { StageEvent } from "./training-stage.ts";

export async function runAnalysisStage(stage: {
  readonly folder: string;
  readonly labeler?: LabelerSpec;
  readonly classifierName?: string;
  readonly emit: (event: StageEvent) => void;
  readonly now: Date;
}): Promise<Analysis> {
  const { folder, labeler, classifierName, emit, now } = stage;
  const about = { stage: "analyze", title: "Analysis of the traces" };
  let already = true;
  let bytes = 0;
  const analysis = await analyzeRun(
    folder,
    { labeler, classifierName },
    (event) => {
      if (event.type === "planned") {
        already = false;
        emit({ type: "stage", ...about, total: event.bytes, done: 0 });
      }
      if (event.type === "slice") {
        bytes += event.bytes;
        emit({ type: "progress", stage: about.stage, done: bytes });
      }
    },
    now,
  );
  if (already) emit({ type: "stage", ...about, total: 1, done: 1 });
  emit({ type: "finished", stage: about.stage, already });
  return analysis;
}
