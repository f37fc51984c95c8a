// Curves of training. What has one line a stage shows all stages in one chart, in their colours; what has several lines
// (parts of the reward, puzzles, primitives) has a chart a stage, side by side.
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { visibleText } from "../../../report/safe-text.ts";
import { type Primitive, primitives, recoveryPrimitives } from "../../../rollouts/primitives.ts";
import type { RepertoireMonitor, RlPoint, RlTraining, StageEntry } from "../../api.ts";
import { useTraining } from "../data/use-training.ts";
import { useQuery } from "../navigation.tsx";
import { compactNumber, percent } from "../number-text.ts";
import { Choice } from "../parts/fields.tsx";
import { dashes, LineChart, type LineChartProps, type Series } from "../parts/line-chart.tsx";
import { CheckpointName, Name } from "../parts/marks.tsx";
import { Gaps, Waiting } from "../parts/states.tsx";

const Smoothing = createContext(1);

/** A chart as smooth as the reader wants all of them. */
const Curve = (props: LineChartProps) => <LineChart {...props} smooth={useContext(Smoothing)} />;

/** How many steps a line is the mean of. */
const smoothings = [1, 3, 10, 30];

type StageCurves = { readonly stage: StageEntry; readonly ink: string; readonly training: RlTraining };

type StagesProps = {
  readonly run: string;
  readonly stages: readonly StageEntry[];
  readonly inks: ReadonlyMap<string, string>;
};

export function RlSections({ run, stages, inks }: StagesProps) {
  const known = useTraining(
    run,
    stages.map(({ id }) => id),
  );
  const curves = useMemo(
    () =>
      stages.flatMap((stage): StageCurves[] => {
        const reply = known.get(stage.id)?.reply;
        return reply?.kind === "rl" ? [{ stage, ink: inks.get(stage.id)!, training: reply }] : [];
      }),
    [stages, known, inks],
  );
  const [query, change] = useQuery();
  const smooth = smoothings.find((steps) => String(steps) === query.smooth) ?? 1;
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
      {begun.some(({ training }) => training.points.length > smoothings[1]) && (
        <div className="filters">
          <Choice
            label="curves"
            value={String(smooth)}
            options={smoothings.map((steps) => ({
              value: String(steps),
              name: steps === 1 ? "step by step" : `mean of ${steps} steps`,
            }))}
            onChange={(steps) => change({ smooth: steps === "1" ? undefined : steps })}
          />
        </div>
      )}
      {curves.length < stages.length && failures.length === 0 && <Waiting />}
      {curves.length > 0 && begun.length === 0 && (
        <p className="quiet">No training step is finished yet. Curves appear here with the first.</p>
      )}
      {begun.length > 0 && (
        <Smoothing value={smooth}>
          <MonitorSection curves={begun} />
          <RewardSection curves={begun} />
          <OptimisationSection curves={begun} />
        </Smoothing>
      )}
    </>
  );
}

// ---- The repertoire monitor ------------------------------------------------------------------------------------------

const recoveryOf = (counts: Readonly<Record<Primitive, number>>): number =>
  recoveryPrimitives.reduce((sum, primitive) => sum + (counts[primitive] ?? 0), 0);

