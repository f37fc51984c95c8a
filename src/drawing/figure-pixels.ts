// Figures as pixels: an SVG drawn by resvg with fonts of our own, so that the same figure gives the same PNG on every
// machine. The renderer is WebAssembly of a few megabytes and is read only when the first figure is asked for.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { optionalPackage } from "../base/optional-package.ts";

/** Pixels for each unit of the figure: sharp on dense screens and in print at half a page's width. */
export const pixelsPerUnit = 2;

type FigureRenderer = (svg: string) => Uint8Array;

/** Narrow enough for layouts that were measured for the usual sans-serif fonts. */
const fontFiles = ["DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf"];

/** White around a figure, in its own units: inside a page the page's margin does this. */
const margin = 12;

let renderer: Promise<FigureRenderer> | undefined;

/** On white, whatever the reader's theme: what leaves the page is printed or put on a slide. */
export function figureRenderer(): Promise<FigureRenderer> {
  renderer ??= loadRenderer();
  return renderer;
}

async function loadRenderer(): Promise<FigureRenderer> {
  const { initWasm, Resvg, fonts, wasm } = await optionalPackage(
    ["@resvg/resvg-wasm", "dejavu-fonts-ttf"],
    "drawing PNG files",
    async () => {
      const require = createRequire(import.meta.url);
      return {
        ...(await import("@resvg/resvg-wasm")),
        wasm: require.resolve("@resvg/resvg-wasm/index_bg.wasm"),
        fonts: fontFiles.map((name) => require.resolve(`dejavu-fonts-ttf/ttf/${name}`)),
      };
    },
  );
  const fontBuffers = await Promise.all(fonts.map((path) => readFile(path)));
  await initWasm(await readFile(wasm));
  const family = "DejaVu Sans";
  const font = { fontBuffers, defaultFontFamily: family, sansSerifFamily: family };
  return (svg) => {
    const drawing = new Resvg(withMargin(svg), {
      font,
      background: "#ffffff",
      fitTo: { mode: "zoom", value: pixelsPerUnit },
    });
    try {
      const image = drawing.render();
      try {
        return image.asPng();
      } finally {
        image.free();
      }
    } finally {
      drawing.free();
    }
  };
}

function withMargin(svg: string): string {
  return svg.replace(/viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"/, (_, width: string, height: string) => {
    const [wide, high] = [Number(width) + 2 * margin, Number(height) + 2 * margin];
    return `viewBox="${-margin} ${-margin} ${wide} ${high}" width="${wide}" height="${high}"`;
  });
}
