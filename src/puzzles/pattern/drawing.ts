// Pictures of a Pattern: an SVG and a drawing for a terminal, clues above and to the left.
import { cellSize, escapeXml, gridLines, ink, picture, wrongMark } from "../picture.ts";
import type { Cell } from "../puzzle.ts";
import type { PatternBoard, PatternInstance } from "./instance.ts";

const largest = (numbers: readonly number[]) => numbers.reduce((most, number) => Math.max(most, number), 1);
const mostRuns = (lines: readonly (readonly number[])[]) => largest(lines.map((runs) => runs.length));
const shownRuns = (runs: readonly number[]) => (runs.length === 0 ? [0] : runs);

/** What a cell shows: the answer, else what is given, else `?`. */
const symbolAt = (instance: PatternInstance, board: PatternBoard | undefined, cell: number) =>
  board?.cells[cell] ?? instance.prefilled?.[cell] ?? "?";

export function patternSvg(instance: PatternInstance, board?: PatternBoard, wrong: readonly Cell[] = []): string {
  const { width, height, columns, rows, prefilled } = instance;
  // A number takes two thirds of a cell.
  const step = (cellSize * 2) / 3;
  const left = Math.ceil((mostRuns(rows) * 2) / 3);
  const top = Math.ceil((mostRuns(columns) * 2) / 3);
  const parts = [`<g transform="translate(${left * cellSize} ${top * cellSize})">`];
  for (let cell = 0; cell < width * height; cell++) {
    const [x, y] = [(cell % width) * cellSize, Math.floor(cell / width) * cellSize];
    const isGiven = prefilled !== undefined && prefilled[cell] !== "?";
    const color = isGiven ? ink.given : ink.answer;
    const symbol = symbolAt(instance, board, cell);
    if (symbol === "#") {
      parts.push(`<rect x="${x}" y="${y}" width="${cellSize}" height="${cellSize}" fill="${color}"/>`);
    } else if (symbol === ".") {
      parts.push(`<circle cx="${x + cellSize / 2}" cy="${y + cellSize / 2}" r="2.5" fill="${color}"/>`);
    }
  }
  parts.push(gridLines(width, height));
  const label = (x: number, y: number, run: number) =>
    `<text x="${x}" y="${y}" font-size="16" text-anchor="middle" dominant-baseline="central" fill="${ink.given}">${escapeXml(String(run))}</text>`;
  for (const [column, runs] of columns.entries()) {
    for (const [fromEnd, run] of [...shownRuns(runs)].reverse().entries()) {
      parts.push(label((column + 0.5) * cellSize, -step * (fromEnd + 0.5), run));
    }
  }
  for (const [row, runs] of rows.entries()) {
    for (const [fromEnd, run] of [...shownRuns(runs)].reverse().entries()) {
      parts.push(label(-step * (fromEnd + 0.5), (row + 0.5) * cellSize, run));
    }
  }
  parts.push(...wrong.map(({ row, column }) => wrongMark(row, column)), "</g>");
  return picture(width + left, height + top, `Pattern ${width}x${height}`, parts);
}

const blocks: Readonly<Record<string, string>> = { "#": "█", ".": "·", "?": " " };

export function drawPattern(instance: PatternInstance, board?: PatternBoard): string {
  const { width, height, columns, rows } = instance;
  const digits = String(largest([...columns, ...rows].flat())).length;
  const rowLabels = rows.map((runs) => shownRuns(runs).join(" "));
  const indent = largest(rowLabels.map((label) => label.length)) + 1;
  const depth = mostRuns(columns);
  const lines: string[] = [];
  for (let level = depth; level > 0; level--) {
    const numbers = columns.map((runs) => String(shownRuns(runs).at(-level) ?? "").padStart(digits + 1));
    lines.push(`${" ".repeat(indent)} ${numbers.join("")}`.trimEnd());
  }
  const rule = "─".repeat(width * (digits + 1));
  lines.push(`${" ".repeat(indent)}┌${rule}┐`);
  for (let row = 0; row < height; row++) {
    let cells = "";
    for (let column = 0; column < width; column++) {
      const symbol = symbolAt(instance, board, row * width + column);
      const block = blocks[symbol];
      cells += symbol === "#" ? block.repeat(digits + 1) : block.padStart(digits + 1);
    }
    lines.push(`${rowLabels[row].padStart(indent - 1)} │${cells}│`);
  }
  lines.push(`${" ".repeat(indent)}└${rule}┘`);
  return lines.join("\n");
}
