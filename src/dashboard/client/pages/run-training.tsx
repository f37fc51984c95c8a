// Curves of training. What has one line a stage shows all stages in one chart, in their colors; what has several lines
// (parts of the reward, puzzles, primitives) has a chart a stage, side by side.
import { useMemo } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import { type RlCurve, rlCurve, rlCurves } from "../../../training/curves.ts";
import type { RlPoint, RlTraining, StageEntry } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useTraining } from "../data/use-training.ts";
import { percent } from "../number-text.ts";
import { dashes, pointsOver } from "../parts/chart-paths.ts";
import { Curve, CurveControls, CurveViewProvider, smoothings, useCurveView } from "../parts/curve-view.tsx";
import type { LineChartProps, Series } from "../parts/line-chart.tsx";
import { Name } from "../parts/marks.tsx";
import { Gaps, Waiting } from "../parts/states.tsx";
import { rewardParts, rewardWeights } from "../reward-weights.ts";
import { MonitorSection } from "./repertoire-monitor.tsx";

type StageCurves = { readonly stage: StageEntry; readonly ink: string; readonly training: RlTraining };

export function RlSections({ stages }: { readonly stages: readonly StageEntry[] }) {
  const { run, inkOf } = useShownRun();
  const known = useTraining(
    run,
    stages.map(({ id }) => id),
  );
  const curves = useMemo(
    () =>
      stages.flatMap((stage): StageCurves[] => {
        const reply = known.get(stage.id)?.reply;
        return reply !== undefined ? [{ stage, ink: inkOf(stage.id), training: reply }] : [];
      }),
    [stages, known, inkOf],
  );
  const view = useCurveView();
  const failures = stages.flatMap(({ id }) => known.get(id)?.failure ?? []);
  const begun = curves.filter(({ training }) => training.points.length > 0);
  return (
    <>
      {failures.map((failure) => (
        <p key={failure} className="failure" role="alert">
          {visibleText(failure)}
        </p>
      ))}
      <Gaps gaps={curves.flatMap(({ training }) => training.gaps)} title="Missing from training" />
      {begun.some(({ training }) => training.points.length > smoothings[1]) && <CurveControls />}
      {curves.length < stages.length && failures.length === 0 && <Waiting />}
      {curves.length > 0 && begun.length === 0 && (
        <p className="quiet">No training step is finished yet. Curves appear here with the first.</p>
      )}
      {begun.length > 0 && (
        <CurveViewProvider value={view}>
          <MonitorSection
            lines={begun.map(({ stage, ink, training }) => ({
              ...{ id: stage.id, name: stage.name, role: stage.role, ink, monitor: training.monitor },
              ...{ points: training.points, running: training.state === "running", labeled: training.labeled },
            }))}
          />
          <RewardSection curves={begun} />
          <OptimizationSection curves={begun} />
        </CurveViewProvider>
      )}
    </>
  );
}

function RewardSection({ curves }: { readonly curves: readonly StageCurves[] }) {
  return (
    <section aria-labelledby="reward-title">
      <h2 id="reward-title">Reward and success</h2>
      <div className="charts">
        <CurveChart of={rlCurve("solve-rate")} curves={curves} />
        <CurveChart of={rlCurve("reward")} curves={curves} />
        {curves.map(({ stage, training }) => (
          <RewardByPartChart key={stage.id} name={stage.name} points={training.points} />
        ))}
        {curves.map(({ stage, training }) => (
          <FamilyChart key={stage.id} name={stage.name} points={training.points} />
        ))}
      </div>
    </section>
  );
}

const rewardInks = {
  ...{ total: "text", exact: "at-sft", completion: "at-novelty", format: "at-teacher", bonus: "spare-0" },
} as const;

/** As they count in the total, so that they add up to it. */
function RewardByPartChart({ name, points }: { readonly name: string; readonly points: readonly RlPoint[] }) {
  const weights = rewardWeights(points.map(({ reward }) => reward));
  const series = (["total", ...rewardParts] as const).map((part, i): Series => {
    const weight = part === "total" ? 1 : (weights?.[part] ?? 1);
    const shown = weight === 1 ? part : `${part} × ${weight}`;
    const own = points.map(({ step, reward }) => ({ x: step, y: weight * reward[part] }));
    return { name: shown, ink: rewardInks[part], dash: dashes[i], points: own };
  });
  const note = weights === undefined ? "weighted otherwise in the total" : undefined;
  return <Curve title={`Reward by part, ${name}`} note={note} xName="step" series={series} />;
}

