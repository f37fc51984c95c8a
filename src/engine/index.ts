// Engines: the contract with its conformance suite, the one in this process, the client for Tinker servers; tokenizers and
// chat templates. Stability: stable.
export { type ChatForm, loadChatForm } from "./chat-template/chat-form.ts";
export {
  type ConformanceCheck,
  type ConformanceSubject,
  conformanceChecks,
  type EngineAbility,
} from "./conformance.ts";
export { createEmbeddedEngine, type EmbeddedEngine, type EmbeddedEngineOptions } from "./embedded/embedded-engine.ts";
export {
  type DecoderConfig,
  type DecoderFamily,
  type DecoderSizes,
  decoderConfig,
} from "./embedded/model/decoder-config.ts";
export {
  type Engine,
  type OptimizerStep,
  type Sample,
  type SampleRequest,
  type ScoringOptions,
  type SequenceScores,
  type Tokenizer,
  type TokenSequence,
  type WeightedSequence,
  WeightsLostError,
} from "./engine.ts";
export { type PolicyCard, readPolicyCard, writePolicyCard } from "./policy-card.ts";
export { TinkerEngine, type TinkerEngineOptions } from "./tinker/tinker-engine.ts";
export { loadTokenizer, type ModelTokenizer } from "./tokenizer.ts";
export { wordTokenizer } from "./word-tokenizer.ts";
