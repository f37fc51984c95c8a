// Forward and backward passes over many sequences: cut into chunks that follow each other in the server's queue, their
// log-probs put back in the order of the sequences.
import { EngineError } from "../../base/errors.ts";
import type { SequenceScores, TokenSequence } from "../engine.ts";
import { chunksOf, padded, shifted } from "./datums.ts";
import type { Datum } from "./protobuf.ts";
import type { Pass, PendingPass, TrainingModel } from "./training-model.ts";

/** Chunks that travel or wait at the server at the same time. */
const chunksInFlight = 8;

type PassRequest = Omit<Pass, "data"> & {
  readonly sequences: readonly TokenSequence[];
  readonly data: readonly Datum[];
  readonly wire: "protobuf" | "json";
  readonly entropies?: boolean;
  readonly signal?: AbortSignal;
};

export async function runPass(model: TrainingModel, request: PassRequest): Promise<SequenceScores[]> {
  const { sequences, data, wire, entropies: wanted, signal, ...pass } = request;
  const scores: SequenceScores[] = [];
  const collect = async ({ pending, chunk }: { pending: PendingPass; chunk: readonly Datum[] }) => {
    const { outputs } = await pending.result(signal);
    for (const [i, { tokens }] of chunk.entries()) {
      const { logprobs, entropies } = outputs[i] ?? {};
      if (logprobs?.length !== tokens.length) {
        throw new EngineError(`the server returned ${logprobs?.length ?? "no"} log-probs for ${tokens.length} tokens`);
      }
      const first = sequences[scores.length].promptLength - 1;
      scores.push({ logprobs: logprobs.slice(first), entropies: wanted ? entropies?.slice(first) : undefined });
    }
  };
  // Gradients of the chunks add up until the step.
  const flying: { pending: PendingPass; chunk: readonly Datum[] }[] = [];
  for (const chunk of chunksOf(data)) {
    if (flying.length === chunksInFlight) await collect(flying.shift()!);
    flying.push({ chunk, pending: await model.submitPass({ ...pass, data: chunk }, wire, signal) });
  }
  for (const one of flying) await collect(one);
  return scores;
}

/** Sequences whose log-probs alone are wanted. */
export const unweighted = (sequences: readonly TokenSequence[]): Datum[] =>
  sequences.map((sequence) => ({
    ...shifted(sequence),
    floats: { weights: padded(sequence, new Float32Array(sequence.tokens.length - sequence.promptLength)) },
  }));
