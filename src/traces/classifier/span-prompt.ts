// A span as a question that a language model answers with one token, its label's letter. Parts are cut by tokens, so that
// every prompt fits: of the question its beginning, of the span before its end, of a long span both ends.
import { DataError } from "../../base/errors.ts";
import type { Tokenizer } from "../../engine/engine.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { Alphabet } from "../sequence.ts";
import type { SpanInContext } from "../span-classifier.ts";

/** The longest each part may be, in tokens. */
type PromptLengths = { readonly question: number; readonly previous: number; readonly text: number };

export const defaultPromptLengths: PromptLengths = { question: 96, previous: 96, text: 256 };

export class SpanPrompts {
  /** The token of each label, in the order of the alphabet. */
  readonly answers: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #lengths: PromptLengths;
  readonly #words: Readonly<Record<"question" | "place" | "previous" | "text" | "label", readonly number[]>>;

  constructor(tokenizer: Tokenizer, { taxonomy, labels }: Alphabet, lengths: PromptLengths = defaultPromptLengths) {
    this.#tokenizer = tokenizer;
    this.#lengths = lengths;
    this.answers = answerTokens(tokenizer, taxonomy, labels);
    const word = (text: string) => tokenizer.encode(text);
    this.#words = {
      question: word("Question:\n"),
      place: word("\n\nPlace in the solution: "),
      previous: word("\n\nBefore:\n"),
      text: word("\n\nSpan:\n"),
      label: word("\n\nLabel:\n"),
    };
  }

  tokens({ text, previous, question = "", place }: SpanInContext): number[] {
    const { question: asked, place: where, previous: before, text: span, label } = this.#words;
    const encode = (part: string) => this.#tokenizer.encode(part);
    const lengths = this.#lengths;
    return [
      ...asked,
      ...encode(question).slice(0, lengths.question),
      ...where,
      ...encode(place === undefined ? "unknown" : `${Math.ceil(place * 10)} of 10`),
      ...before,
      ...ending(encode(previous), lengths.previous),
      ...span,
      ...bothEnds(encode(text), lengths.text),
      ...label,
    ];
  }
}

const ending = (tokens: readonly number[], longest: number) => tokens.slice(Math.max(0, tokens.length - longest));

function bothEnds(tokens: readonly number[], longest: number): readonly number[] {
  if (tokens.length <= longest) return tokens;
  const first = Math.ceil(longest / 2);
  return [...tokens.slice(0, first), ...ending(tokens, longest - first)];
}

/** Tokens are given to the engine as they are, so a letter's own token will do wherever the tokenizer would merge it. */
function answerTokens(tokenizer: Tokenizer, { labels: known }: Taxonomy, labels: readonly string[]): number[] {
  const letters = new Map(known.map(({ name, letter }) => [name, letter]));
  const answers = labels.map((label) => tokenizer.encode(letters.get(label)!).at(-1));
  const distinct = new Set(answers.filter((token) => token !== undefined));
  if (distinct.size !== labels.length) {
    throw new DataError(
      `the model's tokenizer has no token of its own for each of the letters ${labels.map((label) => letters.get(label)).join(" ")}; give the taxonomy's labels other letters`,
    );
  }
  return answers as number[];
}
