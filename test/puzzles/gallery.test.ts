import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { gallery } from "../../scripts/gallery.ts";

const docs = resolve(import.meta.dirname, "../../docs");

it("docs/puzzles.md and its pictures are what npm run gallery makes", () => {
  const { page, pictures } = gallery();
  expect(readFileSync(`${docs}/puzzles.md`, "utf8")).toBe(page);
  for (const [name, svg] of Object.entries(pictures)) {
    expect(readFileSync(`${docs}/pictures/${name}`, "utf8"), name).toBe(`${svg}\n`);
  }
});
