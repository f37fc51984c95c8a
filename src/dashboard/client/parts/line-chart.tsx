// A small chart of lines over steps: hover or arrow keys read values off, dragging looks closer, the legend is the
// read-out, and the same numbers are a table for whoever would rather read them.
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from "react";
import { doubling, linear, logarithmic, roundRange } from "../../../drawing/scales.ts";
import { compactNumber } from "../number-text.ts";
import { useWidth } from "../use-width.ts";
import { bandPath, inView, leastDrawn, linePath, zoomed } from "./chart-paths.ts";
import { type Point, smoothed } from "./smoothed.ts";
import { ValueTable } from "./value-table.tsx";

export type Series = {
  readonly name: string;
  /** A name from the table of inks. */
  readonly ink: string;
  readonly points: readonly Point[];
  /** Lines are told apart by more than their color. */
  readonly dash?: string;
  /** One of several that another line is the mean of: thin, and only in the table. */
  readonly faint?: boolean;
};

export type LineChartProps = {
  readonly title: string;
  /** One sentence on what is drawn. */
  readonly note?: string;
  readonly xName: string;
  readonly series: readonly Series[];
  readonly xScale?: "linear" | "doubling";
  readonly yScale?: "linear" | "log";
  /** Which part is shown; open ends show all. */
  readonly xFrom?: number;
  readonly xTo?: number;
  /** Called with another part, or with nothing for all of it. */
  readonly onZoom?: (from: number | undefined, to: number | undefined) => void;
  readonly range?: readonly [number, number];
  readonly format?: (value: number) => string;
  /** Draws the mean over this many points, and the points themselves faintly. */
  readonly smooth?: number;
};

const height = 168;

const edge = { top: 8, right: 10, bottom: 24, left: 44 };

