// Grids of symbols as text: one row a line, cells separated by spaces. Reading forgives spacing, never content.

export type ReadGrid = { readonly cells: string[] } | { readonly unreadable: string };

// An honest answer is never longer than this; a megabyte of text must not be tokenised to find that out.
const longestAnswer = 200_000;

/**
 * Reads `height` rows of `width` one-character cells. Rows may be written with or without spaces between cells; blank
 * lines around and between rows, and a code fence around the whole, are forgiven. Anything else is said, not guessed.
 */
export function readGrid(text: string, width: number, height: number): ReadGrid {
  if (text.length > longestAnswer) return { unreadable: `the answer is ${text.length} characters long` };
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const row = line.replaceAll(/[ \t\r]/g, "");
    if (row !== "" && !/^```\w*$/.test(line.trim())) lines.push(row);
  }
  if (lines.length !== height) return { unreadable: `expected ${height} rows, found ${lines.length}` };
  const cells: string[] = [];
  for (const [row, line] of lines.entries()) {
    const symbols = [...line];
    if (symbols.length !== width)
      return { unreadable: `row ${row + 1}: expected ${width} cells, found ${symbols.length}` };
    cells.push(...symbols);
  }
  return { cells };
}

export function writeGrid(cells: readonly string[], width: number): string {
  const rows: string[] = [];
  for (let start = 0; start < cells.length; start += width) rows.push(cells.slice(start, start + width).join(" "));
  return rows.join("\n");
}
