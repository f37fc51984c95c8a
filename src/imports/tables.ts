// The several ways to lay out a table of records in one document or in one row.
import { rowFormats } from "./formats.ts";
import { alternatives, usualColumns } from "./read-row.ts";
import type { Row, RowFormat } from "./row-format.ts";
import { listOf, objectOf, valueAt } from "./row-values.ts";

/** The first format that the row has the paths of. */
export const recognizedFormat = (row: Row): RowFormat | undefined =>
  rowFormats.find(
    ({ has, looks }) =>
      has.every((paths) => alternatives(paths).some((path) => valueAt(row, path) !== undefined)) &&
      (looks?.(row) ?? true),
  );

/** With `Ground Truth`, `isCorrect` and `Model-Response` also under the names as programs write them, where no program is known. */
export function respelled(row: Row): Row {
  const others = Object.keys(row).filter((name) => /[A-Z\s-]/.test(name));
  if (others.length === 0 || !["records", undefined].includes(recognizedFormat(row)?.name)) return row;
  const plain = (name: string) =>
    name
      .trim()
      .replace(/(?<=[a-z\d])(?=[A-Z])|[\s-]+/g, "_")
      .toLowerCase();
  return { ...Object.fromEntries(others.map((name) => [plain(name), row[name]])), ...row };
}

const deepest = 6;
/** Nobody writes rollouts deeper than this, and a record may be nested deeper than a program can follow. */
const deepestRecord = 50;
/** What a document says once for all of its records. */
const shared = alternatives(`${usualColumns.checkpoint}|${usualColumns.step}|${usualColumns.set}|task|name`);

/**
 * The records of a document: a list of them; `columns` and `data` apart (a table of wandb, pandas' `split`); numbered (OpenCompass,
 * pandas' `index`); by column (pandas, `Dataset.to_dict`); itself, where it is one; or those in the lists of records within it.
 */
export function recordsIn(document: unknown, depth = 0): readonly unknown[] {
  const record = objectOf(document);
  if (record === undefined) {
    const list = listOf(document) ?? [document];
    return list.every((item) => objectOf(listOf(item)?.[0]) !== undefined) ? list.flat() : list;
  }
  const names = listOf(record.columns);
  const data = listOf(record.data);
  if (names !== undefined && data?.every((row) => listOf(row)?.length === names.length))
    return data.map((row) => Object.fromEntries(names.map((name, i) => [String(name), listOf(row)![i]])));
  const laid = numbered(record) ?? byColumn(record);
  if (laid !== undefined) return laid;
  if (recognizedFormat(record) !== undefined || depth > deepest) return [document];
  const inner = recordsWithin(record);
  if (inner === undefined) return [document];
  const above = { ...objectOf(record.eval), ...objectOf(record.metadata), ...record };
  const told = Object.fromEntries(
    shared.flatMap((name) => (typeof Object(above)[name] === "string" ? [[name, Object(above)[name]]] : [])),
  );
  return inner.flatMap((one) =>
    recordsIn(objectOf(one) === undefined ? one : { ...told, ...objectOf(one) }, depth + 1),
  );
}

/** The lists of records in it that some format reads, at any depth, or the only one that there is; records by name are a list. */
export function recordsWithin(record: Row, depth = 0): readonly unknown[] | undefined {
  if (depth > deepestRecord) return undefined;
  const lists = Object.values(record).flatMap((value) => {
    const list = listOf(value);
    return list !== undefined && list.length > 0 && list.every((item) => objectOf(item)) ? [list] : [];
  });
  const known = lists.filter(isKnown);
  if (known.length > 0) return known.flat();
  const inner = Object.values(record).map(objectOf);
  if (inner.length > 0 && inner.every((one) => one !== undefined) && isKnown(inner)) return inner;
  const deeper = inner.flatMap((one) => {
    const within = one && recordsWithin(one, depth + 1);
    return within !== undefined && isKnown(within) ? within : [];
  });
  return deeper.length > 0 ? deeper : lists.length === 1 ? lists[0] : undefined;
}

const isKnown = ([first]: readonly unknown[]): boolean => recognizedFormat(objectOf(first) ?? {}) !== undefined;

function numbered(record: Row): readonly unknown[] | undefined {
  const keys = Object.keys(record);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? keys.map((key) => record[key]) : undefined;
}

const responses = alternatives(usualColumns.response);

/** Columns of equal length, one of which holds responses; records are turns or rollouts of their own. */
function byColumn(record: Row): readonly Row[] | undefined {
  const response = responses.find((name) => name in record);
  if (response === undefined || listOf(record[response])?.some((item) => objectOf(item) !== undefined))
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
  const rows = several(alternatives(usualColumns.prompt));
  if (rows === undefined || rows !== several(responses)) return [row];
  return Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const list = listOf(value);
        return [name, list?.length === rows ? list[i] : value];
      }),
    ),
  );
}
