// The pages of docs/api are those that `npm run api` makes of the built types, and the surface stays small.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiFolder, apiPages } from "../../scripts/api-pages.ts";

const pages = apiPages();

it("every entry has its page, and no other page is there", () => {
  expect(readdirSync(apiFolder).sort()).toEqual([...pages.keys()].sort());
});

it.each([...pages])("docs/api/%s is current; `npm run api` writes it", (name, text) => {
  expect(readFileSync(join(apiFolder, name), "utf8")).toBe(text);
});

it("no exported type is any", () => {
  const offenders = [...pages].flatMap(([name, text]) =>
    [...text.matchAll(/^(?! *\*).*(?:: |<|\| |, |=> )any(?=[;,)>[]| \|).*$/gm)].map(([line]) => `${name}: ${line}`),
  );
  expect(offenders).toEqual([]);
});

it("fewer than 420 names in all: an export is a promise", () => {
  const counts = [...pages.get("README.md")!.matchAll(/\| (\d+) \|$/gm)].map(([, count]) => Number(count));
  expect(counts.length).toBe(pages.size - 1);
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(420);
});
