// The files of a tab: a tree in memory. What somebody dropped stays on their disk and is read piece by piece when it is
// asked for; what is written becomes a blob, which every worker can read and none has to copy.

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

export type FileNode = { readonly kind: "file"; content: Blob; readonly inode: number; changed: number };
export type FolderNode = {
  readonly kind: "folder";
  readonly children: Map<string, Node>;
  readonly inode: number;
  changed: number;
};
export type Node = FileNode | FolderNode;

export class SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;
  constructor(code: string, what: string, syscall: string, path: string) {
    super(`${code}: ${what}, ${syscall} '${path}'`);
    this.code = code;
    this.syscall = syscall;
    this.path = path;
  }
}

let inodes = 0;
const newFolder = (): FolderNode => ({ kind: "folder", children: new Map(), inode: ++inodes, changed: Date.now() });
const newFile = (content: Blob): FileNode => ({ kind: "file", content, inode: ++inodes, changed: Date.now() });

/** What another worker starts with: paths and what lies there; a folder has no content. */
export type Snapshot = readonly (readonly [path: string, content: Blob | null, changed: number])[];

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");

class Files {
  #root = newFolder();

  find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const part of partsOf(path)) node = node?.kind === "folder" ? node.children.get(part) : undefined;
    return node;
  }

  node(path: string, syscall: string): Node {
    const found = this.find(path);
    if (found === undefined) throw new SystemError("ENOENT", "no such file or directory", syscall, path);
    return found;
  }

  folder(path: string, syscall: string): FolderNode {
    const found = this.node(path, syscall);
    if (found.kind !== "folder") throw new SystemError("ENOTDIR", "not a directory", syscall, path);
    return found;
  }

  file(path: string, syscall: string): FileNode {
    const found = this.node(path, syscall);
    if (found.kind === "folder") throw new SystemError("EISDIR", "illegal operation on a directory", syscall, path);
    return found;
  }

  /** The folder that holds it, and its name there. */
  place(path: string, syscall: string): { readonly folder: FolderNode; readonly name: string } {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    return { folder: this.folder(`/${parts.join("/")}`, syscall), name };
  }

  set(path: string, node: Node, syscall: string): void {
    const { folder, name } = this.place(path, syscall);
    folder.children.set(name, node);
    folder.changed = Date.now();
  }

  remove(path: string, syscall: string): void {
    const { folder, name } = this.place(path, syscall);
    folder.children.delete(name);
    folder.changed = Date.now();
  }

  makeFolder(path: string, syscall: string): void {
    if (this.find(path) !== undefined) throw new SystemError("EEXIST", "file already exists", syscall, path);
    this.set(path, newFolder(), syscall);
  }

  create(path: string, syscall: string): FileNode {
    const file = newFile(new Blob([]));
    this.set(path, file, syscall);
    return file;
  }

  /** A file of somebody's, with the folders above it. */
  put(path: string, content: Blob, changed?: number): void {
    const parts = partsOf(path);
    for (let i = 1; i < parts.length; i++) {
      const above = `/${parts.slice(0, i).join("/")}`;
      if (this.find(above) === undefined) this.makeFolder(above, "mkdir");
    }
    const file = newFile(content);
    if (changed !== undefined) file.changed = changed;
    this.set(path, file, "open");
  }

  snapshot(): Snapshot {
    const found: [string, Blob | null, number][] = [];
    const visit = (folder: FolderNode, path: string) => {
      for (const [name, node] of folder.children) {
        const own = `${path}/${name}`;
        found.push([own, node.kind === "file" ? node.content : null, node.changed]);
        if (node.kind === "folder") visit(node, own);
      }
    };
    visit(this.#root, "");
    return found;
  }

  restore(snapshot: Snapshot): void {
    for (const [path, content, changed] of snapshot) {
      if (content === null) this.makeFolder(path, "mkdir");
      else this.put(path, content, changed);
    }
  }
}

export const files = new Files();

export const bytesNow = (content: Blob): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new FileReaderSync().readAsArrayBuffer(content));

export const bytesOf = async (content: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await content.arrayBuffer());
