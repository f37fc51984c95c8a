// A worker thread that reads slices of other programs' files, one after another.
import { parentPort } from "node:worker_threads";
import { answered } from "./in-threads.ts";
import type { PlannedSlice } from "./plan.ts";
import { readSlice } from "./read-slice.ts";

const port = parentPort;
if (port !== null) {
  port.on("message", async ({ index, ...planned }: PlannedSlice & { readonly index: number }) => {
    port.postMessage(await answered(index, () => readSlice(planned)));
  });
}
