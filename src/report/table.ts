// A table once, in four forms: CSV for programs, Markdown for notes, LaTeX for papers, HTML for the page.
import { escaped, oneLine, visibleText } from "./safe-text.ts";

/** Numbers carry how they are shown; a missing value is undefined and shown as a dash, never as zero. */
export type Cell =
  | string
  | undefined
  | { readonly value: number; readonly text: string; readonly low?: number; readonly high?: number };

export type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export function numberCell(
  measured: { readonly value: number; readonly low?: number; readonly high?: number } | undefined,
  format: (value: number) => string,
): Cell {
  if (measured === undefined || Number.isNaN(measured.value)) return undefined;
  const { value, low, high } = measured;
  const interval = low === undefined || high === undefined ? "" : ` [${format(low)}, ${format(high)}]`;
  return { ...measured, text: format(value) + interval };
}

export const count = (value: number): Cell => ({ value, text: String(value) });
export const percentage = (value: number): string => (100 * value).toFixed(1);
export const pValue = (p: number): string => (p < 0.001 ? p.toExponential(1) : p.toFixed(3));

const dash = "–";
const shown = (cell: Cell) => (cell === undefined ? dash : typeof cell === "string" ? oneLine(cell) : cell.text);
const numeric = (table: Table, column: number) =>
  column > 0 && table.rows.some((row) => typeof row[column] === "object");

/** One column of value for each shown column, and two more where it has intervals; missing values are empty. */
export function csv(table: Table): string {
  const withIntervals = table.columns.map((_, c) =>
    table.rows.some((row) => typeof row[c] === "object" && row[c].low !== undefined),
  );
  const header = table.columns.flatMap((name, c) =>
    withIntervals[c] ? [name, `${name} low`, `${name} high`] : [name],
  );
  const rows = table.rows.map((row) =>
    row.flatMap((cell, c) => {
      const [value, low, high] =
        cell === undefined
          ? ["", "", ""]
          : typeof cell === "string"
            ? [cell, "", ""]
            : [cell.value, cell.low ?? "", cell.high ?? ""];
      return withIntervals[c] ? [value, low, high] : [value];
    }),
  );
  return [header, ...rows].map((row) => `${row.map(csvField).join(",")}\n`).join("");
}

