// A corpus on disk as sequences to learn from. Thousands of long traces do not fit into memory as tokens, so a sequence is
// read and encoded when a step asks for it.
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { DataError, messageOf } from "../base/errors.ts";
import type { DamageOptions } from "../base/integrity.ts";
import { placedLines } from "../base/json-lines.ts";
import type { TokenSequence } from "../engine/engine.ts";
import { readTeacherTrace, type TeacherTrace } from "../teaching/corpus.ts";
import { checkCorpusFile } from "../teaching/corpus-folder.ts";

type CorpusSequences = {
  readonly sequences: readonly TokenSequence[];
  /** Of the responses, by the counts that the corpus holds. */
  readonly responseTokens: number;
  /** Traces that `fits` turned away. */
  readonly leftOut: number;
};

/** Sequences of the last steps stay at hand: a step asks for the same ones several times. */
const cacheSize = 256;

export async function corpusSequences(
  path: string,
  encode: (trace: TeacherTrace) => TokenSequence,
  fits: (trace: TeacherTrace) => boolean = () => true,
  damage: DamageOptions = {},
): Promise<CorpusSequences> {
  await checkCorpusFile(path, damage);
  const places: { readonly offset: number; readonly bytes: number }[] = [];
  let [line, leftOut, responseTokens] = [0, 0, 0];
  for await (const { offset, content } of placedLines(createReadStream(path))) {
    const bytes = content.length;
    const text = content.toString("utf8");
    line += 1;
    if (text.trim() !== "") {
      const trace = traceOf(text, `${path} line ${line}`);
      if (fits(trace)) {
        places.push({ offset, bytes });
        responseTokens += trace.tokens;
      } else leftOut += 1;
    }
  }
  if (places.length === 0)
    throw new DataError(
      leftOut === 0
        ? `${path} holds no trace to learn from`
        : `${path} holds no trace to learn from: all ${leftOut} are too long; raise the context, or take shorter traces`,
    );

  const remembered = new Map<number, TokenSequence>();
  const sequence = (index: number): TokenSequence => {
    let found = remembered.get(index);
    if (found === undefined) {
      found = encode(traceOf(readAt(path, places[index]), `${path} trace ${index + 1}`));
      if (remembered.size >= cacheSize) remembered.delete(remembered.keys().next().value!);
      remembered.set(index, found);
    }
    return found;
  };
  const sequences = places.map(
    (_, index): TokenSequence => ({
      get tokens() {
        return sequence(index).tokens;
      },
      get promptLength() {
        return sequence(index).promptLength;
      },
    }),
  );
  return { sequences, responseTokens, leftOut };
}

function traceOf(text: string, where: string): TeacherTrace {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(`${where}: ${messageOf(error)}`);
  }
  return readTeacherTrace(value, where);
}

function readAt(path: string, { offset, bytes }: { readonly offset: number; readonly bytes: number }): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(bytes);
    readSync(file, buffer, 0, bytes, offset);
    return buffer.toString("utf8");
  } finally {
    closeSync(file);
  }
}
