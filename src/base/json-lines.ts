// JSON lines in and out: streams of any length in constant memory, where a bad line is a record and not a crash.
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { DataError, messageOf } from "./errors.ts";

/** One line of a stream: its value, or why it has none. Line numbers start at 1. */
export type ReadLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly error: string };

/** In characters. Longer lines are no records but a mistake; the largest response of a model is a few megabytes. */
export const longestLine = 256 * 1024 * 1024;

/** A line without its end, or how long the one is that nobody should hold. */
export type BoundedLine = { readonly text: string } | { readonly tooLong: number };

/** Texts in pieces as lines, in memory that holds one line of at most the given length. */
export class LineSplitter {
  readonly #longest: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(longest = longestLine) {
    this.#longest = longest;
  }

  *push(text: string): Generator<BoundedLine> {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#add(text.slice(start, end));
      yield this.#line();
      start = end + 1;
    }
    if (start < text.length) this.#add(text.slice(start));
  }

  /** What follows the last line's end, if anything does. */
  *end(): Generator<BoundedLine> {
    if (this.#length > 0) yield this.#line();
  }

  #add(piece: string): void {
    this.#length += piece.length;
    if (this.#length <= this.#longest) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #line(): BoundedLine {
    const text = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join("");
    const line =
      this.#length > this.#longest
        ? { tooLong: this.#length }
        : { text: text.endsWith("\r") ? text.slice(0, -1) : text };
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** Says of a line that it is too long. */
export const tooLongText = (length: number): string =>
  `a line of ${Math.round(length / 1e6)} MB; the limit is ${longestLine >> 20} MiB`;

/** The lines of a byte stream as text, without their ends; blank lines are passed over by the caller, not here. */
async function* boundedLines(
  source: Readable | AsyncIterable<Uint8Array>,
  longest = longestLine,
): AsyncGenerator<BoundedLine> {
  const decoder = new TextDecoder("utf-8");
  const splitter = new LineSplitter(longest);
  for await (const chunk of source) {
    yield* splitter.push(typeof chunk === "string" ? chunk : decoder.decode(chunk as Uint8Array, { stream: true }));
  }
  yield* splitter.push(decoder.decode());
  yield* splitter.end();
}

/** A line as bytes, and where it begins. `ended`: false for a last one that lacks its end. */
type PlacedLine = { readonly offset: number; readonly content: Buffer; readonly ended: boolean };

/**
 * Lines for whoever reads them again by place; `offset` is where the source begins. A mark of byte order at the file's
 * beginning belongs to no line; a carriage return stays, as JSON passes it over.
 */
export async function* placedLines(source: AsyncIterable<Buffer>, offset = 0): AsyncGenerator<PlacedLine> {
  let pieces: Buffer[] = [];
  const line = (ended: boolean): PlacedLine => {
    const whole = Buffer.concat(pieces);
    pieces = [];
    const mark = offset === 0 && whole.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    const placed = { offset: offset + mark, content: whole.subarray(mark), ended };
    offset += whole.length + 1;
    return placed;
  };
  let length = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      pieces.push(chunk.subarray(start, end));
      yield line(true);
      start = end + 1;
      length = 0;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > longestLine) throw new DataError(tooLongText(length));
  }
  if (length > 0) yield line(false);
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Blank lines are passed over, or errors like any other line that is not JSON. */
export async function* readJsonLines(
  source: Readable | AsyncIterable<Uint8Array>,
  blank: "passed over" | "error" = "passed over",
): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const read of boundedLines(source)) {
    line += 1;
    if ("tooLong" in read) {
      yield { line, error: tooLongText(read.tooLong) };
      continue;
    }
    if (read.text.trim() === "") {
      if (blank === "error") yield { line, error: "not JSON: the line is empty" };
      continue;
    }
    try {
      yield { line, value: JSON.parse(read.text) };
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
