// Labels that a board decides, not a reader: where a trace about a grid of values writes down what stands in it, the states tell
// what a span did. Values that are new and stay to the end were worked out; a value that stood there and is replaced was taken
// back; a board of givens sets up; a full board that was known already sums up. All else is left open.

/** By row and column; undefined where nothing stands. */
export type GridBoard = readonly (readonly (string | undefined)[])[];

type Stated = { readonly row: number; readonly column: number; readonly value: string | undefined };

const blank = /^[_.?*\-□]$/;
const standing = (token: string): string | undefined => (blank.test(token) ? undefined : token);
/** Of a line that is nothing but a row: `4 3 _ 2`, `| 4 | 3 | _ | 2 |`, `[4, 3, _, 2]`. */
function tokensOf(line: string): string[] {
  const bare = line.replace(/[|,[\]`*]/g, " ").trim();
  const tokens = bare === "" ? [] : bare.split(/\s+/);
  return tokens.every((token) => /^(?:\d|Q|[_.?□])$/.test(token)) ? tokens : [];
}

/** The first block of rows of one width, as a question shows it. */
export function boardIn(text: string, least = 4): GridBoard | undefined {
  let rows: string[][] = [];
  for (const line of [...text.split("\n"), ""]) {
    const tokens = tokensOf(line);
    if (tokens.length >= least && (rows.length === 0 || rows[0].length === tokens.length)) rows.push(tokens);
    else if (rows.length > 0 && rows.length === rows[0].length) break;
    else rows = [];
  }
  return rows.length >= least && rows.length === rows[0].length ? rows.map((row) => row.map(standing)) : undefined;
}

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
const rowLine =
  /\b(?:row (\d)|(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth) row)\b[^:=\n\d]{0,30}[:=]\s*([[\d_.,|\] ]+)$/i;
const cells = [
  /\(\s*(\d)\s*,\s*(\d)\s*\)\s*(?:=|:|is|must be|becomes)\s*\**(\d)\b/gi,
  /\br(\d)c(\d)\s*(?:=|:|is|must be|becomes)\s*\**(\d)\b/gi,
  /\brow (\d),? col(?:umn)? (\d)\)?\s*(?:=|:|is|must be|becomes)\s*\**(\d)\b/gi,
];

/** What is only weighed is not stated. */
const weighed =
  /\b(?:if|or|either|could|can|can't|cannot|not|maybe|would|might|unless|whether|suppose|possible|possib\w+|needs?|test)\b|≠/i;

/** What a text says of the board, in its order; whole boards and rows with what they leave blank. */
function stated(text: string, size: number): { readonly all: Stated[]; readonly full: boolean } {
  const all: Stated[] = [];
  let full = false;
  let block: string[][] = [];
  const put = (row: number, tokens: readonly string[]) =>
    tokens.forEach((token, column) => {
      all.push({ row, column, value: standing(token) });
    });
  for (const line of [...text.split("\n"), ""]) {
    const tokens = tokensOf(line);
    if (tokens.length === size) {
      block.push(tokens);
      continue;
    }
    if (block.length === size) {
      block.forEach((row, i) => {
        put(i, row);
      });
      full ||= block.every((row) => row.every((token) => standing(token) !== undefined));
    }
    block = [];
    if (weighed.test(line)) continue;
    const row = rowLine.exec(line.replace(/(\d)[.;,✓\s]+$/, "$1"));
    if (row !== null) {
      const within = tokensOf(row[3]);
      const index = row[1] === undefined ? ordinals.indexOf(row[2].toLowerCase()) : Number(row[1]) - 1;
      if (within.length === size && index >= 0 && index < size) put(index, within);
    }
    for (const pattern of cells)
      for (const [, r, c, value] of line.matchAll(pattern)) {
        const [i, j] = [Number(r) - 1, Number(c) - 1];
        if (i >= 0 && j >= 0 && i < size && j < size) all.push({ row: i, column: j, value });
      }
  }
  return { all, full };
}

/** Nothing much besides a board. */
function mostlyRows(text: string, size: number): boolean {
  const lines = text.split("\n").filter((line) => /[\p{L}\d_]/u.test(line));
  return 2 * lines.filter((line) => tokensOf(line).length === size).length >= lines.length;
}

export type BoardLabel = "setup" | "compute" | "backtrack" | "summarize";

/** A label for each span that the board decides; `broken` says whether what stands there breaks a rule of the puzzle. */
export function boardLabels(
  spans: readonly { readonly text: string }[],
  givens: GridBoard,
  broken: (board: GridBoard) => boolean,
): (BoardLabel | undefined)[] {
  const size = givens.length;
  const read = spans.map(({ text }) => stated(text, size));
  // What stands at the end is what was last said of each cell.
  const end = givens.map((row) => [...row]);
  for (const { all } of read)
    for (const { row, column, value } of all) if (value !== undefined) end[row][column] = value;
  const board = givens.map((row) => [...row]);
  let [placed, wrong] = [0, false];
  return read.map(({ all, full }, i) => {
    if (all.length === 0) return undefined;
    const given = ({ row, column }: Stated) => givens[row][column] !== undefined;
    // Whoever misreads a given, or shows the givens again, is not to be followed.
    if (all.some((one) => given(one) && one.value !== undefined && one.value !== givens[one.row][one.column]))
      return undefined;
    if (all.every((one) => given(one) || one.value === undefined))
      return placed === 0 && mostlyRows(spans[i].text, size) ? "setup" : undefined;
    let [fresh, kept, withdrawn, mended] = [0, 0, 0, false];
    for (const one of all) {
      const { row, column, value } = one;
      const before = board[row][column];
      if (value === before || given(one)) continue;
      board[row][column] = value;
      if (before === undefined) {
        fresh += 1;
        placed += 1;
        if (value === end[row][column]) kept += 1;
      } else withdrawn += 1;
      const still = broken(board);
      mended ||= wrong && !still;
      wrong = still;
    }
    if (withdrawn > 0) return mended ? "backtrack" : undefined;
    if (fresh > 0) return kept === fresh && !full && !wrong ? "compute" : undefined;
    return full && !wrong ? "summarize" : undefined;
  });
}

/** Whether a digit stands twice in a row, a column or a box. */
export function sudokuBroken(board: GridBoard): boolean {
  const size = board.length;
  const side = Math.round(Math.sqrt(size));
  const seen = new Set<string>();
  return board.some((cells, row) =>
    cells.some((value, column) => {
      if (value === undefined) return false;
      const box = `${Math.floor(row / side)}.${Math.floor(column / side)}`;
      const keys = [`r${row} ${value}`, `c${column} ${value}`, `b${box} ${value}`];
      const twice = keys.some((key) => seen.has(key));
      for (const key of keys) seen.add(key);
      return twice;
    }),
  );
}
