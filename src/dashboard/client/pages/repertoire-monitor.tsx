// Whether a policy keeps the moves that let it leave a line that fails: recovery moves against those of the start, and
// every primitive per trace by step. For a run's own training while it goes, and for anybody's as an analysis read it.
import { visibleText } from "../../../drawing/safe-text.ts";
import { type RecoveryMonitor, recoveryMoves } from "../../../training/curves.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useLabels } from "../labels.tsx";
import { compactNumber, percent } from "../number-text.ts";
import { dashes, pointsOver } from "../parts/chart-paths.ts";
import { Curve, CurveControls, CurveViewProvider, smoothings, useCurveView } from "../parts/curve-view.tsx";
import { inksOfEntries } from "../parts/inks.ts";
import type { Series } from "../parts/line-chart.tsx";
import { CheckpointName, labelWords } from "../parts/marks.tsx";

type RepertoireLine = {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  readonly ink: string;
  readonly points: readonly { readonly step: number; readonly primitives?: Readonly<Record<string, number>> }[];
  readonly monitor: RecoveryMonitor;
  readonly running: boolean;
  /** Who counted. */
  readonly labeled?: string;
};

export function MonitorSection({ lines }: { readonly lines: readonly RepertoireLine[] }) {
  const { all, taxonomy } = useLabels();
  const counted = lines.filter(({ points }) => points.some(({ primitives }) => primitives !== undefined));
  const overlay = counted.map(
    ({ name, ink, role, points }): Series => ({
      ...{ name: visibleText(name), ink, dash: role === "novelty" ? dashes[1] : dashes[0] },
      points: pointsOver(points, ({ primitives }) => recoveryMoves(primitives, taxonomy.recover)),
    }),
  );
  return (
    <section aria-labelledby="monitor-title">
      <h2 id="monitor-title">Repertoire monitor</h2>
      <ul className="monitors">
        {lines.map(({ id, name, ink, monitor, running }) => (
          <Monitor key={id} name={name} ink={ink} monitor={monitor} running={running} />
        ))}
      </ul>
      {counted.length < lines.length && (
        <p className="quiet">
          Some of these traces carry no labels of a known labeler, so their primitives cannot be counted while they are
          trained. <code>repertoire traces analyze</code> reads them.
        </p>
      )}
      {counted.length > 0 && (
        <div className="charts">
          <Curve
            title="Recovery moves per trace"
            note={`${taxonomy.recover.join(" + ")}: what lets a policy leave a line that fails`}
            xName="step"
            series={overlay}
          />
          {counted.map(({ id, name, points }) => (
            <Curve
              key={id}
              title={`Primitives per trace, ${name}`}
              xName="step"
              series={all.map(
                (label, i): Series => ({
                  name: label.name,
                  ink: label.ink,
                  dash: dashes[i % 3],
                  points: pointsOver(points, ({ primitives }) => primitives?.[label.name]),
                }),
              )}
            />
          ))}
        </div>
      )}
      {[...new Set(counted.flatMap(({ labeled }) => labeled ?? []))].map((labeled) => (
        <p key={labeled} className="quiet">
          {labelWords(labeled)}
        </p>
      ))}
    </section>
  );
}

/** What an analysis read of somebody's training; nothing where it read none. */
export function AnalyzedMonitor({
  labeled,
  running,
}: {
  readonly labeled: readonly string[];
  /** Somebody keeps the analysis up with a trainer. */
  readonly running: boolean;
}) {
  const { run, version } = useShownRun();
  const view = useCurveView();
  const { reply } = useReply("repertoire", { run }, { version });
  const series = reply?.series ?? [];
  if (series.length === 0) return null;
  const inks = inksOfEntries(series.map(({ series: name, role }) => ({ id: name, name, role })));
  return (
    <CurveViewProvider value={view}>
      {series.some(({ points }) => points.length > smoothings[1]) && <CurveControls />}
      <MonitorSection
        lines={series.map(({ series: name, role, points, monitor }) => ({
          ...{ id: name, name, role, ink: inks.get(name)!, points, monitor, running },
          labeled: labeled.join("; "),
        }))}
      />
    </CurveViewProvider>
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
  readonly monitor: RecoveryMonitor;
  readonly running: boolean;
}) {
  const { start, now, share, warning } = monitor;
  const kept = start === undefined || now === undefined || start === 0 ? undefined : now / start;
  return (
    <li className={warning === undefined ? "monitor" : "monitor warned"}>
      <CheckpointName name={name} ink={ink} />
      {kept === undefined ? (
        <p className="quiet">
          {start === 0 ? "No recovery moves at the start: nothing to lose." : "Too few steps to compare."}
        </p>
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
        <p className="warning-text" role={running ? "alert" : undefined}>
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
