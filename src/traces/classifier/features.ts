// What the classifier looks at: hashed word n-grams, openings of sentences, first and last sentence, the span before,
// cues by where they stand, and the shape of the text. Each family is scaled to its own length, so none drowns another.
import type { SpanInContext } from "../span-classifier.ts";
import { cues, eachCue } from "./cue-matcher.ts";
import { mixed, TokenBuffer } from "./tokens.ts";

/** Rises with every change to what is extracted: weights belong to one version only. */
export const featuresVersion = 2;

/** Of the span before only its end is read: more says nothing new, and labeled spans often come with no more. */
const contextCharacters = 220;

/** Features live in this many buckets. */
export const featureBuckets = 1 << 18;

/** Indices into the buckets with their values; valid until the next span is read. */
export type FeatureVector = { indices: Int32Array; values: Float32Array; length: number };

const families = {
  words: { salt: 1, weight: 1 },
  openings: { salt: 2, weight: 0.6 },
  edges: { salt: 3, weight: 0.5 },
  before: { salt: 4, weight: 0.6 },
  cues: { salt: 5, weight: 1 },
  shape: { salt: 6, weight: 0.6 },
  place: { salt: 7, weight: 0.5 },
} as const;
type FeatureFamily = keyof typeof families;

export class FeatureExtractor {
  readonly #text = new TokenBuffer();
  readonly #before = new TokenBuffer();
  readonly #seen = new Uint32Array(featureBuckets);
  #generation = 0;
  readonly vector: FeatureVector = { indices: new Int32Array(4096), values: new Float32Array(4096), length: 0 };
  #familyStart = 0;
  #salt = 0;
  readonly #first = new Uint8Array(cues.length);
  readonly #last = new Uint8Array(cues.length);
  readonly #counts = new Uint16Array(cues.length);
  readonly #inSentences = new Uint16Array(cues.length);
  readonly #lastSentenceOf = new Int32Array(cues.length);
  readonly #beforeLast = new Uint8Array(cues.length);
  readonly #beforeAny = new Uint8Array(cues.length);

  /** `previous` is the span before, or as much of its end as is known; empty at the start of a trace. */
  read({ text, previous, place }: SpanInContext): FeatureVector {
    this.#generation += 1;
    this.vector.length = 0;
    const before = previous.slice(-contextCharacters);
    this.#text.read(text);
    this.#before.read(before);

    this.#open("words");
    this.#grams(this.#text, 0, this.#text.tokens, 3, 11);
    this.#close("words");
    this.#open("openings");
    this.#openings();
    this.#close("openings");
    this.#open("edges");
    this.#edges();
    this.#close("edges");
    this.#open("before");
    this.#precedingSpan();
    this.#close("before");
    this.#open("cues");
    this.#cues();
    this.#close("cues");
    this.#open("shape");
    this.#shape(text, before);
    this.#close("shape");
    this.#open("place");
    if (place !== undefined) this.#place(place, previous === "");
    this.#close("place");
    return this.vector;
  }

