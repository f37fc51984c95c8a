// A tokenizer with one token per word, for small models with a closed vocabulary. Words are separated by spaces; a line
// break is a token of its own. Text of known words with single spaces comes back as it went in.
import { ConfigurationError } from "../base/errors.ts";
import { type ModelTokenizer, specialToken, tokenizerFrom } from "./tokenizer.ts";

const unknownWord = "<unknown>";
const endOfTextWord = "<end>";

/** Token ids: 0 for unknown words, 1 for the end of the text, 2 for a line break, then the words as they come. */
export function wordTokenizer(words: readonly string[]): ModelTokenizer {
  const vocabulary: Record<string, number> = {};
  for (const word of [unknownWord, endOfTextWord, "\n", ...words]) {
    if (word !== "\n" && (word === "" || /\s/.test(word))) {
      throw new ConfigurationError(`a word cannot be empty or hold white space, but one is ${JSON.stringify(word)}`);
    }
    if (Object.hasOwn(vocabulary, word))
      throw new ConfigurationError(`the word ${JSON.stringify(word)} is given twice`);
    vocabulary[word] = Object.keys(vocabulary).length;
  }
  return tokenizerFrom(
    {
      tokenizer: {
        version: "1.0",
        truncation: null,
        padding: null,
        added_tokens: [unknownWord, endOfTextWord].map((word) => specialToken(word, vocabulary[word])),
        normalizer: null,
        // What matches is kept, what lies between is dropped.
        pre_tokenizer: { type: "Split", pattern: { Regex: "\\n|[^ \\n]+" }, behavior: "Removed", invert: true },
        post_processor: null,
        // A space before every word but the first, then none around line breaks.
        decoder: {
          type: "Sequence",
          decoders: [
            { type: "WordPiece", prefix: "\u0000", cleanup: false },
            { type: "Fuse" },
            { type: "Replace", pattern: { Regex: " ?\\n ?" }, content: "\n" },
          ],
        },
        model: { type: "WordLevel", vocab: vocabulary, unk_token: unknownWord },
      },
      config: {
        tokenizer_class: "PreTrainedTokenizerFast",
        unk_token: unknownWord,
        eos_token: endOfTextWord,
        pad_token: endOfTextWord,
        clean_up_tokenization_spaces: false,
      },
    },
    "the word tokenizer",
  );
}
