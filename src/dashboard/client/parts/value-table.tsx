// The numbers of curves as a table, for whoever would rather read them.
import { useMemo, useState } from "react";
import { numberFormats, type Panel } from "../../../drawing/panel.ts";
import { visibleText } from "../../../drawing/safe-text.ts";
import { compactNumber } from "../number-text.ts";
import { type Column, DataTable } from "./data-table.tsx";

/** Made only when asked for: a long run has thousands of steps. */
export function ValueTable({ panel }: { readonly panel: Panel }) {
  const [open, setOpen] = useState(false);
  const title = visibleText(panel.title);
  return (
    <details className="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        table<span className="for-readers"> of {title}</span>
      </summary>
      {open && <Values panel={panel} title={title} />}
    </details>
  );
}

function Values({ panel: { x, y, marks }, title }: { readonly panel: Panel; readonly title: string }) {
  const format = numberFormats[y.format ?? "plain"];
  const lines = useMemo(() => marks.flatMap((mark) => (mark.mark === "line" ? [mark] : [])), [marks]);
  const xs = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const columns: Column<number>[] = [
    { name: x.label ?? "", naming: true, sortedAs: "numbers", by: (at) => at, cell: compactNumber },
    ...lines.map(({ name, points, faint }, i): Column<number> => {
      const byX = new Map(points.map((point) => [point.x, point.value]));
      const cell = (at: number) => (byX.has(at) ? format(byX.get(at)!) : "–");
      const own = `${visibleText(name)}${faint ? " (one of several)" : ""}`;
      return {
        name: lines.findIndex((line) => line.name === name) < i ? `${own} ${i}` : own,
        number: true,
        by: (at) => byX.get(at),
        cell,
      };
    }),
  ];
  return <DataTable name={`Values of ${title}`} columns={columns} rows={xs} keyOf={(at) => at} />;
}
