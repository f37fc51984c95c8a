// Figures as PDF, read back with a reader of its own: what is drawn, where text stands, what the letters mean.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type FigurePrinter, figurePrinter } from "../../src/drawing/figure-pdf.ts";
import { label, standalone } from "../../src/drawing/svg.ts";

const snapshots = join(import.meta.dirname, "snapshots");
const root = (content: string) =>
  standalone(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20">${content}</svg>`);

/** The objects of a PDF by their numbers; streams are unpacked. */
function objectsOf(pdf: Uint8Array): Map<number, string> {
  const text = Buffer.from(pdf).toString("latin1");
  expect(text.startsWith("%PDF-1.7\n")).toBe(true);
  expect(text.endsWith("%%EOF\n")).toBe(true);
  const objects = new Map<number, string>();
  for (const [, number, body] of text.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj$/gm)) {
    const [dictionary, packed] = body.split("\nstream\n");
    const bytes = packed === undefined ? undefined : Buffer.from(packed.replace(/\nendstream$/, ""), "latin1");
    const stream = bytes && dictionary.includes("FlateDecode") ? inflateSync(bytes).toString("latin1") : "";
    objects.set(Number(number), `${dictionary}\n${stream}`);
  }
  return objects;
}

const contentOf = (pdf: Uint8Array): string =>
  [...objectsOf(pdf).values()].find((object) => / cm\n/.test(object) && object.includes("FlateDecode")) ?? "";

type Letters = ReadonlyMap<string, string>;

/** What codes mean, by the font's own table: `<first> <last> [<letters> <letters> …]`. */
function lettersOf(map: string): Letters {
  const letters = new Map<string, string>();
  for (const [, first, list] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g))
    for (const [i, [, hex]] of [...list.matchAll(/<([0-9a-f]*)>/g)].entries())
      letters.set(
        (Number.parseInt(first, 16) + i).toString(16).padStart(4, "0"),
        Buffer.from(hex, "hex").swap16().toString("utf16le"),
      );
  return letters;
}

/** Texts in the order of their drawing, by what the file itself says its codes mean. */
function textsOf(pdf: Uint8Array): { readonly text: string; readonly at: readonly [number, number] }[] {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, Letters>();
  for (const object of objects.values())
    for (const [, name, number] of object.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+)/.exec(objects.get(Number(number)) ?? "")?.[1];
      if (map !== undefined) fonts.set(name, lettersOf(objects.get(Number(map)) ?? ""));
    }
  return [...contentOf(pdf).matchAll(/BT\n[\s\S]*?(-?[\d.]+) (-?[\d.]+) Tm\n\/(F\d+) [\d.]+ Tf\n([\s\S]*?)ET\n/g)].map(
    ([, x, y, font, shown]) => ({
      text: [...shown.matchAll(/<([0-9a-f]+)>/g)]
        .flatMap(([, codes]) => codes.match(/.{4}/g) ?? [])
        .map((code) => fonts.get(font)?.get(code))
        .join(""),
      at: [Number(x), Number(y)],
    }),
  );
}

let print: FigurePrinter;
beforeAll(async () => {
  print = await figurePrinter();
});

describe("a figure as PDF", () => {
  it("of every kind that the report draws has every text of its SVG, as text, and every shape", async () => {
    const names = (await readdir(snapshots)).filter((name) => name.endsWith(".svg"));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const svg = await readFile(join(snapshots, name), "utf8");
      const written = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) =>
        text
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&quot;", '"')
          .replaceAll("&#39;", "'")
          .replaceAll("&amp;", "&"),
      );
      const pdf = await print(svg);
      expect(
        textsOf(pdf).map(({ text }) => text),
        name,
      ).toEqual(written);
      const shapes = svg.match(/<(?:rect|line|path|polygon|circle) [^>]*>/g) ?? [];
      const seen = shapes.filter(
        (shape) => shape.startsWith("<line") || !/fill="none"/.test(shape) || /stroke="#/.test(shape),
      );
      expect(contentOf(pdf).match(/^[fSB]$/gm), name).toHaveLength(seen.length);
    }
  });

  it("is as large as the figure, in points, and the same bytes every time", async () => {
    const svg = root(label("a", { x: 2, y: 14 }));
    expect(Buffer.from(await print(svg)).toString("latin1")).toContain("/MediaBox [0 0 45 15]");
    expect(Buffer.from(await print(svg)).equals(Buffer.from(await print(svg)))).toBe(true);
  });

  it("anchors text at its start, middle or end", async () => {
    const place = async (anchor: string) =>
      textsOf(await print(root(label("Mi", { x: 30, y: 14, size: 10, "text-anchor": anchor }))))[0].at[0];
    const [start, middle, end] = [await place("start"), await place("middle"), await place("end")];
    expect(start).toBe(30);
    // By DejaVu Sans Condensed's own widths: M is 1,590 and i 512 of 2,048 units.
    const width = (10 * (1590 + 512)) / 2048;
    expect(start - middle).toBeCloseTo(width / 2, 1);
    expect(start - end).toBeCloseTo(width, 1);
  });

  it("refuses what it cannot draw instead of leaving it out", async () => {
    await expect(print(root('<ellipse cx="1" cy="2"/>'))).rejects.toThrow(/ellipse.*cannot be drawn/);
    await expect(print(root('<rect x="1" y="1" width="2" height="2" fill="red"/>'))).rejects.toThrow(/color red/);
    await expect(print(root(label("a", { x: 1, y: 1, transform: "scale(2)" })))).rejects.toThrow(/scale/);
  });

  it("shows hostile text as text", async () => {
    const first = async (text: string) => textsOf(await print(root(label(text, { x: 1, y: 9 }))))[0].text;
    expect(await first("(a) <b> \\ &")).toBe("(a) <b> \\ &");
    expect(await first("</text><script>\u0000) Tj")).toContain("<script>");
    expect(await first("a漢")).toContain("a");
  });
});