function csvField(field: string | number): string {
  if (typeof field === "number") return String(Number(field.toPrecision(12)));
  const text = oneLine(field);
  // Spreadsheets run what starts like a formula; a quote in front makes it text.
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function markdown(table: Table): string {
  const cellText = (text: string) => oneLine(text).replace(/[\\|`*_[\]<>]/g, (character) => `\\${character}`);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [
    line(table.columns.map(cellText)),
    line(table.columns.map((_, c) => (numeric(table, c) ? "--:" : ":--"))),
    ...table.rows.map((row) => line(row.map((cell) => cellText(shown(cell))))),
  ].join("");
}

const latexCharacters: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "→": "$\\to$",
  "×": "$\\times$",
  "−": "$-$",
  "–": "--",
  "≥": "$\\geq$",
  "·": "$\\cdot$",
  Δ: "$\\Delta$",
  α: "$\\alpha$",
  "±": "$\\pm$",
  "…": "\\ldots{}",
  "§": "\\S{}",
};

const latexText = (text: string): string =>
  oneLine(text).replace(/[\\{}$&#%_^~<>→×−–≥·Δα±…§]/g, (character) => latexCharacters[character]);

/** What files a table is written to: `short.tex` fits a column of a two-column paper. */
export const tableForms = ["csv", "md", "tex", "short.tex"] as const;

/**
 * With booktabs rules, caption and label; shrunk where it would leave its page or column (graphicx). The full form spans
 * both columns; the short form has values without their intervals, sentences in as many words as fit, and rows for columns
 * where that is narrower: letters that are shrunk to a third cannot be read.
 */
export function latex(
  given: Table,
  about: { readonly id: string; readonly caption: string; readonly form?: "full" | "short" },
): string {
  const short = about.form === "short";
  const turned = short ? turnedTable(given, columnCharacters, charactersAcross) : undefined;
  const table = turned ?? given;
  const [environment, width] = short ? ["table", "\\columnwidth"] : ["table*", "\\textwidth"];
  const line = (cells: readonly string[]) => `      ${cells.join(" & ")} \\\\\n`;
  const isNumeric = (c: number) => (turned === undefined ? numeric(table, c) : c > 0);
  const alignment = table.columns.map((_, c) => (isNumeric(c) ? "r" : "l")).join("");
  const cellText = (cell: Cell) =>
    typeof cell === "object"
      ? latexText(minus(short ? withoutInterval(cell.text) : cell.text))
      : latexText(shownIn(cell));
  const shownIn = (cell: string | undefined) => (short ? shortened(shown(cell)) : shown(cell));
  // Many rows are shrunk to the height of a page as well; the rest of it is for the caption.
  const [lower, close] = table.rows.length > rowsOnPage ? [`  ${fitHeight}{%\n`, "}"] : ["", ""];
  return [
    "% \\usepackage{booktabs,graphicx}\n",
    `\\begin{${environment}}[t]\n`,
    `  \\caption{${latexText(about.caption)}}\n`,
    `  \\label{tab:${about.id}}\n`,
    `  \\centering\n  ${short ? "\\footnotesize\n  \\setlength{\\tabcolsep}{3pt}" : "\\small"}\n`,
    lower,
    `  \\resizebox{\\ifdim\\width>${width} ${width}\\else\\width\\fi}{!}{%\n`,
    `    \\begin{tabular}{${alignment}}\n      \\toprule\n`,
    line(table.columns.map(latexText)),
    "      \\midrule\n",
    ...table.rows.map((row) => line(row.map(cellText))),
    `      \\bottomrule\n    \\end{tabular}}${close}\n\\end{${environment}}\n`,
  ].join("");
}

/** Rows that fit a page in any case. */
const rowsOnPage = 40;
const fitHeight = "\\resizebox*{!}{\\ifdim\\totalheight>.85\\textheight .85\\textheight\\else\\totalheight\\fi}";

/** Characters that a column of a two-column paper has room for in small letters. */
const columnCharacters = 58;

const charactersAcross = ({ columns, rows }: Table): number =>
  columns.reduce((sum, name, c) => {
    const cells = rows.map((row) => shortened(withoutInterval(shown(row[c]))).length);
    return sum + Math.max(name.length, ...cells) + 1;
  }, 0);

/** Rows for columns, where the table is too wide and would be narrower so. */
function turnedTable(table: Table, room: number, widthOf: (table: Table) => number): Table | undefined {
  const across = widthOf(table);
  const [first, ...others] = table.columns;
  if (across <= room || table.rows.length === 0) return undefined;
  const turned: Table = {
    columns: [first, ...table.rows.map((row) => shown(row[0]))],
    rows: others.map((name, c) => [name, ...table.rows.map((row) => row[c + 1])]),
  };
  return widthOf(turned) < across ? turned : undefined;
}

/** On a page heads and first columns wrap at their words, and an interval stands below its value; between columns is room for two. */
const pageCharacters = 140;
const charactersOnPage = ({ columns, rows }: Table): number =>
  columns.reduce((sum, name, c) => {
    const words = name.split(/[ →]/);
    const cells = c === 0 ? [] : rows.flatMap((row) => shown(row[c]).split(/ (?=\[)/));
    return sum + Math.max(c === 0 ? 18 : 5, ...[...words, ...cells].map(({ length }) => length)) + 2;
  }, 0);

/** A number's hyphen is a minus, but for that of an exponent. */
const minus = (text: string) => text.replace(/(?<![\w.])-(?=[\d.])/g, "−");
const withoutInterval = (text: string) => text.replace(/ \[.*\]$/, "");

const maxShortCharacters = 40;
const shortened = (text: string) =>
  text.length <= maxShortCharacters ? text : `${text.slice(0, maxShortCharacters).replace(/\s+\S*$/, "")} …`;

export function html(given: Table): string {
  const table = turnedTable(given, pageCharacters, charactersOnPage) ?? given;
  const side = (c: number) => (numeric(table, c) ? ' class="number"' : "");
  const header = table.columns.map((name, c) => `<th scope="col"${side(c)}>${breakable(name)}</th>`).join("");
  const rows = table.rows.map((row) => {
    const cells = row.map((cell, c) =>
      c === 0
        ? `<th scope="row">${breakable(shown(cell))}</th>`
        : `<td${side(c) || wraps(cell)}>${cellHtml(cell)}</td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table><thead><tr>${header}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** A motif may be broken behind its arrows. */
const breakable = (name: string): string => escaped(name).replaceAll("→", "→<wbr>");

/** Sentences wrap; numbers and names do not. */
const wraps = (cell: Cell) => (typeof cell === "string" && cell.length > 32 ? ' class="text"' : "");

/** The interval is quieter than the value. */
function cellHtml(cell: Cell): string {
  if (cell === undefined) return `<span class="none" title="not measured">${dash}</span>`;
  if (typeof cell === "string") return escaped(visibleText(cell));
  const [, value, interval = ""] = /^([^[]*?)( \[.*\])?$/.exec(cell.text) ?? [undefined, cell.text];
  return escaped(minus(value)) + (interval === "" ? "" : `<span class="interval">${escaped(minus(interval))}</span>`);
}
