// Pictures of a board: an SVG, and a drawing for a terminal. Both show what was written, broken bridges included.
import { cellSize, escapeXml, ink, picture, wrongMark } from "../picture.ts";
import type { Cell } from "../puzzle.ts";
import { initialCells } from "./answer.ts";
import {
  type BridgesBoard,
  type BridgesInstance,
  clueSymbol,
  horizontalSymbols,
  verticalSymbols,
  water,
} from "./instance.ts";

const lineGap = 5;
const radius = cellSize * 0.4;

export function svg(instance: BridgesInstance, board?: BridgesBoard, wrong: readonly Cell[] = []): string {
  const { width, height, clues } = instance;
  const cells = board?.cells ?? initialCells(instance);
  const parts: string[] = [];
  for (let cell = 0; cell < clues.length; cell++)
    if (clues[cell] === 0 && cells[cell] === water)
      parts.push(
        `<circle cx="${center(cell % width)}" cy="${center(Math.floor(cell / width))}" r="1.5" fill="${ink.faint}"/>`,
      );
  for (let y = 0; y < height; y++)
    parts.push(
      ...bridgeLines(cells, y * width, 1, width, horizontalSymbols, (from, to, offset) => {
        const at = center(y) + offset;
        return `M${from} ${at}H${to}`;
      }),
    );
  for (let x = 0; x < width; x++)
    parts.push(
      ...bridgeLines(cells, x, width, height, verticalSymbols, (from, to, offset) => {
        const at = center(x) + offset;
        return `M${at} ${from}V${to}`;
      }),
    );
  for (let cell = 0; cell < clues.length; cell++)
    if (clues[cell] > 0 || !isBridgeOrWater(cells[cell])) parts.push(islandPicture(instance, cells[cell], cell));
  parts.push(...wrong.map(({ row, column }) => wrongMark(row, column)));
  return picture(width, height, `Bridges ${width}x${height}${board ? ", answer" : ""}`, parts);
}

const center = (position: number): number => position * cellSize + cellSize / 2;

const isBridgeOrWater = (symbol: string): boolean =>
  (horizontalSymbols as readonly string[]).includes(symbol) || (verticalSymbols as readonly string[]).includes(symbol);

/** Parallel lines for each stretch of one symbol; next to an island they reach under it. */
function bridgeLines(
  cells: readonly string[],
  start: number,
  step: number,
  length: number,
  symbols: readonly string[],
  path: (from: number, to: number, offset: number) => string,
): string[] {
  const lines: string[] = [];
  for (let first = 0; first < length; ) {
    const symbol = cells[start + first * step];
    let end = first + 1;
    while (end < length && cells[start + end * step] === symbol) end++;
    const count = symbols.indexOf(symbol);
    if (count > 0) {
      const islandBefore = first > 0 && !isBridgeOrWater(cells[start + (first - 1) * step]);
      const islandAfter = end < length && !isBridgeOrWater(cells[start + end * step]);
      const from = first * cellSize - (islandBefore ? cellSize / 2 : 0);
      const to = end * cellSize + (islandAfter ? cellSize / 2 : 0);
      let d = "";
      for (let line = 0; line < count; line++) d += path(from, to, (line - (count - 1) / 2) * lineGap);
      lines.push(`<path d="${d}" stroke="${ink.answer}" stroke-width="2" fill="none"/>`);
    }
    first = end;
  }
  return lines;
}

/** An island that is not as given is drawn in the color of mistakes. */
function islandPicture({ width, clues }: BridgesInstance, symbol: string, cell: number): string {
  const given = clues[cell] > 0 ? clueSymbol(clues[cell]) : undefined;
  const color = symbol === given ? ink.given : ink.wrong;
  const [x, y] = [center(cell % width), center(Math.floor(cell / width))];
  const shown = symbol === clueSymbol(clues[cell]) ? String(clues[cell]) : symbol;
  return (
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${ink.paper}" stroke="${color}" stroke-width="1.5"/>` +
    `<text x="${x}" y="${y}" fill="${color}" font-size="16" text-anchor="middle" dominant-baseline="central">${escapeXml(shown)}</text>`
  );
}

const acrossLines = [" ", "─", "═", "┅", "┉"];
const uprightLines = [" ", "│", "║", "┇", "┋"];

/** One line a row; the three- and fourfold bridges are dashed as often as there are bridges. */
export function draw(instance: BridgesInstance, board?: BridgesBoard): string {
  const { width, height } = instance;
  const cells = board?.cells ?? initialCells(instance);
  const rows: string[] = [];
  for (let y = 0; y < height; y++) {
    let row = "";
    for (let x = 0; x < width; x++) {
      const symbol = cells[y * width + x];
      const across = Math.max(0, (horizontalSymbols as readonly string[]).indexOf(symbol));
      const upright = Math.max(0, (verticalSymbols as readonly string[]).indexOf(symbol));
      if (x > 0) {
        const before = Math.max(0, (horizontalSymbols as readonly string[]).indexOf(cells[y * width + x - 1]));
        row += acrossLines[before > 0 ? before : across];
      }
      row += across > 0 ? acrossLines[across] : upright > 0 ? uprightLines[upright] : symbol === water ? "·" : symbol;
    }
    rows.push(row);
  }
  return rows.join("\n");
}
