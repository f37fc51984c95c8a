// A dashboard over a folder, for tests: pages of one line instead of the built client, and requests by hand, because
// fetch would not let a test lie about where it comes from.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ItemsReply } from "../../src/dashboard/api.ts";
import { DashboardServer } from "../../src/dashboard/server.ts";
import type { Item, TableBody } from "../../src/drawing/item.ts";

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

export type Asked = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export class ServedFolder {
  readonly folder: string;
  readonly server: DashboardServer;
  readonly #home: string;

  private constructor(folder: string, home: string, server: DashboardServer) {
    this.folder = folder;
    this.#home = home;
    this.server = server;
  }

  /** `fill` writes what is served before the server starts. */
  static async start(
    fill: (folder: string) => Promise<void>,
    options: { readonly token?: string; readonly host?: string } = {},
  ): Promise<ServedFolder> {
    const home = await mkdtemp(join(tmpdir(), "repertoire-dashboard-"));
    const folder = join(home, "runs");
    await mkdir(folder);
    await fill(folder);
    const client = await writePages(join(home, "client"));
    const server = await DashboardServer.start({ folder, client, port: 0, host: "127.0.0.1", ...options });
    return new ServedFolder(folder, home, server);
  }

  ask(path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
    const { port } = new URL(this.server.url);
    return new Promise((resolve, reject) => {
      // A connection each: one that is kept may be closed by the server just as it is used again.
      const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      asked.on("error", reject);
      asked.end(body);
    });
  }

  /** A reply of the API that must be given. */
  async get<Reply>(
    route: string,
    query: Readonly<Record<string, string | number | readonly string[]>> = {},
  ): Promise<Reply> {
    const { status, text } = await this.ask(`/api/${route}?${queryText(query)}`);
    if (status !== 200) throw new Error(`${route} answered ${status}: ${text}`);
    return JSON.parse(text) as Reply;
  }

  /** An item of one run or several, wherever it stands. */
  async item(id: string, query: Readonly<Record<string, string | readonly string[]>>): Promise<Item> {
    const { sections } = await this.get<ItemsReply>("items", query);
    const found = sections.flatMap(({ items }) => items).find((item) => item.id === id);
    if (found === undefined) throw new Error(`no item ${id}`);
    return found;
  }

  async table(id: string, query: Readonly<Record<string, string | readonly string[]>>): Promise<TableBody> {
    const { body } = await this.item(id, query);
    if (body.kind !== "table") throw new Error(`${id} is no table: ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  }

  /** When everything of a run is read and labeled. */
  async indexed(run: string): Promise<void> {
    const opened = await this.server.library.run(run);
    await opened.whenComplete();
  }

  async close(): Promise<void> {
    await this.server.close();
    await rm(this.#home, { recursive: true, force: true });
  }
}

export function queryText(query: Readonly<Record<string, string | number | readonly string[]>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, String(one));
  return search.toString();
}

export async function writePages(folder: string): Promise<string> {
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Repertoire</title>");
  await writeFile(join(folder, "assets", "dashboard-ABCDEFGH.js"), "void 0");
  await writeFile(join(folder, "secret.txt"), "not a page");
  return folder;
}

export async function writeRun(
  folder: string,
  kind: string,
  config: unknown,
  files: Readonly<Record<string, readonly unknown[]>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const run = { version: 1, kind, created: "2026-01-02T03:04:05.000Z", config };
  await writeFile(join(folder, "run.json"), JSON.stringify(run));
  for (const [name, records] of Object.entries(files)) await writeFile(join(folder, name), jsonLines(records));
}

export const jsonLines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
