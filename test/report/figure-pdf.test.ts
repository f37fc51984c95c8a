// Figures as PDF, read back with a reader of its own: what lies where the table says, what is drawn, what the letters mean.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type FigurePrinter, figurePrinter } from "../../src/drawing/pdf/figure-pdf.ts";
import { figureShapes } from "../../src/drawing/pdf/figure-shapes.ts";
import { readTrueType } from "../../src/drawing/pdf/truetype.ts";
import { label, standalone } from "../../src/drawing/svg.ts";

vi.setConfig({ testTimeout: 120_000 });

const snapshots = join(import.meta.dirname, "snapshots");
const root = (content: string) =>
  standalone(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20">${content}</svg>`);
const fontBytes = () =>
  readFile(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"));

/** The objects of a PDF by their numbers, found by its table; streams are unpacked. */
function objectsOf(pdf: Uint8Array): Map<number, { readonly dictionary: string; readonly stream?: Buffer }> {
  const text = Buffer.from(pdf).toString("latin1");
  expect(text.startsWith("%PDF-1.7\n")).toBe(true);
  expect(text.endsWith("%%EOF\n")).toBe(true);
  const table = Number(/startxref\n(\d+)\n/.exec(text)![1]);
  const entries = text.slice(table).match(/^\d{10} \d{5} [nf] $/gm)!;
  expect(entries[0]).toBe("0000000000 65535 f ");
  const objects = new Map<number, { dictionary: string; stream?: Buffer }>();
  for (const [i, entry] of entries.slice(1).entries()) {
    const at = Number(entry.slice(0, 10));
    const head = `${i + 1} 0 obj\n`;
    expect(text.slice(at, at + head.length)).toBe(head);
    const body = text.slice(at + head.length, text.indexOf("\nendobj", at));
    const [dictionary] = body.split("\nstream\n");
    objects.set(i + 1, { dictionary });
    if (!body.includes("\nstream\n")) continue;
    const length = Number(/\/Length (\d+)/.exec(dictionary)![1]);
    const start = at + head.length + dictionary.length + "\nstream\n".length;
    objects.set(i + 1, { dictionary, stream: inflateSync(Buffer.from(pdf).subarray(start, start + length)) });
  }
  return objects;
}

/** Texts in the order of their drawing, by what the file itself says its codes mean. */
function textsOf(pdf: Uint8Array): { readonly text: string; readonly at: readonly [number, number] }[] {
  const objects = [...objectsOf(pdf).values()];
  const numbered = objectsOf(pdf);
  const page = objects.find(({ dictionary }) => dictionary.includes("/Type /Page "))!.dictionary;
  const content = numbered.get(Number(/\/Contents (\d+)/.exec(page)![1]))!.stream!.toString("latin1");
  const meaning = (font: string) => {
    const number = Number(new RegExp(`/${font} (\\d+) 0 R`).exec(page)![1]);
    const map = numbered
      .get(Number(/\/ToUnicode (\d+)/.exec(numbered.get(number)!.dictionary)![1]))!
      .stream!.toString();
    return new Map(
      [...map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]+)>/g)].map(([, code, hex]) => [
        code,
        Buffer.from(hex, "hex").swap16().toString("utf16le"),
      ]),
    );
  };
  return [...content.matchAll(/BT \/(\w) [\d.]+ Tf .*? (-?[\d.]+) (-?[\d.]+) Tm <([0-9a-f]*)> Tj ET/g)].map(
    ([, font, x, y, codes]) => {
      const letters = meaning(font);
      return {
        text: (codes.match(/.{4}/g) ?? []).map((code) => letters.get(code)).join(""),
        at: [Number(x), Number(y)],
      };
    },
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
      expect(
        textsOf(print(svg)).map(({ text }) => text),
        name,
      ).toEqual(written);
      const { shapes } = figureShapes(svg);
      const drawn = svg.match(/<(?:rect|line|path|polygon|circle) /g) ?? [];
      expect(
        shapes.filter(({ shape }) => shape !== "text"),
        name,
      ).toHaveLength(drawn.length);
    }
  });

  it("is as large as the figure, in points, and the same bytes every time", () => {
    const svg = root(label("a", { x: 2, y: 14 }));
    const page = [...objectsOf(print(svg)).values()].find(({ dictionary }) => dictionary.includes("/MediaBox"))!;
    expect(page.dictionary).toContain("/MediaBox [0 0 45 15]");
    expect(Buffer.from(print(svg)).equals(Buffer.from(print(svg)))).toBe(true);
  });

  it("anchors text at its start, middle or end, by the widths of the font itself", async () => {
    const font = readTrueType(await fontBytes());
    const width = ["M", "i"].reduce((sum, letter) => sum + font.widthOf(font.glyphOf(letter.codePointAt(0)!)), 0);
    const units = (10 * width) / font.unitsPerEm;
    const place = (anchor: string) =>
      textsOf(print(root(label("Mi", { x: 30, y: 14, size: 10, "text-anchor": anchor }))))[0].at;
    expect(place("start")).toEqual([30, 14]);
    expect(place("middle")).toEqual([expect.closeTo(30 - units / 2, 2), 14]);
    expect(place("end")).toEqual([expect.closeTo(30 - units, 2), 14]);
    // Turned a quarter to the left around a point to its right, what ended there ends there still, below it.
    const turned = label("Mi", { x: 30, y: 14, size: 10, "text-anchor": "end", transform: "rotate(-90 30 14)" });
    expect(textsOf(print(root(turned)))[0].at).toEqual([30, expect.closeTo(14 + units, 2)]);
  });

  it("refuses what it cannot draw instead of leaving it out", () => {
    expect(() => print(root('<ellipse cx="1" cy="2"/>'))).toThrow(/ellipse.*cannot be drawn/);
    expect(() => print(root('<path d="M1,2C3,4 5,6 7,8" fill="none"/>'))).toThrow(/holds C/);
    expect(() => print(root('<rect x="1" y="1" width="2" height="2" fill="red"/>'))).toThrow(/color red/);
    expect(() => print(root(label("a", { x: 1, y: 1, transform: "scale(2)" })))).toThrow(/scale/);
  });

  it("shows letters that it does not have as missing ones, and hostile text as text", () => {
    const hostile = "</text><script>\u0000) Tj";
    expect(textsOf(print(root(label("a漢", { x: 1, y: 9 }))))[0].text).toBe("a漢");
    expect(textsOf(print(root(label("(a) <b> \\ &", { x: 1, y: 9 }))))[0].text).toBe("(a) <b> \\ &");
    expect(textsOf(print(root(label(hostile, { x: 1, y: 9 }))))[0].text).toContain("<script>");
  });
});