function MonitorSection({ curves }: { readonly curves: readonly StageCurves[] }) {
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

// ---- Reward, success, optimisation -----------------------------------------------------------------------------------

function RewardSection({ curves }: { readonly curves: readonly StageCurves[] }) {
  return (
    <section aria-labelledby="reward-title">
      <h2 id="reward-title">Reward and success</h2>
      <div className="charts">
        <Curve
          title="Solve rate"
          xName="step"
          format={percent}
          series={curves.map((c) => lineOf(c, (p) => p.solveRate))}
        />
        {curves.map(({ stage, training }) => (
          <Curve
            key={stage.id}
            title={`Reward by part, ${stage.name}`}
            xName="step"
            series={rewardLines(training.points)}
          />
        ))}
        {curves.map(({ stage, training }) => (
          <FamilyChart key={stage.id} name={stage.name} points={training.points} />
        ))}
      </div>
    </section>
  );
}

const rewardParts = [
  ["total", "text"],
  ["exact", "at-sft"],
  ["completion", "at-novelty"],
  ["format", "at-teacher"],
  ["bonus", "spare-0"],
] as const;

const rewardLines = (points: readonly RlPoint[]): Series[] =>
  rewardParts.map(([part, ink], i) => ({
    name: part,
    ink,
    dash: dashes[i],
    points: points.map(({ step, reward }) => ({ x: step, y: reward[part] })),
  }));

const familyInks = ["at-sft", "at-vanilla", "at-novelty", "spare-0", "at-teacher", "spare-3", "spare-4", "spare-5"];

function FamilyChart({ name, points }: { readonly name: string; readonly points: readonly RlPoint[] }) {
  const families = [...new Set(points.flatMap(({ solveRateByFamily }) => Object.keys(solveRateByFamily)))].sort();
  if (families.length < 2) return null;
  const series = families.map(
    (family, i): Series => ({
      name: visibleText(family),
      ink: familyInks[i % familyInks.length],
      dash: dashes[i % dashes.length],
      points: points.flatMap(({ step, solveRateByFamily }) =>
        solveRateByFamily[family] === undefined ? [] : [{ x: step, y: solveRateByFamily[family] }],
      ),
    }),
  );
  return <Curve title={`Solve rate by puzzle, ${name}`} xName="step" format={percent} series={series} />;
}

type Measure = Pick<LineChartProps, "title" | "note" | "format"> & {
  readonly read: (point: RlPoint) => number | undefined;
};

const measures: readonly Measure[] = [
  { title: "KL from the reference", note: "nats per token", read: (p) => p.kl },
  { title: "Entropy", note: "nats per token, of the policy that sampled", read: (p) => p.entropy },
  {
    title: "Clipped share",
    note: "of tokens, whose update the clip range stopped",
    format: percent,
    read: (p) => p.clippedShare,
  },
  { title: "Response length", note: "tokens, mean", read: (p) => p.responseTokens.mean },
  { title: "Truncated", note: "responses that met the token limit", format: percent, read: (p) => p.truncatedShare },
  { title: "Gradient norm", read: (p) => p.gradientNorm },
  {
    title: "Groups that teach nothing",
    note: "all attempts right, or all wrong",
    format: percent,
    read: (p) => p.groups && p.groups.allRight + p.groups.allWrong,
  },
  { title: "Tokens per second", note: "while sampling", read: (p) => p.tokensPerSecond },
  { title: "Learning rate", read: (p) => p.learningRate },
];

function OptimisationSection({ curves }: { readonly curves: readonly StageCurves[] }) {
  return (
    <section aria-labelledby="optimisation-title">
      <h2 id="optimisation-title">Optimisation</h2>
      <div className="charts">
        {measures.map(({ title, note, format, read }) => {
          const series = curves.map((curve) => lineOf(curve, read)).filter(({ points }) => points.length > 0);
          return series.length === 0 ? null : (
            <Curve key={title} title={title} note={note} format={format} xName="step" series={series} />
          );
        })}
      </div>
      <Warnings curves={curves} />
    </section>
  );
}

function lineOf({ stage, ink, training }: StageCurves, read: (point: RlPoint) => number | undefined): Series {
  const points = training.points.flatMap((point) => {
    const y = read(point);
    return y === undefined ? [] : [{ x: point.step, y }];
  });
  const dash = stage.role === "novelty" ? dashes[1] : dashes[0];
  return { name: visibleText(stage.name), ink, dash, points };
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

// ---- Supervised fine-tuning ------------------------------------------------------------------------------------------

export function SftSection({
  run,
  stage,
  ink,
}: {
  readonly run: string;
  readonly stage: StageEntry;
  readonly ink: string;
}) {
  const { reply, failure } = useTraining(run, [stage.id]).get(stage.id) ?? {};
  const titleId = `sft-${stage.id}`;
  const sft = reply?.kind === "sft" ? reply : undefined;
  const chart = (
    title: string,
    read: (loss: NonNullable<typeof sft>["losses"][number]) => number | undefined,
  ): ReactNode => {
    const points = (sft?.losses ?? []).flatMap((loss) => {
      const y = read(loss);
      return y === undefined ? [] : [{ x: loss.step, y }];
    });
    return (
      <Curve
        title={title}
        xName="step"
        series={points.length === 0 ? [] : [{ name: visibleText(stage.name), ink, points }]}
      />
    );
  };
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId}>
        <Name>{stage.name}</Name>
      </h2>
      {failure !== undefined && (
        <p className="failure" role="alert">
          {visibleText(failure)}
        </p>
      )}
      {sft === undefined ? (
        failure === undefined && <Waiting />
      ) : sft.losses.length === 0 ? (
        <p className="quiet">No step is finished yet.</p>
      ) : (
        <div className="charts">
          {chart("Loss", ({ loss }) => loss)}
          {chart("Gradient norm", ({ gradientNorm }) => gradientNorm)}
          {chart("Learning rate", ({ learningRate }) => learningRate)}
          {sft.epochs.length > 0 && (
            <Curve
              title="Held-out pass@1 by epoch"
              note={sft.bestEpoch === undefined ? undefined : `epoch ${sft.bestEpoch} was chosen`}
              xName="epoch"
              format={percent}
              series={[
                {
                  name: visibleText(stage.name),
                  ink,
                  points: sft.epochs.map(({ epoch, passAt1 }) => ({ x: epoch, y: passAt1 })),
                },
              ]}
            />
          )}
        </div>
      )}
      {sft !== undefined && <Gaps gaps={sft.gaps} />}
    </section>
  );
}
