// The rollouts of an evaluation on disk: an append-only log and beside it an index with everything but the texts, so that
// resuming, summing up and looking one rollout up never read gigabytes. The log is the truth; a missing or lagging index
// is made again from it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DataError, messageOf, schemaProblems } from "../base/errors.ts";
import { placedLines, readJsonLinesFile } from "../base/json-lines.ts";
import { textFingerprint } from "../endpoints/ignored-parameters.ts";
import { type Rollout, rolloutKey, rolloutSchema, rolloutStateSchema } from "../rollouts/rollout.ts";
import { AppendLog } from "../runs/append-log.ts";
import { type LogFile, logSize, logStream, openLog } from "../runs/packed-log.ts";
import { rolloutFile } from "./evaluation-folder.ts";

const indexEntrySchema = z.object({
  problem: z.string(),
  attempt: z.number().int().nonnegative(),
  state: rolloutStateSchema,
  /** Where the record lies in the log. */
  offset: z.number().int().nonnegative(),
  bytes: z.number().int().positive(),
  turns: z.number().optional(),
  responseTokens: z.number().optional(),
  promptTokens: z.number().optional(),
  milliseconds: z.number().optional(),
  cost: z.number().optional(),
  servedBy: z.string().optional(),
  finish: z.string().optional(),
  failure: z.string().optional(),
  /** Of what was said, thinking included. */
  fingerprint: z.string().optional(),
  /** Ended by itself without an answer: after reasoning, or without a word. */
  empty: z.enum(["reasoned", "silent"]).optional(),
});
export type StoredRollout = z.infer<typeof indexEntrySchema>;

/** A line of the index vouches for itself: one that was changed is made again from the log. */
export const indexLine = (entry: StoredRollout) => ({ ...entry, check: checkOf(entry) });
const checkOf = (entry: StoredRollout): string =>
  createHash("sha256").update(JSON.stringify(entry)).digest("hex").slice(0, 12);
function readIndexLine(value: unknown): StoredRollout | undefined {
  const line = z.looseObject({ check: z.string() }).safeParse(value);
  const entry = indexEntrySchema.safeParse(value);
  return line.success && entry.success && line.data.check === checkOf(entry.data) ? entry.data : undefined;
}

/** What others made is packed. */
export const rolloutFiles = { log: rolloutFile, packed: "rollouts", index: "rollouts.index.jsonl" } as const;

/** The log of a folder, whether it is there or not. */
export function rolloutLog(folder: string): string {
  const path = join(folder, rolloutFiles.log);
  const packed = join(folder, rolloutFiles.packed);
  return !existsSync(path) && existsSync(packed) ? packed : path;
}

type StoreReadOptions = {
  /** Hears of records that cannot be read and are passed over; without it the first is an error. */
  readonly onBroken?: (message: string) => void;
};

export class RolloutStore {
  readonly #path: string;
  readonly #log: AppendLog | undefined;
  readonly #index: AppendLog | undefined;
  readonly #entries: Map<string, StoredRollout>;
  #sorted: readonly StoredRollout[] | undefined;
  #reader: Promise<LogFile> | undefined;
  #unwritten: Rollout[] = [];
  #nextWrite: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #onBroken: StoreReadOptions["onBroken"];

  private constructor(path: string, entries: Map<string, StoredRollout>, log?: AppendLog, index?: AppendLog) {
    this.#path = path;
    this.#entries = entries;
    this.#log = log;
    this.#index = index;
  }

  /** To write; one process at a time, which is the run folder's to see to. */
  static async open(folder: string): Promise<RolloutStore> {
    const path = join(folder, rolloutFiles.log);
    const log = await AppendLog.open(path);
    const index = await AppendLog.open(join(folder, rolloutFiles.index));
    const { entries, unindexed, stale } = await readEntries(folder, log.bytes);
    // Begun anew, so that no line that was passed over stays in it.
    if (stale) await index.cutTo(0);
    const missing = stale ? [...entries, ...unindexed] : unindexed;
    for (let i = 0; i < missing.length; i += 1000) await index.append(...missing.slice(i, i + 1000).map(indexLine));
    return new RolloutStore(path, latest([...entries, ...unindexed]), log, index);
  }

  /** To read only; somebody else may be writing meanwhile. */
  static async read(folder: string, { onBroken }: StoreReadOptions = {}): Promise<RolloutStore> {
    const path = rolloutLog(folder);
    const size = await logSize(path);
    if (size === undefined) throw new DataError(`${path} does not exist; ${folder} holds no evaluation`);
    const { entries, unindexed } = await readEntries(folder, size, onBroken);
    const store = new RolloutStore(path, latest([...entries, ...unindexed]));
    store.#onBroken = onBroken;
    return store;
  }

  /** One per (problem, attempt), in their order and not in that of the log, which depends on who answered first. */
  entries(): readonly StoredRollout[] {
    this.#sorted ??= [...this.#entries.values()].sort(byProblemAndAttempt);
    return this.#sorted;
  }

