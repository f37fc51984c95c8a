import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { figureSvg } from "../../src/drawing/figure.ts";
import { figureRenderer, pixelsPerUnit } from "../../src/drawing/figure-pixels.ts";
import { label, standalone } from "../../src/drawing/svg.ts";
import { inkOf, readPng } from "./png-image.ts";

// Drawing and analyzing take seconds, and a busy machine takes many of them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const snapshots = join(import.meta.dirname, "snapshots");
const root = (content: string) =>
  standalone(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20">${content}</svg>`);
const withoutText = (svg: string) => svg.replace(/<text[^>]*>[^<]*<\/text>/g, "");
const image = async (svg: string) => readPng((await figureRenderer())(svg));

describe("a figure as pixels", () => {
  it("has two pixels for each unit, a white margin around it, and nothing see-through", async () => {
    const svg = standalone(
      figureSvg({
        title: "t",
        columns: 1,
        legend: [{ name: "one", ink: "at-sft" }],
        panels: [
          {
            title: "panel",
            x: { kind: "categories", names: ["a", "b"] },
            y: { label: "how many" },
            marks: [],
          },
        ],
      }),
    );
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
    const { pixels, ...size } = await image(svg);
    expect(size).toEqual({ width: pixelsPerUnit * (width + 24), height: pixelsPerUnit * (height + 24) });
    const edge = [...pixels.subarray(0, size.width * 4 * pixelsPerUnit * 10)];
    expect(new Set(edge)).toEqual(new Set([255]));
    for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) expect.fail(`alpha ${pixels[at]} at ${at}`);
  });

  it("draws the text: letters leave the ink of letters, each its own", async () => {
    const ink = async (text: string) => inkOf(await image(root(label(text, { x: 2, y: 14 }))));
    expect(await ink("")).toBe(0);
    const [narrow, wide, bold, twice] = await Promise.all([
      ink("i"),
      ink("M"),
      image(root(label("M", { x: 2, y: 14, "font-weight": 600 }))).then(inkOf),
      ink("MM"),
    ]);
    expect(narrow).toBeGreaterThan(10);
    expect(wide).toBeGreaterThan(2 * narrow);
    expect(bold).toBeGreaterThan(1.1 * wide);
    expect(twice / wide).toBeCloseTo(2, 0);
    // Letters beyond ASCII that figures use are in the font: an unknown one would look like any other unknown one.
    const unknown = await ink("\u{10ffff}");
    for (const letter of ["×", "→", "–", "…", "·", "α", "é", "‹"]) expect(await ink(letter), letter).not.toBe(unknown);
  });

  it("every figure of the snapshots stands alone: no variable and no link", async () => {
    const names = (await readdir(snapshots)).filter((name) => name.endsWith(".svg"));
    expect(names.length).toBeGreaterThan(15);
    for (const name of names)
      expect(await readFile(join(snapshots, name), "utf8"), name).not.toMatch(/var\(|href|url\(|currentColor/);
  });

  // Panels and strips: drawing takes seconds, and every kind of chart has its text in PDF as well.
  it.each(["story", "traces-recovery"])("the labels of %s are drawn", async (name) => {
    const svg = await readFile(join(snapshots, `${name}.svg`), "utf8");
    const letters = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join("");
    expect(letters.length).toBeGreaterThan(20);
    const drawn = inkOf(await image(svg)) - inkOf(await image(withoutText(svg)));
    expect(drawn, name).toBeGreaterThan(8 * letters.length);
  });
});
