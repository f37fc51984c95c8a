// Figures as vector PDF, for LaTeX: a page as large as the figure, shapes as shapes, text as text in an embedded font with
// only the letters that are used, so that it can be selected and searched.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { optionalPackage } from "../../base/optional-package.ts";
import { type Drawing, figureShapes, type Paint, type Point, type Shape } from "./figure-shapes.ts";
import { latin1, PdfFile, pdfText } from "./pdf-file.ts";
import { readTrueType, type TrueTypeFont } from "./truetype.ts";

export type FigurePrinter = (svg: string) => Uint8Array;

/** A unit of a figure is a CSS pixel, of which there are 96 to the inch; PDF has 72 points. */
const pointsPerUnit = 0.75;

const fontFiles = { regular: "DejaVuSansCondensed.ttf", bold: "DejaVuSansCondensed-Bold.ttf" } as const;

export async function figurePrinter(): Promise<FigurePrinter> {
  const paths = await optionalPackage(["dejavu-fonts-ttf"], "figures as PDF", async () => {
    const { resolve } = createRequire(import.meta.url);
    return {
      regular: resolve(`dejavu-fonts-ttf/ttf/${fontFiles.regular}`),
      bold: resolve(`dejavu-fonts-ttf/ttf/${fontFiles.bold}`),
    };
  });
  const [regular, bold] = [readTrueType(await readFile(paths.regular)), readTrueType(await readFile(paths.bold))];
  return (svg) => drawingPdf(figureShapes(svg), { regular, bold });
}

type Fonts = { readonly regular: TrueTypeFont; readonly bold: TrueTypeFont };

function drawingPdf(drawing: Drawing, fonts: Fonts): Uint8Array {
  const { width, height, title, shapes } = drawing;
  const used = { regular: new UsedFont("R", fonts.regular), bold: new UsedFont("B", fonts.bold) };
  const opacities = [...new Set(shapes.flatMap((shape) => ("paint" in shape ? [shape.paint.fillOpacity] : [])))];
  const stateOf = (opacity: number) => `/O${opacities.indexOf(opacity)} gs\n`;
  // PDF counts from the bottom, figures from the top.
  const content = [
    `${number(pointsPerUnit)} 0 0 ${number(-pointsPerUnit)} 0 ${number(height * pointsPerUnit)} cm\n`,
    ...shapes.map((shape) => drawn(shape, used, stateOf)),
  ].join("");
  const file = new PdfFile();
  const [catalog, pages] = [file.reserve(), file.reserve()];
  const info = file.add(`<< /Title ${pdfText(title)} /Producer ${pdfText("Repertoire")} >>`);
  const fontEntries = [used.regular, used.bold].flatMap((font) => font.write(file));
  const states = opacities.map((opacity, i) => `/O${i} << /ca ${number(opacity)} >>`);
  const resources = `<< /Font << ${fontEntries.join(" ")} >> /ExtGState << ${states.join(" ")} >> >>`;
  const contents = file.stream(latin1(content));
  const size = `[0 0 ${number(width * pointsPerUnit)} ${number(height * pointsPerUnit)}]`;
  const page = file.add(
    `<< /Type /Page /Parent ${pages} 0 R /MediaBox ${size} /Resources ${resources} /Contents ${contents} 0 R >>`,
  );
  file.set(pages, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  file.set(catalog, `<< /Type /Catalog /Pages ${pages} 0 R >>`);
  return file.bytes(catalog, info);
}

const number = (value: number): string => String(Number(value.toFixed(3)) + 0);

const at = ([x, y]: Point): string => `${number(x)} ${number(y)}`;

function drawn(
  shape: Shape,
  fonts: Readonly<Record<keyof Fonts, UsedFont>>,
  stateOf: (opacity: number) => string,
): string {
  if (shape.shape === "text") return drawnText(shape, fonts[shape.bold ? "bold" : "regular"]);
  const { paint } = shape;
  const outline = shape.shape === "circle" ? circle(shape.center, shape.radius) : lines(shape.parts, shape.closed);
  const operator = painting(paint);
  if (operator === undefined) return "";
  const dash = `[${paint.dash.map(number).join(" ")}] 0 d\n`;
  return [
    stateOf(paint.fillOpacity),
    paint.fill === undefined ? "" : `${color(paint.fill)} rg\n`,
    paint.stroke === undefined ? "" : `${color(paint.stroke)} RG ${number(paint.strokeWidth)} w ${dash}`,
    `${outline}${operator}\n`,
  ].join("");
}

function painting({ fill, stroke }: Paint): string | undefined {
  if (fill !== undefined) return stroke === undefined ? "f" : "B";
  return stroke === undefined ? undefined : "S";
}

const lines = (parts: readonly (readonly Point[])[], closed: boolean): string =>
  parts
    .map(
      (points) => `${points.map((point, i) => `${at(point)} ${i === 0 ? "m" : "l"}\n`).join("")}${closed ? "h\n" : ""}`,
    )
    .join("");

/** How far the handles of a quarter circle reach: 4/3·(√2 − 1). */
const handle = 0.5522847498;

function circle([x, y]: Point, radius: number): string {
  const [r, k] = [radius, radius * handle];
  const curve = (a: Point, b: Point, c: Point) => `${at(a)} ${at(b)} ${at(c)} c\n`;
  return [
    `${at([x + r, y])} m\n`,
    curve([x + r, y + k], [x + k, y + r], [x, y + r]),
    curve([x - k, y + r], [x - r, y + k], [x - r, y]),
    curve([x - r, y - k], [x - k, y - r], [x, y - r]),
    curve([x + k, y - r], [x + r, y - k], [x + r, y]),
    "h\n",
  ].join("");
}

function color(text: string): string {
  const [, hex] = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text) ?? [];
  if (hex === undefined) throw new Error(`the color ${text} cannot be drawn as PDF; figures have #rrggbb`);
  const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []);
  return digits.map((pair) => number(Number.parseInt(pair, 16) / 255)).join(" ");
}

