// One writer at a time. A lock is a file that says which process holds it. It is written whole beside its place and linked
// into it, which succeeds for one of any number at once. The lock of a process that is gone is replaced by one taker only:
// the one that holds a lock named after it, and finds it still in its place.
import { randomBytes, randomInt } from "node:crypto";
import { type FileHandle, link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { RunFolderError } from "../base/errors.ts";
import { namedAs } from "../base/files.ts";
import { ownIdentity, type ProcessIdentity, processIdentitySchema, processStatus } from "./process-identity.ts";

const lockSchema = processIdentitySchema.extend({
  /** Of this one holding; no two locks have the same. */
  token: z.string().regex(/^[0-9a-f]+$/),
});
type Lock = z.infer<typeof lockSchema>;

/** Somebody else has it. */
class LockedError extends RunFolderError {}

type HeldLock = { readonly release: () => Promise<void> };

/** How often a holder says that it lives, for those who cannot look its process up. */
const beatMs = 2_000;
/** On another machine or in another container, one that has said nothing for so long is gone. */
const silenceMs = 120_000;
/** Who waits for a lock that is held for moments waits so long. */
const patienceMs = 20_000;

/** For work of moments, whose holder is soon done: waits its turn. */
export async function waitForLock(file: string, what: string): Promise<HeldLock> {
  for (const late = Date.now() + patienceMs; ; ) {
    try {
      return await takeLock(file, what);
    } catch (error) {
      if (!(error instanceof LockedError) || Date.now() > late) throw error;
      // Not all who wait come back at the same moment.
      await pause(10 + randomInt(40));
    }
  }
}

/** Takes the lock or says who has it. `what` is what the lock is for, as the message names it. */
export async function takeLock(file: string, what: string): Promise<HeldLock> {
  const mine: Lock = { ...ownIdentity(), token: randomBytes(12).toString("hex") };
  const written = `${file}.${mine.token}.tmp`;
  const handle = await namedAs(what, written, () => open(written, "wx"));
  try {
    await namedAs(what, written, async () => {
      await handle.writeFile(`${JSON.stringify(mine)}\n`);
      await handle.sync();
    });
    for (;;) {
      const found = await tryLink(written, file);
      if (found === undefined) break;
      // By the clock that stamps the lock, which on a shared disk is another machine's.
      const holder = await lifeOf(file, found, (await stat(written)).mtimeMs);
      if (holder !== "gone") throw heldBy(found, holder, file, what);
      if (await replaceGone(written, file, found, what)) break;
    }
    // Still open: signs of life are written through it.
    return held(file, mine, handle);
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await rm(written, { force: true });
  }
}

/** Whether somebody holds the lock now; reads only. */
export async function isLocked(file: string): Promise<boolean> {
  const found = await readLock(file);
  return found !== undefined && (await lifeOf(file, found, Date.now())) !== "gone";
}

type Found = Lock | "unreadable";
type Life = "running" | "elsewhere" | "gone";

/** Undefined when the link is made; otherwise what is in its place. */
async function tryLink(written: string, file: string): Promise<Found | undefined> {
  for (;;) {
    try {
      await link(written, file);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") {
        throw new RunFolderError(
          `${file} cannot be made (${code}); locks need a folder that can be written and a file system with hard links`,
        );
      }
    }
    const found = await readLock(file);
    if (found !== undefined) return found;
  }
}

/** Locks come into being whole, so one that cannot be read was damaged later, and nobody can say that it is his. */
async function readLock(file: string): Promise<Found | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return lockSchema.parse(JSON.parse(text));
  } catch {
    return "unreadable";
  }
}

async function lifeOf(file: string, found: Found, now: number): Promise<Life> {
  if (found === "unreadable") return "gone";
  const place = processStatus(found);
  if (place !== "elsewhere") return place;
  const lastBeat = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  return now - lastBeat < silenceMs ? "elsewhere" : "gone";
}

/**
 * Puts the written lock in the place of one whose holder is gone. A dead holder does not come back and whoever replaces
 * its lock holds the lock named after it, so what is found there now stays until it is replaced from here.
 */
async function replaceGone(written: string, file: string, gone: Found, what: string): Promise<boolean> {
  const guard = await takeLock(`${file}.${gone === "unreadable" ? gone : gone.token}`, what);
  try {
    const found = await readLock(file);
    const same = gone === "unreadable" ? found === gone : typeof found === "object" && found.token === gone.token;
    if (same) await rename(written, file);
    return same;
  } finally {
    await guard.release();
  }
}

/** Writes what stands there already: only the time of the file changes. */
const beat = (handle: FileHandle) => handle.write("{", 0);

function held(file: string, mine: Lock, handle: FileHandle): HeldLock {
  const beats = setInterval(() => void beat(handle).catch(() => {}), beatMs).unref();
  return {
    release: async () => {
      clearInterval(beats);
      await handle.close();
      const found = await readLock(file);
      if (typeof found === "object" && found.token === mine.token) await rm(file, { force: true });
    },
  };
}

function heldBy(found: Found, life: Life, file: string, what: string): LockedError {
  const { pid, host } = found as ProcessIdentity;
  return new LockedError(
    life === "running"
      ? `${what} is being written by process ${pid}; wait for it or end it (its lock is ${file})`
      : `${what} is being written by process ${pid} on ${host}, in another container or on another machine; if that one is ` +
          `gone, try again in ${silenceMs / 60_000} minutes or delete ${file}`,
  );
}
