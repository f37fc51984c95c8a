// Links inside the documents lead somewhere: to a file that is there, and to a heading that it has.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { entries } from "../../src/base/entries.ts";

const root = resolve(import.meta.dirname, "../..");
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "llms.txt",
  "examples/README.md",
  ...readdirSync(resolve(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const prose = (path: string) => readFileSync(path, "utf8").replace(/```[\s\S]*?```/g, "");

/** As GitHub makes them: lower case, without punctuation, a hyphen for every blank. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (path: string) =>
  [...prose(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading.trim()));

it.each(documents)("%s", (document) => {
  const path = resolve(root, document);
  const broken = [...prose(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file, heading] = target.split("#");
      const to = file === "" ? path : resolve(dirname(path), file);
      if (!existsSync(to)) return true;
      return heading !== undefined && !anchorsOf(to).includes(heading);
    });
  expect(broken).toEqual([]);
});

it("the README links every page of docs/", () => {
  const readme = prose(resolve(root, "README.md"));
  const pages = documents.filter((name) => name.startsWith("docs/"));
  expect(pages.filter((page) => !readme.includes(`](${relative(root, resolve(root, page))})`))).toEqual([]);
});

it("the README's map has every folder of src", () => {
  const readme = prose(resolve(root, "README.md"));
  const folders = readdirSync(resolve(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => `\`src/${name}\``).filter((name) => !readme.includes(name))).toEqual([]);
});

it("the package, its root entry and the page of entries name the same entries", () => {
  const { exports } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
  const offered = Object.keys(exports)
    .filter((path) => path !== "." && path !== "./package.json")
    .map((path) => path.replace(".", "repertoire"));
  expect(Object.keys(entries)).toEqual(offered);
  const page = readFileSync(resolve(root, "docs/library.md"), "utf8");
  expect([...page.matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, name]) => name)).toEqual(offered);
});
