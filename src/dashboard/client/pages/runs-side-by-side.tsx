// Several runs laid over each other: repetitions of one experiment as mean and spread, different experiments as lines to
// compare, and what differs in their settings.
import { useMemo } from "react";
import { checkpointColorNames } from "../../../report/palette.ts";
import { settingsDifference } from "../../../report/run-groups.ts";
import { visibleText } from "../../../report/safe-text.ts";
import { rlCurves } from "../../../training/curves.ts";
import type { SideRun } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { Link, useQuery } from "../navigation.tsx";
import { counted, percent } from "../number-text.ts";
import { Curve, CurveControls, CurveViewProvider, useCurveView } from "../parts/curve-view.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { dashes, LineChart, type LineChartProps, type Series } from "../parts/line-chart.tsx";
import { Name, StateMark } from "../parts/marks.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { listOf, listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import { type Chosen, curveLines, type GroupLine, groupsOf, partsOf, passLines, type RunGroup } from "./over-runs.ts";
import { AccuracyTable, ReasoningTable } from "./over-runs-tables.tsx";

export function RunsSideBySidePage() {
  const [query] = useQuery();
  const chosen = listOf(query.runs);
  const changes = useLiveCount((event) => event.type === "runs" || chosen.includes(event.run), 2000);
  const asked = useReply("side-by-side", chosen.length === 0 ? undefined : { run: chosen }, {
    version: changes,
    meanwhile: "earlier",
  });
  return (
    <div className="page">
      <h1>Runs side by side</h1>
      {chosen.length === 0 ? (
        <Nothing title="No runs are chosen">
          <p>
            <Link to={addressOf.runs()}>Choose some in the list of runs</Link>
          </p>
        </Nothing>
      ) : (
        <Answered asked={asked}>{({ runs }) => <SideBySide runs={runs} chosen={chosen} />}</Answered>
      )}
    </div>
  );
}

function SideBySide({ runs, chosen }: { readonly runs: readonly SideRun[]; readonly chosen: readonly string[] }) {
  const [query, change] = useQuery();
  const view = useCurveView();
  const given = useMemo(() => {
    const names = listOf(query.groups);
    return new Map(chosen.flatMap((id, i) => (names[i] ? [[id, names[i]] as const] : [])));
  }, [query.groups, chosen]);
  const groups = useMemo(() => groupsOf(runs, given), [runs, given]);
  const parts = [...new Set(groups.flatMap((group) => partsOf(group).map(({ part }) => part)))];
  const every = query.lines === "every";
  const count = groups.reduce((total, group) => total + partsOf(group).length, 0);
  const asked = query.checkpoint ?? (count > mostLines ? lastOfEach : all);
  const which: Chosen = asked === lastOfEach ? { only: "last" } : parts.includes(asked) ? { checkpoint: asked } : {};
  const inks = useInks(groups);
  const lines = { inks, every, alone: groups.length === 1 };
  const sets = [
    ...new Set(runs.flatMap(({ checkpoints }) => checkpoints.flatMap(({ sets }) => sets.map(({ set }) => set)))),
  ];
  return (
    <>
      <ChosenRuns runs={runs} groups={groups} given={given} chosen={chosen} />
      <Gaps gaps={runs.flatMap(({ gaps }) => gaps)} title="Missing from these runs" />
      <Settings runs={runs} />
      <div className="filters">
        <Choice
          label="lines"
          value={every ? "every" : ""}
          options={[
            { value: "", name: "mean and spread over runs" },
            { value: "every", name: "every run" },
          ]}
          onChange={(lines) => change({ lines })}
        />
        {parts.length > 1 && (
          <Choice
            label="checkpoint"
            value={asked}
            options={[
              { value: all, name: "all" },
              { value: lastOfEach, name: "last of each run" },
              ...parts.map((part) => ({ value: part, name: visibleText(part) })),
            ]}
            onChange={(part) => change({ checkpoint: part })}
          />
        )}
      </div>
      {runs.some(({ training }) => training.length > 0) && (
        <section aria-labelledby="training-title">
          <h2 id="training-title">Training</h2>
          <p className="quiet">
            Bands are one standard deviation over the runs of a group; the mean goes as far as all of them are.
          </p>
          <CurveControls />
          <CurveViewProvider value={view}>
            <TrainingCharts groups={groups} {...lines} />
          </CurveViewProvider>
        </section>
      )}
      {sets.length > 0 && (
        <section aria-labelledby="accuracy-title">
          <h2 id="accuracy-title">What is solved</h2>
          <p className="quiet">
            Bands of several runs are one standard deviation over runs, of a single one its interval over problems.
          </p>
          <div className="charts">
            {sets.map((set) => (
              <LineChart
                key={set}
                title={`pass@k, ${visibleText(set)}`}
                xName="k"
                xScale="doubling"
                format={percent}
                series={passLines(groups, set, which).flatMap((line) => seriesOf(line, lines))}
              />
            ))}
          </div>
          <AccuracyTable groups={groups} sets={sets} chosen={which} />
        </section>
      )}
      <ReasoningTable groups={groups} chosen={which} />
    </>
  );
}

