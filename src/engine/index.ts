// Engines: the contract, a scripted one for tests, and tokenizers.
export * from "./engine.ts";
export { ScriptedEngine, type ScriptedEngineOptions } from "./scripted.ts";
export { loadTokenizer, type ModelTokenizer, type TokenizerFiles, tokenizerFrom } from "./tokenizer.ts";
export { endOfTextWord, unknownWord, wordTokenizer } from "./word-tokenizer.ts";
