// Which of a few tokens would stand at places of texts, as when a label is read off: by the engine's own verb, or one
// sequence a token through `logprobs`.
import type { AskedText, Engine, TokenSequence } from "./engine.ts";

/** Log-probs a text: all tokens of its first place, then of its second, … */
export async function askChoices(
  engine: Pick<Engine, "choices" | "logprobs">,
  texts: readonly AskedText[],
  tokens: readonly number[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  if (engine.choices !== undefined) return engine.choices(texts, tokens, signal);
  const sequences = texts.flatMap((text) => tokens.map((token) => readOff(text, () => token)));
  const scores = await engine.logprobs(sequences, { signal });
  return texts.map(({ places }, t) => {
    const found = new Float32Array(places.length * tokens.length);
    for (const [p, place] of places.entries())
      for (let i = 0; i < tokens.length; i++)
        found[p * tokens.length + i] = scores[t * tokens.length + i].logprobs[place - places[0]];
    return found;
  });
}

/** A text as it is scored or taught: at each place the token that `asked` says, by the place's number; -1 for none. */
export function readOff(
  { tokens, places }: AskedText,
  asked: (place: number) => number,
): TokenSequence & { readonly targets: number[] } {
  const end = places[places.length - 1];
  const targets = new Array<number>(end + 1 - places[0]).fill(-1);
  for (const [i, place] of places.entries()) targets[place - places[0]] = asked(i);
  // The last token is asked for and never read; any will do.
  return {
    tokens: [...tokens.slice(0, end), Math.max(0, targets[targets.length - 1])],
    promptLength: places[0],
    targets,
  };
}
