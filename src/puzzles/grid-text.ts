// Grids of symbols as text: one row a line, cells separated by spaces. Reading forgives spacing, never content.

type ReadGrid = { readonly cells: string[] } | { readonly unreadable: string };

/**
 * The rows of an answer that are not blank, without a byte order mark, without a code fence around the whole, and with
 * every kind of blank as a space; or why there can be none: a megabyte of text must not be taken apart to find that out.
 */
export function answerRows(
  text: string,
  cells: number,
  symbolsPerCell = 1,
): string[] | { readonly unreadable: string } {
  const longest = Math.max(200_000, 2_000 + 8 * (symbolsPerCell + 1) * cells);
  if (text.length > longest) return { unreadable: `the answer is ${text.length} characters long` };
  const rows: string[] = [];
  for (const line of text.split(lineEnd)) {
    const row = line.replaceAll(/\s+/g, " ").trim();
    if (row !== "") rows.push(row);
  }
  return withoutFence(rows);
}

export const lineEnd = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/** A fence stands around the board or nowhere: between rows it would separate two boards. */
export function withoutFence(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line.trim() !== "");
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return lines.filter(
    (line, at) => !(at === start && openingFence.test(line.trim())) && !(at === end && closingFence.test(line.trim())),
  );
}

/** Three or more of either sign and the name of a language: `text`, `c++`, `objective-c`. */
const openingFence = /^(?:`{3,}|~{3,}) ?(?:[A-Za-z][\w+#.-]{0,30})?$/;
const closingFence = /^(?:`{3,}|~{3,})$/;

/**
 * Reads `height` rows of `width` one-character cells. Rows may be written with or without spaces between cells; blank
 * lines around and between rows, and a code fence around the whole, are forgiven. Anything else is said, not guessed.
 */
export function readGrid(text: string, width: number, height: number): ReadGrid {
  const rows = answerRows(text, width * height);
  if ("unreadable" in rows) return rows;
  if (rows.length !== height) return { unreadable: `expected ${height} rows, found ${rows.length}` };
  const cells: string[] = [];
  for (const [row, line] of rows.entries()) {
    let found = 0;
    for (const symbol of line) {
      if (symbol === " ") continue;
      cells.push(symbol);
      found++;
    }
    if (found !== width) return { unreadable: `row ${row + 1}: expected ${width} cells, found ${found}` };
  }
  return { cells };
}

export function writeGrid(cells: readonly string[], width: number): string {
  const rows: string[] = [];
  for (let start = 0; start < cells.length; start += width) rows.push(cells.slice(start, start + width).join(" "));
  return rows.join("\n");
}
