import { copyFile, mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFolderAtomically } from "../../src/base/atomic-folder.ts";
import { makeFolder, tryFile, tryFolder } from "../../src/base/files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "repertoire-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("many may make the same deep folder at once", async () => {
  for (let round = 0; round < 20; round++) {
    const path = join(folder, String(round), "a", "b", "c");
    await Promise.all(Array.from({ length: 16 }, () => makeFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  }
});

it("a file in the way is an error, at the end and on the way", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(makeFolder(join(folder, "file"))).rejects.toThrow(/EEXIST/);
  await expect(makeFolder(join(folder, "file", "below"))).rejects.toThrow(/ENOTDIR/);
});

it("a folder is tried without a trace, and refused where it could not be made", async () => {
  await tryFolder(join(folder, "a", "b"));
  expect(await readdir(folder)).toEqual([]);
  await makeFolder(join(folder, "there"));
  await tryFolder(join(folder, "there"));
  await tryFolder(join(folder, "there", "below"));
  expect(await readdir(folder, { recursive: true })).toEqual(["there"]);
  await writeFile(join(folder, "file"), "");
  await expect(tryFolder(join(folder, "file"))).rejects.toThrow(/EEXIST/);
  await expect(tryFolder(join(folder, "file", "below"))).rejects.toThrow(/ENOTDIR/);
});

it("a link to itself and too long a name are refused as files, a name that is free is not", async () => {
  const loop = join(folder, "loop");
  await symlink("loop", loop);
  await expect(tryFile(loop)).rejects.toThrow(/ELOOP/);
  expect(await readlink(loop)).toBe("loop");
  await expect(tryFile(join(folder, "x".repeat(300)))).rejects.toThrow(/ENAMETOOLONG/);
  await tryFile(join(folder, "free", "name"));
  expect(await readdir(folder)).toEqual(["loop"]);
});

it("what cannot be copied into a folder is said of the folder that was asked for", async () => {
  const [file, asked] = [join(folder, "file"), join(folder, "asked")];
  await writeFile(file, "");
  const copied = writeFolderAtomically(asked, (fresh) => copyFile(file, join(fresh, "missing", "file")));
  await expect(copied).rejects.toMatchObject({ code: "ENOENT", path: file, dest: asked });
});
