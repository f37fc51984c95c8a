// A figure: panels with axes in a grid, and one legend above them. Pure text in, SVG out: the same data gives the same
// bytes on every machine.

import type { PanelsBody } from "./item.ts";
import { drawMark, drawSymbol, type Frame } from "./marks.ts";
import { type LegendEntry, type Mark, numberFormats, type Panel } from "./panel.ts";
import { oneLine } from "./safe-text.ts";
import { doubling, linear, logarithmic, roundRange, type Scale } from "./scales.ts";
import { element, filled, fontSize, label, stroked, textWidth } from "./svg.ts";

type FigureLayout = Omit<PanelsBody, "kind"> & {
  /** What a reader who cannot see it is told. */
  readonly title: string;
  readonly width?: number;
};

export const figureWidth = 920;
const gap = 18;
const margin = { left: 50, right: 10, top: 26 };

export function figureSvg({
  title,
  panels,
  columns,
  panelHeight = 200,
  legend,
  width = figureWidth,
}: FigureLayout): string {
  const across = Math.min(columns, panels.length);
  const panelWidth = (width - gap * (across - 1)) / across;
  const ticks = panels.map((panel) => tickLabels(panel, panelWidth));
  const tickRoom = ticks.reduce((most, { height }) => Math.max(most, height), 0);
  const below = tickRoom + (panels.some(({ x }) => x.label) ? 18 : 4);
  const key = drawLegend(legend, width);
  const rowHeight = panelHeight + below + gap;
  const drawn = panels.map((panel, i) => {
    const [column, row] = [i % across, Math.floor(i / across)];
    return drawPanel(panel, ticks[i], {
      x: column * (panelWidth + gap),
      y: key.height + row * rowHeight,
      width: panelWidth,
      height: panelHeight + below,
      below,
    });
  });
  const height = key.height + Math.ceil(panels.length / across) * rowHeight;
  return svgRoot(title, width, height, key.svg, ...drawn);
}

export function svgRoot(title: string, width: number, height: number, ...content: readonly string[]): string {
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
      width: Math.ceil(width),
      height: Math.ceil(height),
      role: "img",
      "aria-label": oneLine(title),
      "font-family": "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif",
    },
    ...content,
  );
}

function drawLegend(entries: readonly LegendEntry[], width: number): { readonly svg: string; readonly height: number } {
  if (entries.length === 0) return { svg: "", height: 4 };
  let [x, y] = [margin.left, 12];
  const parts = entries.map(({ name, ink, symbol = "square", hollow }) => {
    const needed = textWidth(name, 12) + 34;
    if (x > margin.left && x + needed > width) [x, y] = [margin.left, y + 18];
    const paint = hollow ? { ...stroked(ink), fill: "none", "stroke-width": 1.5 } : filled(ink);
    const part = drawSymbol(symbol, x, y - 4, 5, paint) + label(name, { x: x + 11, y, size: 12 });
    x += needed;
    return part;
  });
  return { svg: parts.join(""), height: y + 12 };
}

type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly below: number;
};

type TickLabels = {
  /** Of each name, one line or several; unused where ticks are numbers. */
  readonly lines: readonly (readonly string[])[];
  readonly tilted: boolean;
  readonly height: number;
};

const lineHeight = 13;
const longestTilted = 24;

/** Names under their groups: wrapped at words where every word fits, tilted where one does not. */
function tickLabels({ x }: Panel, width: number): TickLabels {
  if (x.kind !== "categories") return { lines: [], tilted: false, height: 18 };
  const room = (width - margin.left - margin.right) / x.names.length - 4;
  const wrapped = x.names.map((name) => wrappedWords(name, room));
  if (wrapped.flat().every((line) => textWidth(line) <= room)) {
    const lines = wrapped.reduce((most, own) => Math.max(most, own.length), 1);
    return { lines: wrapped, tilted: false, height: 5 + lines * lineHeight };
  }
  const lines = x.names.map((name) => [name.length > longestTilted ? `${name.slice(0, longestTilted - 1)}…` : name]);
  const longest = lines.flat().reduce((most, name) => Math.max(most, textWidth(name)), 0);
  return { lines, tilted: true, height: 14 + longest * 0.62 };
}

