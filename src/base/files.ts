// Files that are whole or absent: written beside their place, synced, then renamed into it; and the folders they lie in.
import { randomBytes } from "node:crypto";
import { access, constants, lstat, mkdir, open, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * The folder and those above it that are missing. Not Node's own `recursive`: where a file system lets nobody make
 * folders and says ENOENT, as /proc does, that one tries for ever and cannot be interrupted.
 */
export async function makeFolder(path: string): Promise<void> {
  const place = resolve(path);
  if ((await refusal(place)) === undefined) return;
  if (!(await exists(dirname(place)))) await makeFolder(dirname(place));
  // What is above it is there now, made here or by another process in between. Where it is refused again, nothing helps.
  const again = await refusal(place);
  if (again !== undefined) throw again;
}

/** Fails at once where `makeFolder` would fail after the work is done; leaves nothing behind. */
export async function tryFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let place = resolve(path); !(await exists(place)); place = dirname(place)) missing.push(place);
  await makeFolder(path);
  await access(path, constants.W_OK);
  // What somebody else has put something into meanwhile stays.
  for (const place of missing) await rmdir(place).catch(() => {});
}

/** Why the folder could not be made, when what is above it may be missing; nothing when it is there. */
async function refusal(place: string): Promise<unknown> {
  try {
    await mkdir(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return error;
    if (code !== "EEXIST" || !(await isFolder(place))) throw error;
  }
  return undefined;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "w");
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
