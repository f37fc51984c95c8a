// Sequences as the protocol wants them: shifted by one, their values at the places of the response, in chunks.
import type { TokenSequence } from "../engine.ts";
import type { Datum } from "./protobuf.ts";

/** A request holds at most this many sequences and about this many bytes. */
const largestChunk = { sequences: 1024, bytes: 5_000_000 };
const bytesPerToken = 16;

/** By one: the model reads all tokens but the last and is asked for all but the first. */
export const shifted = ({ tokens }: TokenSequence): Pick<Datum, "tokens" | "targets"> => ({
  tokens: Int32Array.from(tokens.slice(0, -1)),
  targets: tokens.slice(1),
});

/** Values of the response at their places in the shifted sequence, 0 for the prompt and where none are given. */
export function padded({ tokens, promptLength }: TokenSequence, values: ArrayLike<number> = []): Float32Array {
  const all = new Float32Array(tokens.length - 1);
  all.set(values, promptLength - 1);
  return all;
}

export function* chunksOf(data: readonly Datum[]): Generator<Datum[]> {
  let chunk: Datum[] = [];
  let bytes = 0;
  for (const datum of data) {
    const size = datum.tokens.length * bytesPerToken;
    if (chunk.length > 0 && (chunk.length === largestChunk.sequences || bytes + size > largestChunk.bytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(datum);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
