// Spans as questions that a language model answers with one token each, their labels' letters. Spans that follow one another
// share one text: the model reads it once, and every label is read off where its span ends. Parts are cut by tokens, so
// that every text fits: of the question its beginning, of what came before the first span its end, of a long span both ends.
import { DataError } from "../../base/errors.ts";
import type { AskedText, Tokenizer } from "../../engine/engine.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { Alphabet } from "../sequence.ts";
import type { SpanInContext } from "../span-classifier.ts";

/** The longest each part may be, in tokens. */
type PromptLengths = {
  readonly question: number;
  readonly previous: number;
  readonly text: number;
  /** A text of several spans ends before it is longer than this. */
  readonly window: number;
};

export const defaultPromptLengths: PromptLengths = { question: 96, previous: 96, text: 256, window: 1000 };

/** A text with one or more spans: `places[i]` is behind the mark where the label of span `spans[i]` would stand. */
export type SpanWindow = AskedText & { readonly spans: readonly number[] };

export class SpanPrompts {
  /** The token of each label, in the order of the alphabet. */
  readonly answers: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #lengths: PromptLengths;
  readonly #words: Readonly<Record<"question" | "span" | "label", readonly number[]>>;

  /** `begun`: every text begins as the model's tokenizer begins one. */
  constructor(
    tokenizer: Tokenizer,
    { taxonomy, labels }: Alphabet,
    lengths: PromptLengths = defaultPromptLengths,
    begun = true,
  ) {
    this.#tokenizer = tokenizer;
    this.#lengths = lengths;
    this.answers = answerTokens(tokenizer, taxonomy, labels);
    const word = (text: string) => tokenizer.encode(text);
    this.#words = {
      question: [...((begun && tokenizer.beginning) || []), ...word("Question:\n")],
      span: word("\n\nSpan"),
      label: word("\n\nLabel:\n"),
    };
  }

  /** Spans in the order given; neighbors share a window as long as it is not too long. */
  windows(spans: readonly SpanInContext[]): SpanWindow[] {
    const windows: SpanWindow[] = [];
    let open: { tokens: number[]; places: number[]; spans: number[] } | undefined;
    for (const [i, span] of spans.entries()) {
      const shown = this.#span(span);
      const room = open === undefined ? 0 : this.#lengths.window - open.tokens.length;
      if (open === undefined || room < shown.length || !follows(spans[i - 1], span)) {
        open = { tokens: this.#opening(span), places: [], spans: [] };
        windows.push(open);
      }
      for (const token of shown) open.tokens.push(token);
      open.places.push(open.tokens.length);
      open.spans.push(i);
    }
    return windows;
  }

  #opening({ previous, question = "" }: SpanInContext): number[] {
    const asked = this.#tokenizer.encode(question).slice(0, this.#lengths.question);
    const before = ending(this.#tokenizer.encode(previous), this.#lengths.previous);
    return [...this.#words.question, ...asked, ...(previous === "" ? [] : this.#framed("", before))];
  }

  #span({ text, place }: SpanInContext): number[] {
    const where = place === undefined ? "" : ` ${Math.ceil(place * 10)} of 10`;
    return this.#framed(where, bothEnds(this.#tokenizer.encode(text), this.#lengths.text));
  }

  #framed(where: string, text: readonly number[]): number[] {
    return [...this.#words.span, ...this.#tokenizer.encode(`${where}:\n`), ...text, ...this.#words.label];
  }
}

const follows = (before: SpanInContext, span: SpanInContext) =>
  span.previous !== "" && before.text.endsWith(span.previous) && before.question === span.question;

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
