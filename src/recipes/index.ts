// Whole experiments as functions: the miniature and the paper, and where their engines come from. Stability: evolving.
export { type EngineHost, embeddedHost, type TinkerHostOptions, tinkerHost } from "./engine-host.ts";
export { type MiniConfig, type MiniConfigInput, miniSchema } from "./mini/config.ts";
export { type MiniEvent, type MiniResult, type MiniRun, runMini } from "./mini/mini.ts";
export { type PaperResult, type PaperRun, runPaper } from "./paper/paper.ts";
export { type PaperSettings, type PaperSettingsInput, paperSchema } from "./paper/settings.ts";
export type { StageEvent } from "./training-stage.ts";
