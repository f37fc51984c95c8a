// Supervised fine-tuning: loss by step, held-out pass@1 by epoch.
import type { ReactNode } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { StageEntry } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useTraining } from "../data/use-training.ts";
import { percent } from "../number-text.ts";
import { pointsOver } from "../parts/chart-paths.ts";
import { LineChart } from "../parts/line-chart.tsx";
import { Name } from "../parts/marks.tsx";
import { Gaps, Waiting } from "../parts/states.tsx";

export function SftSection({ stage }: { readonly stage: StageEntry }) {
  const { run, inkOf } = useShownRun();
  const ink = inkOf(stage.id);
  const { reply, failure } = useTraining(run, [stage.id]).get(stage.id) ?? {};
  const titleId = `sft-${stage.id}`;
  const sft = reply?.kind === "sft" ? reply : undefined;
  const chart = (
    title: string,
    read: (loss: NonNullable<typeof sft>["losses"][number]) => number | undefined,
  ): ReactNode => {
    const points = pointsOver(sft?.losses ?? [], read);
    return (
      <LineChart
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
            <LineChart
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
