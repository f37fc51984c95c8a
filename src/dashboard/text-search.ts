// Full-text search over a log without reading its records: the bytes are scanned for the needle as JSON writes it, and a
// match counts where it lies in a response or its reasoning. Letters of the alphabet match in either case.
import { type LogFile, openLog } from "../runs/packed-log.ts";
import type { RolloutColumns } from "./rollout-columns.ts";
import type { LookThrough } from "./rollout-search.ts";

const blockBytes = 2 << 20;
/** Searched at once: longer strings live where only a full collection finds them, which costs as much as the search. */
const pieceBytes = 64 << 10;

export function throughLog(needle: string, path: string, columns: RolloutColumns): LookThrough {
  // JSON escapes quotes, backslashes and control characters, and leaves the rest as UTF-8.
  const written = Buffer.from(JSON.stringify(needle).slice(1, -1), "utf8").toString("latin1");
  // Only a–z in either case: folding the bytes of other letters would match bytes of others again.
  const pattern = new RegExp(Array.from(written, patternOf).join(""), "g");
  return async (found, from, deadline) => {
    const file = await openLog(path);
    // Two blocks in turn, so that one is read while the other is searched; kept, because fresh memory costs more than both.
    const buffers: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
    let searched = from;
    let next: Promise<Block> | undefined = readBlock(file, columns, from, buffers, 0);
    try {
      for (let turn = 1; next !== undefined && performance.now() < deadline; turn++) {
        const block: Block = await next;
        next = block.to < columns.rows ? readBlock(file, columns, block.to, buffers, turn % 2) : undefined;
        mark(found, block, columns, pattern, written.length);
        searched = block.to;
      }
    } finally {
      await next?.catch(() => {});
      await file.close();
    }
    return searched;
  };
}

function mark(found: Uint8Array, block: Block, { columns }: RolloutColumns, pattern: RegExp, length: number): void {
  const { offset, bytes } = columns;
  for (let first = block.from; first < block.to; ) {
    const start = offset[first];
    let last = first;
    while (last < block.to && (last === first || offset[last] + bytes[last] - start <= pieceBytes)) last += 1;
    const begins = start - block.start;
    const text = block.bytes.toString("latin1", begins, begins + offset[last - 1] + bytes[last - 1] - start);
    pattern.lastIndex = 0;
    let row = first;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const at = start + match.index;
      while (row < last && offset[row] + bytes[row] <= at) row += 1;
      if (row === last) break;
      const holds = inText(columns, row, at - offset[row], length) && !startsInEscape(text, match.index);
      if (holds) found[row] = 1;
      pattern.lastIndex = holds ? offset[row] + bytes[row] - start : match.index + 1;
    }
    first = last;
  }
}

/** Rows `from` … `to - 1` as they lie in the log, beginning at `start`. */
type Block = { readonly bytes: Buffer; readonly start: number; readonly from: number; readonly to: number };

async function readBlock(
  file: LogFile,
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
function inText(columns: RolloutColumns["columns"], row: number, at: number, length: number): boolean {
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
