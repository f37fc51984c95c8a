// Whether a policy keeps the moves that let it leave a line that fails: recovery moves against those of the start, and
// every primitive per trace by step.
import { visibleText } from "../../../report/safe-text.ts";
import { type Primitive, primitives, recoveryPrimitives } from "../../../rollouts/primitives.ts";
import type { RepertoireMonitor } from "../../api.ts";
import { compactNumber, percent } from "../number-text.ts";
import { dashes, type Series } from "../parts/line-chart.tsx";
import { CheckpointName } from "../parts/marks.tsx";
import { Curve, lineOf, type StageCurves } from "./stage-curves.tsx";

const recoveryOf = (counts: Readonly<Record<Primitive, number>>): number =>
  recoveryPrimitives.reduce((sum, primitive) => sum + (counts[primitive] ?? 0), 0);

export function MonitorSection({ curves }: { readonly curves: readonly StageCurves[] }) {
  const labelled = curves.filter(({ training }) => training.points.some(({ primitives }) => primitives !== undefined));
  const overlay = labelled.map(
    (curve): Series =>
      lineOf(curve, (point) => (point.primitives === undefined ? undefined : recoveryOf(point.primitives))),
  );
  return (
    <section aria-labelledby="monitor-title">
      <h2 id="monitor-title">Repertoire monitor</h2>
      <ul className="monitors">
        {curves.map(({ stage, ink, training }) => (
          <Monitor
            key={stage.id}
            name={stage.name}
            ink={ink}
            monitor={training.monitor}
            running={training.state === "running"}
          />
        ))}
      </ul>
      {labelled.length === 0 ? (
        <p className="quiet">
          The traces of this run carry no labels, so primitives cannot be counted while it trains. Analyse its rollouts
          with <code>repertoire traces analyze</code>.
        </p>
      ) : (
        <div className="charts">
          <Curve
            title="Recovery moves per trace"
            note="hypothesize + backtrack: what lets a policy leave a line that fails"
            xName="step"
            series={overlay}
          />
          {labelled.map(({ stage, training }) => (
            <Curve
              key={stage.id}
              title={`Primitives per trace, ${stage.name}`}
              xName="step"
              series={primitives.map(
                (primitive, i): Series => ({
                  name: primitive,
                  ink: primitive,
                  dash: dashes[i % 3],
                  points: training.points.flatMap(({ step, primitives }) =>
                    primitives?.[primitive] === undefined ? [] : [{ x: step, y: primitives[primitive] }],
                  ),
                }),
              )}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function Monitor({
  name,
  ink,
  monitor,
  running,
}: {
  readonly name: string;
  readonly ink: string;
  readonly monitor: RepertoireMonitor;
  readonly running: boolean;
}) {
  const { start, now, share, warning } = monitor;
  const kept = start === undefined || now === undefined || start === 0 ? undefined : now / start;
  return (
    <li
      className={warning === undefined ? "monitor" : "monitor warned"}
      role={warning !== undefined && running ? "alert" : undefined}
    >
      <CheckpointName name={name} ink={ink} />
      {kept === undefined ? (
        <p className="quiet">{start === 0 ? "No recovery moves at the start: nothing to lose." : "Not known yet."}</p>
      ) : (
        <>
          <p className="gauge-value">
            <b>{percent(kept)}</b> <span className="quiet">of the start’s recovery moves</span>
          </p>
          <Gauge kept={kept} share={share} />
          <p className="quiet">
            {compactNumber(start!)} → {compactNumber(now!)} a trace; warns below {percent(share)}
          </p>
        </>
      )}
      {warning !== undefined && (
        <p className="warning-text">
          <span aria-hidden="true">▲</span> {visibleText(warning)}
        </p>
      )}
    </li>
  );
}

/** Full at what the start had; the notch is where the alarm sits. */
function Gauge({ kept, share }: { readonly kept: number; readonly share: number }) {
  const most = Math.max(1, kept);
  return (
    <svg className="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="gauge-bed" width="100" height="6" />
      <rect className={kept < share ? "gauge-low" : "gauge-fill"} width={(kept / most) * 100} height="6" />
      <rect className="gauge-notch" x={(share / most) * 100} width="0.6" height="6" />
    </svg>
  );
}
