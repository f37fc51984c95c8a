// Pictures of a Galaxies board: an SVG, and a drawing for a terminal.
import { neighborsOf } from "../cell-regions.ts";
import { cellSize, ink, picture, wrongMark } from "../picture.ts";
import type { Cell } from "../puzzle.ts";
import { type GalaxiesBoard, type GalaxiesInstance, sizeText } from "./instance.ts";

/** Soft enough to read dots and marks on, and told apart by lightness as well as by hue. */
const fills = ["#e8f1fa", "#fdf0d5", "#e3f4ea", "#f9e4ec", "#eeeaf8", "#f1f1ee"];

export function svgOf(instance: GalaxiesInstance, board?: GalaxiesBoard, wrong: readonly Cell[] = []): string {
  const { width, height, dots } = instance;
  const parts: string[] = [];
  if (board !== undefined) parts.push(...regionFills(instance, board));
  parts.push(
    path(
      linesWhere(instance, () => true),
      ink.faint,
      1,
    ),
  );
  parts.push(...wrong.map(({ row, column }) => wrongMark(row, column)));
  if (board !== undefined)
    parts.push(
      path(
        linesWhere(instance, (one, other) => board.labels[one] !== board.labels[other]),
        ink.answer,
        3,
      ),
    );
  parts.push(
    `<rect width="${width * cellSize}" height="${height * cellSize}" fill="none" stroke="${ink.line}" stroke-width="3"/>`,
  );
  const half = cellSize / 2;
  for (const { x, y, black } of dots)
    parts.push(
      `<circle cx="${x * half}" cy="${y * half}" r="${cellSize / 6}" fill="${black ? ink.given : ink.paper}" stroke="${ink.given}" stroke-width="2"/>`,
    );
  const count = `${dots.length} ${dots.length === 1 ? "dot" : "dots"}`;
  return picture(width, height, `Galaxies ${sizeText(instance)}, ${count}${board ? ", with an answer" : ""}`, parts);
}

/** Neighboring regions get different colors where six are enough, which for real boards they are. */
function regionFills({ width, height }: GalaxiesInstance, { labels }: GalaxiesBoard): string[] {
  const beside = new Map<string, Set<string>>();
  for (let cell = 0; cell < width * height; cell++) {
    const others = beside.get(labels[cell]) ?? new Set();
    beside.set(labels[cell], others);
    for (const other of neighborsOf(width, height)[cell]) others.add(labels[other]);
  }
  const color = new Map<string, number>();
  for (const [label, others] of beside) {
    const taken = new Set([...others].filter((other) => other !== label).map((other) => color.get(other)));
    const open = fills.findIndex((_, index) => !taken.has(index));
    color.set(label, open < 0 ? color.size % fills.length : open);
  }
  return Array.from({ length: width * height }, (_, cell) => {
    const [x, y] = [(cell % width) * cellSize, Math.floor(cell / width) * cellSize];
    return `<rect x="${x}" y="${y}" width="${cellSize}" height="${cellSize}" fill="${fills[color.get(labels[cell])!]}"/>`;
  });
}

/** The inner lines between two cells of which something holds, as path commands. */
function linesWhere({ width, height }: GalaxiesInstance, drawn: (one: number, other: number) => boolean): string {
  let commands = "";
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const cell = row * width + column;
      const [right, bottom] = [(column + 1) * cellSize, (row + 1) * cellSize];
      if (column < width - 1 && drawn(cell, cell + 1)) commands += `M${right} ${row * cellSize}v${cellSize}`;
      if (row < height - 1 && drawn(cell, cell + width)) commands += `M${column * cellSize} ${bottom}h${cellSize}`;
    }
  return commands;
}

function path(commands: string, color: string, thickness: number): string {
  return `<path d="${commands}" fill="none" stroke="${color}" stroke-width="${thickness}" stroke-linecap="round"/>`;
}

/** By which of the lines to the right, below, to the left and above meet in a corner: 1, 2, 4 and 8. */
const corners = [..." ╶╷┌╴─┐┬╵└│├┘┴┤┼"];

/** All lines before solving, afterwards only those between regions. Two columns for every half cell keep cells square. */
export function drawingOf({ width, height, dots }: GalaxiesInstance, board?: GalaxiesBoard): string {
  const labelAt = (row: number, column: number) =>
    row < 0 || column < 0 || row >= height || column >= width
      ? ""
      : (board?.labels[row * width + column] ?? `${row},${column}`);
  const across = (y: number, column: number) =>
    column >= 0 && column < width && labelAt(y / 2 - 1, column) !== labelAt(y / 2, column);
  const down = (x: number, row: number) => row >= 0 && row < height && labelAt(row, x / 2 - 1) !== labelAt(row, x / 2);
  const dotAt = new Map(dots.map((dot) => [`${dot.x},${dot.y}`, dot.black ? "●" : "○"]));

  const symbol = (x: number, y: number): string => {
    const [column, row] = [x >> 1, y >> 1];
    if (x % 2 === 1) return y % 2 === 0 && across(y, column) ? "─" : " ";
    if (y % 2 === 1) return down(x, row) ? "│" : " ";
    const arms = [across(y, column), down(x, row), across(y, column - 1), down(x, row - 1)];
    return corners[arms.reduce((bits, drawn, at) => bits | (drawn ? 1 << at : 0), 0)];
  };
  const lines: string[] = [];
  for (let y = 0; y <= 2 * height; y++) {
    let line = "";
    for (let x = 0; x <= 2 * width; x++) {
      line += dotAt.get(`${x},${y}`) ?? symbol(x, y);
      if (x < 2 * width) line += y % 2 === 0 && across(y, x >> 1) ? "─" : " ";
    }
    lines.push(line);
  }
  return lines.join("\n");
}
