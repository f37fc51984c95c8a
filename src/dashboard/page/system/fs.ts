// Node's synchronous file functions, and streams, over the files of a tab.
import path from "path-browserify";
import { Buffer } from "./buffer.ts";
import { bytesNow, bytesOf, files, type Node, SystemError } from "./files.ts";

/** A path, or the address of a file; there is one folder that anybody can be in. */
export const pathText = (given: string | URL): string =>
  path.resolve("/", typeof given === "string" ? given : given.pathname);

export type Stats = ReturnType<typeof statsOf>;

export const statsOf = (node: Node) => ({
  size: node.kind === "file" ? node.content.size : 0,
  mtimeMs: node.changed,
  ctimeMs: node.changed,
  mtime: new Date(node.changed),
  ino: node.inode,
  isFile: () => node.kind === "file",
  isDirectory: () => node.kind === "folder",
  isSymbolicLink: () => false,
});

export const existsSync = (path: string | URL): boolean => files.find(pathText(path)) !== undefined;

export const statSync = (path: string): Stats => statsOf(files.node(pathText(path), "stat"));

export function readFileSync(path: string | URL, encoding?: "utf8"): Buffer | string {
  const bytes = Buffer.over(bytesNow(files.file(pathText(path), "open").content));
  return encoding === undefined ? bytes : bytes.toString(encoding);
}

export function readlinkSync(path: string): string {
  throw new SystemError("EINVAL", "not a link", "readlink", path);
}

type StreamOptions = { readonly start?: number; readonly end?: number; readonly highWaterMark?: number };

/** From `start` to `end`, both included. */
export function createReadStream(path: string, { start = 0, end, highWaterMark = 1 << 16 }: StreamOptions = {}) {
  const stream = {
    errored: null as unknown,
    async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
      try {
        const { content } = files.file(pathText(path), "open");
        const after = Math.min(content.size, end === undefined ? content.size : end + 1);
        for (let at = start; at < after; at += blockBytes) {
          // Asking the browser costs more than small pieces are worth.
          const block = Buffer.over(await bytesOf(content.slice(at, Math.min(after, at + blockBytes))));
          for (let from = 0; from < block.length; from += highWaterMark)
            yield block.subarray(from, from + highWaterMark) as Buffer;
        }
      } catch (error) {
        stream.errored = error;
        throw error;
      }
    },
  };
  return stream;
}

const blockBytes = 1 << 20;