  get(problem: string, attempt: number): StoredRollout | undefined {
    return this.#entries.get(rolloutKey({ problem, attempt }));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Resolves when the records are safely on disk. Calls that come while one is being written go out together. */
  append(...rollouts: readonly Rollout[]): Promise<void> {
    if (this.#log === undefined || this.#index === undefined) throw new Error("this store was opened to read");
    this.#unwritten.push(...rollouts);
    this.#nextWrite ??= this.#write(this.#lastWrite, this.#log, this.#index);
    return this.#nextWrite;
  }

  async #write(before: Promise<void>, log: AppendLog, index: AppendLog): Promise<void> {
    // One turn of the event loop at least, so that callers of the same moment share the write.
    await before.catch(() => {});
    const rollouts = this.#unwritten.splice(0);
    this.#lastWrite = this.#nextWrite!;
    this.#nextWrite = undefined;
    let offset = log.bytes;
    const added = rollouts.map((rollout) => {
      const entry = indexEntry(rollout, offset, Buffer.byteLength(JSON.stringify(rollout)));
      offset += entry.bytes + 1;
      return entry;
    });
    await log.append(...rollouts);
    await index.append(...added.map(indexLine));
    for (const entry of added) supersede(this.#entries, entry);
    this.#sorted = undefined;
  }

  async rollout(entry: StoredRollout): Promise<Rollout> {
    this.#reader ??= openLog(this.#path);
    const reader = await this.#reader;
    const buffer = Buffer.alloc(entry.bytes);
    await reader.read(buffer, 0, entry.bytes, entry.offset);
    return parseRollout(buffer.toString("utf8"), `${this.#path} at byte ${entry.offset}`);
  }

  /** Every rollout with its text, one at a time. */
  async *rollouts(): AsyncGenerator<Rollout> {
    for (const entry of this.entries()) {
      try {
        yield await this.rollout(entry);
      } catch (error) {
        if (!(error instanceof DataError) || this.#onBroken === undefined) throw error;
        this.#onBroken(error.message);
      }
    }
  }

  async close(): Promise<void> {
    await (this.#nextWrite ?? this.#lastWrite).catch(() => {});
    await this.#log?.close();
    await this.#index?.close();
    await (await this.#reader)?.close();
  }
}

export function indexEntry(rollout: Rollout, offset: number, bytes: number): StoredRollout {
  const { problem, attempt, state, responseTokens, promptTokens, milliseconds, cost } = rollout;
  const { servedBy, finish, failure, response, reasoning = "" } = rollout;
  const fingerprint = state === "failed" ? undefined : textFingerprint(`${reasoning}\u0000${response}`);
  const ended = state === "complete" && response.trim() === "";
  const empty = !ended ? undefined : reasoning.trim() === "" ? ("silent" as const) : ("reasoned" as const);
  const measured = {
    turns: rollout.turns,
    responseTokens,
    promptTokens,
    milliseconds,
    cost,
    servedBy,
    finish,
    failure,
    fingerprint,
    empty,
  };
  return { problem, attempt, state, offset, bytes, ...measured };
}

const byProblemAndAttempt = (a: StoredRollout, b: StoredRollout): number =>
  a.problem === b.problem ? a.attempt - b.attempt : a.problem < b.problem ? -1 : 1;

function latest(entries: readonly StoredRollout[]): Map<string, StoredRollout> {
  const kept = new Map<string, StoredRollout>();
  for (const entry of entries) supersede(kept, entry);
  return kept;
}

/** A failed attempt gives way to the next; an answered one stays, so that nothing counts twice. */
function supersede(kept: Map<string, StoredRollout>, entry: StoredRollout): void {
  const key = rolloutKey(entry);
  const before = kept.get(key);
  if (before === undefined || before.state === "failed") {
    kept.delete(key);
    kept.set(key, entry);
  }
}

type Entries = {
  readonly entries: StoredRollout[];
  /** In the log but not yet in the index. */
  readonly unindexed: StoredRollout[];
  /** The index does not fit its log, at least from some line on. */
  readonly stale: boolean;
};

async function readEntries(
  folder: string,
  logBytes: number,
  onBroken?: StoreReadOptions["onBroken"],
): Promise<Entries> {
  const path = rolloutLog(folder);
  const indexPath = join(folder, rolloutFiles.index);
  const entries: StoredRollout[] = [];
  let end = 0;
  let stale = false;
  if (existsSync(indexPath)) {
    for await (const read of readJsonLinesFile(indexPath)) {
      // Torn, changed, or of another log: from here on the log is read.
      const entry = "value" in read ? readIndexLine(read.value) : undefined;
      if (entry === undefined || entry.offset !== end || end + entry.bytes + 1 > logBytes) {
        stale = true;
        break;
      }
      entries.push(entry);
      end += entry.bytes + 1;
    }
  }
  const unindexed: StoredRollout[] = [];
  for await (const { offset, content, ended } of placedLines(logStream(path, end), end)) {
    // The last line may be on its way.
    if (!ended) break;
    try {
      const rollout = parseRollout(content.toString("utf8"), `${path} at byte ${offset}`);
      unindexed.push(indexEntry(rollout, offset, content.length));
    } catch (error) {
      if (!(error instanceof DataError) || onBroken === undefined) throw error;
      onBroken(error.message);
    }
  }
  return { entries, unindexed, stale };
}

function parseRollout(text: string, place: string): Rollout {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(
      `${place}: a broken record (${messageOf(error)}); nothing was changed: repair or remove that line and run again`,
    );
  }
  const rollout = rolloutSchema.safeParse(value);
  if (!rollout.success) throw new DataError(`${place}: not a rollout: ${schemaProblems(rollout.error)}`);
  return rollout.data;
}
