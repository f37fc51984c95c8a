// What finished files were: bytes, lines and SHA-256 of each, kept in `files.json` beside them. Whoever reads such a file
// asks here first, so that lost lines and flipped bytes are named instead of counted.
import { createHash, type Hash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DataError } from "./errors.ts";
import { writeFileAtomically } from "./files.ts";
import { readJsonFile } from "./json-file.ts";

const recordFile = "files.json";

const digestSchema = z.object({
  bytes: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  sha256: z.string(),
  /** Somebody adds to the file: what was there when he began is what is recorded. */
  growing: z.literal(true).optional(),
});
export type FileDigest = z.infer<typeof digestSchema>;

const recordSchema = z.object({ version: z.literal(1), files: z.record(z.string(), digestSchema) });
type FileRecord = z.infer<typeof recordSchema>["files"];

export type Damage = { readonly file: string; readonly problem: string };

export type AcceptDamage = (damage: Damage) => void | Promise<void>;

export type DamageOptions = {
  /** Hears of damage that is accepted; without it damage is an error. */
  readonly accept?: AcceptDamage;
  /** Only these files; all that are recorded by default. */
  readonly only?: readonly string[];
  /** What else a reader may do about it; by default, to accept it. */
  readonly otherwise?: string;
};

/** Counts and hashes bytes as they come; what has been added so far can be asked at any time. */
export class Digester {
  readonly #hash: Hash = createHash("sha256");
  #bytes = 0;
  #lines = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.#lines += 1;
  }

  get digest(): FileDigest {
    return { bytes: this.#bytes, lines: this.#lines, sha256: this.#hash.copy().digest("hex") };
  }
}

/** Of a file, or of its first bytes. */
export async function digestOf(path: string, bytes = Number.POSITIVE_INFINITY): Promise<FileDigest> {
  const digester = new Digester();
  if (bytes > 0) {
    const stream = createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 });
    for await (const chunk of stream) digester.add(chunk as Buffer);
  }
  return digester.digest;
}

/** Writes down what files of a folder are now; what was written down of others stays. */
export async function recordFiles(folder: string, names: readonly string[], record = recordFile): Promise<void> {
  const files: FileRecord = { ...(await readRecord(join(folder, record))) };
  for (const name of names) {
    delete files[name];
    if (existsSync(join(folder, name))) files[name] = await digestOf(join(folder, name));
  }
  await writeRecord(join(folder, record), files);
}

/** Before finished files change: those that only grow must keep their beginning, the others may become anything. */
export async function expectChanges(
  folder: string,
  { growing, replaced }: { readonly growing: readonly string[]; readonly replaced: readonly string[] },
): Promise<void> {
  const path = join(folder, recordFile);
  const record = await readRecord(path);
  if (record === undefined) return;
  const files: FileRecord = { ...record };
  for (const name of growing) if (files[name] !== undefined) files[name] = { ...files[name], growing: true };
  for (const name of replaced) delete files[name];
  await writeRecord(path, files);
}

/** Whether a folder says what these files were when they were finished. */
export async function isRecorded(folder: string, names: readonly string[]): Promise<boolean> {
  const record = await readRecord(join(folder, recordFile));
  return names.every((name) => record?.[name] !== undefined);
}

/**
 * Compares the files of a folder with what was written down when they were finished. A folder without such a record
 * promises nothing. Returns the damage that was accepted.
 */
export async function checkFiles(folder: string, options: DamageOptions = {}, record = recordFile): Promise<Damage[]> {
  const files = (await readRecord(join(folder, record))) ?? {};
  const damage: Damage[] = [];
  for (const [name, recorded] of Object.entries(files)) {
    if (options.only !== undefined && !options.only.includes(name)) continue;
    const problem = await problemOf(join(folder, name), recorded);
    if (problem !== undefined) damage.push({ file: join(folder, name), problem });
  }
  for (const each of damage) {
    if (options.accept === undefined) {
      const more = damage.length > 1 ? ` (and ${damage.length - 1} more files of this folder)` : "";
      throw new DataError(
        `${each.file} is damaged: ${each.problem}${more}; restore it from a copy, remove the folder to create it again, ` +
          (options.otherwise ?? "or continue with --accept-damage"),
      );
    }
    await options.accept(each);
  }
  return damage;
}

/**
 * What can be seen of recorded files without reading them: whether they are there, their size, and the ends of JSON lines.
 * For whoever shows what was made from them and would not read gigabytes for it.
 */
export async function visibleDamage(folder: string): Promise<Damage[]> {
  const files = (await readRecord(join(folder, recordFile))) ?? {};
  const damage: Damage[] = [];
  for (const [name, recorded] of Object.entries(files)) {
    const file = join(folder, name);
    const problem = await visibleProblemOf(file, recorded);
    if (problem !== undefined) damage.push({ file, problem });
  }
  return damage;
}

async function visibleProblemOf(path: string, { growing, bytes, lines }: FileDigest): Promise<string | undefined> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (handle === undefined) return missing(lines);
  try {
    const { size } = await handle.stat();
    if (growing ? size < bytes : size !== bytes) return `it has ${size} of ${bytes} bytes`;
    if (!path.endsWith(".jsonl") || bytes === 0) return undefined;
    const first = await handle.read(Buffer.alloc(1), 0, 1, 0);
    const last = await handle.read(Buffer.alloc(1), 0, 1, bytes - 1);
    return `${first.buffer}${last.buffer}` === "{\n" ? undefined : "it does not begin and end as JSON lines do";
  } finally {
    await handle.close();
  }
}

const missing = (lines: number) => `it is missing, and had ${linesOf(lines)}`;

async function problemOf(path: string, { growing, ...recorded }: FileDigest): Promise<string | undefined> {
  if (!existsSync(path)) return missing(recorded.lines);
  const present = await digestOf(path, growing ? recorded.bytes : undefined);
  if (present.sha256 === recorded.sha256) return undefined;
  if (present.lines !== recorded.lines) return `it has ${present.lines} of ${linesOf(recorded.lines)}`;
  if (present.bytes !== recorded.bytes) return `it has ${present.bytes} of ${recorded.bytes} bytes`;
  return "its content is not what it was when it was finished (SHA-256 differs)";
}

const linesOf = (count: number) => `${count} line${count === 1 ? "" : "s"}`;

async function readRecord(path: string): Promise<FileRecord | undefined> {
  if (!existsSync(path)) return undefined;
  const remedy = "restore it, or delete it to continue without knowing what the files were";
  return (await readJsonFile(path, recordSchema, { remedy })).files;
}

async function writeRecord(path: string, files: FileRecord): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFileAtomically(path, `${JSON.stringify({ version: 1, files: sorted }, null, 2)}\n`);
}
