// The recipe as a function: the paper, its miniature and its pilots as presets of one schema, and where engines come from. Stability: evolving.
export { type EngineHost, embeddedHost, type TinkerHostOptions, tinkerHost } from "./engine-host.ts";
export { miniPreset, type Preset, paperPreset, pilotsPreset, presetSettings } from "./presets.ts";
export { type RecipeResult, type RecipeRun, runRecipe } from "./recipe.ts";
export { type RecipeSettings, type RecipeSettingsInput, recipeSchema } from "./settings.ts";
export type { StageEvent } from "./training-stage.ts";
