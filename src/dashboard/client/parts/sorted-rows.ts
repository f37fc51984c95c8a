// Rows in the order of a key.

type Key = number | string | undefined;

const words = new Intl.Collator("en", { numeric: true });

/** What is not known comes last, whichever way; equals stay as they are given. */
export function sortedRows<Row>(
  rows: readonly Row[],
  key: ((row: Row) => Key) | undefined,
  order: "asc" | "desc" | undefined,
) {
  if (key === undefined || order === undefined) return rows;
  const sign = order === "desc" ? -1 : 1;
  const known = (value: Key) => value !== undefined && !Number.isNaN(value);
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  return keyed
    .sort((a, b) => {
      if (!known(a.key) || !known(b.key)) return Number(known(b.key)) - Number(known(a.key));
      if (typeof a.key === "number" && typeof b.key === "number") return sign * (a.key - b.key);
      return sign * words.compare(String(a.key), String(b.key));
    })
    .map(({ row }) => row);
}