  #open(family: FeatureFamily): void {
    this.#familyStart = this.vector.length;
    this.#salt = Math.imul(families[family].salt, 0x9e3779b1);
  }

  #close(family: FeatureFamily): void {
    const { values, length } = this.vector;
    const scale = families[family].weight / Math.sqrt(Math.max(1, length - this.#familyStart));
    for (let i = this.#familyStart; i < length; i++) values[i] = scale;
  }

  #emit(hash: number): void {
    const index = mixed(hash ^ this.#salt) & (featureBuckets - 1);
    if (this.#seen[index] === this.#generation) return;
    this.#seen[index] = this.#generation;
    const { vector } = this;
    if (vector.length === vector.indices.length) {
      const indices = new Int32Array(vector.length * 2);
      indices.set(vector.indices);
      vector.indices = indices;
      const values = new Float32Array(vector.length * 2);
      values.set(vector.values);
      vector.values = values;
    }
    vector.indices[vector.length++] = index;
  }

  /** All n-grams up to `longest` between two tokens. */
  #grams({ hashes }: TokenBuffer, start: number, end: number, longest: number, kind: number): void {
    for (let i = start; i < end; i++) {
      let hash = kind;
      for (let n = 0; n < longest && i + n < end; n++) {
        hash = (Math.imul(hash, 0x01000193) + hashes[i + n]) | 0;
        this.#emit(hash + n);
      }
    }
  }

  /** The first one to four tokens from one position only. */
  #prefix({ hashes }: TokenBuffer, start: number, end: number, longest: number, kind: number): void {
    let hash = kind;
    for (let n = 0; n < longest && start + n < end; n++) {
      hash = (Math.imul(hash, 0x01000193) + hashes[start + n]) | 0;
      this.#emit(hash + n);
    }
  }

  #openings(): void {
    const { sentences, sentenceCount } = this.#text;
    for (let s = 0; s < sentenceCount; s++) this.#prefix(this.#text, sentences[s], sentences[s + 1], 4, 21);
  }

  #edges(): void {
    const { sentences, sentenceCount } = this.#text;
    if (sentenceCount === 0) return;
    this.#grams(this.#text, sentences[0], sentences[1], 2, 31);
    this.#prefix(this.#text, sentences[0], sentences[1], 4, 32);
    this.#grams(this.#text, sentences[sentenceCount - 1], sentences[sentenceCount], 2, 33);
    this.#prefix(this.#text, sentences[sentenceCount - 1], sentences[sentenceCount], 4, 34);
  }

  #precedingSpan(): void {
    const { sentences, sentenceCount, tokens } = this.#before;
    if (sentenceCount === 0) {
      this.#emit(41);
      return;
    }
    this.#grams(this.#before, 0, tokens, 2, 42);
    this.#grams(this.#before, sentences[sentenceCount - 1], sentences[sentenceCount], 2, 43);
    this.#prefix(this.#before, sentences[sentenceCount - 1], sentences[sentenceCount], 3, 44);
  }

  #cues(): void {
    const { sentenceCount } = this.#text;
    this.#first.fill(0);
    this.#last.fill(0);
    this.#counts.fill(0);
    this.#inSentences.fill(0);
    this.#lastSentenceOf.fill(-1);
    this.#beforeLast.fill(0);
    this.#beforeAny.fill(0);
    eachCue(this.#text, (cue, sentence) => {
      this.#counts[cue] += 1;
      if (this.#lastSentenceOf[cue] !== sentence) {
        this.#lastSentenceOf[cue] = sentence;
        this.#inSentences[cue] += 1;
      }
      if (sentence < 1) this.#first[cue] = 1;
      if (sentence >= sentenceCount - 1) this.#last[cue] = 1;
    });
    eachCue(this.#before, (cue, sentence) => {
      this.#beforeAny[cue] = 1;
      if (sentence >= this.#before.sentenceCount - 1) this.#beforeLast[cue] = 1;
    });
    for (let cue = 0; cue < cues.length; cue++) {
      const base = cue * 64;
      const count = this.#counts[cue];
      if (count === 0) this.#emit(base + 100_000);
      for (let n = 1; n <= 4 && count >= n; n++) this.#emit(base + n + 100_000);
      if (count > 0) {
        const share = this.#inSentences[cue] / sentenceCount;
        for (let level = 1; level <= 3; level++) if (share >= level / 4) this.#emit(base + 10 + level + 100_000);
        for (let other = 0; other < cue; other++) if (this.#counts[other] > 0) this.#emit(200_000 + cue * 256 + other);
      }
      if (this.#first[cue]) this.#emit(base + 20 + 100_000);
      if (this.#last[cue]) this.#emit(base + 21 + 100_000);
      if (this.#beforeAny[cue]) this.#emit(base + 30 + 100_000);
      if (this.#beforeLast[cue]) this.#emit(base + 31 + 100_000);
    }
  }

  #shape(text: string, previous: string): void {
    const { tokens, sentenceCount, lines, listItems, questions, digits, lastCharacter } = this.#text;
    const levels = (kind: number, value: number, thresholds: readonly number[]) => {
      for (let level = 0; level < thresholds.length; level++)
        if (value >= thresholds[level]) this.#emit(kind * 64 + level);
    };
    levels(61, text.length, [60, 120, 200, 300, 350, 400, 500, 600, 800, 1000]);
    levels(62, sentenceCount, [2, 3, 4, 6, 8, 10, 14]);
    levels(63, lines, [1, 3, 5, 8, 12]);
    levels(64, listItems, [1, 2, 3, 4, 6]);
    levels(65, questions, [1, 2, 3, 4]);
    levels(66, digits / Math.max(1, tokens), [0.01, 0.05, 0.1, 0.2, 0.4]);
    levels(67, previous.length, [1, 150, 300, 400, 600]);
    levels(68, tokens / Math.max(1, sentenceCount), [5, 8, 12, 16, 22, 30]);
    this.#emit(69 * 64 + (lastCharacter & 127));
    this.#emit(70 * 64 + 100_000 + (this.#before.lastCharacter & 127));
  }
  /** By tenths of the trace, and its very ends by themselves. */
  #place(place: number, first: boolean): void {
    this.#emit(100_000 + Math.min(9, Math.floor(place * 10 - 1e-9)));
    if (first) this.#emit(100_010);
    if (place <= 0.05) this.#emit(100_011);
    if (place >= 0.95) this.#emit(place === 1 ? 100_012 : 100_013);
  }
}
