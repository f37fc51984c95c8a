// A table on a page.
import { escaped, visibleText } from "./safe-text.ts";
import { type Cell, dash, isNumeric, minus, shown, type Table, turnedTable, valueAndInterval } from "./table.ts";

/** On a page heads and first columns wrap at their words, and an interval stands below its value; between columns is room for two. */
const pageCharacters = 140;
const charactersOnPage = ({ columns, rows }: Table): number =>
  columns.reduce((sum, name, c) => {
    const words = name.split(/[ →]/);
    const cells = c === 0 ? [] : rows.flatMap((row) => shown(row[c]).split(/ (?=\[)/));
    return sum + Math.max(c === 0 ? 18 : 5, ...[...words, ...cells].map(({ length }) => length)) + 2;
  }, 0);

/** As it is drawn on a page. */
const pageTable = (given: Table): Table => turnedTable(given, pageCharacters, charactersOnPage) ?? given;

/** So many rows are read at once; of a longer table the rest unfolds. */
const [mostRows, rowsShown] = [40, 24];

export function html(given: Table): string {
  const table = pageTable(given);
  if (table.rows.length <= mostRows) return part(table, table.rows);
  const [first, rest] = [table.rows.slice(0, rowsShown), table.rows.slice(rowsShown)];
  return `${part(table, first)}<details><summary>${rest.length} more rows</summary>${part(table, rest)}</details>`;
}

function part(table: Table, shownRows: Table["rows"]): string {
  const side = (c: number) => (isNumeric(table, c) ? ' class="number"' : "");
  const header = table.columns.map((name, c) => `<th scope="col"${side(c)}>${breakable(name)}</th>`).join("");
  const rows = shownRows.map((row) => {
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
  if (cell === null) return `<span class="none" title="not measured">${dash}</span>`;
  if (typeof cell === "string") return escaped(visibleText(cell));
  const [value, interval] = valueAndInterval(cell.text);
  return escaped(minus(value)) + (interval === "" ? "" : `<span class="interval">${escaped(minus(interval))}</span>`);
}
