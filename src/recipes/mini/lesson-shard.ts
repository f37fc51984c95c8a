// Lessons as tokens in a file: made ahead by several processes, read back without tokenizing again. Two bytes a token; a
// record is the prompt's length, the whole length, and the tokens.
import { readFileSync } from "node:fs";
import { writeFileAtomically } from "../../base/files.ts";
import type { TokenSequence } from "../../engine/engine.ts";

export async function writeShard(path: string, lessons: readonly TokenSequence[]): Promise<void> {
  const words = lessons.flatMap(({ tokens, promptLength }) => [promptLength, tokens.length, ...tokens]);
  await writeFileAtomically(path, new Uint8Array(Uint16Array.from(words).buffer));
}

export function readShard(path: string): TokenSequence[] {
  const bytes = readFileSync(path);
  const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const lessons: TokenSequence[] = [];
  for (let at = 0; at < words.length; ) {
    const [promptLength, length] = [words[at], words[at + 1]];
    lessons.push({ promptLength, tokens: Array.from(words.subarray(at + 2, at + 2 + length)) });
    at += 2 + length;
  }
  return lessons;
}
