// JSON lines in and out: streams of any length in constant memory, where a bad line is a record and not a crash.
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { DataError, messageOf } from "./errors.ts";

/** One line of a stream: its value, or why it has none. Line numbers start at 1. */
export type ReadLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly error: string };

const longestLine = 256 * 1024 * 1024;

/** The lines of a byte stream as text, without their ends; blank lines are passed over by the caller, not here. */
export async function* textLines(source: Readable | AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let pieces: string[] = [];
  let pending = 0;
  for await (const chunk of source) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      pieces.push(text.slice(start, end));
      const line = pieces.length === 1 ? pieces[0] : pieces.join("");
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
      pieces = [];
      pending = 0;
      start = end + 1;
    }
    if (start < text.length) {
      pieces.push(text.slice(start));
      pending += text.length - start;
      // A line this long is not JSON lines but a mistake; keeping its head is enough for the error.
      if (pending > longestLine) pieces = [pieces.join("").slice(0, longestLine)];
    }
  }
  const tail = pieces.join("") + decoder.decode();
  if (tail !== "") yield tail;
}

/** Blank lines are passed over, or errors like any other line that is not JSON. */
export async function* readJsonLines(
  source: Readable | AsyncIterable<Uint8Array>,
  blank: "passed over" | "error" = "passed over",
): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const text of textLines(source)) {
    line += 1;
    if (text.trim() === "") {
      if (blank === "error") yield { line, error: "not JSON: the line is empty" };
      continue;
    }
    try {
      yield { line, value: JSON.parse(text) };
    } catch (error) {
      yield { line, error: `not JSON: ${messageOf(error)}` };
    }
  }
}

export async function* readJsonLinesFile(path: string): AsyncGenerator<ReadLine> {
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  try {
    yield* readJsonLines(file);
  } catch (error) {
    if (error !== file.errored) throw error;
    throw new DataError(`${path} cannot be read: ${messageOf(error)}`);
  }
}
