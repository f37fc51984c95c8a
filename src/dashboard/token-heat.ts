// Where the tokens of a recorded trace end in its text. Exact for the word-level language of small models; other
// tokenizers' boundaries are not in the record, so their tokens are spread evenly.
import type { TraceReply } from "./api.ts";

export function tokenHeat(text: string, nll: readonly number[]): NonNullable<TraceReply["tokenNll"]> {
  const words = Array.from(text.matchAll(/\n|[^ \n]+/g), ({ 0: word, index }) => index + word.length);
  // The token that ends a response has no text of its own.
  if (words.length === nll.length) return { ends: words, nll };
  if (words.length === nll.length - 1) return { ends: [...words, text.length], nll };
  const ends = nll.map((_, i) => Math.round(((i + 1) * text.length) / nll.length));
  return { ends, nll, approximate: true };
}
