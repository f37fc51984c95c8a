// A worker thread that turns slices into records, one after another.
import { workerData } from "node:worker_threads";
import { answerCalls } from "../base/worker-thread.ts";
import type { PlannedSlice } from "../imports/plan.ts";
import { labelSlice } from "./label-slice.ts";
import { type LabelerSpec, readerOf } from "./labeler-spec.ts";

const reader = readerOf(workerData as LabelerSpec);

answerCalls(async ({ index, slice, options }: PlannedSlice & { readonly index: number }) =>
  labelSlice(slice, index, options, await reader),
);
