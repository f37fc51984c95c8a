// The diffs of docs/extending.md fit the sources as they are today: what a hunk keeps or takes away stands there once.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/extending.md"), "utf8");
const changed = [...page.matchAll(/^--- a\/(\S+)\n\+\+\+ b\/\1\n((?:[ +-].*\n|\n|@@\n)*?)(?=--- |```)/gm)];
const added = [...page.matchAll(/^--- \/dev\/null\n\+\+\+ b\/(\S+)/gm)];

it("has a diff for each thing that can be added", () => {
  expect(changed.map(([, path]) => path)).toHaveLength(7);
  expect(added.map(([, path]) => path)).toHaveLength(1);
});

it.each(changed.map(([, path, body]) => [path, body]))("%s has the lines that its diff expects", (path, body) => {
  const source = readFileSync(join(root, path), "utf8");
  for (const hunk of body.split("@@\n")) {
    const lines = hunk.split("\n").slice(0, -1);
    const before = lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    if (before.length > 0) expect(source.split(before.join("\n")), `${path}:\n${before.join("\n")}`).toHaveLength(2);
  }
});

it.each(added.map(([, path]) => path))("%s is not there yet", (path) => {
  expect(existsSync(join(root, path))).toBe(false);
});
