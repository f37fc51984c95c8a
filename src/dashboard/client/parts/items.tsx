// Items on a page: figures drawn by the report's own code, tables that sort, traces. Everything of a run that is shown in its report is shown by this one renderer.
import { useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { figureSvg } from "../../../drawing/figure.ts";
import type { Item, PanelsBody, Section, ShownTrace, TableBody, TracesBody } from "../../../drawing/item.ts";
import { numberFormats, type Panel } from "../../../drawing/panel.ts";
import { visibleText } from "../../../drawing/safe-text.ts";
import { type Cell, isNumeric, minus, numberCell, shown, tableBody, valueAndInterval } from "../../../drawing/table.ts";
import { motifOf } from "../../../traces/motifs.ts";
import type { ItemsReply } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useShownRunIfAny } from "../data/shown-run.tsx";
import { type Asked, useReply } from "../data/use-reply.ts";
import { useLabels } from "../labels.tsx";
import { Link } from "../navigation.tsx";
import { compactNumber } from "../number-text.ts";
import { addressOf } from "../routes.ts";
import { useWidth } from "../use-width.ts";
import { useShownPanels } from "./curve-view.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { Drawing } from "./drawing.tsx";
import { PrimitiveMark } from "./marks.tsx";
import { Scrolling } from "./scrolling.tsx";
import { SequenceStrip } from "./sequence-strip.tsx";

/** Of one run, or of several together; a run that grows is asked for again, but not all the time. */
export function useItems(
  runs: readonly string[],
  { groups = [], checkpoint }: { readonly groups?: readonly string[]; readonly checkpoint?: string } = {},
): Asked<ItemsReply> {
  const version = useLiveCount((event) => event.type === "changed" && runs.includes(event.run), 3000);
  const values = runs.length === 0 ? undefined : { run: runs, group: groups, checkpoint };
  return useReply("items", values, { version, meanwhile: "earlier" });
}

export const isMade = ({ body }: Item): boolean => body.kind !== "missing";

/** Sections by their ids, in the order of the reply; those that are not `open` unfold when they are asked for. */
export function Sections({
  sections,
  open,
}: {
  readonly sections: readonly Section[];
  readonly open: (section: Section) => boolean;
}) {
  return sections.map((section) => {
    const { id, title, intro, items } = section;
    const made = items.filter(isMade);
    if (made.length === 0) return null;
    if (open(section))
      return (
        <section key={id} aria-labelledby={`section-${id}`}>
          <h2 id={`section-${id}`}>{title}</h2>
          <p className="quiet">{intro}</p>
          <Items items={items} />
        </section>
      );
    return <Folded key={id} section={section} count={made.length} />;
  });
}

const asked = "item-asked";

/** Goes to an item, wherever on the page it is; the section that holds it unfolds. */
export function showItem(id: string): void {
  document.dispatchEvent(new CustomEvent(asked, { detail: id }));
  // It may be drawn only now.
  requestAnimationFrame(() => {
    const item = document.getElementById(`item-${id}`);
    item?.scrollIntoView({ block: "start" });
    item?.focus({ preventScroll: true });
  });
}

/** Drawn when it is unfolded: a run has more figures than a page draws at once. */
function Folded({ section: { title, intro, items }, count }: { readonly section: Section; readonly count: number }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const unfold = (event: Event) => {
      if (items.some(({ id }) => id === (event as CustomEvent<string>).detail)) flushSync(() => setOpen(true));
    };
    document.addEventListener(asked, unfold);
    return () => document.removeEventListener(asked, unfold);
  }, [items]);
  return (
    <details className="section" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2> <span className="quiet">{count === 1 ? "one item" : `${count} items`}</span>
      </summary>
      {open && (
        <>
          <p className="quiet">{intro}</p>
          <Items items={items} />
        </>
      )}
    </details>
  );
}

