// JSON as other programs write it: Python's numbers that JSON does not have, and the several ways to lay out a table of
// records in one document or in one row.
import { usualColumns } from "./columns.ts";
import type { Row } from "./row-format.ts";
import { listOf, objectOf } from "./row-values.ts";

/** Python writes NaN and Infinity, which no JSON has: they are no numbers here, and cost nothing but themselves. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = error instanceof SyntaxError && /NaN|Infinity/.test(text) ? withoutNonNumbers(text) : text;
    if (plain === text) throw error;
    return JSON.parse(plain);
  }
}

/** Outside of strings, which every second quotation mark ends that has no odd number of backslashes before it. */
function withoutNonNumbers(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at);
    const end = open === -1 ? text.length : open;
    pieces.push(text.slice(at, end).replace(/-?\b(?:NaN|Infinity)\b/g, "null"));
    let close = open === -1 ? text.length : open + 1;
    while (close < text.length && text[close] !== '"') close += text[close] === "\\" ? 2 : 1;
    at = Math.min(text.length, close + 1);
    pieces.push(text.slice(end, at));
  }
  return pieces.join("");
}

/**
 * The records of a document: a list of them; a log whose `samples`, `rows` or `data` are; `columns` and `data` apart (a table of
 * wandb, pandas' `split`); numbered (OpenCompass, pandas' `index`); by column (pandas, `Dataset.to_dict`); or itself.
 */
export function recordsIn(document: unknown): readonly unknown[] {
  const record = objectOf(document);
  if (record === undefined) return listOf(document) ?? [document];
  const names = listOf(record.columns);
  const data = listOf(record.data);
  if (names !== undefined && data?.every((row) => listOf(row)?.length === names.length))
    return data.map((row) => Object.fromEntries(names.map((name, i) => [String(name), listOf(row)![i]])));
  return listOf(record.samples) ?? listOf(record.rows) ?? data ?? numbered(record) ?? byColumn(record) ?? [document];
}

function numbered(record: Row): readonly unknown[] | undefined {
  const keys = Object.keys(record);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? keys.map((key) => record[key]) : undefined;
}

/** Columns of equal length, one of which holds responses; messages are turns of one. */
function byColumn(record: Row): readonly Row[] | undefined {
  const responses = usualColumns.response.find((name) => name in record);
  if (responses === undefined || listOf(record[responses])?.some((item) => "role" in (objectOf(item) ?? {})))
    return undefined;
  const columns = Object.entries(record).map(([name, value]) => {
    const cells = objectOf(value);
    return [name, cells === undefined ? listOf(value) : numbered(cells)] as const;
  });
  const rows = columns[0]?.[1]?.length ?? 0;
  if (rows === 0 || columns.some(([, cells]) => cells?.length !== rows)) return undefined;
  return Array.from({ length: rows }, (_, i) => Object.fromEntries(columns.map(([name, cells]) => [name, cells![i]])));
}

/**
 * A row that is a table itself (ms-swift writes one a step): as many prompts as responses. What is a list of that length is each
 * one's own, anything else is shared. Messages are one prompt or response, however many there are.
 */
export function rowsWithin(row: Row): readonly Row[] {
  const several = (names: readonly string[]) => {
    const list = listOf(row[names.find((name) => name in row) ?? ""]);
    return list?.every((item) => typeof item === "string" || listOf(item) !== undefined) ? list.length : undefined;
  };
  const rows = several(usualColumns.prompt);
  if (rows === undefined || rows !== several(usualColumns.response)) return [row];
  return Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const list = listOf(value);
        return [name, list?.length === rows ? list[i] : value];
      }),
    ),
  );
}
