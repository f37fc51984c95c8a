// The report that a run left in its folder, as the dashboard serves it: its page with a way back, its figures and tables. Their
// names are of the report's own kinds, so no address is ever a path.
import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { extname, join } from "node:path";
import { Refusal } from "../base/http/body.ts";
import { type FoundRun, isInside } from "./run-discovery.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".pdf": "application/pdf",
  ".csv": "text/csv; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".tex": "text/plain; charset=utf-8",
};

/** It has its style in itself, and no script. */
export const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const hasReport = (folder: string): boolean => existsSync(join(folder, "report", "index.html"));

/** `parts` is an address below a run's report: `index.html`, `figures/pass-at-k.svg`. */
export async function reportFile(
  home: string,
  { id, folder }: FoundRun,
  parts: readonly string[],
): Promise<{ readonly type: string; readonly bytes: Buffer }> {
  const named = /^(?:index\.html|(?:figures|tables)\/[\w.-]+\.[a-z]+)$/.test(parts.join("/"));
  const type = types[extname(parts.at(-1) ?? "")];
  const path = await realpath(join(folder, "report", ...parts)).catch(() => undefined);
  if (!named || type === undefined || path === undefined || !isInside(await realpath(home), path))
    throw new Refusal(404, "this run has no such report; make one with: repertoire report, and its folder");
  const bytes = await readFile(path);
  if (parts[0] !== "index.html") return { type, bytes };
  const back = `<p><a href="/runs/${encodeURIComponent(id)}">This run in the dashboard</a></p></header>`;
  return { type, bytes: Buffer.from(bytes.toString("utf8").replace("</header>", () => back)) };
}
