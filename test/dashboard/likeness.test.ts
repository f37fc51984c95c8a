// How alike traces are, against the definitions computed the plain way.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countedText,
  motifProfile,
  profileLikeness,
  tellingWords,
  wordLikeness,
  wordsOf,
} from "../../src/dashboard/likeness.ts";

const labels = 5;
const sequences = fc.array(fc.integer({ min: 0, max: labels - 1 }), { minLength: 1, maxLength: 30 });

/** Bhattacharyya's coefficient over motifs written out as text. */
function plainLikeness(first: readonly number[], second: readonly number[]): number {
  const shares = (sequence: readonly number[], length: number) => {
    const motifs = sequence.flatMap((_, i) =>
      i + length <= sequence.length ? [sequence.slice(i, i + length).join(" ")] : [],
    );
    return new Map(motifs.map((motif) => [motif, motifs.filter((other) => other === motif).length / motifs.length]));
  };
  const lengths = [1, 2, 3].filter((length) => length <= first.length);
  const parts = lengths.map((length) => {
    const [a, b] = [shares(first, length), shares(second, length)];
    return [...a].reduce((sum, [motif, share]) => sum + Math.sqrt(share * (b.get(motif) ?? 0)), 0);
  });
  return parts.reduce((sum, part) => sum + part, 0) / lengths.length;
}

describe("likeness by motifs", () => {
  it("is Bhattacharyya's coefficient of runs of one, two and three labels, mean of the three", () => {
    fc.assert(
      fc.property(sequences, sequences, (first, second) => {
        const found = profileLikeness(motifProfile(Uint8Array.from(first), labels), Uint8Array.from(second), labels);
        expect(found).toBeCloseTo(plainLikeness(first, second), 10);
      }),
    );
  });

  it("is 1 for a trace and itself, 0 where nothing is shared, and never above 1", () => {
    fc.assert(
      fc.property(sequences, sequences, (first, second) => {
        const profile = motifProfile(Uint8Array.from(first), labels);
        expect(profileLikeness(profile, Uint8Array.from(first), labels)).toBeCloseTo(1, 10);
        expect(profileLikeness(profile, Uint8Array.from(second), labels)).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
    expect(profileLikeness(motifProfile(Uint8Array.of(0, 0, 0), labels), Uint8Array.of(1, 2), labels)).toBe(0);
    expect(profileLikeness(motifProfile(new Uint8Array(0), labels), Uint8Array.of(1), labels)).toBe(0);
  });
});

describe("likeness by words", () => {
  const corpus = [
    "the wolf eats the goat while the farmer is away",
    "the goat eats the cabbage while the wolf is away",
    "seventeen times 23 is 391 and the rest is 4",
    "the rest of the day the farmer is away",
  ];

  it("looks for what tells a text from others, not for what all have", () => {
    const { words } = tellingWords(corpus[0], corpus);
    expect(words).toContain("wolf");
    expect(words.indexOf("wolf")).toBeLessThan(words.indexOf("is"));
    expect(wordsOf("Où est l’Étoile 23? x")).toEqual(["où", "est", "étoile", "23"]);
  });

  it("is BM25 of those words, as a share of the text's own", () => {
    const query = tellingWords(corpus[0], corpus);
    const counted = corpus.map((text) => countedText(text, query));
    const found = wordLikeness(counted[0], counted);
    // Robertson and Zaragoza (2009), equation 3.15, with the idf that is never negative; k1 = 1.2, b = 0.75.
    const documents = corpus.map((text) => text.split(" ").filter((word) => word.length > 1 || /\d/.test(word)));
    const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
    const bm25 = (document: readonly string[]) =>
      query.words.reduce((sum, word) => {
        const holding = documents.filter((other) => other.includes(word)).length;
        const idf = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
        const tf = document.filter((other) => other === word).length;
        return sum + (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * document.length) / mean));
      }, 0);
    const own = bm25(documents[0]);
    for (const [i, document] of documents.entries()) expect(found[i]).toBeCloseTo(bm25(document) / own, 10);
    expect(found[1]).toBeGreaterThan(found[2]);
  });
});
