// The run folder and the append-only files in it.
export * from "./append-log.ts";
export * from "./run-folder.ts";
export * from "./training-log.ts";
export * from "./writer-lock.ts";
