// Folders that are whole or absent: written under another name, synced, then renamed into place. A folder that is
// replaced stays beside the new one until that is in place, and is found again if the process dies in between.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, namedAs } from "./files.ts";

export async function writeFolderAtomically(folder: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const parent = dirname(folder);
  await makeFolder(parent);
  const mark = randomBytes(6).toString("hex");
  const fresh = join(parent, `.${basename(folder)}.new-${mark}`);
  const replaced = join(parent, `.${basename(folder)}.old-${mark}`);
  try {
    // Nobody has asked for the name that it has meanwhile.
    await namedAs(folder, fresh, async () => {
      await mkdir(fresh);
      await fill(fresh);
      if (existsSync(folder)) await rename(folder, replaced);
      await rename(fresh, folder);
      await syncFolder(parent);
    });
  } catch (error) {
    await rm(fresh, { recursive: true, force: true }).catch(() => {});
    if (!existsSync(folder) && existsSync(replaced)) await rename(replaced, folder);
    throw error;
  }
  await rm(replaced, { recursive: true, force: true });
}

/** Puts back what a killed writer had moved aside. */
export async function recoverFolder(folder: string): Promise<void> {
  if (existsSync(folder) || !existsSync(dirname(folder))) return;
  const prefix = `.${basename(folder)}.old-`;
  const replaced = (await readdir(dirname(folder))).find((name) => name.startsWith(prefix));
  if (replaced !== undefined) await rename(join(dirname(folder), replaced), folder);
}

/** Removes what killed writers of a folder left beside it; only for whoever knows that no other writes it now. */
export async function removeUnfinished(folder: string): Promise<void> {
  if (!existsSync(dirname(folder))) return;
  const prefix = `.${basename(folder)}.new-`;
  for (const name of await readdir(dirname(folder)))
    if (name.startsWith(prefix)) await rm(join(dirname(folder), name), { recursive: true });
}

async function syncFolder(folder: string): Promise<void> {
  // Not every platform lets a folder be opened; the rename itself is done either way.
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