function wrappedWords(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const joined = `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && textWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

function drawPanel(panel: Panel, ticks: TickLabels, box: Box): string {
  const [left, right] = [box.x + margin.left, box.x + box.width - margin.right];
  const [top, bottom] = [box.y + margin.top, box.y + box.height - box.below];
  const format = numberFormats[panel.y.format ?? "plain"];
  const y = yScale(panel, bottom, top);
  const x = xScale(panel, left, right);
  const frame: Frame = {
    ...{ x, y, left, right, top, bottom, format },
    categories: panel.x.kind === "categories" ? panel.x.names.length : 0,
  };
  const grid = y.ticks.map(
    (tick) =>
      element("line", { x1: left, x2: right, y1: y.place(tick), y2: y.place(tick), ...stroked("grid") }) +
      label(format(tick), { x: left - 6, y: y.place(tick) + 3.5, ink: "muted", "text-anchor": "end" }),
  );
  return [
    label(clipped(panel.title, right - left, 12.5), { x: left, y: box.y + 14, size: 12.5, "font-weight": 600 }),
    ...grid,
    xTicks(panel, frame, ticks),
    axisLabels(panel, box, frame),
    ...panel.marks.map((mark) => drawMark(mark, frame)),
    element("line", { x1: left, x2: right, y1: bottom, y2: bottom, ...stroked("muted") }),
  ].join("");
}

function yScale({ y, marks }: Panel, bottom: number, top: number): Scale {
  const values = yValues(marks);
  if (y.log && values.length > 0) {
    const ends = values.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [values[0], values[0]],
    );
    return logarithmic([ends[0], ends[1]], [bottom, top]);
  }
  return linear(y.domain ?? roundRange(values, { fromZero: y.fromZero }), [bottom, top], 5);
}

function xScale({ x, marks }: Panel, left: number, right: number): Scale {
  switch (x.kind) {
    case "doubling":
      return doubling(x.domain, [left + 6, right - 6]);
    case "linear":
      return linear(x.domain ?? roundRange(xValues(marks)), [left + 6, right - 6], 6);
    case "categories": {
      const step = (right - left) / x.names.length;
      return { place: (index) => left + step * (index + 0.5), ticks: x.names.map((_, i) => i) };
    }
  }
}

function xTicks({ x }: Panel, { x: scale, bottom }: Frame, { lines, tilted }: TickLabels): string {
  return scale.ticks
    .flatMap((tick) => {
      const at = scale.place(tick);
      if (tilted) {
        const turn = `rotate(-38 ${Math.round(at + 3)} ${Math.round(bottom + 13)})`;
        return label(lines[tick][0], {
          ...{ x: at + 3, y: bottom + 13, ink: "muted", "text-anchor": "end" },
          transform: turn,
        });
      }
      const texts =
        x.kind === "categories"
          ? lines[tick]
          : [x.kind === "linear" ? numberFormats[x.format ?? "plain"](tick) : String(tick)];
      return texts.map((text, i) =>
        label(text, { x: at, y: bottom + 15 + i * lineHeight, ink: "muted", "text-anchor": "middle" }),
      );
    })
    .join("");
}

function axisLabels({ x, y }: Panel, box: Box, { left, right, top, bottom }: Frame): string {
  const middle = (top + bottom) / 2;
  const turned = label(y.label, {
    x: box.x + 10,
    y: middle,
    ink: "muted",
    "text-anchor": "middle",
    transform: `rotate(-90 ${Math.round(box.x + 10)} ${Math.round(middle)})`,
  });
  const below = x.label
    ? label(x.label, { x: (left + right) / 2, y: box.y + box.height - 8, ink: "muted", "text-anchor": "middle" })
    : "";
  return turned + below;
}

const clipped = (text: string, width: number, size = fontSize) => {
  const room = Math.floor(width / (size * 0.56));
  return text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
};

const yValues = (marks: readonly Mark[]): number[] =>
  marks.flatMap((mark) => {
    const of = (m: { value: number; low?: number; high?: number }) => [m.value, m.low ?? m.value, m.high ?? m.value];
    if (mark.mark === "line") return mark.points.flatMap(of);
    if (mark.mark === "bars")
      return mark.series.flatMap(({ values }) => values.flatMap((value) => (value ? of(value) : [])));
    return mark.mark === "dots" ? mark.points.flatMap((point) => of(point.y)) : [];
  });

const xValues = (marks: readonly Mark[]): number[] =>
  marks.flatMap((mark) => {
    if (mark.mark === "line") return mark.points.map((point) => point.x);
    return mark.mark === "dots" ? mark.points.flatMap(({ x }) => [x.value, x.low ?? x.value, x.high ?? x.value]) : [];
  });
