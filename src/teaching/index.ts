// The narrating teacher, rejection sampling, and the corpora that come of them. Stability: evolving.
export { type RejectionCounts, type RejectionReason, readTeacherTrace, type TeacherTrace } from "./corpus.ts";
export { type NarratedCorpusRequest, type NarratedSet, narratedTraces } from "./narrated-corpus.ts";
export type { NarratedStep, Narration, NarrationOptions, NarrationStyle } from "./narrator.ts";
export { narrate, tersePrompt } from "./narrator.ts";
export { type Attempt, type RejectionOptions, rejectionSampler } from "./rejection-sampling.ts";
