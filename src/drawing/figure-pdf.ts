// Figures as vector PDF, for LaTeX: a page as large as the figure, shapes as shapes, and text as text in an embedded font with only
// the letters that are used. Knows what the figures here make (svg, g, rect, line, path, polygon, circle, text) and nothing
// else: anything unknown is an error, so that no figure loses a part in silence.
import { createRequire } from "node:module";
import { optionalPackage } from "../base/optional-package.ts";

export type FigurePrinter = (svg: string) => Promise<Uint8Array>;

/** A unit of a figure is a CSS pixel, of which there are 96 to the inch; PDF has 72 points. */
const pointsPerUnit = 0.75;

type Document = PDFKit.PDFDocument;
type Attributes = Readonly<Record<string, string>>;

export async function figurePrinter(): Promise<FigurePrinter> {
  return optionalPackage(["pdfkit", "dejavu-fonts-ttf"], "figures as PDF", async () => {
    const { default: PDFDocument } = await import("pdfkit");
    const { resolve } = createRequire(import.meta.url);
    const fonts = {
      regular: resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"),
      bold: resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf"),
    };
    return async (svg: string) => {
      const root = attributesOf(/<svg([^>]*)>/.exec(svg)?.[1] ?? "");
      const [, , width, height] = (root.viewBox ?? "").split(" ").map(Number);
      if (!(width > 0 && height > 0)) throw new Error("the figure has no viewBox");
      const document = new PDFDocument({
        size: [width * pointsPerUnit, height * pointsPerUnit],
        margin: 0,
        pdfVersion: "1.7",
        // The same figure is the same file, whenever it is drawn.
        info: { Title: unescaped(root["aria-label"] ?? ""), Producer: "Repertoire", CreationDate: new Date(0) },
      });
      document.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
      const written: Uint8Array[] = [];
      const ended = new Promise<void>((done, failed) => {
        document.on("data", (part: Uint8Array) => written.push(part));
        document.on("end", done).on("error", failed);
      });
      document.scale(pointsPerUnit);
      drawAll(document, svg, root);
      document.end();
      await ended;
      return Buffer.concat(written);
    };
  });
}

const tag = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|<\?[^>]*\?>|([^<]+)/g;

function drawAll(document: Document, svg: string, root: Attributes): void {
  let text: { readonly attributes: Attributes; words: string } | undefined;
  /** Inside a title or a style, nothing is drawn. */
  let silent = 0;
  for (const [whole, closing, name, given, empty, words] of svg.matchAll(tag)) {
    if (words !== undefined) {
      if (text !== undefined && silent === 0) text.words += words;
      continue;
    }
    if (name === undefined || name === "svg" || name === "g") continue;
    if (name === "title" || name === "style") silent += closing === "/" ? -1 : empty === "/" ? 0 : 1;
    else if (name !== "text") drawShape(document, name, attributesOf(given), root, whole);
    else if (closing !== "/") text = { attributes: attributesOf(given), words: "" };
    else if (text !== undefined) {
      drawText(document, text.attributes, unescaped(text.words));
      text = undefined;
    }
  }
}

function drawShape(document: Document, name: string, attributes: Attributes, root: Attributes, whole: string): void {
  const number = (key: string) => Number(attributes[key] ?? 0);
  const size = (key: "width" | "height") => (attributes[key] === "100%" ? Number(root[key]) : number(key));
  if (name === "rect") document.rect(number("x"), number("y"), size("width"), size("height"));
  else if (name === "line") document.moveTo(number("x1"), number("y1")).lineTo(number("x2"), number("y2"));
  else if (name === "circle") document.circle(number("cx"), number("cy"), number("r"));
  else if (name === "path") document.path(attributes.d ?? "");
  else if (name === "polygon") {
    const corners = (attributes.points ?? "").trim().split(/\s+/);
    document.polygon(...corners.map((corner) => corner.split(",").map(Number)));
  } else throw new Error(`a figure holds ${whole.slice(0, 60)}, which cannot be drawn as PDF`);
  // What says nothing is filled black, as SVG has it; a line has nothing to fill.
  const fill = name === "line" ? undefined : colorOf(attributes.fill ?? "#000000");
  const stroke = colorOf(attributes.stroke ?? "none");
  const dashes = (attributes["stroke-dasharray"] ?? "").split(/[ ,]+/).filter(Boolean).map(Number);
  if (dashes.length > 0) document.dash(dashes as unknown as number, {});
  else document.undash();
  document.fillOpacity(Number(attributes["fill-opacity"] ?? 1)).lineWidth(Number(attributes["stroke-width"] ?? 1));
  if (fill !== undefined && stroke !== undefined) document.fillAndStroke(fill, stroke);
  else if (fill !== undefined) document.fill(fill);
  else if (stroke !== undefined) document.stroke(stroke);
}

function drawText(document: Document, attributes: Attributes, text: string): void {
  const [, degrees, x, y] = /^rotate\((-?[\d.]+) (-?[\d.]+) (-?[\d.]+)\)$/.exec(attributes.transform ?? "") ?? [];
  if (attributes.transform !== undefined && degrees === undefined)
    throw new Error(`a text is transformed by ${attributes.transform}, which cannot be drawn as PDF`);
  document.save();
  if (degrees !== undefined) document.rotate(Number(degrees), { origin: [Number(x), Number(y)] });
  document
    .font(Number(attributes["font-weight"] ?? 400) >= 600 ? "bold" : "regular")
    .fontSize(Number(attributes["font-size"] ?? 16))
    .fillOpacity(1)
    .fillColor(colorOf(attributes.fill ?? "#000000") ?? "#000000");
  // Every letter by itself: with ligatures a reader of the file would find other words.
  const features = { liga: false, clig: false, dlig: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[];
  const plain = { lineBreak: false, features };
  const width = document.widthOfString(text, plain);
  const back = { start: 0, middle: width / 2, end: width }[attributes["text-anchor"] ?? "start"] ?? 0;
  document.text(text, Number(attributes.x ?? 0) - back, Number(attributes.y ?? 0), {
    ...plain,
    baseline: "alphabetic",
  });
  document.restore();
}

function colorOf(text: string): string | undefined {
  if (text === "none") return undefined;
  if (!/^#([0-9a-f]{6}|[0-9a-f]{3})$/i.test(text))
    throw new Error(`the color ${text} cannot be drawn as PDF; figures have #rrggbb`);
  return text;
}

const attributesOf = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[name] ?? whole;
  });
