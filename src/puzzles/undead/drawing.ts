// Pictures of a maze: an SVG with mirrors, monsters and what is seen from each edge, and a drawing for a terminal.
import { cellSize, escapeXml, ink, picture, wrongMark } from "../picture.ts";
import type { Cell } from "../puzzle.ts";
import type { UndeadBoard, UndeadInstance } from "./instance.ts";

const half = cellSize / 2;

/** Outlines around the middle of a cell, so that monsters differ in shape and letter, not in color alone. */
const outlines: Readonly<Record<string, string>> = {
  // A hood with a wavy hem, a cape with a pointed foot, a square block.
  G: "M-10 11V-2a10 10 0 0 1 20 0V11l-5 -4l-5 4l-5 -4z",
  V: "M-11 -10L-6 -6H6L11 -10L8 6L0 12L-8 6z",
  Z: "M-10 -10H10V10H-10z",
};

export function svg(instance: UndeadInstance, board?: UndeadBoard, wrong: readonly Cell[] = []): string {
  const { width, height, totals, sightings } = instance;
  const [across, down] = [width * cellSize, height * cellSize];
  const parts: string[] = [];
  const label = (x: number, y: number, text: string | number, size = 15) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${ink.given}" text-anchor="middle" dominant-baseline="central">${escapeXml(String(text))}</text>`;

  const heading = `G ${totals.ghosts} · V ${totals.vampires} · Z ${totals.zombies}`;
  parts.push(`<g transform="translate(${cellSize} ${2 * cellSize})">`);
  parts.push(label(across / 2, -1.5 * cellSize, heading));
  const lines: string[] = [];
  for (let column = 0; column <= width; column++) lines.push(`M${column * cellSize} 0V${down}`);
  for (let row = 0; row <= height; row++) lines.push(`M0 ${row * cellSize}H${across}`);
  parts.push(`<path d="${lines.join("")}" stroke="${ink.faint}" fill="none"/>`);
  parts.push(`<rect width="${across}" height="${down}" fill="none" stroke="${ink.line}" stroke-width="2"/>`);

  for (let column = 0; column < width; column++) {
    const x = column * cellSize + half;
    parts.push(label(x, -half, sightings.top[column]), label(x, down + half, sightings.bottom[column]));
  }
  for (let row = 0; row < height; row++) {
    const y = row * cellSize + half;
    parts.push(label(-half, y, sightings.left[row]), label(across + half, y, sightings.right[row]));
  }
  for (let cell = 0; cell < instance.cells.length; cell++) {
    const symbol = board?.cells[cell] ?? instance.cells[cell];
    const [x, y] = [(cell % width) * cellSize + half, Math.floor(cell / width) * cellSize + half];
    parts.push(cellPicture(symbol, x, y, instance.cells[cell] === symbol ? ink.given : ink.answer));
  }
  for (const { row, column } of wrong) parts.push(wrongMark(row, column));
  parts.push("</g>");
  const title = `Undead, ${width} by ${height}: ${totals.ghosts} ghosts, ${totals.vampires} vampires, ${totals.zombies} zombies`;
  return picture(
    width + 2,
    height + 3,
    title,
    parts.filter((part) => part !== ""),
  );
}

function cellPicture(symbol: string, x: number, y: number, color: string): string {
  const reach = half - 4;
  if (symbol === "/" || symbol === "\\") {
    const rise = symbol === "/" ? -2 * reach : 2 * reach;
    return `<path d="M${x - reach} ${y - rise / 2}l${2 * reach} ${rise}" stroke="${color}" stroke-width="4" stroke-linecap="round"/>`;
  }
  const outline = outlines[symbol];
  if (outline === undefined) return "";
  return (
    `<path d="${outline}" transform="translate(${x} ${y})" fill="${color}"/>` +
    `<text x="${x}" y="${y + 1}" font-size="13" font-weight="bold" fill="${ink.paper}" text-anchor="middle" dominant-baseline="central">${symbol}</text>`
  );
}

export function draw({ width, height, totals, cells, sightings }: UndeadInstance, board?: UndeadBoard): string {
  const shown = board?.cells ?? cells;
  const { top, right, bottom, left } = sightings;
  const columnSize = Math.max(...[...top, ...bottom].map((count) => String(count).length));
  const edgeSize = Math.max(...left.map((count) => String(count).length));
  const line = (items: readonly (string | number)[]) =>
    items.map((item) => String(item).padStart(columnSize)).join(" ");
  const indent = " ".repeat(edgeSize + 3);
  const rule = "─".repeat(width * (columnSize + 1) + 1);
  const rows = [
    `Ghosts ${totals.ghosts}, Vampires ${totals.vampires}, Zombies ${totals.zombies}`,
    `${indent}${line(top)}`,
    `${" ".repeat(edgeSize + 1)}┌${rule}┐`,
  ];
  for (let row = 0; row < height; row++) {
    const symbols = [...shown.slice(row * width, (row + 1) * width)].map((symbol) => (symbol === "." ? "·" : symbol));
    rows.push(`${String(left[row]).padStart(edgeSize)} │ ${line(symbols)} │ ${right[row]}`);
  }
  rows.push(`${" ".repeat(edgeSize + 1)}└${rule}┘`, `${indent}${line(bottom)}`);
  return rows.join("\n");
}
