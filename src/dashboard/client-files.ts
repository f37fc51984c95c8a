// The built client's files, read once: their names are the only ones that are served, so no address is ever a path.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { Refusal } from "../base/http/body.ts";

type ClientFile = { readonly bytes: Buffer; readonly type: string; readonly caching: string };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** A name with a hash in it never changes its contents. */
const hashed = /-[A-Z0-9]{8}\.\w+$/;

export class ClientFiles {
  readonly #files: ReadonlyMap<string, ClientFile>;

  private constructor(files: ReadonlyMap<string, ClientFile>) {
    this.#files = files;
  }

  static async open(folder: string): Promise<ClientFiles> {
    if (!existsSync(join(folder, "index.html"))) {
      throw new ConfigurationError(
        `the dashboard's pages are not built (${join(folder, "index.html")} is missing); run: npm run build`,
      );
    }
    const files = new Map<string, ClientFile>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const type = types[extname(entry.name)];
      if (!entry.isFile() || type === undefined) continue;
      const path = join(entry.parentPath, entry.name);
      const caching = hashed.test(entry.name) ? "public, max-age=31536000, immutable" : "no-cache";
      files.set(path.slice(folder.length).split("\\").join("/"), { bytes: await readFile(path), type, caching });
    }
    return new ClientFiles(files);
  }

  /** Any address that names no file is a page of the client's own. */
  async read(pathname: string): Promise<ClientFile> {
    const file = this.#files.get(pathname);
    if (file !== undefined) return file;
    if (pathname.startsWith("/assets/")) throw new Refusal(404, "there is no such file; reload the page");
    return this.#files.get("/index.html")!;
  }
}
