// A small chart of lines over steps: hover or arrow keys read values off, the legend is the read-out, and the same
// numbers are a table for whoever would rather read them.
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from "react";
import { doubling, linear, roundRange } from "../../../report/charts/scales.ts";
import { compactNumber } from "../number-text.ts";
import { useWidth } from "../use-width.ts";
import { Scrolling } from "./scrolling.tsx";
import { type Point, smoothed } from "./smoothed.ts";

export type Series = {
  readonly name: string;
  /** A name from the table of inks. */
  readonly ink: string;
  readonly points: readonly Point[];
  /** Lines are told apart by more than their color. */
  readonly dash?: string;
};

export type LineChartProps = {
  readonly title: string;
  /** One sentence on what is drawn. */
  readonly note?: string;
  readonly xName: string;
  readonly series: readonly Series[];
  readonly xScale?: "linear" | "doubling";
  readonly range?: readonly [number, number];
  readonly fromZero?: boolean;
  readonly format?: (value: number) => string;
  readonly height?: number;
  /** Draws the mean over this many points, and the points themselves faintly. */
  readonly smooth?: number;
  /** A level that matters, drawn across. */
  readonly threshold?: { readonly y: number; readonly name: string };
};

const edge = { top: 8, right: 10, bottom: 24, left: 44 };
export const dashes = ["", "6 3", "2 3", "8 3 2 3", "1 4", "10 4"];

export function LineChart(props: LineChartProps) {
  const { title, note, xName, series, format = compactNumber, height = 168, threshold, smooth = 1 } = props;
  const [frame, width] = useWidth<HTMLDivElement>(320);
  const [cursor, setCursor] = useState<number>();
  const id = useId();

  const xs = useMemo(
    () => [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b),
    [series],
  );
  const { x, y } = useMemo(() => {
    const values = series
      .flatMap(({ points }) => points.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]))
      // What arithmetic leaves of a zero must not stretch the axis.
      .map((value) => (Math.abs(value) < 1e-12 ? 0 : value));
    if (threshold !== undefined) values.push(threshold.y);
    const yRange = props.range ?? roundRange(values, { fromZero: props.fromZero ?? true });
    const last = xs.at(-1) ?? 1;
    const first = xs[0] ?? 0;
    const across = [edge.left, Math.max(edge.left + 40, width - edge.right)] as const;
    const makeX = props.xScale === "doubling" ? doubling : linear;
    return {
      x: makeX([first, last === first ? first + 1 : last], across, Math.max(2, Math.min(8, Math.floor(width / 70)))),
      y: linear(yRange, [height - edge.bottom, edge.top], 4),
    };
  }, [series, xs, width, height, threshold, props.range, props.fromZero, props.xScale]);

  const shown = cursor ?? xs.length - 1;
  const readings = series.map(({ points }) => points.find((point) => point.x === xs[shown]));
  const valueText = series
    .map(({ name }, i) => `${name} ${readings[i] === undefined ? "no value" : format(readings[i].y)}`)
    .join(", ");

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setCursor(nearest(xs.map(x.place), at));
  };
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: shown - 1,
      ArrowRight: shown + 1,
      Home: 0,
      End: xs.length - 1,
      PageUp: shown + 10,
      PageDown: shown - 10,
    };
    if (event.key === "Escape") setCursor(undefined);
    if (!(event.key in moves) || xs.length === 0) return;
    event.preventDefault();
    setCursor(Math.max(0, Math.min(xs.length - 1, moves[event.key])));
  };

  if (xs.length === 0) return null;
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
          {series.map(({ name, ink, dash }, i) => (
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
        onPointerLeave={() => setCursor(undefined)}
        onBlur={() => setCursor(undefined)}
        onKeyDown={press}
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
          {threshold !== undefined && (
            <g>
              <line
                className="threshold"
                x1={edge.left}
                x2={width - edge.right}
                y1={y.place(threshold.y)}
                y2={y.place(threshold.y)}
              />
              <text
                className="tick threshold-name"
                x={width - edge.right}
                y={y.place(threshold.y) - 4}
                textAnchor="end"
              >
                {threshold.name}
              </text>
            </g>
          )}
          {series.map(({ name, ink, points, dash }) => (
            <g key={name} className={`ink-${ink}`}>
              <path className="band" d={bandPath(points, x.place, y.place)} />
              {smooth > 1 && <path className="series faint" d={linePath(points, x.place, y.place)} />}
              <path
                className="series"
                d={linePath(smoothed(points, smooth), x.place, y.place)}
                strokeDasharray={dash}
              />
              {points.length < 24 &&
                points.map((p) => <circle key={p.x} className="dot" cx={x.place(p.x)} cy={y.place(p.y)} r="2" />)}
            </g>
          ))}
          {cursor !== undefined && (
            <g>
              <line
                className="cursor"
                x1={x.place(xs[shown])}
                x2={x.place(xs[shown])}
                y1={edge.top}
                y2={height - edge.bottom}
              />
              {series.map(({ name, ink }, i) =>
                readings[i] === undefined ? null : (
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

/** Made only when asked for: a long run has thousands of steps. */
function ValueTable({
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

function nearest(places: readonly number[], at: number): number | undefined {
  let best: number | undefined;
  for (let i = 0; i < places.length; i++)
    if (best === undefined || Math.abs(places[i] - at) < Math.abs(places[best] - at)) best = i;
  return best;
}

type Place = (value: number) => number;

function linePath(points: readonly Point[], x: Place, y: Place): string {
  return points.map((p, i) => `${i === 0 ? "M" : "L"}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("");
}

function bandPath(points: readonly Point[], x: Place, y: Place): string {
  const banded = points.filter((p) => p.low !== undefined && p.high !== undefined);
  if (banded.length < 2) return "";
  const upper = banded.map((p) => `${x(p.x).toFixed(1)} ${y(p.high!).toFixed(1)}`);
  const lower = banded.map((p) => `${x(p.x).toFixed(1)} ${y(p.low!).toFixed(1)}`).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
}
