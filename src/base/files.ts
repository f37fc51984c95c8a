// Files that are whole or absent: written beside their place, synced, then renamed into it; and the folders they lie in.
import { randomBytes } from "node:crypto";
import { access, constants, lstat, mkdir, open, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
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

/** Whatever the system refuses meanwhile is said of the path that was asked for, not of a name that is ours alone. */
export async function namedAs<Result>(path: string, ours: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { syscall, path: said = ours, dest } = error as NodeJS.ErrnoException & { dest?: string };
    // A handle that is written to does not say of which file.
    if (syscall !== undefined && said.startsWith(ours)) Object.assign(error as Error, { path });
    // What is copied into it.
    if (dest?.startsWith(ours)) Object.assign(error as Error, { dest: path });
    throw error;
  }
}

/** Fails at once where writing the file would fail after the work is done. */
export async function tryFile(path: string): Promise<void> {
  const existing = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // A link to itself, too long a name: what is renamed onto it must not hide that.
    if (error.code !== "ENOENT") throw error;
  });
  if (existing?.isDirectory())
    throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR", syscall: "open", path });
  if (!existing) await tryFolder(dirname(resolve(path)));
  else await access(path, constants.W_OK);
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
  const existing = await stat(path).catch(() => undefined);
  // A pipe or a device (/dev/stdout, /dev/null) is written to; what is renamed onto it would take its place.
  if (existing !== undefined && !existing.isFile() && !existing.isDirectory())
    return namedAs(path, path, () => writeFile(path, content));
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await namedAs(path, temporary, async () => {
      await writeSynced(temporary, content);
      await rename(temporary, path);
    });
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