const familyInks = ["at-sft", "at-vanilla", "at-novelty", "spare-0", "at-teacher", "spare-3", "spare-4", "spare-5"];

function FamilyChart({ name, points }: { readonly name: string; readonly points: readonly RlPoint[] }) {
  const families = [...new Set(points.flatMap(({ solveRateByFamily }) => Object.keys(solveRateByFamily)))].sort();
  if (families.length < 2) return null;
  const series = families.map(
    (family, i): Series => ({
      name: visibleText(family),
      ink: familyInks[i % familyInks.length],
      dash: dashes[i % dashes.length],
      points: pointsOver(points, ({ solveRateByFamily }) => solveRateByFamily[family]),
    }),
  );
  return <Curve title={`Solve rate by puzzle, ${name}`} xName="step" format={percent} series={series} />;
}

/** A curve as `rlCurves` defines it, where any stage has it. */
function CurveChart({
  of: { id, title, label, unit },
  curves,
}: {
  readonly of: RlCurve;
  readonly curves: readonly StageCurves[];
}) {
  const read = (point: RlPoint) => (point.curves as Readonly<Record<string, number | undefined>>)[id];
  return (
    <MeasureChart title={title} note={label} format={unit === "share" ? percent : undefined} {...{ read, curves }} />
  );
}

type Measure = Pick<LineChartProps, "title" | "note" | "format"> & {
  readonly read: (point: RlPoint) => number | undefined;
};

function MeasureChart({ title, note, format, read, curves }: Measure & { readonly curves: readonly StageCurves[] }) {
  const lines = curves.map(
    ({ stage, ink, training }): Series => ({
      ...{ name: visibleText(stage.name), ink, dash: stage.role === "novelty" ? dashes[1] : dashes[0] },
      points: pointsOver(training.points, read),
    }),
  );
  const series = lines.filter(({ points }) => points.length > 0);
  return series.length === 0 ? null : <Curve title={title} note={note} format={format} xName="step" series={series} />;
}

/** What only the dashboard draws. */
const measures: readonly Measure[] = [
  {
    title: "Groups that teach nothing",
    note: "all attempts right, or all wrong",
    format: percent,
    read: ({ groups }) => groups && groups.allRight + groups.allWrong,
  },
  { title: "Tokens per second", note: "while sampling", read: ({ tokensPerSecond }) => tokensPerSecond },
  { title: "Learning rate", read: ({ learningRate }) => learningRate },
];

const shownAbove: readonly string[] = ["solve-rate", "reward"];

function OptimizationSection({ curves }: { readonly curves: readonly StageCurves[] }) {
  return (
    <section aria-labelledby="optimization-title">
      <h2 id="optimization-title">Optimization</h2>
      <div className="charts">
        {rlCurves
          .filter(({ id }) => !shownAbove.includes(id))
          .map((curve) => (
            <CurveChart key={curve.id} of={curve} curves={curves} />
          ))}
        {measures.map((measure) => (
          <MeasureChart key={measure.title} {...measure} curves={curves} />
        ))}
      </div>
      <Warnings curves={curves} />
    </section>
  );
}

/** What the training loop itself complained about, the latest first. */
function Warnings({ curves }: { readonly curves: readonly StageCurves[] }) {
  const told = curves.flatMap(({ stage, training }) =>
    training.points.flatMap(({ step, warnings }) => warnings.map((warning) => ({ stage, step, warning }))),
  );
  if (told.length === 0) return null;
  const latest = told.sort((a, b) => b.step - a.step).slice(0, 30);
  return (
    <details className="gaps">
      <summary>The training loop warned {told.length === 1 ? "once" : `${told.length} times`}</summary>
      <ul>
        {latest.map(({ stage, step, warning }) => (
          <li key={`${stage.id} ${step} ${warning}`}>
            <Name>{stage.name}</Name>, step {step}: {visibleText(warning)}
          </li>
        ))}
      </ul>
    </details>
  );
}
