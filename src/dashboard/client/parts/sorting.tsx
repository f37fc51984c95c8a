// Sorting by column heads, the same in every table and list: a click sorts, another turns the order around, a third shows
// the order as given. It stands in the address.
import type { ReactNode } from "react";
import { useQuery } from "../navigation.tsx";

/** Of words the first comes first, of numbers the largest. */
export type SortedAs = "words" | "numbers";

export type Sorting = {
  readonly by: string;
  readonly order?: "asc" | "desc";
  readonly sort: (column: string, as: SortedAs) => void;
};

export function useSorting(): Sorting {
  const [query, change] = useQuery();
  const by = query.sort ?? "";
  const order = by === "" ? undefined : query.order === "desc" ? "desc" : "asc";
  return {
    by,
    ...(order && { order }),
    sort: (column, as) => {
      const first = as === "words" ? "asc" : "desc";
      const next = by !== column ? first : order === first ? (first === "asc" ? "desc" : "asc") : undefined;
      // Another order has other rows at its places.
      change({ sort: next && column, order: next === "desc" ? next : undefined, at: undefined });
    },
  };
}

export function SortButton({
  column,
  as,
  sorting: { by, order, sort },
  children,
}: {
  readonly column: string;
  readonly as: SortedAs;
  readonly sorting: Sorting;
  readonly children: ReactNode;
}) {
  const now = by === column ? order : undefined;
  return (
    <button
      type="button"
      className="sort"
      title={`sort by ${column}${now === undefined ? "" : now === "desc" ? ", largest first" : ", smallest first"}`}
      onClick={() => sort(column, as)}
    >
      {children}
      <span aria-hidden="true">{now === undefined ? "" : now === "desc" ? " ↓" : " ↑"}</span>
    </button>
  );
}
