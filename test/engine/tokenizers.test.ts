// Tokenizers: text comes back as it went in, and is cut as the library cuts it.
import { Tokenizer as HuggingFaceTokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordTokenizer } from "../../src/engine/index.ts";
import { tokenizerFrom } from "../../src/engine/tokenizer.ts";
import { trainBpeTokenizer } from "./byte-pair-tokenizer.ts";

describe("the word tokenizer", () => {
  const vocabulary = ["plan", "hyp", "X", ".", "?", "<answer>", "</answer>", "12"];
  const tokenizer = wordTokenizer(vocabulary);

  it("gives one token per word and one per line break", () => {
    const text = "plan hyp\n<answer>\nX . ?\n\n</answer>";
    const tokens = tokenizer.encode(text);
    expect(tokens).toHaveLength(7 + 4);
    expect(tokenizer.decode(tokens)).toBe(text);
    expect(tokenizer.encode("plan nonsense")).toEqual([3, 0]);
  });

  it("any lines of known words come back as they were", () => {
    const line = fc
      .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const text = lines.join("\n");
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      }),
    );
  });

  it("refuses words that could not be told apart", () => {
    expect(() => wordTokenizer(["a", "a"])).toThrow(/twice/);
    expect(() => wordTokenizer(["a b"])).toThrow(/white space/);
  });
});

describe("byte-level tokenizers, word by word", () => {
  const trained = trainBpeTokenizer(["the row and the column, the 12 rows; it's 34 columns\n\n  deep é"], {
    vocabularySize: 300,
  });
  const files = trained.files as { tokenizer: Record<string, unknown>; config: object };
  const split = {
    type: "Split",
    pattern: {
      Regex:
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    },
    behavior: "Isolated",
    invert: false,
  };
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  const kinds = {
    "GPT-2": { pre_tokenizer: { ...byteLevel, use_regex: true } },
    Qwen: { normalizer: { type: "NFC" }, pre_tokenizer: { type: "Sequence", pretokenizers: [split, byteLevel] } },
    "one with a space in front": { pre_tokenizer: { ...byteLevel, use_regex: true, add_prefix_space: true } },
  };
  const unit = fc.oneof(
    fc.constantFrom(
      "the",
      " row",
      "it's",
      "  ",
      "\n",
      "\r\n\n",
      "12",
      "34",
      "é",
      "e\u0301",
      "<|endoftext|>",
      "∑",
      "\t",
    ),
    fc.string({ unit: "grapheme", maxLength: 3 }),
  );
  const text = fc.array(unit, { maxLength: 30 }).map((units) => units.join(""));

  it.each(Object.entries(kinds))("%s: every text is cut as the library cuts it", (_, kind) => {
    const tokenizer = { ...files.tokenizer, ...kind };
    const ours = tokenizerFrom({ tokenizer, config: files.config });
    const theirs = new HuggingFaceTokenizer(tokenizer, files.config);
    fc.assert(
      fc.property(text, (given) => {
        fc.pre(given !== "");
        expect(ours.encode(given)).toEqual(theirs.encode(given, { add_special_tokens: false }).ids);
      }),
    );
  });
});

describe("a tokenizer.json", () => {
  it("without a token that ends a text is refused with what to do", () => {
    const { tokenizer } = wordTokenizer(["a"]).files;
    expect(() => tokenizerFrom({ tokenizer, config: { eos_token: "<nothing>" } })).toThrow(/eos_token/);
    expect(() => tokenizerFrom({ tokenizer: { model: 3 }, config: {} })).toThrow(/not a tokenizer/);
  });
});
