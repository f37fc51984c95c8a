// Pictures of a Slitherlink: an SVG and a drawing for a terminal, with the loop where the inside meets the outside. A board
// that is still being filled in may hold cells that are neither; no line is drawn beside them.
import { cellSize, escapeXml, ink, picture, wrongMark } from "../picture.ts";
import type { Cell } from "../puzzle.ts";
import { inside, noClue, outside, type SlitherlinkBoard, type SlitherlinkInstance } from "./instance.ts";

type Between = (row: number, column: number) => boolean;

/** Whether the loop runs along the top of a cell, or along its left. */
function lines(
  { width, height }: SlitherlinkInstance,
  board: SlitherlinkBoard | undefined,
): { top: Between; left: Between } {
  const side = (row: number, column: number): string => {
    if (board === undefined) return "?";
    return row < 0 || column < 0 || row >= height || column >= width ? outside : board.cells[row * width + column];
  };
  const differ = (one: string, other: string) =>
    (one === inside && other === outside) || (one === outside && other === inside);
  return {
    top: (row, column) => column >= 0 && column < width && differ(side(row - 1, column), side(row, column)),
    left: (row, column) => row >= 0 && row < height && differ(side(row, column - 1), side(row, column)),
  };
}

export function svg(instance: SlitherlinkInstance, board?: SlitherlinkBoard, wrong: readonly Cell[] = []): string {
  const { width, height, clues } = instance;
  const { top, left } = lines(instance, board);
  const parts: string[] = [];
  let grid = "";
  let loop = "";
  let corners = "";
  for (let row = 0; row <= height; row++)
    for (let column = 0; column <= width; column++) {
      const [x, y] = [column * cellSize, row * cellSize];
      if (column < width) grid += `M${x} ${y}h${cellSize}`;
      if (row < height) grid += `M${x} ${y}v${cellSize}`;
      if (top(row, column)) loop += `M${x} ${y}h${cellSize}`;
      if (left(row, column)) loop += `M${x} ${y}v${cellSize}`;
      corners += `M${x} ${y}h0`;
    }
  for (let cell = 0; cell < width * height; cell++) {
    const [x, y] = [(cell % width) * cellSize, Math.floor(cell / width) * cellSize];
    const symbol = board?.cells[cell];
    if (symbol === inside)
      parts.push(
        `<rect x="${x}" y="${y}" width="${cellSize}" height="${cellSize}" fill="${ink.answer}" fill-opacity="0.15"/>`,
      );
    // What is known to be outside must differ from what is not known; a clue takes the middle of its cell.
    if (symbol === outside) {
      const below = clues[cell] === noClue ? cellSize / 2 : cellSize - 5;
      parts.push(`<circle cx="${x + cellSize / 2}" cy="${y + below}" r="2" fill="${ink.answer}" fill-opacity="0.5"/>`);
    }
  }
  parts.push(stroke(grid, ink.faint, 1));
  for (let cell = 0; cell < width * height; cell++) {
    if (clues[cell] === noClue) continue;
    const [x, y] = [((cell % width) + 0.5) * cellSize, (Math.floor(cell / width) + 0.5) * cellSize];
    parts.push(
      `<text x="${x}" y="${y}" font-size="18" text-anchor="middle" dominant-baseline="central" fill="${ink.given}">${escapeXml(clues[cell])}</text>`,
    );
  }
  if (loop !== "") parts.push(stroke(loop, ink.answer, 4));
  parts.push(stroke(corners, ink.line, 5));
  parts.push(...wrong.map(({ row, column }) => wrongMark(row, column)));
  return picture(width, height, `Slitherlink ${width}x${height}${board ? ", with an answer" : ""}`, parts);
}

function stroke(commands: string, color: string, thickness: number): string {
  return `<path d="${commands}" fill="none" stroke="${color}" stroke-width="${thickness}" stroke-linecap="round"/>`;
}

/** By which of the lines to the right, below, to the left and above meet in a corner: 1, 2, 4 and 8. */
const corners = [..."·╶╷┌╴─┐┬╵└│├┘┴┤┼"];

export function draw(instance: SlitherlinkInstance, board?: SlitherlinkBoard): string {
  const { width, height, clues } = instance;
  const { top, left } = lines(instance, board);
  const rows: string[] = [];
  for (let row = 0; row <= height; row++) {
    let above = "";
    let within = "";
    for (let column = 0; column <= width; column++) {
      const meeting = [top(row, column), left(row, column), top(row, column - 1), left(row - 1, column)];
      above += corners[meeting.reduce((bits, drawn, at) => bits | (drawn ? 1 << at : 0), 0)];
      if (column < width) above += top(row, column) ? "───" : "   ";
      within += left(row, column) ? "│" : " ";
      if (column < width && row < height) within += ` ${clues[row * width + column].replace(noClue, " ")} `;
    }
    rows.push(above.trimEnd());
    if (row < height) rows.push(within.trimEnd());
  }
  return rows.join("\n");
}
