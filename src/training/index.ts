// Objectives as pure functions; SFT and RL loops as generators of events. Stability: evolving.
export * from "./objectives.ts";
export type { RlEvent, RlState, RlStepEvent } from "./rl-events.ts";
export { type RlLoopInput, rlLoop } from "./rl-loop.ts";
export { type RlOptions, type RlOptionsInput, rlOptionsSchema } from "./rl-options.ts";
export { type SftEvent, type SftState, sftLoop } from "./sft-loop.ts";
export { type SftOptions, sftOptionsSchema } from "./sft-options.ts";
