// The numbers of a chart as a table, for whoever would rather read them.
import { useMemo, useState } from "react";
import { compactNumber } from "../number-text.ts";
import { type Column, DataTable } from "./data-table.tsx";
import type { LineChartProps } from "./line-chart.tsx";

type ValuesProps = Pick<LineChartProps, "title" | "xName" | "series"> & {
  readonly xs: readonly number[];
  readonly format: (value: number) => string;
};

/** Made only when asked for: a long run has thousands of steps. */
export function ValueTable({ title, xName, xs, series, format }: ValuesProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        table<span className="for-readers"> of {title}</span>
      </summary>
      {open && <Values {...{ title, xName, xs, series, format }} />}
    </details>
  );
}

function Values({ title, xName, xs, series, format }: ValuesProps) {
  const columns = useMemo(
    (): Column<number>[] => [
      { name: xName, naming: true, sortedAs: "numbers", by: (x) => x, cell: compactNumber },
      ...series.map(({ name, points }): Column<number> => {
        const byX = new Map(points.map((point) => [point.x, point.y]));
        const cell = (x: number) => (byX.has(x) ? format(byX.get(x)!) : "–");
        return { name, number: true, by: (x) => byX.get(x), cell };
      }),
    ],
    [xName, series, format],
  );
  return <DataTable name={`Values of ${title}`} columns={columns} rows={xs} keyOf={(x) => x} />;
}
