// Tables for a terminal: columns as wide as their content, the first ones to the left and the others, numbers, to the right.

/** What a table may take where no terminal says how wide it is: a file, a pipe. */
const usualWidth = 100;
/** Of a column of words, in however narrow a terminal. */
const narrowest = 20;

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

/** Rows of a key, a value and a remark, broken between words so that a table of them fits the terminal. */
export function brokenRows(
  rows: readonly (readonly [string, string, string])[],
  width = process.stdout.columns ?? usualWidth,
): string[][] {
  const longest = (column: 0 | 1 | 2) => Math.max(0, ...rows.map((row) => row[column].length));
  const left = width - longest(0) - 4;
  const values = Math.min(longest(1), Math.max(narrowest, Math.floor(left * 0.4)));
  const remarks = Math.max(narrowest, left - values);
  return rows.flatMap(([key, value, remark]) => {
    const [shown, said] = [brokenText(value, values), brokenText(remark, remarks)];
    const lines = Math.max(shown.length, said.length);
    return Array.from({ length: lines }, (_, i) => [i === 0 ? key : "", shown[i] ?? "", said[i] ?? ""]);
  });
}

/** Lines of at most so many characters; a longer word has a line of its own. */
function brokenText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
