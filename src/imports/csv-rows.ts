// Rows of a table in comma- or tab-separated values (RFC 4180): cells in quotation marks may hold anything.
import type { Row } from "./row-format.ts";

export function* csvRows(text: string): Generator<Row> {
  const [head] = text.split(/\r?\n/, 1);
  const separator = [",", "\t", ";"].reduce((best, one) =>
    head.split(one).length > head.split(best).length ? one : best,
  );
  let names: readonly string[] | undefined;
  for (const cells of lines(text, separator)) {
    if (names === undefined) names = cells;
    else if (cells.length > 1 || cells[0] !== "")
      yield Object.fromEntries(names.map((name, i) => [name, cells[i] === "" ? null : (cells[i] ?? null)]));
  }
}

function* lines(text: string, separator: string): Generator<string[]> {
  let cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < text.length; ) {
        const end = text.indexOf('"', at);
        cell += text.slice(at, end === -1 ? text.length : end);
        at = end === -1 ? text.length : end + 1;
        if (text[at] !== '"' || end === -1) break;
        cell += '"';
        at++;
      }
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
    cells.push(cell + text.slice(at, end));
    if (text[end] === separator) {
      at = end + 1;
      continue;
    }
    yield cells;
    cells = [];
    at = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
    if (end >= text.length) return;
  }
}
