// Run folders that survive a crash: one writer, append-only logs, and which parts a run has. Stability: evolving.
export { openRunFolder, type RunDescription, type RunFolder, readRunDescription } from "./run-folder.ts";
export { type RunPart, type RunParts, runParts } from "./run-parts.ts";
export { type LoopEvent, TrainingLog } from "./training-log.ts";
