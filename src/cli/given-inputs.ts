// What somebody names as rollouts, as places that can be read: a path, a pattern that no shell has filled in, a data set of the
// Hugging Face hub.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../base/errors.ts";
import { plainAddress } from "../base/secrets.ts";
import { parseInput, type TraceInput } from "../imports/plan.ts";
import { hubFiles } from "../problems/benchmarks/hub.ts";
import { hubCache } from "./hub-cache.ts";

export async function givenInputs(given: readonly string[]): Promise<TraceInput[]> {
  const found = await Promise.all(
    given.map(async (text): Promise<TraceInput[]> => {
      const input = parseInput(text);
      const { path } = input;
      if (path.startsWith("hf://"))
        return [{ ...input, path: await ofHub(plainAddress(path, "the data set", "give a token in HF_TOKEN")) }];
      if (existsSync(path) || !/[*?[]/.test(path)) return [input];
      const matching = await matches(path);
      if (matching.length === 0) throw new ConfigurationError(`nothing matches ${path}`);
      return matching.map((one) => ({ ...input, path: one }));
    }),
  );
  return found.flat();
}

/** `hf://datasets/owner/name/folder@revision`, with or without `datasets/`, folder and revision: where its copy lies. */
async function ofHub(address: string): Promise<string> {
  const [, owner, name, folder, revision] =
    /^hf:\/\/(?:datasets\/)?([\w.-]+)\/([\w.-]+?)(?:\/([^@]+))?(?:@([\w./-]+))?$/.exec(address) ?? [];
  if (owner === undefined)
    throw new ConfigurationError(
      `${address} is no data set; expected hf://datasets/owner/name, with a file or folder of it`,
    );
  const within = (folder ?? "").replace(/\/$/, "");
  const wanted = within === "" ? /\.(jsonl?|parquet|csv|gz|zst|eval|pt|db)$/ : new RegExp(`^${escaped(within)}(/|$)`);
  const { files } = await hubFiles(`${owner}/${name}`, wanted, { ...hubCache(), ...(revision && { revision }) });
  const [{ path, copy }] = files;
  const root = copy.slice(0, -path.length);
  return within === "" ? root : join(root, within);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Paths that a pattern means, in the order in which people count: `*` and `?` within a name, `**` across folders, `[ab]`. */
async function matches(pattern: string): Promise<string[]> {
  const parts = pattern.split("/");
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => /[*?[]/.test(part)),
  );
  const root = fixed.length === 0 ? "." : fixed.join("/") || "/";
  if (!existsSync(root)) return [];
  const source = escaped(parts.slice(fixed.length).join("/"))
    .replaceAll("\\*\\*/", "(?:.*/)?")
    .replaceAll("\\*", "[^/]*")
    .replaceAll("\\?", "[^/]")
    .replace(/\\\[([^/]*?)\\\]/g, "[$1]");
  const wanted = new RegExp(`^${source}$`);
  const deep = pattern.includes("**") || parts.length - fixed.length > 1;
  const names = await readdir(root, { recursive: deep });
  const collator = new Intl.Collator("en", { numeric: true });
  return names
    .filter((name) => wanted.test(name) && !name.split("/").some((part) => part.startsWith(".")))
    .sort(collator.compare)
    .map((name) => join(root, name));
}
