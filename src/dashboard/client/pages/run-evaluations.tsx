// What the checkpoints of a run can do: pass@k by set with its band, and the numbers in a table.
import { evenlyChosen } from "../../../base/spread-choice.ts";
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { EvaluationEntry, SetSummary } from "../../api.ts";
import { type ShownRun, useShownRun } from "../data/shown-run.tsx";
import { Link } from "../navigation.tsx";
import { compactNumber, counted, percent, wholeNumber } from "../number-text.ts";
import { dashes } from "../parts/chart-paths.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import type { Series } from "../parts/line-chart.tsx";
import { Name } from "../parts/marks.tsx";
import { PassChart } from "../parts/pass-chart.tsx";
import { listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";

const mostDrawn = 6;

export function EvaluationSection({ evaluations }: { readonly evaluations: readonly EvaluationEntry[] }) {
  const { inkOf } = useShownRun();
  // A training run whose steps are compared has a checkpoint a step: more lines than can be told apart.
  const drawn = evenlyChosen(evaluations, mostDrawn);
  const sets = [...new Set(evaluations.flatMap(({ sets }) => sets.map(({ set }) => set)))];
  const warnings = evaluations.flatMap(({ name, warnings }) => warnings.map((warning) => `${name}: ${warning}`));
  return (
    <section aria-labelledby="evaluation-title">
      <h2 id="evaluation-title">Evaluation</h2>
      <p className="quiet">
        Bands and ranges are {percent(evaluations[0].level)} intervals: what other problems of the same kind would give.
        {drawn.length < evaluations.length && ` ${drawn.length} of ${evaluations.length} checkpoints are drawn.`}
      </p>
      <div className="charts">
        {sets.map((set) => (
          <PassChart key={set} set={set} series={passLines(drawn, set, inkOf)} />
        ))}
      </div>
      {warnings.length > 0 && (
        <details className="gaps">
          <summary>To keep in mind: {counted(warnings.length, "remark")}</summary>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{visibleText(warning)}</li>
            ))}
          </ul>
        </details>
      )}
      {sets.map((set) => (
        <SetTable key={set} set={set} evaluations={evaluations} />
      ))}
    </section>
  );
}

function passLines(evaluations: readonly EvaluationEntry[], set: string, inkOf: ShownRun["inkOf"]): Series[] {
  return evaluations.flatMap(({ stage, name, sets }, i): Series[] => {
    const summary = sets.find((candidate) => candidate.set === set);
    if (summary === undefined || summary.passAtK.length === 0) return [];
    const points = summary.passAtK.map(({ k, value, newProblems }) => ({
      x: k,
      y: value,
      low: newProblems?.low,
      high: newProblems?.high,
    }));
    return [{ name: visibleText(name), ink: inkOf(stage), dash: dashes[i % dashes.length], points }];
  });
}

type SetRow = { readonly evaluation: EvaluationEntry; readonly summary: SetSummary };

const counts = (name: string, of: (summary: SetSummary) => number): Column<SetRow> => ({
  ...{ name, number: true },
  by: ({ summary }) => of(summary),
  cell: ({ summary }) => wholeNumber(of(summary)),
});

type Pass = SetSummary["passAtK"][number];

const passes = (name: string, at: (passAtK: readonly Pass[]) => Pass | undefined, showK = false): Column<SetRow> => ({
  ...{ name, number: true },
  by: ({ summary }) => at(summary.passAtK)?.value,
  cell: ({ summary }) => <PassText at={at(summary.passAtK)} showK={showK} />,
});

const numbers: readonly Column<SetRow>[] = [
  passes("pass@1", (passAtK) => passAtK[0]),
  passes("pass@n", (passAtK) => passAtK.at(-1), true),
  {
    ...{ name: "majority", number: true },
    by: ({ summary }) => summary.majority?.value,
    cell: ({ summary: { majority } }) => (majority === undefined ? "–" : percent(majority.value)),
  },
  {
    ...{ name: "problems solved", number: true },
    by: ({ summary }) => summary.solved / summary.problems,
    cell: ({ summary }) => (
      <>
        {wholeNumber(summary.solved)} <span className="quiet">of {wholeNumber(summary.problems)}</span>
      </>
    ),
  },
  counts("wrong", ({ verdicts }) => verdicts.wrong),
  counts("unreadable", ({ verdicts }) => verdicts.unreadable),
  counts("truncated", ({ states }) => states.truncated),
  counts("failed", ({ states }) => states.failed),
  {
    ...{ name: "tokens, mean", number: true },
    by: ({ summary }) => summary.responseTokens?.mean,
    cell: ({ summary: { responseTokens } }) =>
      responseTokens === undefined ? "–" : compactNumber(responseTokens.mean),
  },
];

function SetTable({ set, evaluations }: { readonly set: string; readonly evaluations: readonly EvaluationEntry[] }) {
  const { run } = useShownRun();
  const rows = evaluations.flatMap((evaluation): SetRow[] => {
    const summary = evaluation.sets.find((candidate) => candidate.set === set);
    return summary === undefined ? [] : [{ evaluation, summary }];
  });
  const checkpoint: Column<SetRow> = {
    ...{ name: "checkpoint", naming: true },
    by: ({ evaluation }) => evaluation.name,
    cell: ({ evaluation: { stage, name } }) => (
      <Link to={addressOf.rollouts(run, { source: listText([stage]), set })}>
        <Checkpoint of={stage} name={name} />
      </Link>
    ),
  };
  return (
    <DataTable
      name={`Evaluation on ${oneLine(set)}`}
      caption={
        <Link to={addressOf.problems(run, { set })}>
          <Name>{set}</Name>
        </Link>
      }
      columns={[checkpoint, ...numbers]}
      rows={rows}
      keyOf={({ evaluation }) => evaluation.stage}
    />
  );
}

function PassText({ at, showK }: { readonly at: Pass | undefined; readonly showK: boolean }) {
  if (at === undefined) return "–";
  return (
    <>
      {percent(at.value)}
      {showK && <span className="quiet"> @{at.k}</span>}
      {at.newProblems !== undefined && (
        <small className="quiet">
          {" "}
          {percent(at.newProblems.low)} – {percent(at.newProblems.high)}
        </small>
      )}
    </>
  );
}
