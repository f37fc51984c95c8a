// Trains a byte-level byte-pair tokenizer on a corpus (Sennrich et al. 2016, arXiv:1508.07909; bytes as in GPT-2) and
// gives it as a tokenizer.json. The same corpus gives the merges that Hugging Face's trainer finds.
import { ConfigurationError } from "../base/errors.ts";
import { type ModelTokenizer, specialToken, tokenizerFrom } from "./tokenizer.ts";

type BpeOptions = {
  /** Special tokens and the 256 bytes count in. */
  readonly vocabularySize: number;
  /** Tokens that are never split; the first one ends a text. */
  readonly specialTokens?: readonly string[];
  /** Whether a number may be one token, or every digit stays its own. */
  readonly digits?: "together" | "apart";
};

const endOfTextMark = "<|endoftext|>";

export function trainBpeTokenizer(texts: Iterable<string>, options: BpeOptions): ModelTokenizer {
  const { vocabularySize, specialTokens = [endOfTextMark], digits = "together" } = options;
  if (specialTokens.length === 0) throw new ConfigurationError("a tokenizer needs a special token that ends a text");
  if (vocabularySize < 256 + specialTokens.length) {
    throw new ConfigurationError(
      `a vocabulary of ${vocabularySize} cannot hold 256 bytes and ${specialTokens.length} special tokens; ask for at least ${256 + specialTokens.length}`,
    );
  }
  const tokens = [...specialTokens, ...[...byteCharacters].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!)];
  const merges = learnMerges(countWords(texts, digits), tokens, vocabularySize);
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  return tokenizerFrom(
    {
      tokenizer: {
        version: "1.0",
        truncation: null,
        padding: null,
        added_tokens: specialTokens.map(specialToken),
        normalizer: null,
        pre_tokenizer:
          digits === "together"
            ? byteLevel
            : { type: "Sequence", pretokenizers: [{ type: "Digits", individual_digits: true }, byteLevel] },
        post_processor: null,
        decoder: { ...byteLevel, add_prefix_space: true },
        model: {
          type: "BPE",
          dropout: null,
          unk_token: null,
          continuing_subword_prefix: null,
          end_of_word_suffix: null,
          fuse_unk: false,
          byte_fallback: false,
          ignore_merges: false,
          vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
          merges,
        },
      },
      config: {
        tokenizer_class: "PreTrainedTokenizerFast",
        eos_token: specialTokens[0],
        pad_token: specialTokens[0],
        clean_up_tokenization_spaces: false,
      },
    },
    "the trained tokenizer",
  );
}

/** Every byte as a character that prints: printable ones as they are, the others from code point 256 on. */
const byteCharacters: readonly string[] = (() => {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
})();

const wordPattern = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** Words in byte characters, and how often each occurs. */
function countWords(texts: Iterable<string>, digits: BpeOptions["digits"]): Map<string, number> {
  const counts = new Map<string, number>();
  const encoder = new TextEncoder();
  for (const text of texts) {
    const pieces = digits === "apart" ? text.split(/(\p{N})/u) : [text];
    for (const piece of pieces) {
      for (const word of piece.match(wordPattern) ?? []) {
        let characters = "";
        for (const byte of encoder.encode(word)) characters += byteCharacters[byte];
        counts.set(characters, (counts.get(characters) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Pairs of token ids as one number. */
const pairKey = (left: number, right: number) => left * 0x1000000 + right;

type Word = { readonly symbols: number[]; readonly count: number };

/** Extends `tokens` up to the size and returns the merges in order. */
function learnMerges(counts: ReadonlyMap<string, number>, tokens: string[], size: number): [string, string][] {
  const idOf = new Map(tokens.map((token, id) => [token, id]));
  const words: Word[] = [...counts].map(([word, count]) => ({
    symbols: [...word].map((character) => idOf.get(character) as number),
    count,
  }));
  const pairCounts = new Map<number, number>();
  const pairWords = new Map<number, Set<number>>();
  const change = (key: number, by: number, word: number) => {
    pairCounts.set(key, (pairCounts.get(key) ?? 0) + by);
    if (by > 0) {
      const places = pairWords.get(key);
      if (places === undefined) pairWords.set(key, new Set([word]));
      else places.add(word);
    }
  };
  words.forEach(({ symbols, count }, word) => {
    for (let i = 0; i + 1 < symbols.length; i++) change(pairKey(symbols[i], symbols[i + 1]), count, word);
  });

  const queue = new PairQueue();
  for (const [key, count] of pairCounts) queue.push(key, count);
  const merges: [string, string][] = [];
  while (tokens.length < size) {
    const top = queue.pop();
    if (top === undefined) break;
    const current = pairCounts.get(top.key) ?? 0;
    if (current !== top.count) {
      if (current > 0) queue.push(top.key, current);
      continue;
    }
    if (current < 1) break;
    const left = Math.floor(top.key / 0x1000000);
    const right = top.key % 0x1000000;
    const merged = tokens[left] + tokens[right];
    let id = idOf.get(merged);
    if (id === undefined) {
      id = tokens.length;
      tokens.push(merged);
      idOf.set(merged, id);
    }
    merges.push([tokens[left], tokens[right]]);
    const touched = new Set<number>();
    for (const word of pairWords.get(top.key) ?? []) {
      mergeInWord(words[word], left, right, id, (key, by) => {
        change(key, by * words[word].count, word);
        if (by > 0) touched.add(key);
      });
    }
    pairCounts.set(top.key, 0);
    pairWords.delete(top.key);
    for (const key of touched) {
      const count = pairCounts.get(key) ?? 0;
      if (count > 0) queue.push(key, count);
    }
  }
  return merges;
}

function mergeInWord(
  { symbols }: Word,
  left: number,
  right: number,
  id: number,
  change: (key: number, by: number) => void,
): void {
  for (let i = 0; i + 1 < symbols.length; i++) {
    if (symbols[i] !== left || symbols[i + 1] !== right) continue;
    if (i > 0) {
      change(pairKey(symbols[i - 1], left), -1);
      change(pairKey(symbols[i - 1], id), 1);
    }
    symbols.splice(i, 2, id);
    if (i + 1 < symbols.length) {
      change(pairKey(right, symbols[i + 1]), -1);
      change(pairKey(id, symbols[i + 1]), 1);
    }
  }
}

type CountedPair = { readonly key: number; readonly count: number };

/** The most frequent pair first, and among equals the one with the smaller ids. */
class PairQueue {
  readonly #heap: CountedPair[] = [];

  push(key: number, count: number): void {
    const heap = this.#heap;
    let at = heap.push({ key, count }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at], heap[parent])) break;
      [heap[at], heap[parent]] = [heap[parent], heap[at]];
      at = parent;
    }
  }

  pop(): CountedPair | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    heap[0] = last;
    for (let at = 0; ; ) {
      const [first, second] = [2 * at + 1, 2 * at + 2];
      let best = at;
      if (first < heap.length && before(heap[first], heap[best])) best = first;
      if (second < heap.length && before(heap[second], heap[best])) best = second;
      if (best === at) return top;
      [heap[at], heap[best]] = [heap[best], heap[at]];
      at = best;
    }
  }
}

const before = (a: CountedPair, b: CountedPair) => a.count > b.count || (a.count === b.count && a.key < b.key);
