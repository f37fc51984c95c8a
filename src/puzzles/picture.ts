// The small vocabulary that all board pictures share: one size of cell, one set of colors, one way to mark a mistake.

export const cellSize = 36;
export const margin = 18;

/** Colors by role; pictures carry their own so that they look the same in a page, a report and a file. */
export const ink = {
  line: "#3b4252",
  faint: "#d8dee9",
  paper: "#ffffff",
  given: "#2e3440",
  answer: "#0072b2",
  wrong: "#d55e00",
} as const;

/** Escapes text for SVG; board content may come from a model. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** A standalone SVG around the parts, in cell units plus margin. `title` is what a screen reader says. */
export function picture(
  columns: number,
  rows: number,
  title: string,
  parts: readonly string[],
  border = margin,
): string {
  const width = columns * cellSize + 2 * border;
  const height = rows * cellSize + 2 * border;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${ink.paper}"/>`,
    `<g transform="translate(${border} ${border})">`,
    ...parts,
    "</g></svg>",
  ].join("\n");
}

/** A translucent square over a cell that is wrong, with a cross so that color is not the only sign. */
export function wrongMark(row: number, column: number): string {
  const [x, y, inset] = [column * cellSize, row * cellSize, 5];
  return (
    `<rect x="${x}" y="${y}" width="${cellSize}" height="${cellSize}" fill="${ink.wrong}" fill-opacity="0.25"/>` +
    `<path d="M${x + inset} ${y + inset}l8 8m0 -8l-8 8" stroke="${ink.wrong}" stroke-width="2" fill="none"/>`
  );
}

/** Thin lines between cells, thicker ones around them and every five, as on paper; none of these with `every` 0. */
export function gridLines(width: number, height: number, every = 5): string {
  const line = (x1: number, y1: number, x2: number, y2: number, strong: boolean) =>
    `<path d="M${x1 * cellSize} ${y1 * cellSize}L${x2 * cellSize} ${y2 * cellSize}" stroke="${strong ? ink.line : ink.faint}" stroke-width="${strong ? 2 : 1}" stroke-linecap="square"/>`;
  const thin: string[] = [];
  const thick: string[] = [];
  for (let x = 0; x <= width; x++) {
    const strong = x === 0 || x % every === 0 || x === width;
    (strong ? thick : thin).push(line(x, 0, x, height, strong));
  }
  for (let y = 0; y <= height; y++) {
    const strong = y === 0 || y % every === 0 || y === height;
    (strong ? thick : thin).push(line(0, y, width, y, strong));
  }
  return [...thin, ...thick].join("\n");
}
