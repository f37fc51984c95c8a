// The numbers of a chart as a table, for whoever would rather read them.
import { useMemo, useState } from "react";
import { compactNumber } from "../number-text.ts";
import type { LineChartProps } from "./line-chart.tsx";
import { Scrolling } from "./scrolling.tsx";

/** Made only when asked for: a long run has thousands of steps. */
export function ValueTable({
  title,
  xName,
  xs,
  series,
  format,
}: Pick<LineChartProps, "title" | "xName" | "series"> & {
  readonly xs: readonly number[];
  readonly format: (value: number) => string;
}) {
  const [open, setOpen] = useState(false);
  const byX = useMemo(
    () => (open ? series.map(({ points }) => new Map(points.map((p) => [p.x, p]))) : []),
    [open, series],
  );
  return (
    <details className="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        table<span className="for-readers"> of {title}</span>
      </summary>
      {open && (
        <Scrolling name={`Values of ${title}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{xName}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {xs.map((at) => (
                <tr key={at}>
                  <th scope="row">{compactNumber(at)}</th>
                  {series.map(({ name }, i) => {
                    const value = byX[i].get(at);
                    return (
                      <td key={name} className="number">
                        {value === undefined ? "–" : format(value.y)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
    </details>
  );
}
