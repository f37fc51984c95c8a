// Files cut into slices that any worker can read on its own: byte ranges of JSON lines, row ranges of Parquet, entries of
// an archive. A slice is plain data, so planning is done once and reading happens wherever there is a free core.
import { existsSync } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { DataError, messageOf } from "../base/errors.ts";
import { parquetRowGroups } from "./parquet-rows.ts";
import { zipEntries } from "./zip-archive.ts";

const sliceKinds = [
  "lines",
  "packed-lines",
  "document",
  "parquet",
  "archive",
  "torch",
  "csv",
  "log",
  "sqlite",
  "unreadable",
] as const;

export type Slice = {
  readonly path: string;
  readonly kind: (typeof sliceKinds)[number];
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
    const code = (error as NodeJS.ErrnoException).code;
    if (!(error instanceof DataError) && code !== "ENOENT" && code !== "EACCES") throw error;
    return [
      { path, kind: "unreadable", start: 0, end: 0, bytes: 0, because: messageOf(error).replace(`${path}: `, "") },
    ];
  }
}

/** Wide UTF-16 text and compressed lines cannot be cut, so they are one slice. */
async function cutSlices(path: string, bytesOfOne: number): Promise<Slice[]> {
  const { size } = await stat(path);
  const table = foreign.exec(path);
  if (table !== null) throw new DataError(`${table[1]} is not read; write it as JSON lines or Parquet`);
  const whole = (kind: Slice["kind"]): Slice[] => [{ path, kind, start: 0, end: size, bytes: size }];
  const start = await firstBytes(path);
  const pointer = pointerIn(start);
  if (pointer !== undefined) throw new DataError(pointer);
  const name = path.replace(/\.(?:gz|zst)$/i, "");
  switch (contentKind(path, start) ?? extname(path).toLowerCase()) {
    case "parquet":
    case ".parquet": {
      const groups = await parquetRowGroups(path);
      if (groups.length === 0) return [{ path, kind: "parquet", start: 0, end: 0, bytes: 0 }];
      return groups.map(({ start, end, bytes }) => ({ path, kind: "parquet", start, end, bytes }));
    }
    case "zip":
    case ".eval": {
      if (/\.pt$/i.test(path)) return whole("torch");
      const entries = await zipEntries(path);
      if (entries.length > 0 && !entries.some(({ name }) => isSample(name) || isInspectHeader(name)))
        throw new DataError("a zip archive, but no log of Inspect; unpack it and give the folder");
      const samples = entries.filter(({ name }) => isSample(name));
      return cut(samples.length, 64).map(([start, end]) => ({
        path,
        kind: "archive",
        start,
        end,
        bytes: samples.slice(start, end).reduce((total, entry) => total + entry.compressedBytes, 0),
      }));
    }
    case ".pt":
      return whole("torch");
    case "sqlite":
    case ".db":
    case ".sqlite":
    case ".sqlite3":
      return whole("sqlite");
    case ".csv":
    case ".tsv":
      return whole("csv");
    case ".json":
      return whole("document");
    case ".log":
      if (isGenerationsLog(path)) return whole("log");
  }
  if (contentKind(path, start) !== undefined || isWide(start))
    return whole(/\.json$/i.test(name) ? "document" : /\.[ct]sv$/i.test(name) ? "csv" : "packed-lines");
  // One document under the name of many lines.
  if (/^[\s\uFEFF]*(?:\[|\{\s*\n)/.test(start.toString("utf8"))) return whole("document");
  return cut(size, bytesOfOne).map(([start, end]) => ({ path, kind: "lines", start, end, bytes: end - start }));
}

export const isSample = (name: string): boolean => /(^|\/)samples\/.*\.json$/.test(name);

/** What an archive of Inspect has besides samples, or, broken off, instead of them. */
const isInspectHeader = (name: string): boolean => /^(?:header|_journal\/start)\.json$/.test(name);

/** At least one piece, so that an empty file is still seen and named. */
function cut(size: number, piece: number): [number, number][] {
  if (size === 0) return [[0, 0]];
  const cuts: [number, number][] = [];
  for (let start = 0; start < size; start += piece) cuts.push([start, Math.min(size, start + piece)]);
  return cuts;
}

/** What a file is that is no text: as it begins, and where that does not tell as it is called. */
export function contentKind(path: string, start: Buffer): Content | undefined {
  const text = start.toString("latin1");
  const named = /\.gz$/i.test(path) ? "gzip" : /\.zst$/i.test(path) ? "zstd" : undefined;
  return contents.find(([, begins]) => text.startsWith(begins))?.[0] ?? (beginsLikeRows(start) ? undefined : named);
}

const beginsLikeRows = (start: Buffer): boolean => /^[\s\uFEFF]*(?:\{\s*"|\[\s*\{)/.test(start.toString("utf8"));

type Content = (typeof contents)[number][0];
const contents = [
  ["parquet", "PAR1"],
  ["zip", "PK\x03\x04"],
  ["sqlite", "SQLite format 3\0"],
  ["gzip", "\x1f\x8b"],
  ["zstd", "\x28\xb5\x2f\xfd"],
] as const;

export async function firstBytes(path: string): Promise<Buffer> {
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

const readable = /\.(?:eval|parquet|db|(?:csv|tsv|jsonl|ndjson|json)(?:\.gz|\.zst)?)$/i;
const isGenerationsLog = (path: string): boolean => basename(path) === "generations.log";
/** Dumps of rollouts, which slime's `--dump-details` calls by their number; other torch files in a folder are weights. */
const torchDump = /(^|_)(rollout|data|debug|eval)[\w-]*\.pt$|^\d+\.pt$/i;
/** Tables that are not read: they are named instead of passed over. */
const foreign = /\.(arrow|feather|pkl|pickle|bz2|xz)$/i;

/** Files beside traces that are about them but hold none: this project's own by their whole names, others' unless they are lists. */
const ownNotes =
  /^(?:index|events|state|run|signals|files|incidents|summary|solve-rates|problems|grades|grade-changes|trace-notes|wanted|sampling|pace|aggregated_results)\.jsonl?$|\.index\.jsonl?$/;
const othersNotes =
  /^(?:results|summary|run|meta|metadata|rl|trainer|orchestrator|inference|evals|config|args|tokenizer|special_tokens_map|vocab|wandb|trainer_state|dataset_dict|dataset_infos?)(?:[-_.][\w.-]*)?\.json$|_config\.json$/;
/** Numbers of trainers, a line a step: prime-rl's and SkyRL's, ms-swift's, LLaMA-Factory's, open-instruct's, EasyR1's; what NeMo-Gym asked, and totals. */
const othersLogs =
  /^(?:metrics|logging|trainer_log|checkpoints|progress|experiment_log|summary.*|.*_metadata|.*_materialized_inputs)\.(?:jsonl|csv)$|_aggregate_metrics\.json$|_(?:system|configs)\.parquet$/;

/** EvalScope's totals. */
const evaluationReport = /[\\/]reports[\\/][^\\/]+[\\/][^\\/]+\.json$/;

async function holdsTraces(path: string): Promise<boolean> {
  const name = basename(path);
  if (foreign.test(name)) return true;
  if (!(readable.test(name) || torchDump.test(name) || isGenerationsLog(name)) || ownNotes.test(name)) return false;
  if (othersLogs.test(name) || evaluationReport.test(path) || isWrittenTwice(path)) return false;
  return !othersNotes.test(name) || /^[\s\uFEFF]*\[/.test((await firstBytes(path)).toString("utf8"));
}

async function mayHoldTraces(path: string): Promise<boolean> {
  if (!["", ".txt", ".log", ".out", ".gz", ".zst"].includes(extname(path).toLowerCase()))
    return /^results(?:[-_.][\w.-]*)?\.json$/.test(basename(path));
  const start = await firstBytes(path);
  return contentKind(path, start) !== undefined || beginsLikeRows(start);
}

/** The same rollouts again, or their tokens, and where the rollouts are: prime-rl's episodes that it trained on, slime's batches. */
const writtenTwice = [
  [/[\\/]effective[\\/]traces\.jsonl$/, "../../all/traces.jsonl"],
  [/[\\/]train_data[\\/][^\\/]+\.pt$/, "../../rollout_data"],
  // Trackio copies its database into Parquet, of which one file has rollouts.
  [/_traces\.parquet$/, ".db"],
  [/(?<!_traces)\.parquet$/, "_traces.parquet"],
  // OpenCompass keeps its verdicts beside what they are about.
  [/[\\/]results[\\/][^\\/]+[\\/][^\\/]+\.json$/, "../../../predictions"],
  [/[\\/]token_exports[\\/][^\\/]+[\\/]rank_\d+\.jsonl$/, "../../../rollouts"],
] as const;

const isWrittenTwice = (path: string): boolean =>
  writtenTwice.some(
    ([again, first]) =>
      again.test(path) && existsSync(first.startsWith("../") ? join(path, first) : path.replace(again, first)),
  );

/** Of verl's tables of validation each has the rows of all before it: the last one is read. */
function lastTables(files: readonly string[]): readonly string[] {
  const table = /^(.*)_(\d+)_[0-9a-f]+\.table\.json$/;
  const last = new Map<string, number>();
  for (const file of files) {
    const found = /generations_\d+_/.test(file) ? table.exec(file) : null;
    if (found !== null) last.set(found[1], Math.max(last.get(found[1]) ?? 0, Number(found[2])));
  }
  return files.filter((file) => {
    const found = table.exec(file);
    return found === null || (last.get(found[1]) ?? Number(found[2])) === Number(found[2]);
  });
}

/** EvalScope writes every rollout twice: `predictions/<model>/<dataset>.jsonl`, and with its score under `reviews`. */
function isReviewed(file: string, files: ReadonlySet<string>): boolean {
  const review = file.replace(/(^|[\\/])predictions([\\/][^\\/]+[\\/][^\\/]+\.jsonl)$/, "$1reviews$2");
  return review !== file && files.has(review);
}

/** The files of traces under a path: itself, or what a folder holds, in natural order (2.jsonl before 10.jsonl). */
export async function traceFiles(path: string): Promise<readonly string[]> {
  const place = await stat(path).catch(() => undefined);
  if (place === undefined) throw new DataError(`${path} does not exist; name a run, a file or a folder of traces`);
  if (!place.isDirectory()) return [path];
  const found = await filesUnder(path);
  // An analysis inside a run is made from its traces and holds none.
  const analyses = new Set(found.filter((file) => basename(file) === "analysis.json").map((file) => dirname(file)));
  const files: string[] = [];
  for (const file of found) if (!analyses.has(dirname(file)) && (await holdsTraces(file))) files.push(file);
  // Rollouts may have any name: where nothing else is, what is called results is looked at, and what begins as they do.
  if (files.length === 0) for (const file of found) if (await mayHoldTraces(file)) files.push(file);
  if (!files.some((file) => !foreign.test(file))) {
    const [table] = files;
    throw new DataError(
      `${path} holds no traces; expected .jsonl, .json, .parquet or .eval files` +
        (table === undefined ? "" : ` (${basename(table)} is not read: write it as JSON lines or Parquet)`),
    );
  }
  files.sort(new Intl.Collator("en", { numeric: true }).compare);
  const all = new Set(files);
  return lastTables(files.filter((file) => !isReviewed(file, all)));
}

/** Links are followed, as the hub's cache is made of them; a folder that was seen is not entered again. */
async function filesUnder(folder: string, seen = new Set<string>()): Promise<string[]> {
  const place = await realpath(folder);
  if (seen.has(place)) return [];
  seen.add(place);
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // A link that leads nowhere is a file that cannot be read, and is named as one.
    const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
    if (target?.isDirectory()) files.push(...(await filesUnder(path, seen)));
    else if (target === undefined || target.isFile()) files.push(path);
  }
  return files;
}
