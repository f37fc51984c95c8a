// Traces as color strips: one cell a span, its letter in it, and a dashed box around the longest exploit run.
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import { type Alphabet, alphabetOf, type PrimitiveSequence, paperAlphabet } from "../../traces/sequence.ts";
import { deepLabels, labelColor } from "../palette.ts";
import { figureWidth, svgRoot } from "./figure.ts";
import { element, label, stroked } from "./svg.ts";

type Strip = { readonly name: string; readonly note: string; readonly sequence: PrimitiveSequence };

const labelRoom = 190;
const cellHeight = 22;
const widestCell = 20;

export function stripsSvg(title: string, strips: readonly Strip[], taxonomy: Taxonomy, width = figureWidth): string {
  const longest = strips.reduce((most, { sequence }) => Math.max(most, sequence.length), 1);
  const cell = Math.min(widestCell, (width - labelRoom - 4) / longest);
  const rows = strips.map((strip, i) => drawStrip(strip, taxonomy, cell, 6 + i * (cellHeight + 22)));
  return svgRoot(title, width, strips.length * (cellHeight + 22) + 4, ...rows);
}

function drawStrip({ name, note, sequence }: Strip, taxonomy: Taxonomy, cell: number, top: number): string {
  const alphabet = alphabetOf(taxonomy);
  const deep = deepLabels(taxonomy);
  const colorOf = new Map(taxonomy.labels.map(({ name, color }) => [name, color.light]));
  const cells = [...sequence].map((code, i) => {
    const primitive = alphabet.labels[code];
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
            alphabet.letters[code],
          );
    return `<g><title>${i}: ${primitive}</title>${box}${letter}</g>`;
  });
  const run = longestRun(sequence, alphabet);
  const frame =
    run.length === 0
      ? ""
      : element("rect", {
          x: labelRoom + run.start * cell - 1.5,
          y: top - 2.5,
          width: run.length * cell + 2,
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

/** The first of the longest: the run whose length is the chain depth. */
export function longestRun(
  sequence: PrimitiveSequence,
  { exploit }: Alphabet = paperAlphabet,
): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let i = 0; i <= sequence.length; i++) {
    if (i < sequence.length && exploit & (1 << sequence[i])) continue;
    if (i - start > best.length) best = { start, length: i - start };
    start = i + 1;
  }
  return best;
}
