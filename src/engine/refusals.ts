// What no engine does, whoever asks: the same for all of them, so that none makes something of it in silence.
import { EngineError } from "../base/errors.ts";
import type { SampleRequest, TokenSequence } from "./engine.ts";

/** The vocabulary of the model, which may be larger than its tokenizer's; not known of every server. */
type Reader = { readonly contextLength: number; readonly vocabularySize?: number };

/** An empty sample would pass for a response that was cut off, and a temperature below 0 for one that likes what is unlikely. */
export function checkRequests(requests: readonly SampleRequest[], reader: Reader): void {
  const { contextLength } = reader;
  for (const [index, { prompt, temperature, maxTokens, topP = 1, topK = 1 }] of requests.entries()) {
    const refuse = (what: string) => {
      throw new EngineError(`request ${index} has ${what}`);
    };
    if (prompt.length === 0) refuse("an empty prompt; give it at least one token");
    if (prompt.length >= contextLength)
      refuse(
        `a prompt of ${prompt.length} tokens, and the context holds ${contextLength} with the response; shorten it`,
      );
    checkTokens(prompt, reader, `the prompt of request ${index}`);
    if (!(temperature >= 0 && temperature < Number.POSITIVE_INFINITY))
      refuse(`a temperature of ${temperature}; give 0 for the likeliest tokens, or more`);
    if (!(Number.isInteger(maxTokens) && maxTokens > 0)) refuse(`room for ${maxTokens} tokens; give at least one`);
    if (!(topP > 0 && topP <= 1)) refuse(`a topP of ${topP}; give more than 0, and 1 at most`);
    if (!(Number.isInteger(topK) && topK > 0)) refuse(`a topK of ${topK}; give at least 1`);
  }
}

/** `weights`, where given, has one number for each token of a response. */
export function checkSequences(
  sequences: readonly (TokenSequence & { readonly weights?: ArrayLike<number> })[],
  reader: Reader,
): void {
  for (const [i, { tokens, promptLength, weights }] of sequences.entries()) {
    if (promptLength < 1 || promptLength > tokens.length)
      throw new EngineError(
        `sequence ${i} has ${tokens.length} tokens and a prompt of ${promptLength}; a prompt has at least one token and ends within the sequence`,
      );
    // The last token is predicted but predicts nothing.
    if (tokens.length > reader.contextLength + 1)
      throw new EngineError(
        `sequence ${i} has ${tokens.length} tokens, and the model's context holds ${reader.contextLength}; shorten it`,
      );
    checkTokens(tokens, reader, `sequence ${i}`);
    const expected = tokens.length - promptLength;
    if (weights !== undefined && weights.length !== expected)
      throw new EngineError(`sequence ${i} has ${expected} response tokens but ${weights.length} weights`);
  }
}

function checkTokens(
  tokens: readonly number[],
  { vocabularySize = Number.POSITIVE_INFINITY }: Reader,
  what: string,
): void {
  const wrong = tokens.find((token) => !(Number.isInteger(token) && token >= 0 && token < vocabularySize));
  if (wrong !== undefined) throw new EngineError(`${what} has a token ${wrong}, which the model does not know`);
}

/** A step without a gradient would still decay the weights, and go on by its momentum. */
export function checkAccumulated(sequences: number): void {
  if (sequences === 0) throw new EngineError("nothing was accumulated since the last step");
}
