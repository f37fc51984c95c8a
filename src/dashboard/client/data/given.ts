// What a visitor gives, as files with paths: dropped, chosen, pasted, or named by an address; told apart into runs of ours
// and rollouts of others, and refused where a tab has no room for it.
import type { GivenFile } from "../../page/messages.ts";

const megabyte = 2 ** 20;
/** Bytes that are read; more belongs to a program that keeps them on a disk. */
export const mostBytes = 256 * megabyte;

/** Packed text grows to about this many times its size. */
const growth = 4;
const packed = /\.(?:gz|zst|parquet|eval|zip)$/i;
/** What a run folder holds that nothing here reads: weights and what training resumes from. */
const unread = /\.(?:safetensors|onnx|bin)$/i;

const sizeOf = ({ path, content }: GivenFile): number => content.size * (packed.test(path) ? growth : 1);

export type Gift = { readonly name: string; readonly files: readonly GivenFile[] };

const topOf = ({ path }: GivenFile): string => path.split("/")[0];

/** Every folder of a run is a run; all else belongs together, a checkpoint each file or folder. */
export function giftsOf(files: readonly GivenFile[]): Gift[] {
  const wanted = files.filter(({ path }) => !unread.test(path) && !/(?:^|\/)\./.test(path));
  const runs = new Set(wanted.filter(({ path }) => /^[^/]+\/run\.json$/.test(path)).map(topOf));
  const others = wanted.filter((file) => !runs.has(topOf(file)));
  return [
    ...Array.from(runs, (name) => ({ name, files: wanted.filter((file) => topOf(file) === name) })),
    ...(others.length === 0 ? [] : [{ name: nameOf(others), files: others }]),
  ];
}

/** One file's name, or the folder's; of several, the first. */
const nameOf = ([first]: readonly GivenFile[]): string => topOf(first).replace(/(?<=.)\..*$/, "");

/** Why there is no room for it, and what to do instead; undefined where there is. */
export function refusalOf({ name, files }: Gift): string | undefined {
  const bytes = files.reduce((total, file) => total + sizeOf(file), 0);
  if (bytes <= mostBytes) return undefined;
  const tops = [...new Set(files.map(topOf))].join(" ");
  return (
    `${name} is about ${Math.round(bytes / megabyte)} MB of text; a page reads up to ${mostBytes / megabyte} MB. ` +
    `On your machine, without a limit: npx repertoire look ${tops}`
  );
}

export const fromList = (list: Iterable<File>): GivenFile[] =>
  Array.from(list, (content) => ({ path: content.webkitRelativePath || content.name, content }));

/** To be called while the event lasts; folders are gone through afterwards. */
export async function fromDrop({ items }: DataTransfer): Promise<GivenFile[]> {
  const entries = Array.from(items).flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<GivenFile[]> {
  if (entry.isFile) {
    const content = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), content }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: GivenFile[] = [];
  for (;;) {
    // A reader tells a hundred at a time, and nothing at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...(await filesOf(inner)));
  }
}

/** JSON lines, one JSON document, or a table with commas. */
export function fromText(text: string): GivenFile {
  const trimmed = text.trim();
  const kind = trimmed.startsWith("[") ? "json" : trimmed.startsWith("{") ? "jsonl" : "csv";
  return { path: `pasted.${kind}`, content: new Blob([trimmed]) };
}

/** The last of its names; what follows a `?` is no name. */
export function nameOfAddress(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : "";
  return path.split("/").at(-1) || "rollouts.jsonl";
}

/** A published file; its server must allow that pages of others read it. */
export async function fromAddress(address: string): Promise<GivenFile> {
  const path = nameOfAddress(address);
  let response: Response;
  try {
    response = await fetch(address, { referrerPolicy: "no-referrer", credentials: "omit" });
  } catch {
    throw new Error(
      `${address} cannot be read from a page: its server does not allow it, or it cannot be reached; download the file and drop it here`,
    );
  }
  if (!response.ok) throw new Error(`${address} answered ${response.status} ${response.statusText}`);
  const file = { path, content: await response.blob() };
  const refusal = refusalOf({ name: path, files: [file] });
  if (refusal !== undefined) throw new Error(refusal);
  return file;
}
