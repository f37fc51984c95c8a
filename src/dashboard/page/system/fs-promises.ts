// Node's asynchronous file functions over the files of a tab. There are no links but hard ones, no permissions, and
// nobody else who writes.
import { Buffer } from "./buffer.ts";
import { bytesOf, type FileNode, files, SystemError } from "./files.ts";
import { pathText, type Stats, statsOf } from "./fs.ts";

export const constants = { W_OK: 2, R_OK: 4 };

type Data = string | Uint8Array;
const blobOf = (data: Data): Blob => new Blob([data as BlobPart]);
type BlobPart = Exclude<ConstructorParameters<typeof Blob>[0], undefined>[number];

export async function access(path: string): Promise<void> {
  files.node(pathText(path), "access");
}

export const stat = async (path: string): Promise<Stats> => statsOf(files.node(pathText(path), "stat"));
export const lstat = stat;

export async function realpath(path: string): Promise<string> {
  files.node(pathText(path), "realpath");
  return pathText(path);
}

export async function readdir(path: string, options?: { readonly withFileTypes?: boolean }): Promise<unknown[]> {
  const { children } = files.folder(pathText(path), "scandir");
  if (!options?.withFileTypes) return [...children.keys()];
  return Array.from(children, ([name, node]) => ({ name, parentPath: path, ...statsOf(node) }));
}

export async function readFile(path: string | URL, encoding?: "utf8" | { encoding: "utf8" }): Promise<Buffer | string> {
  const bytes = Buffer.over(await bytesOf(files.file(pathText(path), "open").content));
  return encoding === undefined ? bytes : bytes.toString("utf8");
}

function written(path: string, syscall = "open"): FileNode {
  const found = files.find(pathText(path));
  return found === undefined ? files.create(pathText(path), syscall) : files.file(pathText(path), syscall);
}

function replace(file: FileNode, content: Blob): void {
  file.content = content;
  file.changed = Date.now();
}

export async function writeFile(path: string, data: Data): Promise<void> {
  replace(written(path), blobOf(data));
}

export async function appendFile(path: string, data: Data): Promise<void> {
  const file = written(path);
  replace(file, new Blob([file.content, data as BlobPart]));
}

export async function mkdir(path: string): Promise<void> {
  files.makeFolder(pathText(path), "mkdir");
}

export async function rmdir(path: string): Promise<void> {
  if (files.folder(pathText(path), "rmdir").children.size > 0)
    throw new SystemError("ENOTEMPTY", "directory not empty", "rmdir", path);
  files.remove(pathText(path), "rmdir");
}

type Removal = { readonly recursive?: boolean; readonly force?: boolean };

export async function rm(path: string, { recursive = false, force = false }: Removal = {}): Promise<void> {
  const found = files.find(pathText(path));
  if (found === undefined && force) return;
  if (!recursive) files.file(pathText(path), "rm");
  files.remove(pathText(path), "rm");
}

export async function rename(from: string, to: string): Promise<void> {
  const node = files.node(pathText(from), "rename");
  files.set(pathText(to), node, "rename");
  files.remove(pathText(from), "rename");
}

export async function link(from: string, to: string): Promise<void> {
  const file = files.file(pathText(from), "link");
  if (files.find(pathText(to)) !== undefined) throw new SystemError("EEXIST", "file already exists", "link", to);
  files.set(pathText(to), file, "link");
}

export async function open(path: string, flags = "r"): Promise<FileHandle> {
  const place = pathText(path);
  if (flags === "r") return new FileHandle(files.file(place, "open"));
  if (flags.includes("x") && files.find(place) !== undefined)
    throw new SystemError("EEXIST", "file already exists", "open", path);
  const file = written(place);
  if (flags.startsWith("w")) replace(file, new Blob([]));
  return new FileHandle(file);
}

export class FileHandle {
  readonly #file: FileNode;

  constructor(file: FileNode) {
    this.#file = file;
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number) {
    const bytes = await bytesOf(this.#file.content.slice(position, position + length));
    buffer.set(bytes, offset);
    return { bytesRead: bytes.length, buffer };
  }

  async write(data: Data, position: number): Promise<void> {
    const { content } = this.#file;
    const piece = blobOf(data);
    replace(this.#file, new Blob([content.slice(0, position), piece, content.slice(position + piece.size)]));
  }

  async writeFile(data: Data): Promise<void> {
    replace(this.#file, blobOf(data));
  }

  async appendFile(data: Data): Promise<void> {
    replace(this.#file, new Blob([this.#file.content, data as BlobPart]));
  }

  async truncate(length: number): Promise<void> {
    replace(this.#file, this.#file.content.slice(0, length));
  }

  stat = async (): Promise<Stats> => statsOf(this.#file);
  async sync(): Promise<void> {}
  async datasync(): Promise<void> {}
  async close(): Promise<void> {}
}
