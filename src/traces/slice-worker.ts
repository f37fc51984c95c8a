// A worker thread that turns slices into records, one after another.
import { parentPort, workerData } from "node:worker_threads";
import { answered } from "../imports/in-threads.ts";
import type { PlannedSlice } from "../imports/plan.ts";
import { labelSlice } from "./label-slice.ts";
import { type LabelerSpec, readerOf } from "./labeler-spec.ts";

const port = parentPort;
if (port !== null) {
  const reader = readerOf(workerData as LabelerSpec);
  port.on("message", async ({ index, slice, options }: PlannedSlice & { readonly index: number }) => {
    port.postMessage(await answered(index, async () => labelSlice(slice, index, options, await reader)));
  });
}