/** More lines than this cannot be told apart. */
const mostLines = 8;
const [all, lastOfEach] = ["all", "last of each"];

type Lines = { readonly inks: ReadonlyMap<string, string>; readonly every: boolean; readonly alone: boolean };

const keyOf = (group: RunGroup, part: string): string => JSON.stringify([group.name, part]);

/** One color for each checkpoint of each group, on every chart of the page; a single group has the recipe's colors. */
function useInks(groups: readonly RunGroup[]): ReadonlyMap<string, string> {
  return useMemo(() => {
    const entries = groups.flatMap((group) => {
      const parts = new Map<string, string | undefined>();
      for (const { training, checkpoints } of group.runs)
        for (const { name, role } of [...checkpoints, ...training]) parts.set(name, role);
      return [...parts].map(([part, role]) => ({ key: keyOf(group, part), role }));
    });
    const roles = entries.map(({ role }) => (groups.length === 1 ? role : undefined));
    const names = checkpointColorNames(roles);
    return new Map(entries.map(({ key }, i) => [key, names[i]]));
  }, [groups]);
}

function seriesOf({ group, part, points, runs }: GroupLine, { inks, every, alone }: Lines): Series[] {
  const ink = inks.get(keyOf(group, part)) ?? "muted";
  const name = visibleText(alone ? part : `${part}, ${group.name}`);
  const dash = dashes[[...inks.keys()].indexOf(keyOf(group, part)) % dashes.length];
  if (every)
    return runs.map(({ run, points: own }, i) => ({
      ...{ name: visibleText(`${part}, ${run.id}`), ink, dash: dashes[i % dashes.length], points: own },
    }));
  const single = runs.map(({ run, points: own }) => ({
    ...{ name: visibleText(`${part}, ${run.id}`), ink, faint: true },
    points: own.map(({ x, y }) => ({ x, y })),
  }));
  return [...(runs.length > 1 ? single : []), { name, ink, dash, points }];
}

const firstCurves = ["solve-rate", "reward", "recovery"];

function TrainingCharts({ groups, ...lines }: Lines & { readonly groups: readonly RunGroup[] }) {
  const ids = new Set(
    groups.flatMap(({ runs }) => runs.flatMap(({ training }) => training.flatMap(({ curves }) => Object.keys(curves)))),
  );
  const others = rlCurves.map(({ id }) => id as string).filter((id) => !firstCurves.includes(id));
  const labels = [...ids].filter((id) => id.startsWith("primitive "));
  const chart = (id: string) =>
    ids.has(id) && (
      <Curve
        key={id}
        {...aboutCurve(id)}
        xName="step"
        series={curveLines(groups, id).flatMap((line) => seriesOf(line, lines))}
      />
    );
  return (
    <>
      <div className="charts">{[...firstCurves, ...others].map(chart)}</div>
      {labels.length > 0 && (
        <details>
          <summary>Each primitive over training</summary>
          <div className="charts">{labels.map(chart)}</div>
        </details>
      )}
    </>
  );
}

