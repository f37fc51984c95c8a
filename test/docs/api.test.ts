// The pages of docs/api are those that `npm run api` makes of the built types, and the surface stays small.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";
import { apiFolder, apiPages } from "../../scripts/api-pages.ts";

const pages = apiPages();

it("every entry has its page, and no other page is there", () => {
  expect(readdirSync(apiFolder).sort()).toEqual([...pages.keys()].sort());
});

it.each([...pages])("docs/api/%s is current; `npm run api` writes it", (name, text) => {
  expect(readFileSync(join(apiFolder, name), "utf8")).toBe(text);
});

it("no declaration is cut: each is one that TypeScript reads, and unions are whole", () => {
  for (const [name, text] of pages)
    for (const [, block] of text.matchAll(/```ts\n([\s\S]*?)```/g)) {
      const code = block.replaceAll(/^(function|class|abstract class|const) /gm, "declare $1 ");
      expect(() => transformSync(code, { loader: "ts" }), `${name}: ${block}`).not.toThrow();
    }
  // Every member has a comment of its own above it.
  for (const verdict of ["correct", "wrong", "unreadable"])
    expect(pages.get("grading.md")).toMatch(new RegExp(`readonly verdict: "${verdict}";`));
});

it("no exported type is any", () => {
  const offenders = [...pages].flatMap(([name, text]) =>
    [...text.matchAll(/^(?! *\*).*(?:: |<|\| |, |=> )any(?=[;,)>[]| \|).*$/gm)].map(([line]) => `${name}: ${line}`),
  );
  expect(offenders).toEqual([]);
});

it("fewer than 360 names in all: an export is a promise", () => {
  const counts = [...pages.get("README.md")!.matchAll(/\| (\d+) \|$/gm)].map(([, count]) => Number(count));
  expect(counts.length).toBe(pages.size - 1);
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(360);
});