function Items({ items }: { readonly items: readonly Item[] }) {
  const missing = items.flatMap(({ title, body }) => (body.kind === "missing" ? [{ title, needs: body.needs }] : []));
  return (
    <>
      {items.map((item) => item.body.kind !== "missing" && <ItemView key={item.id} item={item} />)}
      {missing.length > 0 && (
        <details className="gaps">
          <summary>Not shown: {missing.map(({ title }) => title).join(", ")}</summary>
          <ul>
            {missing.map(({ title, needs }) => (
              <li key={title}>
                <b>{title}</b> needs {visibleText(needs)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

export function ItemView({ item }: { readonly item: Item }) {
  const { id, title, caption, n, interval, labeled, body } = item;
  const about = [`n: ${n}`, interval && `interval: ${interval}`, labeled && withoutAsides(labeled)].filter(Boolean);
  return (
    <article className="item" id={`item-${id}`} tabIndex={-1} aria-labelledby={`item-${id}-title`}>
      <h3 id={`item-${id}-title`}>{visibleText(title)}</h3>
      <p className="quiet">{visibleText(caption)}</p>
      {body.kind === "panels" && <Panels body={body} />}
      {body.kind === "traces" && <Traces body={body} />}
      {body.kind === "table" && <TableView title={title} body={body} />}
      <p className="about quiet" title={labeled && visibleText(labeled)}>
        {visibleText(about.join(" · "))}
      </p>
    </article>
  );
}

/** How good a labeler is, is said once, where the rollouts are listed. */
function withoutAsides(text: string): string {
  let depth = 0;
  const isPlain = (character: string) => {
    if (character === "(") depth += 1;
    const plain = depth === 0;
    if (character === ")") depth -= 1;
    return plain;
  };
  return [...text]
    .filter(isPlain)
    .join("")
    .replace(/ +(?=[;.]|$)/g, "");
}

function Panels({ body }: { readonly body: PanelsBody }) {
  const panels = useShownPanels(body.panels);
  return (
    <>
      {body.legend.length > 0 && (
        <ul className="row legend">
          {body.legend.map(({ name, ink, hollow }) => (
            <li key={name} className={`inline ink-${ink}`}>
              <span className={hollow ? "swatch hollow" : "swatch"} aria-hidden="true" /> {visibleText(name)}
            </li>
          ))}
        </ul>
      )}
      <div className="charts">
        {panels.map((panel, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two panels of a figure may share their title
          <Drawn key={i} panel={panel} />
        ))}
      </div>
    </>
  );
}

/** More bars than this need the width of the page. */
const crowded = 24;

function Drawn({ panel }: { readonly panel: Panel }) {
  const [frame, width] = useWidth<HTMLDivElement>(420);
  const bars = panel.marks.reduce(
    (most, mark) => (mark.mark === "bars" ? mark.series.reduce((total, { values }) => total + values.length, 0) : most),
    0,
  );
  const svg = useMemo(
    () => figureSvg({ title: panel.title, panels: [panel], columns: 1, panelHeight: 190, legend: [], width }),
    [panel, width],
  );
  return (
    <div ref={frame} className={bars > crowded ? "drawn wide" : "drawn"}>
      <Drawing svg={svg} />
      {panel.marks.some(({ mark }) => mark === "line") && <Values panel={panel} />}
    </div>
  );
}

/** The numbers of curves, for whoever would rather read them; made only when asked for, as a long run has thousands of steps. */
function Values({ panel }: { readonly panel: Panel }) {
  const [open, setOpen] = useState(false);
  const title = visibleText(panel.title);
  return (
    <details className="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        table<span className="for-readers"> of {title}</span>
      </summary>
      {open && <TableView title={`Values of ${title}`} body={valuesOf(panel)} />}
    </details>
  );
}

function valuesOf({ x, y, marks }: Panel): TableBody {
  const format = numberFormats[y.format ?? "plain"];
  const lines = marks.flatMap((mark) => (mark.mark === "line" ? [mark] : []));
  const xs = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const names = lines.map(({ name, faint }, i) => {
    const isAgain = lines.findIndex((line) => line.name === name) < i;
    return `${name}${faint ? " (one of several)" : ""}${isAgain ? ` ${i}` : ""}`;
  });
  const values = lines.map(({ points }) => new Map(points.map((point) => [point.x, point.value])));
  return tableBody(
    [x.label ?? "", ...names],
    xs.map((at) => [
      { value: at, text: compactNumber(at) },
      ...values.map((line) => numberCell(line.has(at) ? { value: line.get(at)! } : undefined, format)),
    ]),
  );
}

type Row = { readonly at: number; readonly cells: readonly Cell[] };

/** The signs that stand beside a verdict. */
const signs: Readonly<Record<string, string>> = { "●": "gain", "○": "quiet", "▼": "loss" };

export function TableView({ title, body }: { readonly title: string; readonly body: TableBody }) {
  const columns = useMemo(
    () =>
      body.columns.map(
        (name, c): Column<Row> => ({
          ...{ name: visibleText(name), naming: c === 0, number: isNumeric(body, c) },
          by: ({ cells }) => {
            const cell = cells[c];
            return cell === null ? undefined : typeof cell === "string" ? cell : cell.value;
          },
          className: ({ cells }) => {
            const cell = cells[c];
            return (typeof cell === "string" && signs[cell[0]]) || "";
          },
          cell: ({ cells }) => <CellView cell={cells[c]} />,
        }),
      ),
    [body],
  );
  const rows = useMemo(() => body.rows.map((cells, at): Row => ({ at, cells })), [body]);
  return <DataTable name={title} columns={columns} rows={rows} keyOf={({ at }) => at} most={24} />;
}

/** A motif leads to the rollouts that hold it. */
function CellView({ cell }: { readonly cell: Cell }) {
  const { named } = useLabels();
  const at = useShownRunIfAny();
  if (cell === null || typeof cell === "string") {
    const isMotif = cell?.includes("→") && motifOf(cell).every((label) => named(label) !== undefined);
    return isMotif && at ? <Link to={addressOf.rollouts(at.run, { motif: cell! })}>{shown(cell)}</Link> : shown(cell);
  }
  const [value, interval] = valueAndInterval(cell.text);
  return (
    <>
      {minus(value)}
      {interval !== "" && <small className="quiet">{minus(interval)}</small>}
    </>
  );
}

function Traces({ body: { traces } }: { readonly body: TracesBody }) {
  return (
    <div className="trace-pairs">
      {traces.map((trace, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pairs may hold the same trace
        <TraceView key={i} trace={trace} />
      ))}
    </div>
  );
}

function TraceView({ trace: { name, note, problem, spans } }: { readonly trace: ShownTrace }) {
  const told = spans.filter(({ text }) => text !== undefined);
  return (
    <section>
      <h4>
        {visibleText(name)} <small className="quiet">{visibleText(note)}</small>
      </h4>
      {problem !== "" && <p className="quiet">{visibleText(problem)}</p>}
      <SequenceStrip sequence={spans.map(({ letter }) => letter).join("")} />
      {told.length > 0 && (
        <Scrolling name={`Trace of ${name} on ${problem}`} className="trace-text">
          <ol>
            {told.map(({ label, text }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: spans have no names
              <li key={i}>
                <PrimitiveMark of={label} /> <span>{visibleText(text!)}</span>
              </li>
            ))}
          </ol>
          {told.length < spans.length && <p className="quiet">… {spans.length - told.length} more spans</p>}
        </Scrolling>
      )}
    </section>
  );
}
