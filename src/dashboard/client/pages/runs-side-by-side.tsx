// Several runs laid over each other: repetitions of one experiment as mean and spread, different experiments as lines to
// compare, and what differs in their settings.
import { useMemo } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import { seedsOf, settingsDifference } from "../../../results/run-groups.ts";
import { rlCurves } from "../../../training/curves.ts";
import type { SideRun } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { useLinkKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { counted, percent } from "../number-text.ts";
import { dashes } from "../parts/chart-paths.ts";
import { Curve, CurveControls, CurveViewProvider, useCurveView } from "../parts/curve-view.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import type { LineChartProps, Series } from "../parts/line-chart.tsx";
import { Name, StateMark } from "../parts/marks.tsx";
import { PassChart } from "../parts/pass-chart.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { listOf, listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";
import {
  type Chosen,
  curveLines,
  type GroupLine,
  groupsOf,
  type LineLook,
  lineKey,
  lineLooks,
  partsOf,
  passLines,
  type RunGroup,
} from "./over-runs.ts";
import { AccuracyTable, ReasoningTable } from "./over-runs-tables.tsx";

export function RunsSideBySidePage() {
  const [query] = useQuery();
  useLinkKeys("Runs side by side", "run", ".chosen-runs tbody th a");
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
  const looks = useMemo(() => lineLooks(groups), [groups]);
  const lines = { looks, every, alone: groups.length === 1 };
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
              <PassChart
                key={set}
                set={set}
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

type Lines = { readonly looks: ReadonlyMap<string, LineLook>; readonly every: boolean; readonly alone: boolean };

function seriesOf({ group, part, points, runs }: GroupLine, { looks, every, alone }: Lines): Series[] {
  const { ink, dash } = looks.get(lineKey(group, part))!;
  const name = visibleText(alone ? part : `${part}, ${group.name}`);
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
  const columns: readonly Column<SideRun>[] = [
    {
      ...{ name: "run", naming: true, by: nameOf },
      cell: (run) => (
        <Link to={addressOf.run(run.id)}>
          <Name>{nameOf(run)}</Name>
        </Link>
      ),
    },
    { name: "state", by: ({ state }) => state, cell: ({ state }) => <StateMark of={state} /> },
    { name: "seed", by: seedsOf, cell: (run) => visibleText(seedsOf(run)) },
    {
      name: "group",
      by: groupOf,
      cell: (run) => (
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
      ),
    },
    {
      name: "take away",
      head: <span className="for-readers">take away</span>,
      cell: ({ id }) => (
        <button
          type="button"
          className="plain"
          aria-label={`Take ${id} away`}
          onClick={() => {
            const others = chosen.filter((other) => other !== id);
            choose(others, given);
          }}
        >
          ×
        </button>
      ),
    },
  ];
  return (
    <DataTable
      name="Chosen runs"
      className="chosen-runs"
      caption={
        <>
          {counted(runs.length, "run")} in {counted(groups.length, "group")}: runs whose settings differ in the seed
          alone are together, unless you name their group
        </>
      }
      {...{ columns, rows: runs }}
      keyOf={({ id }) => id}
    />
  );
}

const nameOf = ({ id, name }: SideRun): string => (id === "." ? name : id);

function Settings({ runs }: { readonly runs: readonly SideRun[] }) {
  const { of, rows } = settingsDifference(runs);
  if (runs.length < 2) return null;
  const columns: Column<(typeof rows)[number]>[] = [
    {
      ...{ name: "setting", naming: true },
      by: ({ name }) => name,
      cell: ({ key, name }) => <span title={visibleText(key)}>{visibleText(name)}</span>,
    },
    ...runs.map((run, i) => ({
      ...{ name: run.id, head: <Name>{nameOf(run)}</Name> },
      by: ({ values }: (typeof rows)[number]) => values[i],
      cell: ({ values }: (typeof rows)[number]) => (values[i] === undefined ? "–" : visibleText(values[i])),
    })),
  ];
  return (
    <details className="config" open={rows.length > 0 && rows.length <= 12}>
      <summary>
        What differs in the settings: {rows.length} of {of}
      </summary>
      {rows.length > 0 && (
        <DataTable name="Settings that differ" columns={columns} rows={rows} keyOf={({ key }) => key} />
      )}
    </details>
  );
}
