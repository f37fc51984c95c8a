// A page that needs no server, as a folder: the client, the script of its workers, and a run to show, if one is given. It
// opens from a disk or from any web server.
import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { zipSync } from "fflate";
import { removeUnfinished, writeFolderAtomically } from "../../base/atomic-folder.ts";
import { ConfigurationError } from "../../base/errors.ts";
import { makeFolder } from "../../base/files.ts";
import { takeLock } from "../../runs/writer-lock.ts";
import { shippedClassifier } from "../../traces/classifier/model-file.ts";

export type PageOptions = {
  readonly out: string;
  /** Where the built client lies. */
  readonly client: string;
  /** A run's folder, or an archive of one, and what it is called. */
  readonly run?: { readonly path: string; readonly name: string };
};

/**
 * Nothing from elsewhere and nothing inline, as far as a page can say it of itself. On a disk a page's own files are not
 * its origin's, so they are named by their scheme. Connections are the page's own to forbid: to all, or to all but the one
 * file that its address names.
 */
const policy =
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; worker-src blob:; ` +
  `style-src 'self' file:; img-src 'self' file: data:; connect-src http: https:; base-uri 'none'; form-action 'none'">`;

/** What a page can hold; a browser keeps all of it in memory. */
const mostBytes = 150 * 2 ** 20;

/** The folder appears when it is whole: one that was killed leaves nothing that looks like a page. Returns its index. */
export async function writePage({ out: given, client, run }: PageOptions): Promise<string> {
  const out = resolve(given);
  const refuse = () => {
    if (existsSync(out))
      throw new ConfigurationError(`${out} exists; a page is never overwritten: choose another --out`);
  };
  refuse();
  const source = join(client, "page.html");
  if (!existsSync(source)) throw new ConfigurationError("the dashboard's pages are not built; run: npm run build");
  const archive = run && (await archiveOf(run.path));
  await makeFolder(dirname(out));
  const lock = await takeLock(`${out}.lock`, out);
  try {
    refuse();
    await removeUnfinished(out);
    await writeFolderAtomically(out, async (fresh) => {
      await cp(join(client, "assets"), join(fresh, "assets"), { recursive: true });
      await giveClassifier(join(fresh, "assets"));
      const held = run === undefined ? "" : `\n<meta name="repertoire-run" content="${attribute(run.name)}">`;
      const page = await readFile(source, "utf8");
      await writeFile(
        join(fresh, "index.html"),
        page.replace("<head>", () => `<head>\n${policy}${held}`),
      );
      if (archive === undefined) return;
      await makeFolder(join(fresh, "data"));
      await writeFile(join(fresh, "data", "run.js"), `repertoireRun="${archive.toString("base64")}"\n`);
    });
  } finally {
    await lock.release();
  }
  return join(given, "index.html");
}

/** The workers of a page opened from a disk can fetch nothing, so their script holds the classifier; the package has it once. */
async function giveClassifier(assets: string): Promise<void> {
  const lab = (await readdir(assets)).find((name) => name.startsWith("lab-"));
  if (lab === undefined) throw new ConfigurationError("the dashboard's pages are not built; run: npm run build");
  const files: Record<string, string> = {};
  for (const name of ["classifier.json", "weights.bin.gz"])
    files[name] = (await readFile(new URL(name, shippedClassifier))).toString("base64");
  const script = await readFile(join(assets, lab), "utf8");
  await writeFile(
    join(assets, lab),
    script.replace("{", () => `{const SHIPPED_CLASSIFIER=${JSON.stringify(files)};`),
  );
}

const attribute = (text: string): string => text.replace(/[&"<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Equal files make equal archives. */
const packing = { level: 9, mtime: new Date(1980, 0, 1) } as const;

async function archiveOf(path: string): Promise<Buffer> {
  if (path.endsWith(".zip")) return readFile(path);
  if (!existsSync(join(path, "run.json")))
    throw new ConfigurationError(
      `${path} is not a run folder (it has no run.json); give one that a run wrote, for example runs/mini`,
    );
  const files = await filesOf(path, "");
  const bytes = Object.values(files).reduce((total, { length }) => total + length, 0);
  if (bytes > mostBytes)
    throw new ConfigurationError(
      `${path} holds ${Math.round(bytes / 2 ** 20)} MB to show, and a page at most ${mostBytes >> 20}; serve it instead: repertoire dashboard ${path}`,
    );
  return Buffer.from(zipSync(files, packing));
}

/** What is shown of a run: its logs and what was made of them, never its models. */
const shownFile = /\.(?:json|jsonl|jsonl\.gz|parquet)$/;
/** Nor what only queries ask for, or can be found in the logs again. */
const hidden =
  /^(?:\.|checkpoints$|labeled-slices$|report$|motifs\.parquet$|measures\.parquet$|rollouts\.index\.jsonl$)|\.lock/;

async function filesOf(folder: string, within: string): Promise<Record<string, Buffer>> {
  const found: Record<string, Buffer> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [path, name] = [join(folder, entry.name), `${within}${entry.name}`];
    if (hidden.test(entry.name)) continue;
    if (entry.isDirectory()) Object.assign(found, await filesOf(path, `${name}/`));
    else if (entry.isFile() && shownFile.test(entry.name)) found[name] = await readFile(path);
  }
  return found;
}

export const pageName = (run: string): string => basename(resolve(run)).replace(/\.zip$/, "");
