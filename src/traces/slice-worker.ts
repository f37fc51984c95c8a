// A worker thread that turns slices into records with the shipped classifier, one after another.
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../base/errors.ts";
import { BuiltinClassifier } from "./classifier/builtin-classifier.ts";
import type { Slice } from "./importers/slice.ts";
import { type LabelOptions, labelSlice, type SliceResult } from "./label-slice.ts";

export type SliceTask = { readonly index: number; readonly slice: Slice; readonly options: LabelOptions };
export type SliceAnswer = { readonly index: number } & (
  | { readonly result: SliceResult }
  | { readonly failure: string }
);

const port = parentPort;
if (port !== null) {
  const classifier = BuiltinClassifier.load((workerData as { classifier?: string }).classifier);
  port.on("message", async ({ index, slice, options }: SliceTask) => {
    let answer: SliceAnswer;
    try {
      answer = { index, result: await labelSlice(slice, index, options, await classifier) };
    } catch (error) {
      answer = { index, failure: messageOf(error) };
    }
    port.postMessage(answer);
  });
}
