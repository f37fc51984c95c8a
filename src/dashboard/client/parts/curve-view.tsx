// How a reader wants all curves of a page drawn: how smooth, on which axis, and which steps. It stands in the address, so that a view can be
// sent.
import { useMemo } from "react";
import type { Panel } from "../../../drawing/panel.ts";
import { useQuery } from "../navigation.tsx";
import { Choice, TextField } from "./fields.tsx";
import { shownPanel } from "./shown-panel.ts";

/** How many points a line may be the mean of. */
export const smoothings = [1, 3, 10, 30];

const stepOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

/** Curves over steps as the reader wants all of them; other panels as they are. */
export function useShownPanels(panels: readonly Panel[]): readonly Panel[] {
  const [{ smooth, from, to, axis }] = useQuery();
  return useMemo(() => {
    const window = smoothings.find((steps) => String(steps) === smooth);
    const view = { window, from: stepOf(from), to: stepOf(to), log: axis === "log" };
    return panels.map((panel) => shownPanel(panel, view));
  }, [panels, smooth, from, to, axis]);
}

/** What can be chosen about curves. */
export function CurveControls() {
  const [{ smooth, from, to, axis }, change] = useQuery();
  return (
    <div className="row filters curve-choice">
      <Choice
        label="curves"
        value={smooth ?? "1"}
        options={smoothings.map((steps) => ({
          value: String(steps),
          name: steps === 1 ? "step by step" : `mean of ${steps} steps`,
        }))}
        onChange={(steps) => change({ smooth: steps === "1" ? undefined : steps })}
      />
      <Choice
        label="axis"
        value={axis ?? ""}
        options={[
          { value: "", name: "linear" },
          { value: "log", name: "logarithmic" },
        ]}
        onChange={(chosen) => change({ axis: chosen })}
      />
      <TextField type="number" label="steps from" value={from ?? ""} onChange={(value) => change({ from: value })} />
      <TextField
        type="number"
        label="to"
        spoken="steps to"
        value={to ?? ""}
        onChange={(value) => change({ to: value })}
      />
      {(from !== undefined || to !== undefined) && (
        <button type="button" onClick={() => change({ from: undefined, to: undefined })}>
          All steps
        </button>
      )}
    </div>
  );
}
