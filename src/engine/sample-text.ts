// When a response ends: its stop tokens, its stop strings, its budget. And the text of what was drawn.
import type { Sample, SampleRequest, Tokenizer } from "./engine.ts";

/** The end of text, and what the request names besides. */
export const stopTokensOf = ({ stopTokens = [] }: SampleRequest, { endOfText }: Tokenizer): number[] => [
  ...new Set([endOfText, ...stopTokens]),
];

/** A response while it grows. Knows when it has ended, and then how. */
export class GrowingSample {
  readonly tokens: number[] = [];
  readonly logprobs: number[] = [];
  readonly temperedLogprobs: number[] = [];
  readonly #stopStrings: readonly string[];
  readonly #stopTokens: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #room: number;
  #finish: Sample["finish"] | undefined;

  /** `room` is how many tokens the context still has. */
  constructor(request: SampleRequest, tokenizer: Tokenizer, room: number) {
    this.#stopStrings = request.stopStrings ?? [];
    this.#stopTokens = stopTokensOf(request, tokenizer);
    this.#tokenizer = tokenizer;
    this.#room = Math.min(request.maxTokens, room);
    if (this.#room <= 0) this.#finish = "length";
  }

  get ended(): boolean {
    return this.#finish !== undefined;
  }

  add(token: number, logprob: number, temperedLogprob: number): void {
    this.tokens.push(token);
    this.logprobs.push(logprob);
    this.temperedLogprobs.push(temperedLogprob);
    if (this.#stopTokens.includes(token) || this.#endsWithStopString()) this.#finish = "stop";
    else if (this.tokens.length >= this.#room) this.#finish = "length";
  }

  result(): Sample {
    const last = this.tokens.at(-1);
    const marked = last !== undefined && this.#stopTokens.includes(last);
    return {
      tokens: this.tokens,
      text: this.#tokenizer.decode(marked ? this.tokens.slice(0, -1) : this.tokens),
      logprobs: this.logprobs,
      temperedLogprobs: this.temperedLogprobs,
      finish: this.#finish ?? "length",
    };
  }

  #endsWithStopString(): boolean {
    const strings = this.#stopStrings;
    if (strings.length === 0) return false;
    // A stop string of n characters ends within the last n tokens or so, since a token has at least one; bytes of a
    // character can be tokens too, four to a character.
    const longest = Math.max(...strings.map((string) => string.length));
    const tail = this.#tokenizer.decode(this.tokens.slice(-4 * longest - 1));
    return strings.some((string) => string !== "" && tail.includes(string));
  }
}