describe("a font with few letters", () => {
  it("has their outlines and widths unchanged, under new numbers, with parts of composed ones", async () => {
    const bytes = await fontBytes();
    const font = readTrueType(bytes);
    const glyphs = [0, ...Array.from("Aé→", (letter) => font.glyphOf(letter.codePointAt(0)!))];
    const subset = font.subset(glyphs);
    expect(subset.length).toBeLessThan(bytes.length / 20);
    const view = new DataView(subset.buffer);
    // The sum over the whole file is the one that the format asks for.
    let sum = 0;
    for (let at = 0; at < subset.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
    expect(sum).toBe(0xb1b0afba);
    const table = (file: Uint8Array, tag: string) => {
      const own = new DataView(file.buffer, file.byteOffset);
      for (let i = 0, at = 12; i < own.getUint16(4); i++, at += 16)
        if (Buffer.from(file.subarray(at, at + 4)).toString() === tag) return own.getUint32(at + 8);
      throw new Error(tag);
    };
    const outline = (file: Uint8Array, glyph: number) => {
      const own = new DataView(file.buffer, file.byteOffset);
      const long = own.getInt16(table(file, "head") + 50) === 1;
      const place = (i: number) =>
        long ? own.getUint32(table(file, "loca") + 4 * i) : 2 * own.getUint16(table(file, "loca") + 2 * i);
      return file.subarray(table(file, "glyf") + place(glyph), table(file, "glyf") + place(glyph + 1));
    };
    const bare = (outlines: Uint8Array) =>
      Buffer.from(outlines)
        .toString("hex")
        .replace(/(00)*$/, "");
    // A is plain; é is an e with an accent, whose numbers are new.
    expect(bare(outline(subset, 1))).toBe(bare(outline(bytes, glyphs[1])));
    const composed = new DataView(outline(subset, 2).slice().buffer);
    expect(composed.getInt16(0)).toBeLessThan(0);
    const part = composed.getUint16(12);
    expect(part).toBeGreaterThan(3);
    expect(bare(outline(subset, part))).toBe(bare(outline(bytes, font.glyphOf("e".codePointAt(0)!))));
    for (const [number, glyph] of glyphs.entries())
      expect(view.getUint16(table(subset, "hmtx") + 4 * number)).toBe(font.widthOf(glyph));
  });

  it("says which glyph a character is, and 0 for one that it does not have", async () => {
    const font = readTrueType(await fontBytes());
    const letters = Array.from("abc×→…αé", (letter) => font.glyphOf(letter.codePointAt(0)!));
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.every((glyph) => glyph > 0)).toBe(true);
    expect(font.glyphOf(0x6f22)).toBe(0);
    expect(font.widthOf(letters[0])).toBeGreaterThan(0);
  });
});