function drawnText(shape: Extract<Shape, { shape: "text" }>, font: UsedFont): string {
  const { text, size, anchor, fill, turn } = shape;
  const glyphs = font.glyphs(text);
  const width = (font.width(glyphs) * size) / font.font.unitsPerEm;
  const back = anchor === "start" ? 0 : anchor === "middle" ? width / 2 : width;
  // The page is upside down for shapes; letters are turned upright again, and around their point where they are tilted.
  const angle = ((turn?.degrees ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [ox, oy] = turn?.around ?? [0, 0];
  const [dx, dy] = [shape.at[0] - back - ox, shape.at[1] - oy];
  const place: Point = [ox + dx * cos - dy * sin, oy + dx * sin + dy * cos];
  const matrix = [cos, sin, sin, -cos].map((value) => String(Number(value.toFixed(6)) + 0)).join(" ");
  const codes = glyphs.map((glyph) => font.codeOf(glyph).toString(16).padStart(4, "0")).join("");
  return `BT /${font.name} ${number(size)} Tf ${color(fill)} rg ${matrix} ${at(place)} Tm <${codes}> Tj ET\n`;
}

/** A font with the glyphs that a figure uses, numbered in the order of their use. */
class UsedFont {
  readonly name: string;
  readonly font: TrueTypeFont;
  /** Glyph 0 stands for what the font does not have. */
  readonly #used: number[] = [0];
  readonly #characters = new Map<number, string>();

  constructor(name: string, font: TrueTypeFont) {
    this.name = name;
    this.font = font;
  }

  glyphs(text: string): number[] {
    return Array.from(text, (character) => {
      const glyph = this.font.glyphOf(character.codePointAt(0)!);
      if (!this.#used.includes(glyph)) this.#used.push(glyph);
      if (!this.#characters.has(glyph)) this.#characters.set(glyph, character);
      return glyph;
    });
  }

  width(glyphs: readonly number[]): number {
    return glyphs.reduce((sum, glyph) => sum + this.font.widthOf(glyph), 0);
  }

  codeOf(glyph: number): number {
    return this.#used.indexOf(glyph);
  }

  /** Its entry among the page's resources; none where no text is set in it. */
  write(file: PdfFile): string[] {
    if (this.#used.length === 1) return [];
    const { ascent, descent, box, unitsPerEm, widthOf, subset } = this.font;
    const thousandths = (value: number) => Math.round((1000 * value) / unitsPerEm);
    const name = `REPERT+DejaVuSansCondensed${this.name === "B" ? "-Bold" : ""}`;
    const bytes = subset(this.#used);
    const program = file.stream(bytes, `/Length1 ${bytes.length}`);
    const descriptor = file.add(
      `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [${box.map(thousandths).join(" ")}] /ItalicAngle 0 ` +
        `/Ascent ${thousandths(ascent)} /Descent ${thousandths(descent)} /CapHeight ${thousandths(ascent)} /StemV 80 /FontFile2 ${program} 0 R >>`,
    );
    const widths = this.#used.map((glyph) => thousandths(widthOf(glyph))).join(" ");
    const letters = file.add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ` +
        `/FontDescriptor ${descriptor} 0 R /W [0 [${widths}]] /CIDToGIDMap /Identity >>`,
    );
    const unicode = file.stream(latin1(this.#toUnicode()));
    const font = file.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${letters} 0 R] /ToUnicode ${unicode} 0 R >>`,
    );
    return [`/${this.name} ${font} 0 R`];
  }

  /** Which characters the codes mean, for whoever copies or searches. */
  #toUnicode(): string {
    const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");
    const pairs = this.#used.flatMap((glyph, code) => {
      const character = this.#characters.get(glyph);
      return character === undefined ? [] : [`<${code.toString(16).padStart(4, "0")}> <${hex(character)}>`];
    });
    const blocks: string[] = [];
    // A block may have a hundred entries.
    for (let i = 0; i < pairs.length; i += 100) {
      const block = pairs.slice(i, i + 100);
      blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
    }
    return [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def",
      "1 begincodespacerange <0000> <FFFF> endcodespacerange",
      ...blocks,
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n");
  }
}
