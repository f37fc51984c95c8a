// What the checkpoints of a run can do: pass@k by set with its band, and the numbers in a table.
import { evenlyChosen } from "../../../base/spread-choice.ts";
import { visibleText } from "../../../report/safe-text.ts";
import type { EvaluationEntry, SetSummary } from "../../api.ts";
import { Link } from "../navigation.tsx";
import { compactNumber, counted, percent, wholeNumber } from "../number-text.ts";
import { dashes, LineChart, type Series } from "../parts/line-chart.tsx";
import { CheckpointName, Name } from "../parts/marks.tsx";
import { addressOf } from "../routes.ts";

const mostDrawn = 6;

type Inks = ReadonlyMap<string, string>;

export function EvaluationSection({
  run,
  evaluations,
  inks,
}: {
  readonly run: string;
  readonly evaluations: readonly EvaluationEntry[];
  readonly inks: Inks;
}) {
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
          <LineChart
            key={set}
            title={`pass@k, ${visibleText(set)}`}
            xName="k"
            xScale="doubling"
            format={percent}
            series={passLines(drawn, set, inks)}
          />
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
        <SetTable key={set} run={run} set={set} evaluations={evaluations} inks={inks} />
      ))}
    </section>
  );
}

function passLines(evaluations: readonly EvaluationEntry[], set: string, inks: Inks): Series[] {
  return evaluations.flatMap(({ stage, name, sets }, i): Series[] => {
    const summary = sets.find((candidate) => candidate.set === set);
    if (summary === undefined || summary.passAtK.length === 0) return [];
    const points = summary.passAtK.map(({ k, value, newProblems }) => ({
      x: k,
      y: value,
      low: newProblems?.low,
      high: newProblems?.high,
    }));
    return [{ name: visibleText(name), ink: inks.get(stage) ?? "muted", dash: dashes[i % dashes.length], points }];
  });
}

function SetTable({
  run,
  set,
  evaluations,
  inks,
}: {
  readonly run: string;
  readonly set: string;
  readonly evaluations: readonly EvaluationEntry[];
  readonly inks: Inks;
}) {
  const rows = evaluations.flatMap((evaluation) => {
    const summary = evaluation.sets.find((candidate) => candidate.set === set);
    return summary === undefined ? [] : [{ evaluation, summary }];
  });
  return (
    <div className="scroller">
      <table>
        <caption>
          <Link to={addressOf.problems(run, { set })}>
            <Name>{set}</Name>
          </Link>
        </caption>
        <thead>
          <tr>
            <th scope="col">checkpoint</th>
            <th scope="col" className="number">
              pass@1
            </th>
            <th scope="col" className="number">
              pass@n
            </th>
            <th scope="col" className="number">
              majority
            </th>
            <th scope="col" className="number">
              problems solved
            </th>
            <th scope="col" className="number">
              wrong
            </th>
            <th scope="col" className="number">
              unreadable
            </th>
            <th scope="col" className="number">
              truncated
            </th>
            <th scope="col" className="number">
              failed
            </th>
            <th scope="col" className="number">
              tokens, mean
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ evaluation, summary }) => (
            <tr key={evaluation.stage}>
              <th scope="row">
                <Link to={addressOf.rollouts(run, { source: evaluation.stage, set })}>
                  <CheckpointName name={evaluation.name} ink={inks.get(evaluation.stage) ?? "muted"} />
                </Link>
              </th>
              <PassCell at={summary.passAtK[0]} />
              <PassCell at={summary.passAtK.at(-1)} showK />
              <td className="number">{summary.majority === undefined ? "–" : percent(summary.majority.value)}</td>
              <td className="number">
                {wholeNumber(summary.solved)} <span className="quiet">of {wholeNumber(summary.problems)}</span>
              </td>
              <td className="number">{wholeNumber(summary.verdicts.wrong)}</td>
              <td className="number">{wholeNumber(summary.verdicts.unreadable)}</td>
              <td className="number">{wholeNumber(summary.states.truncated)}</td>
              <td className="number">{wholeNumber(summary.states.failed)}</td>
              <td className="number">
                {summary.responseTokens === undefined ? "–" : compactNumber(summary.responseTokens.mean)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PassCell({
  at,
  showK = false,
}: {
  readonly at: SetSummary["passAtK"][number] | undefined;
  readonly showK?: boolean;
}) {
  if (at === undefined) return <td className="number">–</td>;
  return (
    <td className="number">
      {percent(at.value)}
      {showK && <span className="quiet"> @{at.k}</span>}
      {at.newProblems !== undefined && (
        <small className="quiet">
          {" "}
          {percent(at.newProblems.low)} – {percent(at.newProblems.high)}
        </small>
      )}
    </td>
  );
}
