// Lessons as tokens in a file: made ahead by several processes, read back without tokenizing again. Two bytes a token; a
// record is the prompt's length, the whole length, and the tokens.
import { readFileSync } from "node:fs";
import { writeFileAtomically } from "../../base/files.ts";
import type { Tokenizer, TokenSequence } from "../../engine/engine.ts";
import type { Lesson } from "../../teaching/pretraining.ts";
import { lessonSequence } from "./base-model.ts";

export async function writeShard(
  path: string,
  tokenizer: Tokenizer,
  lessons: Iterator<Lesson>,
  count: number,
  longest: number,
): Promise<void> {
  const words: number[] = [];
  for (let written = 0; written < count; ) {
    const { tokens, promptLength } = lessonSequence(tokenizer, lessons.next().value);
    if (tokens.length > longest) continue;
    words.push(promptLength, tokens.length, ...tokens);
    written += 1;
  }
  await writeFileAtomically(path, new Uint8Array(Uint16Array.from(words).buffer));
}

export function* readShard(path: string): Generator<TokenSequence> {
  const bytes = readFileSync(path);
  const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  for (let at = 0; at < words.length; ) {
    const [promptLength, length] = [words[at], words[at + 1]];
    yield { promptLength, tokens: Array.from(words.subarray(at + 2, at + 2 + length)) };
    at += 2 + length;
  }
}
