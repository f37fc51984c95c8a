// Files cut into slices that any worker can read on its own: byte ranges of JSON lines, row ranges of Parquet, entries of
// an archive. A slice is plain data, so planning is done once and reading happens wherever there is a free core.
import { existsSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { DataError } from "../../base/errors.ts";
import { parquetRowGroups } from "./parquet-rows.ts";
import { zipEntries } from "./zip-archive.ts";

export type Slice = {
  readonly path: string;
  readonly kind: "lines" | "packed-lines" | "document" | "parquet" | "archive" | "torch" | "unreadable";
  /** Bytes, rows or entries, by kind. */
  readonly start: number;
  readonly end: number;
  /** Roughly what reading it costs, for progress. */
  readonly bytes: number;
  /** Why nothing of it can be read, for a file that is `unreadable`. */
  readonly because?: string;
};

const bytesPerSlice = 16 << 20;

/** Every slice of a file; one that only says why where the file is not what its name says. */
export async function slicesOf(path: string, bytes = bytesPerSlice): Promise<Slice[]> {
  try {
    return await cutSlices(path, bytes);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return [{ path, kind: "unreadable", start: 0, end: 0, bytes: 0, because: error.message.replace(`${path}: `, "") }];
  }
}

/** Wide UTF-16 text and compressed lines cannot be cut, so they are one slice. */
async function cutSlices(path: string, bytesOfOne: number): Promise<Slice[]> {
  const { size } = await stat(path);
  const start = await firstBytes(path);
  const pointer = pointerIn(start);
  if (pointer !== undefined) throw new DataError(pointer);
  switch (extname(path).toLowerCase()) {
    case ".parquet": {
      const groups = await parquetRowGroups(path);
      if (groups.length === 0) return [{ path, kind: "parquet", start: 0, end: 0, bytes: 0 }];
      return groups.map(({ start, end, bytes }) => ({ path, kind: "parquet", start, end, bytes }));
    }
    case ".eval": {
      const samples = (await zipEntries(path)).filter(({ name }) => isSample(name));
      return cut(samples.length, 64).map(([start, end]) => ({
        path,
        kind: "archive",
        start,
        end,
        bytes: samples.slice(start, end).reduce((total, entry) => total + entry.compressedBytes, 0),
      }));
    }
    case ".pt":
      return [{ path, kind: "torch", start: 0, end: size, bytes: size }];
    case ".gz":
    case ".zst":
      return [{ path, kind: "packed-lines", start: 0, end: size, bytes: size }];
    case ".json":
      return [{ path, kind: "document", start: 0, end: size, bytes: size }];
    default: {
      if (isWide(start)) return [{ path, kind: "packed-lines", start: 0, end: size, bytes: size }];
      return cut(size, bytesOfOne).map(([start, end]) => ({ path, kind: "lines", start, end, bytes: end - start }));
    }
  }
}

export const isSample = (name: string): boolean => /(^|\/)samples\/.*\.json$/.test(name);

/** At least one piece, so that an empty file is still seen and named. */
function cut(size: number, piece: number): [number, number][] {
  if (size === 0) return [[0, 0]];
  const cuts: [number, number][] = [];
  for (let start = 0; start < size; start += piece) cuts.push([start, Math.min(size, start + piece)]);
  return cuts;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A byte-order mark of UTF-16. */
const isWide = (start: Buffer): boolean =>
  start.length >= 2 && ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff));

/** What stands in a checkout for a large file that was not fetched, whatever its name says. */
function pointerIn(start: Buffer): string | undefined {
  const text = start.toString("latin1");
  if (/^version https:\/\/(git-lfs\.github\.com|hawser\.github\.com)\/spec\//.test(text)) {
    const size = /^size (\d+)/m.exec(text)?.[1];
    const bytes = size === undefined ? "" : ` of ${Number(size).toLocaleString("en-US")} bytes`;
    return `a Git LFS pointer to a file${bytes}, not the file; fetch it with: git lfs pull`;
  }
  // git-annex writes the place of the content into the file.
  if (/^\/annex\/objects\//.test(text)) return "a git-annex pointer, not the file; fetch it with: git annex get";
  return undefined;
}

const readable = /\.(jsonl|ndjson|json|parquet|eval|jsonl\.gz|jsonl\.zst)$/i;
/** Dumps of rollouts; other torch files in a folder are weights. */
const torchDump = /(^|_)(rollout|data|debug|eval)[\w-]*\.pt$/i;

/** Files beside traces that are about them but hold none. */
const notTraces =
  /(^|\.)(index|events|state|run|signals|files|incidents|summary|solve-rates|problems|grades|grade-changes|trace-notes|wanted|sampling|pace|aggregated_results)[.\w-]*\.jsonl?$|^results([.\w-]*\.json$|_)|^(?:metadata|rl|trainer|orchestrator|inference|evals|config|\w+_config|tokenizer|special_tokens_map|vocab|trainer_state)\.json$/;
/** prime-rl writes every episode to `all`, and those it trained on to `effective` again. */
const writtenTwice = /[\\/]effective[\\/]traces\.jsonl$/;

/** EvalScope writes every rollout twice: `predictions/<model>/<dataset>.jsonl`, and with its score under `reviews`. */
function isReviewed(file: string, files: ReadonlySet<string>): boolean {
  const review = file.replace(/(^|[\\/])predictions([\\/][^\\/]+[\\/][^\\/]+\.jsonl)$/, "$1reviews$2");
  return review !== file && files.has(review);
}

/** The files of traces under a path: itself, or what a folder holds, in natural order (2.jsonl before 10.jsonl). */
export async function traceFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new DataError(`${path} does not exist`);
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  // An analysis inside a run is made from its traces and holds none.
  const analyses = entries.filter(({ name }) => name === "analysis.json").map((entry) => entry.parentPath);
  const files = entries
    .filter(
      (entry) =>
        entry.isFile() &&
        (readable.test(entry.name) || torchDump.test(entry.name)) &&
        !notTraces.test(basename(entry.name)) &&
        !(
          writtenTwice.test(join(entry.parentPath, entry.name)) &&
          existsSync(join(entry.parentPath, "../all/traces.jsonl"))
        ),
    )
    .filter((entry) => !analyses.includes(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(new Intl.Collator("en", { numeric: true }).compare);
  if (files.length === 0) {
    throw new DataError(`${path} holds no traces; expected .jsonl, .json, .parquet or .eval files`);
  }
  const all = new Set(files);
  return files.filter((file) => !isReviewed(file, all));
}
