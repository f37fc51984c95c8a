// Items in a terminal: their tables, as wide as it is. Figures are files.
import type { Item } from "../drawing/item.ts";
import { isNumeric, shown, type Table, turnedTable } from "../drawing/table.ts";
import { textTable } from "./text-table.ts";

/** Of a table in a terminal. */
const usualWidth = 120;

const widthOf = ({ columns, rows }: Table): number =>
  columns.reduce((sum, name, c) => sum + 2 + Math.max(name.length, ...rows.map((row) => shown(row[c]).length)), 0);

/** Rows for columns, where the terminal has no room for all of these. */
export function terminalTable(given: Table, width = usualWidth): string {
  const turned = turnedTable(given, width, widthOf);
  const table = turned ?? given;
  const numbers = table.columns.findIndex((_, c) => (turned === undefined ? isNumeric(table, c) : c > 0));
  const toTheLeft = numbers === -1 ? table.columns.length : numbers;
  return textTable(
    table.columns,
    table.rows.map((row) => row.map(shown)),
    toTheLeft,
  );
}

/** A table with its title and what it rests on; nothing where the item is none. */
export function terminalItem({ title, n, interval, body }: Item, width?: number): string | undefined {
  if (body.kind !== "table") return undefined;
  const about = [n, interval].filter(Boolean).join("; ");
  return `${title} (${about})\n\n${terminalTable(body, width)}`;
}
