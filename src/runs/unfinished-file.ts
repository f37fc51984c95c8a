// A file of JSON lines that is written over minutes or hours: under another name until it is whole, by one process at a
// time, gone on with when that was stopped, and never in place of another.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { makeFolder } from "../base/files.ts";
import { AppendLog } from "./append-log.ts";
import { takeLock } from "./writer-lock.ts";

/** `write` appends what is missing; `finish` puts the whole file into its place, by renaming it unless said. */
export async function writeUnfinished<T>(
  out: string,
  write: (log: AppendLog) => Promise<T>,
  finish: (unfinished: string, out: string) => Promise<void> = rename,
): Promise<T> {
  const refuse = () => {
    if (existsSync(out)) throw new ConfigurationError(`${out} exists; choose another name or remove it`);
  };
  refuse();
  await makeFolder(dirname(out));
  const lock = await takeLock(`${out}.lock`, out);
  try {
    // Another process may have finished it before the lock was ours.
    refuse();
    const log = await AppendLog.open(`${out}.unfinished.jsonl`);
    let result: T;
    try {
      result = await write(log);
    } finally {
      await log.close();
    }
    await finish(log.path, out);
    return result;
  } finally {
    await lock.release();
  }
}
