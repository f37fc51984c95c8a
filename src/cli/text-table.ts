// Tables for a terminal: columns as wide as their content, the first ones to the left and the others, numbers, to the right.

export function textTable(titles: readonly string[], rows: readonly (readonly string[])[], toTheLeft = 1): string {
  const widths = titles.map((title, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => (c < toTheLeft ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [line(titles), rule, ...rows.map(line)].join("\n");
}