function aboutCurve(id: string): Pick<LineChartProps, "title" | "note" | "format"> {
  if (id === "recovery") return { title: "Recovery moves per trace" };
  if (id.startsWith("primitive ")) return { title: `${visibleText(id.slice("primitive ".length))} per trace` };
  const curve = rlCurves.find((one) => one.id === id)!;
  const share = "unit" in curve && curve.unit === "share";
  return { title: curve.title, note: curve.label, ...(share && { format: percent }) };
}

function ChosenRuns({
  runs,
  groups,
  given,
  chosen,
}: {
  readonly runs: readonly SideRun[];
  readonly groups: readonly RunGroup[];
  readonly given: ReadonlyMap<string, string>;
  readonly chosen: readonly string[];
}) {
  const [, change] = useQuery();
  const choose = (next: readonly string[], names: ReadonlyMap<string, string>) =>
    change({
      runs: listText(next),
      groups: next.some((id) => names.has(id)) ? listText(next.map((id) => names.get(id) ?? "")) : undefined,
    });
  const groupOf = (run: SideRun) => groups.find((group) => group.runs.includes(run))?.name ?? "";
  return (
    <Scrolling name="Chosen runs">
      <table className="chosen-runs">
        <caption>
          {counted(runs.length, "run")} in {counted(groups.length, "group")}: runs whose settings differ in the seed
          alone are together, unless you name their group
        </caption>
        <thead>
          <tr>
            <th scope="col">run</th>
            <th scope="col">state</th>
            <th scope="col">seed</th>
            <th scope="col">group</th>
            <th scope="col">
              <span className="for-readers">take away</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link to={addressOf.run(run.id)}>
                  <Name>{run.id === "." ? run.name : run.id}</Name>
                </Link>
              </th>
              <td>
                <StateMark of={run.state} />
              </td>
              <td>{visibleText(seedOf(run))}</td>
              <td>
                <TextField
                  type="text"
                  label=""
                  spoken={`group of ${run.id}`}
                  value={given.get(run.id) ?? ""}
                  placeholder={visibleText(groupOf(run))}
                  onChange={(name) => {
                    const names = new Map(given);
                    if (name.trim() === "") names.delete(run.id);
                    else names.set(run.id, name.trim());
                    choose(chosen, names);
                  }}
                />
              </td>
              <td>
                <button
                  type="button"
                  className="plain"
                  aria-label={`Take ${run.id} away`}
                  onClick={() =>
                    choose(
                      chosen.filter((id) => id !== run.id),
                      given,
                    )
                  }
                >
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** An analysis has a seed for its intervals, which says nothing about training. */
const seedOf = ({ kind, config }: SideRun): string =>
  config.seed === undefined || kind === "analyze" ? "–" : String(config.seed);

function Settings({ runs }: { readonly runs: readonly SideRun[] }) {
  const { of, rows } = settingsDifference(runs);
  if (runs.length < 2) return null;
  return (
    <details className="config" open={rows.length > 0 && rows.length <= 12}>
      <summary>
        What differs in the settings: {rows.length} of {of}
      </summary>
      {rows.length > 0 && (
        <Scrolling name="Settings that differ">
          <table>
            <thead>
              <tr>
                <th scope="col">setting</th>
                {runs.map(({ id, name }) => (
                  <th key={id} scope="col">
                    <Name>{id === "." ? name : id}</Name>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, name, values }) => (
                <tr key={key}>
                  <th scope="row" title={visibleText(key)}>
                    {visibleText(name)}
                  </th>
                  {values.map((value, i) => (
                    <td key={runs[i].id}>{value === undefined ? "–" : visibleText(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
    </details>
  );
}
