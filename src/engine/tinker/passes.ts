// Forward and backward passes over many sequences: cut into chunks that follow each other in the server's queue, their
// log-probs put back in the order of the sequences.
import { EngineError } from "../../base/errors.ts";
import type { SequenceScores, TokenSequence } from "../engine.ts";
import type { Datum } from "./protobuf.ts";
import type { Pass, PendingPass, TrainingModel } from "./training-model.ts";

/** Chunks that travel or wait at the server at the same time. */
const chunksInFlight = 8;

type PassRequest = Omit<Pass, "data"> & {
  readonly sequences: readonly TokenSequence[];
  readonly data: readonly Datum[];
  readonly entropies?: boolean;
  readonly signal?: AbortSignal;
};

export async function runPass(model: TrainingModel, request: PassRequest): Promise<SequenceScores[]> {
  const { sequences, entropies: wanted } = request;
  const scores: SequenceScores[] = [];
  for await (const { output, tokens } of outputsOf(model, request)) {
    const { logprobs, entropies } = output;
    if (logprobs?.length !== tokens.length)
      throw new EngineError(`the server returned ${logprobs?.length ?? "no"} log-probs for ${tokens.length} tokens`);
    const first = sequences[scores.length].promptLength - 1;
    const own = finiteLogprobs(logprobs.slice(first), `sequence ${scores.length}`);
    scores.push({ logprobs: own, entropies: wanted ? entropies?.slice(first) : undefined });
  }
  return scores;
}

/** One that is no number would make every weight of the next step none, and the model with it. */
export function finiteLogprobs(logprobs: Float32Array, what: string): Float32Array {
  const broken = logprobs.findIndex((value) => !Number.isFinite(value));
  if (broken === -1) return logprobs;
  throw new EngineError(
    `the server says ${logprobs[broken]} for the log-prob of response token ${broken} of ${what}; ` +
      "nothing was changed by it: lower the learning rate, or load the last checkpoint",
  );
}

async function* outputsOf(
  model: TrainingModel,
  { data, signal, ...pass }: Omit<PassRequest, "sequences">,
): AsyncGenerator<{ readonly output: Readonly<Record<string, Float32Array>>; readonly tokens: Int32Array }> {
  async function* collected({ pending, chunk }: { pending: PendingPass; chunk: readonly Datum[] }) {
    const { outputs } = await pending.result(signal);
    for (const [i, { tokens }] of chunk.entries()) yield { output: outputs[i] ?? {}, tokens };
  }
  // Gradients of the chunks add up until the step.
  const flying: { pending: PendingPass; chunk: readonly Datum[] }[] = [];
  for (const chunk of chunksOf(data)) {
    if (flying.length === chunksInFlight) yield* collected(flying.shift()!);
    flying.push({ chunk, pending: await model.submitPass({ ...pass, data: chunk }, signal) });
  }
  for (const one of flying) yield* collected(one);
}

/** Sequences whose log-probs alone are wanted. */
export const unweighted = (sequences: readonly TokenSequence[]): Datum[] =>
  sequences.map((sequence) => ({ ...shifted(sequence), floats: { weights: padded(sequence) } }));

// ---- Sequences as the protocol wants them, shifted by one ----------------------------------------------------------

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
