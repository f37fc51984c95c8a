// Run folders that survive a crash: one writer, append-only logs, and which parts a run has. Stability: evolving.
export { AppendLog } from "./append-log.ts";
export {
  openRunFolder,
  type RunDescription,
  type RunFolder,
  readRunDescription,
  runDescriptionSchema,
} from "./run-folder.ts";
export { type RunPart, type RunParts, runParts } from "./run-parts.ts";
export { type LoopEvent, TrainingLog } from "./training-log.ts";
