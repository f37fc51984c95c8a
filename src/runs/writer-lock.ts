// One writer at a time. A lock is a file that says which process holds it. It is written whole beside its place and linked
// into it, which succeeds for one of any number at once. The lock of a process that is gone is replaced by one taker only:
// the one that holds a lock named after it, and finds it still in its place.
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { RunFolderError } from "../base/errors.ts";
import { namedAs } from "../base/files.ts";

/** A process id alone is used again, by another process or after a restart; host, boot and start make it one for ever. */
const lockSchema = z.object({
  host: z.string(),
  /** Changes with every start of the machine; empty, as the next two, where the system does not tell. */
  boot: z.string(),
  /** Processes of another pid namespace (another container) cannot be seen from here. */
  namespace: z.string(),
  started: z.string(),
  pid: z.int().positive(),
  /** Of this one holding; no two locks have the same. */
  token: z.string().regex(/^[0-9a-f]+$/),
});
type Lock = z.infer<typeof lockSchema>;
/** Locks come into being whole, so one that cannot be read was damaged later, and nobody can say that it is his. */
type Found = Lock | "unreadable";
/** `elsewhere`: on another host or in another container, where processes cannot be looked up. */
type Life = "running" | "gone" | "elsewhere";

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
  const { token, ...identity } = { ...ownIdentity(), token: randomBytes(12).toString("hex") };
  const written = `${file}.${token}.tmp`;
  const handle = await namedAs(what, written, () => open(written, "wx"));
  try {
    await namedAs(what, written, async () => {
      await handle.writeFile(`${JSON.stringify({ ...identity, token })}\n`);
      await handle.sync();
    });
    while (!(await linked(written, file))) {
      const found = await readLock(file);
      if (found === undefined) continue;
      // By the clock that stamps the lock, which on a shared disk is another machine's.
      const life = await lifeOf(file, found, (await stat(written)).mtimeMs);
      if (life !== "gone") throw heldBy(found, life, file, what);
      if (await replaceGone(written, file, found, what)) break;
    }
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await rm(written, { force: true });
  }
  // Writes what stands there already: only the time of the file changes.
  const beats = setInterval(() => void handle.write("{", 0).catch(() => {}), beatMs).unref();
  return {
    release: async () => {
      clearInterval(beats);
      await handle.close();
      if (tokenOf(await readLock(file)) === token) await rm(file, { force: true });
    },
  };
}

/** Whether somebody holds the lock now; reads only. */
export async function isLocked(file: string): Promise<boolean> {
  const found = await readLock(file);
  return found !== undefined && (await lifeOf(file, found, Date.now())) !== "gone";
}

/** False where something is in its place. */
async function linked(written: string, file: string): Promise<boolean> {
  try {
    await link(written, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new RunFolderError(
      `${file} cannot be made (${code}); locks need a folder that can be written and a file system with hard links`,
    );
  }
}

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

const tokenOf = (found: Found | undefined) => (typeof found === "object" ? found.token : found);

/**
 * Puts the written lock in the place of one whose holder is gone. A dead holder does not come back and whoever replaces
 * its lock holds the lock named after it, so what is found there now stays until it is replaced from here.
 */
async function replaceGone(written: string, file: string, gone: Found, what: string): Promise<boolean> {
  const guard = await takeLock(`${file}.${tokenOf(gone)}`, what);
  try {
    const same = tokenOf(await readLock(file)) === tokenOf(gone);
    if (same) await rename(written, file);
    return same;
  } finally {
    await guard.release();
  }
}

function heldBy(found: Found, life: Life, file: string, what: string): LockedError {
  const { pid, host } = found as Lock;
  return new LockedError(
    life === "running"
      ? `${what} is being written by process ${pid}; wait for it or end it (its lock is ${file})`
      : `${what} is being written by process ${pid} on ${host}, in another container or on another machine; if that one is ` +
          `gone, try again in ${silenceMs / 60_000} minutes or delete ${file}`,
  );
}

// ---- Whether a process still lives ---------------------------------------------------------------------------------

export const ownIdentity = (): Omit<Lock, "token"> => ({
  host: hostname(),
  boot: told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
  namespace: told(() => readlinkSync("/proc/self/ns/pid")),
  pid: process.pid,
  started: startOf(process.pid) ?? "",
});

async function lifeOf(file: string, found: Found, now: number): Promise<Life> {
  if (found === "unreadable") return "gone";
  const { host, boot, namespace } = ownIdentity();
  if (found.host === host && found.boot !== boot) return "gone";
  if (found.host !== host || found.namespace !== namespace) {
    const lastBeat = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
    return now - lastBeat < silenceMs ? "elsewhere" : "gone";
  }
  const started = startOf(found.pid);
  const same = started === "" || found.started === "" || started === found.started;
  return started !== undefined && same ? "running" : "gone";
}

/** When a process started, "" where that cannot be learned; undefined when no such process runs. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === "") return "";
  // The name of the command stands in brackets and may hold anything; what follows the last one is state, parent, …
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Ended, and nobody waited for it; while it dies, its other threads may still be writing.
  const ended = (fields[0] === "Z" || fields[0] === "X") && Number(fields[17]) <= 1;
  return ended ? undefined : fields[19];
}

function told(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
