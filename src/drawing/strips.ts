// Traces as color strips: one cell a span, its letter in it, and a dashed box around the longest exploit run.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { figureWidth, svgRoot } from "./figure.ts";
import type { ShownTrace } from "./item.ts";
import { deepLabels, labelColor } from "./palette.ts";
import { element, label, stroked } from "./svg.ts";

const labelRoom = 190;
const cellHeight = 22;
const widestCell = 20;

export function stripsSvg(
  title: string,
  traces: readonly ShownTrace[],
  taxonomy: Taxonomy,
  width = figureWidth,
): string {
  const longest = traces.reduce((most, { spans }) => Math.max(most, spans.length), 1);
  const cell = Math.min(widestCell, (width - labelRoom - 4) / longest);
  const rows = traces.map((trace, i) => drawStrip(trace, taxonomy, cell, 6 + i * (cellHeight + 22)));
  return svgRoot(title, width, traces.length * (cellHeight + 22) + 4, ...rows);
}

function drawStrip({ name, note, spans, boxed }: ShownTrace, taxonomy: Taxonomy, cell: number, top: number): string {
  const deep = deepLabels(taxonomy);
  const colorOf = new Map(taxonomy.labels.map((one) => [one.name, one.color.light]));
  const cells = spans.map(({ label: primitive, letter: shown }, i) => {
    const x = labelRoom + i * cell;
    const box = element("rect", {
      x,
      y: top,
      width: Math.max(0.5, cell - 0.6),
      height: cellHeight,
      class: `fill-${labelColor(primitive)}`,
      fill: colorOf.get(primitive),
    });
    const letter =
      cell < 9
        ? ""
        : element(
            "text",
            {
              x: x + cell / 2,
              y: top + 15,
              "text-anchor": "middle",
              "font-size": 11,
              ...letterInk(deep.includes(primitive)),
            },
            shown,
          );
    return `<g><title>${i}: ${primitive}</title>${box}${letter}</g>`;
  });
  const frame =
    boxed.length === 0
      ? ""
      : element("rect", {
          x: labelRoom + boxed.start * cell - 1.5,
          y: top - 2.5,
          width: boxed.length * cell + 2,
          height: cellHeight + 5,
          fill: "none",
          ...stroked("text"),
          "stroke-dasharray": "4 3",
          "stroke-width": 1.3,
        });
  return [
    label(name, { x: 0, y: top + 10, size: 12, "font-weight": 600 }),
    label(note, { x: 0, y: top + 23, ink: "muted", size: 10.5 }),
    ...cells,
    frame,
  ].join("");
}

/** White letters on the deep colors, black on the others. */
const letterInk = (deep: boolean) =>
  deep ? { class: "on-deep", fill: "#ffffff" } : { class: "on-color", fill: "#000000" };
