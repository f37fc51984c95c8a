// Tokenizers: text comes back as it went in, and byte-pair training finds the merges that Hugging Face's trainer finds.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trainBpeTokenizer, wordTokenizer } from "../../src/engine/index.ts";
import { tokenizerFrom } from "../../src/engine/tokenizer.ts";
import { goldenFolder, readJson } from "./golden.ts";

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

describe("byte-pair training", () => {
  // Made by tokenizers.trainers.BpeTrainer, see integrations/golden/engine.py.
  const golden = readJson<{
    corpus: string[];
    vocabularySize: number;
    cases: { digits: "together" | "apart"; merges: [string, string][]; encodings: number[][] }[];
  }>(goldenFolder, "bpe.json");

  it.each(golden.cases)("digits $digits: merges and encodings equal those of Hugging Face's trainer", (expected) => {
    const { vocabularySize, corpus } = golden;
    const tokenizer = trainBpeTokenizer(corpus, { vocabularySize, digits: expected.digits });
    const { model } = tokenizer.files.tokenizer as { model: { merges: [string, string][] } };
    expect(model.merges).toEqual(expected.merges);
    expected.encodings.forEach((tokens, i) => {
      expect(tokenizer.encode(corpus[i])).toEqual(tokens);
    });
  });

  it("any text comes back as it was, whatever the corpus", () => {
    const tokenizer = trainBpeTokenizer(golden.corpus, { vocabularySize: 320 });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("<|endoftext|>"));
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      }),
    );
    expect(tokenizer.vocabularySize).toBe(320);
    expect(tokenizer.encode("<|endoftext|>")).toEqual([tokenizer.endOfText]);
  });

  it("refuses a vocabulary that cannot hold the bytes", () => {
    expect(() => trainBpeTokenizer([], { vocabularySize: 100 })).toThrow(/256 bytes/);
  });
});

describe("a tokenizer.json", () => {
  it("without a token that ends a text is refused with what to do", () => {
    const { tokenizer } = wordTokenizer(["a"]).files;
    expect(() => tokenizerFrom({ tokenizer, config: { eos_token: "<nothing>" } })).toThrow(/eos_token/);
    expect(() => tokenizerFrom({ tokenizer: { model: 3 }, config: {} })).toThrow(/not a tokenizer/);
  });
});
