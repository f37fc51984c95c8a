// A worker thread that reads slices of other programs' files, one after another.
import { answerCalls } from "../base/worker-thread.ts";
import type { PlannedSlice } from "./plan.ts";
import { readSlice } from "./read-slice.ts";

answerCalls((planned: PlannedSlice) => readSlice(planned));
