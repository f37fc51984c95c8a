// A table in three files: CSV for programs, Markdown for notes, LaTeX for papers.
import { oneLine } from "./safe-text.ts";
import { type Cell, isNumeric, minus, shown, type Table, turnedTable } from "./table.ts";

/** One column of value for each shown column, and two more where it has intervals; missing values are empty. */
export function csv(table: Table): string {
  const withIntervals = table.columns.map((_, c) =>
    table.rows.some((row) => typeof row[c] === "object" && row[c]?.low !== undefined),
  );
  const header = table.columns.flatMap((name, c) =>
    withIntervals[c] ? [name, `${name} low`, `${name} high`] : [name],
  );
  const rows = table.rows.map((row) =>
    row.flatMap((cell, c) => {
      const [value, low, high] =
        cell === null
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
    line(table.columns.map((_, c) => (isNumeric(table, c) ? "--:" : ":--"))),
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
  const onTheRight = (c: number) => (turned === undefined ? isNumeric(table, c) : c > 0);
  const alignment = table.columns.map((_, c) => (onTheRight(c) ? "r" : "l")).join("");
  const cellText = (cell: Cell) =>
    cell !== null && typeof cell === "object"
      ? latexText(minus(short ? withoutInterval(cell.text) : cell.text))
      : latexText(short ? shortened(shown(cell)) : shown(cell));
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

const withoutInterval = (text: string) => text.replace(/ \[.*\]$/, "");

const maxShortCharacters = 40;
const shortened = (text: string) =>
  text.length <= maxShortCharacters ? text : `${text.slice(0, maxShortCharacters).replace(/\s+\S*$/, "")} …`;
