// A table as plain data: numbers carry how they are shown, and what was not measured is null and shown as a dash, never as zero.
import type { TableBody } from "./item.ts";
import type { Measured } from "./panel.ts";
import { oneLine } from "./safe-text.ts";

export type Cell = string | null | (Measured & { readonly text: string });

export type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export const tableBody = (columns: readonly string[], rows: readonly (readonly (Cell | undefined)[])[]): TableBody => ({
  kind: "table",
  columns,
  rows: rows.map((row) => row.map((cell) => cell ?? null)),
});

export function numberCell(measured: Measured | undefined, format: (value: number) => string): Cell {
  if (measured === undefined || Number.isNaN(measured.value)) return null;
  const { value, low, high } = measured;
  const interval = low === undefined || high === undefined ? "" : ` [${format(low)}, ${format(high)}]`;
  return { ...measured, text: format(value) + interval };
}

export const count = (value: number): Cell => ({ value, text: String(value) });
export const percentage = (value: number): string => (100 * value).toFixed(1);
export const pValue = (p: number): string => (p < 0.001 ? p.toExponential(1) : p.toFixed(3));

export const dash = "–";
export const shown = (cell: Cell): string =>
  cell === null ? dash : typeof cell === "string" ? oneLine(cell) : cell.text;
export const isNumeric = ({ rows }: Table, column: number): boolean =>
  column > 0 && rows.some((row) => row[column] !== null && typeof row[column] === "object");

/** Rows for columns, where the table is too wide and would be narrower so. */
export function turnedTable(table: Table, room: number, widthOf: (table: Table) => number): Table | undefined {
  const across = widthOf(table);
  const [first, ...others] = table.columns;
  if (across <= room || table.rows.length === 0) return undefined;
  const turned: Table = {
    columns: [first, ...table.rows.map((row) => shown(row[0]))],
    rows: others.map((name, c) => [name, ...table.rows.map((row) => row[c + 1])]),
  };
  return widthOf(turned) < across ? turned : undefined;
}

/** A number's hyphen is a minus, but for that of an exponent. */
export const minus = (text: string): string => text.replace(/(?<![\w.])-(?=[\d.])/g, "−");

/** `61.3` and ` [58.0, 64.1]`. */
export function valueAndInterval(text: string): readonly [value: string, interval: string] {
  const [, value, interval = ""] = /^([^[]*?)( \[.*\])?$/.exec(text) ?? [undefined, text];
  return [value, interval];
}