export function LineChart(props: LineChartProps) {
  const { title, note, xName, series, format = compactNumber, smooth = 1 } = props;
  const { xFrom: from, xTo: to, onZoom } = props;
  const [frame, width] = useWidth<HTMLDivElement>(320);
  const [cursor, setCursor] = useState<number>();
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number }>();
  const id = useId();

  const all = useMemo(
    () => [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b),
    [series],
  );
  const { x, y, xs, lines } = useMemo(() => {
    const positive = series.some(({ points }) => points.some((point) => point.y >= leastDrawn));
    const axis = props.yScale === "log" && positive ? "log" : "linear";
    // A part that holds no point, of another run perhaps, would be an empty chart.
    const part = all.some((at) => (from === undefined || at >= from) && (to === undefined || at <= to))
      ? { from, to, axis }
      : { axis };
    const view = { ...part, axis } as const;
    const lines = series.map((one) => ({
      ...one,
      raw: inView(one.points, view),
      calm: inView(smoothed(one.points, smooth), view),
    }));
    const xs = all.filter((at) => inView([{ x: at, y: 1 }], view).length > 0);
    const values = lines
      .flatMap(({ raw }) => raw.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]))
      .map((value) => (Math.abs(value) < leastDrawn ? 0 : value));
    const [first, last] = [xs[0] ?? 1, xs.at(-1) ?? 2];
    const across = [edge.left, Math.max(edge.left + 40, width - edge.right)] as const;
    const makeX = props.xScale === "doubling" ? doubling : linear;
    const up = [height - edge.bottom, edge.top] as const;
    const yRange = props.range ?? roundRange(values, { fromZero: true });
    const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
    const most = values.reduce((high, value) => Math.max(high, value), 0);
    return {
      ...{ xs, lines },
      x: makeX([first, last === first ? first + 1 : last], across, Math.max(2, Math.min(8, Math.floor(width / 70)))),
      y: axis === "log" ? logarithmic([least, most], up) : linear(yRange, up, 4),
    };
  }, [series, all, smooth, from, to, width, props.range, props.xScale, props.yScale]);

  const shown = Math.min(cursor ?? xs.length - 1, xs.length - 1);
  const listed = series.filter(({ faint }) => !faint);
  const readings = listed.map(({ points }) => points.find((point) => point.x === xs[shown]));
  const valueText = listed
    .map(({ name }, i) => `${name} ${readings[i] === undefined ? "no value" : format(readings[i].y)}`)
    .join(", ");

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setCursor(nearest(xs.map(x.place), at));
    if (drag !== undefined) setDrag({ ...drag, end: at });
  };
  const press = (event: PointerEvent<HTMLDivElement>) => {
    // A finger scrolls the page; the fields above say the same.
    if (onZoom === undefined || event.button !== 0 || event.pointerType === "touch") return;
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ start: at, end: at });
  };
  const release = () => {
    setDrag(undefined);
    if (drag === undefined || Math.abs(drag.end - drag.start) < 8) return;
    const places = xs.map(x.place);
    const ends = [nearest(places, drag.start)!, nearest(places, drag.end)!].sort((a, b) => a - b);
    if (ends[0] < ends[1]) onZoom?.(xs[ends[0]], xs[ends[1]]);
  };
  const type = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: shown - 1,
      ArrowRight: shown + 1,
      Home: 0,
      End: xs.length - 1,
      PageUp: shown + 10,
      PageDown: shown - 10,
    };
    if (event.key === "Escape") setCursor(undefined);
    const zooms = { "+": "closer", "=": "closer", "-": "wider" } as const;
    if (onZoom !== undefined && (event.key in zooms || event.key === "0") && xs.length > 1) {
      event.preventDefault();
      const part = event.key === "0" ? undefined : zoomed(xs, all, xs[shown], zooms[event.key as keyof typeof zooms]);
      onZoom(part?.[0], part?.[1]);
    }
    if (!(event.key in moves) || xs.length === 0) return;
    event.preventDefault();
    setCursor(Math.max(0, Math.min(xs.length - 1, moves[event.key])));
  };

  if (all.length === 0) return null;
  return (
    <figure className="chart" aria-labelledby={`${id}-title`}>
      <figcaption>
        <h3 id={`${id}-title`}>
          {title} {note !== undefined && <small className="note">{note}</small>}
        </h3>
        <span className="chart-x">
          {xName} {compactNumber(xs[shown] ?? 0)}
        </span>
        <ul className="legend">
          {listed.map(({ name, ink, dash }, i) => (
            <li key={name} className={`ink-${ink}`}>
              <svg width="18" height="8" aria-hidden="true">
                <line x1="0" x2="18" y1="4" y2="4" className="series" strokeDasharray={dash} />
              </svg>
              {name} <b>{readings[i] === undefined ? "–" : format(readings[i].y)}</b>
              {readings[i]?.low !== undefined && readings[i].high !== undefined && (
                <small>
                  {format(readings[i].low)}–{format(readings[i].high)}
                </small>
              )}
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        ref={frame}
        className="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${title}: ${xName} to read values at`}
        aria-valuemin={xs[0]}
        aria-valuemax={xs.at(-1)}
        aria-valuenow={xs[shown]}
        aria-valuetext={`${xName} ${compactNumber(xs[shown])}: ${valueText}`}
        onPointerMove={point}
        onPointerDown={press}
        onPointerUp={release}
        onPointerCancel={() => setDrag(undefined)}
        onDoubleClick={() => onZoom?.(undefined, undefined)}
        onPointerLeave={() => setCursor(undefined)}
        onBlur={() => setCursor(undefined)}
        onKeyDown={type}
      >
        <svg width={width} height={height} aria-hidden="true">
          {y.ticks.map((tick) => (
            <g key={tick}>
              <line className="grid" x1={edge.left} x2={width - edge.right} y1={y.place(tick)} y2={y.place(tick)} />
              <text className="tick" x={edge.left - 6} y={y.place(tick)} textAnchor="end" dominantBaseline="central">
                {format(tick)}
              </text>
            </g>
          ))}
          {x.ticks
            .filter((tick) => Number.isInteger(tick))
            .map((tick) => (
              <text key={tick} className="tick" x={x.place(tick)} y={height - 7} textAnchor="middle">
                {compactNumber(tick)}
              </text>
            ))}
          {lines.map(({ name, ink, raw, calm, dash, faint }) => (
            <g key={name} className={`ink-${ink}`}>
              {!faint && <path className="band" d={bandPath(smooth > 1 ? calm : raw, x.place, y.place)} />}
              {smooth > 1 && !faint && <path className="series faint" d={linePath(raw, x.place, y.place)} />}
              <path
                className={faint ? "series faint" : "series"}
                d={linePath(calm, x.place, y.place)}
                strokeDasharray={dash}
              />
              {raw.length < 24 &&
                !faint &&
                raw.map((p) => <circle key={p.x} className="dot" cx={x.place(p.x)} cy={y.place(p.y)} r="2" />)}
            </g>
          ))}
          {drag !== undefined && (
            <rect
              className="selection"
              x={Math.min(drag.start, drag.end)}
              width={Math.abs(drag.end - drag.start)}
              y={edge.top}
              height={height - edge.top - edge.bottom}
            />
          )}
          {cursor !== undefined && (
            <g>
              <line
                className="cursor"
                x1={x.place(xs[shown])}
                x2={x.place(xs[shown])}
                y1={edge.top}
                y2={height - edge.bottom}
              />
              {listed.map(({ name, ink }, i) =>
                readings[i] === undefined || !Number.isFinite(y.place(readings[i].y)) ? null : (
                  <circle
                    key={name}
                    className={`dot ink-${ink}`}
                    cx={x.place(readings[i].x)}
                    cy={y.place(readings[i].y)}
                    r="3.5"
                  />
                ),
              )}
            </g>
          )}
        </svg>
      </div>
      <ValueTable xName={xName} xs={xs} series={series} format={format} title={title} />
    </figure>
  );
}

function nearest(places: readonly number[], at: number): number | undefined {
  let best: number | undefined;
  for (let i = 0; i < places.length; i++)
    if (best === undefined || Math.abs(places[i] - at) < Math.abs(places[best] - at)) best = i;
  return best;
}
