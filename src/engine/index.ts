// Engines: the contract, the one in this process, a scripted one for tests, and tokenizers.
export { type BpeOptions, endOfTextMark, trainBpeTokenizer } from "./bpe-training.ts";
export {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
} from "./embedded/embedded-engine.ts";
export {
  type DecoderConfig,
  type DecoderFamily,
  type DecoderSizes,
  decoderConfig,
  decoderFamilies,
} from "./embedded/model/decoder-config.ts";
export * from "./engine.ts";
export { ScriptedEngine, type ScriptedEngineOptions } from "./scripted.ts";
export { loadTokenizer, type ModelTokenizer, type TokenizerFiles, tokenizerFrom } from "./tokenizer.ts";
export { endOfTextWord, unknownWord, wordTokenizer } from "./word-tokenizer.ts";
