// Full-text search over a log without reading its records: the bytes are scanned for the needle as JSON writes it, and a
// match counts where it lies in a response or its reasoning. Letters of the alphabet match in either case; a search that
// takes long stops and goes on from there when it is asked again.
import { type FileHandle, open } from "node:fs/promises";
import type { RolloutColumns } from "./rollout-columns.ts";

const blockBytes = 2 << 20;
/** Searched at once: longer strings live where only a full collection finds them, which costs as much as the search. */
const pieceBytes = 64 << 10;

export class TextSearch {
  readonly #pattern: RegExp;
  readonly #needleBytes: number;
  #found = new Uint8Array(0);
  #searched = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(needle: string) {
    // JSON escapes quotes, backslashes and control characters, and leaves the rest as UTF-8.
    const written = Buffer.from(JSON.stringify(needle).slice(1, -1), "utf8").toString("latin1");
    this.#needleBytes = written.length;
    // Only a–z in either case: folding the bytes of other letters would match bytes of others again.
    const pattern = Array.from(written, patternOf).join("");
    this.#pattern = new RegExp(pattern, "g");
  }

  /** 1 for each row that holds the needle, as far as searched. */
  get found(): Uint8Array {
    return this.#found;
  }
  /** Rows looked at. */
  get searched(): number {
    return this.#searched;
  }

  /** Goes on until all rows are searched or the deadline (of `performance.now`) has passed. */
  advance(path: string, columns: RolloutColumns, deadline: number): Promise<void> {
    // A list asks for several windows at once; the second waits and finds the work done.
    const turn = this.#turn.then(() => this.#advance(path, columns, deadline));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #advance(path: string, columns: RolloutColumns, deadline: number): Promise<void> {
    if (this.#found.length < columns.rows) {
      const grown = new Uint8Array(Math.max(columns.rows, this.#found.length * 2));
      grown.set(this.#found);
      this.#found = grown;
    }
    if (this.#searched === columns.rows) return;
    const file = await open(path, "r");
    // Two blocks in turn, so that one is read while the other is searched; kept, because fresh memory costs more than both.
    const buffers: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
    let next: Promise<Block> | undefined = readBlock(file, columns, this.#searched, buffers, 0);
    try {
      for (let turn = 1; next !== undefined && performance.now() < deadline; turn++) {
        const block: Block = await next;
        next = block.to < columns.rows ? readBlock(file, columns, block.to, buffers, turn % 2) : undefined;
        this.#mark(block, columns);
        this.#searched = block.to;
      }
    } finally {
      await next?.catch(() => {});
      await file.close();
    }
  }

  #mark({ bytes: block, start, from, to }: Block, columns: RolloutColumns): void {
    const { offset, bytes } = columns.columns;
    for (let first = from; first < to; ) {
      const begins = offset[first] - start;
      let last = first;
      while (last < to && (last === first || offset[last] + bytes[last] - start - begins <= pieceBytes)) last += 1;
      const ends = offset[last - 1] + bytes[last - 1] - start;
      this.#markPiece(block.toString("latin1", begins, ends), offset[first], first, last, columns);
      first = last;
    }
  }

  #markPiece(text: string, start: number, from: number, to: number, columns: RolloutColumns): void {
    const { offset, bytes } = columns.columns;
    const pattern = this.#pattern;
    pattern.lastIndex = 0;
    let row = from;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const at = start + match.index;
      while (row < to && offset[row] + bytes[row] <= at) row += 1;
      if (row === to) return;
      if (inText(columns, row, at - offset[row], this.#needleBytes) && !startsInEscape(text, match.index)) {
        this.#found[row] = 1;
        pattern.lastIndex = offset[row] + bytes[row] - start;
      } else {
        pattern.lastIndex = match.index + 1;
      }
    }
  }
}

/** Rows `from` … `to - 1` as they lie in the log, beginning at `start`. */
type Block = { readonly bytes: Buffer; readonly start: number; readonly from: number; readonly to: number };

async function readBlock(
  file: FileHandle,
  columns: RolloutColumns,
  from: number,
  buffers: [Buffer, Buffer],
  which: number,
): Promise<Block> {
  const { offset, bytes } = columns.columns;
  const start = offset[from];
  let to = from;
  while (to < columns.rows && (to === from || offset[to] + bytes[to] - start <= blockBytes)) to += 1;
  const length = offset[to - 1] + bytes[to - 1] - start;
  if (buffers[which].length < length) buffers[which] = Buffer.allocUnsafe(Math.max(length, blockBytes));
  const { bytesRead } = await file.read(buffers[which], 0, length, start);
  return { bytes: buffers[which].subarray(0, bytesRead), start, from, to };
}

function patternOf(character: string): string {
  if (/[a-z]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** `at` counts bytes from the start of the record. */
function inText({ columns }: RolloutColumns, row: number, at: number, length: number): boolean {
  const { responseStart, responseEnd, reasoningStart, reasoningEnd } = columns;
  const end = at + length;
  return (
    (at >= responseStart[row] && end <= responseEnd[row]) || (at >= reasoningStart[row] && end <= reasoningEnd[row])
  );
}

/** A match that begins inside an escape (`\n`, `\u001b`) found the letters of the escape and not of the text. */
function startsInEscape(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && text[before] === "\\") before -= 1;
  if ((at - 1 - before) % 2 === 1) return true;
  return /(?:^|[^\\])(?:\\\\)*\\u[0-9a-f]{0,3}$/.test(text.slice(Math.max(0, at - 24), at));
}
