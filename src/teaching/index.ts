// The narrating teacher and the corpora that come of it.
export * from "./corpus.ts";
export * from "./narrated-corpus.ts";
export * from "./narration.ts";
export * from "./narrator.ts";
export * from "./pretraining.ts";
export * from "./rejection-sampling.ts";
export * from "./terse-language.ts";
