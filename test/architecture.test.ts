// The folders are the architecture: imports point down only, and what promises to run in a browser asks nothing of Node.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const source = resolve(import.meta.dirname, "../src");

/** Lowest first, as in docs/architecture.md. */
const layers = readFileSync(resolve(import.meta.dirname, "../docs/architecture.md"), "utf8")
  .split("\n")
  .flatMap((line) => /^\| `([a-z]+)` \|/.exec(line)?.[1] ?? []);

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join(source, path));

/** Types are gone before anything runs. */
function importsOf(file: string, { types = true } = {}): string[] {
  const all = readFileSync(file, "utf8");
  const text = types ? all : all.replace(/^(?:import|export) type [^"]*"[^"]+";/gm, "");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1]);
}

const folderOf = (file: string) => relative(source, file).split("/")[0];

describe("architecture", () => {
  it("every folder is in the table, and the table names no other", () => {
    const folders = [...new Set(files.map(folderOf))].sort();
    expect([...layers].filter((layer) => folders.includes(layer)).sort()).toEqual(folders);
  });

  it.each(files.map((file) => [relative(source, file), file]))("%s imports downwards", (_, file) => {
    const own = layers.indexOf(folderOf(file));
    const upward = importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => folderOf(resolve(dirname(file), specifier)))
      .filter((folder) => layers.indexOf(folder) > own);
    expect(upward).toEqual([]);
  });

  it("only the catalog and a puzzle's own folder call a puzzle by its name", () => {
    const names = readdirSync(join(source, "puzzles"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(names).toContain("bridges");
    // A name as a whole string, as a key at the start of a line, or as one choice of a regular expression.
    const any = `(?:${names.join("|")})`;
    const listed = new RegExp(`["']${any}["']|^ *${any}: *["'\\d[{]|\\(${any}\\||\\|${any}\\|`, "m");
    // The paper's own puzzles.
    const allowed = ["problems/paper.ts"];
    const offenders = files
      .map((file) => relative(source, file))
      .filter((file) => !names.some((name) => file.startsWith(`puzzles/${name}/`)) && file !== "puzzles/catalog.ts")
      .filter((file) => {
        // Comments and the examples of a command's help may name one.
        const code = readFileSync(join(source, file), "utf8").replaceAll(
          /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^.*repertoire puzzles .*$/gm,
          "",
        );
        return listed.test(code);
      });
    expect(offenders.filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it.each([
    "puzzles/index.ts",
    "grading/index.ts",
    "training/objectives.ts",
    "results/results.ts",
    "drawing/page.ts",
    "drawing/table-files.ts",
    "dashboard/client/main.tsx",
    "dashboard/client/puzzle-worker.ts",
  ])("%s runs without Node", (entry) => {
    const reached = new Set<string>();
    const outside: string[] = [];
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const specifier of importsOf(file, { types: false })) {
        if (specifier.startsWith(".")) visit(resolve(dirname(file), specifier));
        else outside.push(`${relative(source, file)}: ${specifier}`);
      }
    };
    visit(join(source, entry));
    expect(outside.filter((use) => use.includes("node:"))).toEqual([]);
  });
});
