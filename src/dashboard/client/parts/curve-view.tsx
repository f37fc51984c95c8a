// How a reader wants all curves of a page drawn: how smooth, on which axis, and which steps. It stands in the address, so
// that a view can be sent.
import { createContext, useContext, useMemo } from "react";
import { useQuery } from "../navigation.tsx";
import { Choice, TextField } from "./fields.tsx";
import { LineChart, type LineChartProps } from "./line-chart.tsx";

type CurveView = {
  /** How many points a line is the mean of. */
  readonly smooth: number;
  readonly axis: "linear" | "log";
  /** The steps that are shown; all of them where an end is left open. */
  readonly from?: number;
  readonly to?: number;
  readonly zoom?: (from: number | undefined, to: number | undefined) => void;
};

const plainView: CurveView = { smooth: 1, axis: "linear" };
const View = createContext<CurveView>(plainView);
export const CurveViewProvider = View.Provider;

/** A chart over steps, drawn as the reader wants all of them. */
export function Curve(props: LineChartProps) {
  const { smooth, axis, from, to, zoom } = useContext(View);
  return <LineChart {...props} smooth={smooth} yScale={axis} xFrom={from} xTo={to} onZoom={zoom} />;
}

export const smoothings = [1, 3, 10, 30];

const stepOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

export function useCurveView(): CurveView {
  const [query, change] = useQuery();
  return useMemo(
    () => ({
      smooth: smoothings.find((steps) => String(steps) === query.smooth) ?? 1,
      axis: query.axis === "log" ? "log" : "linear",
      from: stepOf(query.from),
      to: stepOf(query.to),
      zoom: (from, to) => change({ from, to }),
    }),
    [query.smooth, query.axis, query.from, query.to, change],
  );
}

/** What can be chosen about curves. */
export function CurveControls() {
  const [query, change] = useQuery();
  const { smooth, axis, from, to } = useCurveView();
  return (
    <div className="filters curve-choice">
      <Choice
        label="curves"
        value={String(smooth)}
        options={smoothings.map((steps) => ({
          value: String(steps),
          name: steps === 1 ? "step by step" : `mean of ${steps} steps`,
        }))}
        onChange={(steps) => change({ smooth: steps === "1" ? undefined : steps })}
      />
      <Choice
        label="axis"
        value={axis}
        options={[
          { value: "linear", name: "linear" },
          { value: "log", name: "logarithmic" },
        ]}
        onChange={(chosen) => change({ axis: chosen === "log" ? chosen : undefined })}
      />
      <TextField
        type="number"
        label="steps from"
        value={query.from ?? ""}
        onChange={(value) => change({ from: value })}
      />
      <TextField
        type="number"
        label="to"
        spoken="steps to"
        value={query.to ?? ""}
        onChange={(value) => change({ to: value })}
      />
      {(from !== undefined || to !== undefined) && (
        <button type="button" onClick={() => change({ from: undefined, to: undefined })}>
          All steps
        </button>
      )}
      <small className="quiet">drag over a curve, or press + and − on it, to look closer</small>
    </div>
  );
}
