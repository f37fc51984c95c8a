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

/** More symbols than these are not listed to whoever wrote another one. */
const mostListed = 10;

/** The same where a cell holds one of some symbols; a small letter stands for its capital unless it is a symbol itself. */
export function readSymbols(
  { width, height }: { readonly width: number; readonly height: number },
  text: string,
  symbols: readonly string[],
): ReadGrid {
  const grid = readGrid(text, width, height);
  if ("unreadable" in grid) return grid;
  const known = new Set(symbols);
  for (const [cell, found] of grid.cells.entries()) {
    if (known.has(found)) continue;
    // Only then to upper case: some letters of other scripts turn into A … Z by it.
    const symbol = /[a-z]/.test(found) ? found.toUpperCase() : found;
    if (!known.has(symbol)) {
      const shown = JSON.stringify(found);
      const problem =
        known.size > mostListed
          ? `${shown} is not a symbol of this puzzle`
          : `expected ${listed(symbols)}, found ${shown}`;
      return { unreadable: `${placeOf(cell, width)}: ${problem}` };
    }
    grid.cells[cell] = symbol;
  }
  return grid;
}

/** `A, B or C`. */
export const listed = (words: readonly string[]) => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export const placeOf = (cell: number, width: number): string =>
  `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;

export function writeGrid(cells: readonly string[], width: number): string {
  const rows: string[] = [];
  for (let start = 0; start < cells.length; start += width) rows.push(cells.slice(start, start + width).join(" "));
  return rows.join("\n");
}
