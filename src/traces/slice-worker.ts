// A worker thread that turns slices into records, one after another.
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { labelSlice, type SliceResult } from "./label-slice.ts";
import { type LabelerSpec, readerOf } from "./labeler-spec.ts";
import type { PlannedSlice } from "./slice-pool.ts";

export type SliceTask = PlannedSlice & { readonly index: number };
export type SliceAnswer = { readonly index: number } & (
  | { readonly result: SliceResult }
  | { readonly failure: string }
);

const port = parentPort;
if (port !== null) {
  const reader = readerOf(workerData as LabelerSpec);
  port.on("message", async ({ index, slice, options }: SliceTask) => {
    let answer: SliceAnswer;
    try {
      answer = { index, result: await labelSlice(slice, index, options, await reader) };
    } catch (error) {
      answer = { index, failure: messageOf(error) };
    }
    port.postMessage(answer);
  });
}
