// A table of rows: columns say what stands in them and what they are sorted by.
import { type ReactNode, useState } from "react";
import { Scrolling } from "./scrolling.tsx";
import { sortedRows } from "./sorted-rows.ts";
import { SortButton, type SortedAs, type Sorting, useSorting } from "./sorting.tsx";

export type Column<Row> = {
  readonly name: string;
  /** What stands in the head, where that is more than the name. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are sorted by: a number or words; without it the column does not sort. */
  readonly by?: (row: Row) => number | string | undefined;
  /** Numbers stand on the right. */
  readonly number?: boolean;
  /** As numbers where they stand on the right. */
  readonly sortedAs?: SortedAs;
  /** It names the row. */
  readonly naming?: boolean;
  readonly className?: string | ((row: Row) => string);
};

export function ColumnHead<Row>({
  column: { name, head, by, number, sortedAs = number ? "numbers" : "words" },
  sorting,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
}) {
  const shown = head ?? name;
  const sorted = by !== undefined && sorting.by === name ? sorting.order : undefined;
  return (
    <th
      scope="col"
      className={number ? "number" : undefined}
      aria-sort={sorted && (sorted === "desc" ? "descending" : "ascending")}
    >
      {by === undefined ? (
        shown
      ) : (
        <SortButton column={name} as={sortedAs} sorting={sorting}>
          {shown}
        </SortButton>
      )}
    </th>
  );
}

export function RowCells<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return columns.map(({ name, cell, number, naming, className }) => {
    const own = typeof className === "function" ? className(row) : className;
    const classes = [number && "number", own].filter(Boolean).join(" ") || undefined;
    return naming ? (
      <th key={name} scope="row" className={classes}>
        {cell(row)}
      </th>
    ) : (
      <td key={name} className={classes}>
        {cell(row)}
      </td>
    );
  });
}

/** The rows in the order that the reader chose. */
export function useSorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): [readonly Row[], Sorting] {
  const sorting = useSorting();
  return [sortedRows(rows, columns.find(({ name }) => name === sorting.by)?.by, sorting.order), sorting];
}

export function DataTable<Row>({
  name,
  caption,
  className,
  columns,
  rows,
  keyOf,
  rowClass,
  most,
}: {
  /** What those hear who do not see it; no two tables of a page share it. */
  readonly name: string;
  readonly caption?: ReactNode;
  readonly className?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
  /** How many rows are shown until the rest is asked for. */
  readonly most?: number;
}) {
  const [sorted, sorting] = useSorted(rows, columns);
  const [whole, setWhole] = useState(false);
  const shown = whole ? sorted : sorted.slice(0, most);
  return (
    <Scrolling name={name}>
      <table className={className}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.name} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)} className={rowClass?.(row)}>
              <RowCells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button type="button" onClick={() => setWhole(true)}>
          All {rows.length}
        </button>
      )}
    </Scrolling>
  );
}
