// A figure's own SVG as shapes to draw. Knows what the charts here make (svg, g, rect, line, path, polygon, circle, text)
// and nothing else: anything unknown is an error, so that no figure loses a part in silence.

export type Paint = {
  readonly fill?: string;
  readonly fillOpacity: number;
  readonly stroke?: string;
  readonly strokeWidth: number;
  readonly dash: readonly number[];
};

export type Point = readonly [x: number, y: number];

/** A turn around a point, in degrees. */
type Turn = { readonly degrees: number; readonly around: Point };

export type Shape =
  | {
      readonly shape: "lines";
      readonly parts: readonly (readonly Point[])[];
      readonly closed: boolean;
      readonly paint: Paint;
    }
  | { readonly shape: "circle"; readonly center: Point; readonly radius: number; readonly paint: Paint }
  | {
      readonly shape: "text";
      readonly at: Point;
      readonly text: string;
      readonly size: number;
      readonly bold: boolean;
      readonly anchor: "start" | "middle" | "end";
      readonly fill: string;
      readonly turn?: Turn;
    };

export type Drawing = {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly shapes: readonly Shape[];
};

type Attributes = Readonly<Record<string, string>>;

const tag = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|<\?[^>]*\?>|([^<]+)/g;

export function figureShapes(svg: string): Drawing {
  const shapes: Shape[] = [];
  let root: Attributes = {};
  let text: { readonly attributes: Attributes; words: string } | undefined;
  /** Inside a title or a style, nothing is drawn. */
  let silent = 0;
  for (const [whole, closing, name, given, empty, words] of svg.matchAll(tag)) {
    if (words !== undefined) {
      if (text !== undefined && silent === 0) text.words += words;
      continue;
    }
    if (name === undefined) continue;
    if (name === "title" || name === "style") silent += closing === "/" ? -1 : empty === "/" ? 0 : 1;
    else if (closing === "/") {
      if (name === "text" && text !== undefined) shapes.push(textShape(text.attributes, unescaped(text.words)));
      if (name === "text") text = undefined;
    } else if (name === "svg") root = attributesOf(given);
    else if (name === "text") text = { attributes: attributesOf(given), words: "" };
    else if (name !== "g") shapes.push(...drawnShape(name, attributesOf(given), root, whole));
  }
  const [, , width, height] = (root.viewBox ?? "").split(" ").map(Number);
  if (!(width > 0 && height > 0)) throw new Error("the figure has no viewBox");
  return { width, height, title: unescaped(root["aria-label"] ?? ""), shapes };
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

const painted = ({ fill, stroke, ...rest }: Attributes): Paint => ({
  // What says nothing is filled black, as SVG has it.
  ...(fill !== "none" && { fill: fill ?? "#000000" }),
  fillOpacity: Number(rest["fill-opacity"] ?? 1),
  ...(stroke !== undefined && stroke !== "none" && { stroke }),
  strokeWidth: Number(rest["stroke-width"] ?? 1),
  dash: (rest["stroke-dasharray"] ?? "")
    .split(/[ ,]+/)
    .filter((part) => part !== "")
    .map(Number),
});

function drawnShape(name: string, attributes: Attributes, root: Attributes, whole: string): Shape[] {
  const number = (key: string) => Number(attributes[key] ?? 0);
  const paint = painted(attributes);
  switch (name) {
    case "rect": {
      const [x, y] = [number("x"), number("y")];
      const size = (key: "width" | "height") => (attributes[key] === "100%" ? Number(root[key]) : number(key));
      const [right, bottom] = [x + size("width"), y + size("height")];
      return [
        {
          shape: "lines",
          parts: [
            [
              [x, y],
              [right, y],
              [right, bottom],
              [x, bottom],
            ],
          ],
          closed: true,
          paint,
        },
      ];
    }
    case "line":
      return [
        {
          ...{ shape: "lines", closed: false, paint: { ...paint, fill: undefined } },
          parts: [
            [
              [number("x1"), number("y1")],
              [number("x2"), number("y2")],
            ],
          ],
        },
      ];
    case "polygon": {
      const corners = (attributes.points ?? "").trim().split(/\s+/);
      return [{ shape: "lines", parts: [corners.map((corner) => pointOf(corner))], closed: true, paint }];
    }
    case "path":
      return [{ shape: "lines", ...pathParts(attributes.d ?? ""), paint }];
    case "circle":
      return [{ shape: "circle", center: [number("cx"), number("cy")], radius: number("r"), paint }];
    default:
      throw new Error(`a figure holds ${whole.slice(0, 60)}, which cannot be drawn as PDF`);
  }
}

function pointOf(text: string): Point {
  const [x, y] = text.split(",").map(Number);
  return [x, y];
}

/** M, L and h with numbers after them, and Z. */
function pathParts(d: string): { readonly parts: Point[][]; readonly closed: boolean } {
  const parts: Point[][] = [];
  let closed = false;
  for (const [, command, numbers] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const values = (numbers.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    const last = parts.at(-1);
    if (command === "M") parts.push([[values[0], values[1]]]);
    else if (command === "L" && last) last.push([values[0], values[1]]);
    else if (command === "h" && last) last.push([last[last.length - 1][0] + values[0], last[last.length - 1][1]]);
    else if (command === "Z") closed = true;
    else throw new Error(`a path holds ${command}, which cannot be drawn as PDF`);
  }
  return { parts, closed };
}

function textShape(attributes: Attributes, text: string): Shape {
  const [, degrees, x, y] = /^rotate\((-?[\d.]+) (-?[\d.]+) (-?[\d.]+)\)$/.exec(attributes.transform ?? "") ?? [];
  if (attributes.transform !== undefined && degrees === undefined)
    throw new Error(`a text is transformed by ${attributes.transform}, which cannot be drawn as PDF`);
  return {
    shape: "text",
    at: [Number(attributes.x ?? 0), Number(attributes.y ?? 0)],
    text,
    size: Number(attributes["font-size"] ?? 16),
    bold: Number(attributes["font-weight"] ?? 400) >= 600,
    anchor: (attributes["text-anchor"] ?? "start") as "start" | "middle" | "end",
    fill: attributes.fill ?? "#000000",
    ...(degrees !== undefined && { turn: { degrees: Number(degrees), around: [Number(x), Number(y)] } }),
  };
}
