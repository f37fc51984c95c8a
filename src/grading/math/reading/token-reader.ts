// A cursor over tokens, with the bound on nesting that keeps hostile input from exhausting the stack.
import { whole } from "../numbers/rational.ts";
import { type Token, Unreadable } from "./tokens.ts";

const deepest = 240;

export class TokenReader {
  readonly #tokens: Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = [...tokens];
  }

  get position(): number {
    return this.#position;
  }

  rewind(position: number): void {
    this.#position = position;
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)];
  }

  at(type: Token["type"], text?: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.type === type && (text === undefined || token.text === text);
  }

  next(): Token {
    const token = this.peek();
    if (this.#position < this.#tokens.length - 1) this.#position++;
    return token;
  }

  /** Splits the number here after its first digit, and returns that digit. */
  takeDigit(): Token {
    const token = this.peek();
    const part = (text: string, spaced: boolean): Token => ({
      type: "number",
      text,
      value: whole(BigInt(text)),
      spaced,
    });
    const [first, rest] = [part(token.text[0], token.spaced), part(token.text.slice(1), false)];
    this.#tokens.splice(this.#position, 1, first, rest);
    return this.next();
  }

  expect(type: Token["type"], text: string): void {
    if (!this.at(type, text)) throw this.unexpected();
    this.next();
  }

  unexpected(): Unreadable {
    const token = this.peek();
    return new Unreadable(token.type === "end" ? "the text ends too early" : `"${token.text}" where it has no meaning`);
  }

  nested<T>(read: () => T): T {
    if (++this.#depth > deepest) throw new Unreadable(`nested more than ${deepest} deep`);
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  /** The tokens from there to here as they were written. */
  writtenFrom(start: number): string {
    return this.#tokens
      .slice(start, this.#position)
      .map((token) => token.text)
      .join("");
  }
}
