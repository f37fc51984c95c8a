// A byte-level byte-pair tokenizer for tests that need one of the kind that models have (Sennrich et al. 2016; bytes as in GPT-2),
// trained the slow way: every merge counts all pairs again.
import { specialToken, tokenizerFrom } from "../../src/engine/tokenizer.ts";

type BpeOptions = {
  /** Special tokens and the 256 bytes count in. */
  readonly vocabularySize: number;
  /** The first one ends a text. */
  readonly specialTokens?: readonly string[];
};

/** Every byte as a character that prints: printable ones as they are, the others from code point 256 on. */
const bytes: readonly string[] = (() => {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
})();

const wordPattern = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

export function trainBpeTokenizer(texts: Iterable<string>, options: BpeOptions) {
  const { vocabularySize, specialTokens = ["<|endoftext|>"] } = options;
  const tokens = [...specialTokens, ...[...bytes].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!)];
  const merges = learnMerges(countedWords(texts), tokens, vocabularySize);
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const [eos_token] = specialTokens;
  return tokenizerFrom({
    tokenizer: {
      version: "1.0",
      ...{ truncation: null, padding: null, normalizer: null, post_processor: null },
      added_tokens: specialTokens.map(specialToken),
      pre_tokenizer: byteLevel,
      decoder: { ...byteLevel, add_prefix_space: true },
      model: {
        ...{ type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null },
        ...{ fuse_unk: false, byte_fallback: false, ignore_merges: false, merges },
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      },
    },
    config: {
      tokenizer_class: "PreTrainedTokenizerFast",
      ...{ eos_token, pad_token: eos_token, clean_up_tokenization_spaces: false },
    },
  });
}

function countedWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of text.match(wordPattern) ?? []) {
      const characters = [...new TextEncoder().encode(word)].map((byte) => bytes[byte]).join("");
      counts.set(characters, (counts.get(characters) ?? 0) + 1);
    }
  return counts;
}

/** Extends `tokens` up to the size: the most frequent pair first, among equals the one with the smaller ids. */
function learnMerges(counts: ReadonlyMap<string, number>, tokens: string[], size: number): [string, string][] {
  const words = [...counts].map(([word, count]) => ({ symbols: [...word].map((one) => tokens.indexOf(one)), count }));
  const merges: [string, string][] = [];
  while (tokens.length < size) {
    const pairs = new Map<number, number>();
    for (const { symbols, count } of words)
      for (let i = 1; i < symbols.length; i++) {
        const key = symbols[i - 1] * 2 ** 20 + symbols[i];
        pairs.set(key, (pairs.get(key) ?? 0) + count);
      }
    if (pairs.size === 0) break;
    const [key] = [...pairs].reduce((best, pair) =>
      pair[1] > best[1] || (pair[1] === best[1] && pair[0] < best[0]) ? pair : best,
    );
    const [left, right] = [Math.floor(key / 2 ** 20), key % 2 ** 20];
    const merged = tokens[left] + tokens[right];
    merges.push([tokens[left], tokens[right]]);
    const known = tokens.indexOf(merged);
    const id = known === -1 ? tokens.push(merged) - 1 : known;
    for (const { symbols } of words)
      for (let i = 0; i + 1 < symbols.length; i++)
        if (symbols[i] === left && symbols[i + 1] === right) symbols.splice(i, 2, id);
  }
  return merges;
}
