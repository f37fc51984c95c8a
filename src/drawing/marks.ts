// What a panel can show: lines with bands, grouped bars with intervals, dots with intervals, a diagonal. Each mark carries
// its numbers as a title, so that a reader who points at it sees them without any script.

import type { DotShape, DotsMark, LineMark, Mark, Measured } from "./panel.ts";
import { escaped } from "./safe-text.ts";
import { bands, type Scale } from "./scales.ts";
import { type Attributes, element, filled, label, rounded, stroked } from "./svg.ts";

export type Frame = {
  readonly x: Scale;
  readonly y: Scale;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly categories: number;
  readonly format: (value: number) => string;
};

export function drawMark(mark: Mark, frame: Frame): string {
  switch (mark.mark) {
    case "line":
      return drawLine(mark, frame);
    case "bars":
      return drawBars(mark, frame);
    case "dots":
      return drawDots(mark, frame);
    case "diagonal":
      return element("line", {
        x1: frame.left,
        y1: frame.bottom,
        x2: frame.right,
        y2: frame.top,
        ...stroked("muted"),
        "stroke-dasharray": "3 4",
      });
  }
}

const place = (x: number, y: number) => `${rounded(x)},${rounded(y)}`;

function drawLine({ ink, name, points, symbol = "circle", dash, faint }: LineMark, { x, y, format }: Frame): string {
  const paler = faint ? { "fill-opacity": 0.4 } : {};
  const banded = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  const edge = [
    ...banded.map((point) => place(x.place(point.x), y.place(point.high!))),
    ...banded.toReversed().map((point) => place(x.place(point.x), y.place(point.low!))),
  ];
  const path = points.map((point, i) => `${i === 0 ? "M" : "L"}${place(x.place(point.x), y.place(point.value))}`);
  // Points so close that they touch would hide their line.
  const size = faint || points.length > 60 ? 1.5 : 3;
  const titled = points.map((point) =>
    withTitle(
      drawSymbol(symbol, x.place(point.x), y.place(point.value), size, { ...filled(ink), ...paler }),
      `${name}: ${format(point.value)}${intervalText(point, format)} at ${point.x}`,
    ),
  );
  return [
    ...(banded.length > 1 ? [element("polygon", { points: edge.join(" "), ...filled(ink), "fill-opacity": 0.1 })] : []),
    element("path", {
      ...{ d: path.join(""), ...stroked(ink), fill: "none", "stroke-width": faint ? 1 : 1.8, "stroke-dasharray": dash },
      ...(faint && { "stroke-opacity": 0.4 }),
    }),
    ...titled,
  ].join("");
}

function drawBars(
  { series }: Extract<Mark, { readonly mark: "bars" }>,
  { y, left, right, categories, bottom, format }: Frame,
): string {
  const groups = bands(categories, [left, right], 0.24);
  const width = groups.width / series.length;
  const zero = Math.min(y.place(0), bottom);
  return series
    .flatMap(({ ink, name, values, hollow }, s) =>
      values.map((measured, group) => {
        const start = groups.start(group) + s * width;
        if (measured === null) {
          const missing = label("–", { x: start + width / 2, y: zero - 3, ink: "muted", "text-anchor": "middle" });
          return withTitle(missing, `${name}: not measured`);
        }
        const top = y.place(measured.value);
        const bar = element("rect", {
          x: start + 0.5,
          y: Math.min(top, zero),
          width: Math.max(1, width - 1),
          height: Math.max(0.6, Math.abs(zero - top)),
          ...(hollow ? { ...stroked(ink), fill: "none", "stroke-width": 1.5 } : filled(ink)),
        });
        return withTitle(
          bar + verticalWhisker(measured, start + width / 2, y),
          `${name}: ${format(measured.value)}${intervalText(measured, format)}`,
        );
      }),
    )
    .join("");
}

function drawDots({ ink, points, symbol = "circle", hollow }: DotsMark, { x, y }: Frame): string {
  return points
    .map((point) => {
      const [cx, cy] = [x.place(point.x.value), y.place(point.y.value)];
      const across =
        point.x.low === undefined || point.x.high === undefined
          ? ""
          : element("path", {
              d: `M${place(x.place(point.x.low), cy)}L${place(x.place(point.x.high), cy)}`,
              ...stroked(ink),
            });
      const paint: Attributes = hollow
        ? { ...stroked(ink), fill: "none", "stroke-width": 1.4 }
        : { ...filled(ink), "fill-opacity": 0.85 };
      const shape = drawSymbol(symbol, cx, cy, 4, paint);
      return withTitle(across + verticalWhisker(point.y, cx, y, ink) + shape, point.title);
    })
    .join("");
}

function verticalWhisker({ low, high }: Measured, x: number, y: Scale, ink = "text"): string {
  if (low === undefined || high === undefined || low === high) return "";
  const [top, bottom] = [y.place(high), y.place(low)];
  const d = `M${place(x, top)}L${place(x, bottom)}M${place(x - 2, top)}h4M${place(x - 2, bottom)}h4`;
  return element("path", { d, ...stroked(ink), "stroke-width": 1, fill: "none" });
}

export function drawSymbol(symbol: DotShape, x: number, y: number, size: number, paint: Attributes): string {
  const corner = (dx: number, dy: number) => place(x + dx * size, y + dy * size);
  const polygon = (...corners: string[]) => element("polygon", { points: corners.join(" "), ...paint });
  switch (symbol) {
    case "circle":
      return element("circle", { cx: x, cy: y, r: size, ...paint });
    case "square":
      return element("rect", { x: x - size * 0.9, y: y - size * 0.9, width: size * 1.8, height: size * 1.8, ...paint });
    case "triangle":
      return polygon(corner(0, -1.2), corner(1.1, 0.9), corner(-1.1, 0.9));
    case "diamond":
      return polygon(corner(0, -1.35), corner(1.1, 0), corner(0, 1.35), corner(-1.1, 0));
    case "cross":
      return polygon(
        ...[corner(-0.35, -1.2), corner(0.35, -1.2), corner(0.35, -0.35), corner(1.2, -0.35), corner(1.2, 0.35)],
        ...[corner(0.35, 0.35), corner(0.35, 1.2), corner(-0.35, 1.2), corner(-0.35, 0.35), corner(-1.2, 0.35)],
        ...[corner(-1.2, -0.35), corner(-0.35, -0.35)],
      );
  }
}

function intervalText({ low, high }: Measured, format: (value: number) => string): string {
  return low === undefined || high === undefined ? "" : ` [${format(low)}, ${format(high)}]`;
}

const withTitle = (shapes: string, title: string) => `<g><title>${escaped(title)}</title>${shapes}</g>`;
