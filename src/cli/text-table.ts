// Tables for a terminal: columns as wide as their content, numbers to the right.

type Column = { readonly title: string; readonly align?: "left" | "right" };

export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => (columns[c].align === "left" ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [line(columns.map(({ title }) => title)), rule, ...rows.map(line)].join("\n");
}
