// Several runs laid over each other: repetitions of one experiment as mean and spread, different experiments beside each
// other, and what differs in their settings. What is shown is what a report of these runs shows.
import { useMemo } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { ItemsReply, RunEntry } from "../../api.ts";
import { useReply } from "../data/use-reply.ts";
import { useLinkKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { counted } from "../number-text.ts";
import { CurveControls } from "../parts/curve-view.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Choice, TextField } from "../parts/fields.tsx";
import { Sections, useItems } from "../parts/items.tsx";
import { Name, StateMark } from "../parts/marks.tsx";
import { Answered, Gaps, Nothing } from "../parts/states.tsx";
import { listOf, listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";

export function RunsSideBySidePage() {
  const [query] = useQuery();
  useLinkKeys("Runs side by side", "run", ".chosen-runs tbody th a");
  const chosen = listOf(query.runs);
  const groups = listOf(query.groups);
  const asked = useItems(chosen, { groups, checkpoint: query.checkpoint });
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
        <Answered asked={asked}>{(reply) => <SideBySide reply={reply} chosen={chosen} given={groups} />}</Answered>
      )}
    </div>
  );
}

type Chosen = {
  readonly reply: ItemsReply;
  readonly chosen: readonly string[];
  /** The names of groups that the reader gave, in the order of the runs. */
  readonly given: readonly string[];
};

const firstOpen = ["runs", "accuracy", "training"];

function SideBySide({ reply, chosen, given }: Chosen) {
  const [query, change] = useQuery();
  const { sections, checkpoints, gaps } = reply;
  return (
    <>
      <ChosenRuns reply={reply} chosen={chosen} given={given} />
      <Gaps gaps={gaps} title="Missing from these runs" />
      {checkpoints.length > 1 && (
        <div className="row filters">
          <Choice
            label="checkpoint"
            value={query.checkpoint ?? ""}
            options={[
              { value: "", name: "all" },
              ...checkpoints.map((name) => ({ value: name, name: visibleText(name) })),
            ]}
            onChange={(checkpoint) => change({ checkpoint })}
          />
        </div>
      )}
      <CurveControls />
      <Sections sections={sections} open={({ id }) => firstOpen.includes(id)} />
    </>
  );
}

type Row = ItemsReply["runs"][number] & { readonly id: string; readonly entry?: RunEntry };

function ChosenRuns({ reply, chosen, given }: Chosen) {
  const [, change] = useQuery();
  const known = useReply("runs", {}, { meanwhile: "earlier" }).reply;
  const rows = useMemo(
    () =>
      chosen.map((id): Row => {
        const entry = known?.runs.find((run) => run.id === id);
        const name = id === "." ? (entry?.name ?? id) : id;
        return { seed: "?", group: "", ...reply.runs.find((run) => run.name === name), id, name, entry };
      }),
    [reply, chosen, known],
  );
  const choose = (next: readonly string[], names: ReadonlyMap<string, string>) =>
    change({
      runs: listText(next),
      groups: next.some((id) => names.has(id)) ? listText(next.map((id) => names.get(id) ?? "")) : undefined,
    });
  const named = new Map(chosen.flatMap((id, i) => (given[i] ? [[id, given[i]] as const] : [])));
  const columns: readonly Column<Row>[] = [
    {
      ...{ name: "run", naming: true, by: ({ name }) => name },
      cell: ({ id, name }) => (
        <Link to={addressOf.run(id)}>
          <Name>{name}</Name>
        </Link>
      ),
    },
    { name: "state", by: ({ entry }) => entry?.state, cell: ({ entry }) => entry && <StateMark of={entry.state} /> },
    { name: "seed", by: ({ seed }) => seed, cell: ({ seed }) => visibleText(seed) },
    {
      name: "group",
      by: ({ group }) => group,
      cell: ({ id, group }) => (
        <TextField
          type="text"
          label=""
          spoken={`group of ${id}`}
          value={named.get(id) ?? ""}
          placeholder={visibleText(group)}
          onChange={(name) => {
            const names = new Map(named);
            if (name.trim() === "") names.delete(id);
            else names.set(id, name.trim());
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
          onClick={() =>
            choose(
              chosen.filter((other) => other !== id),
              named,
            )
          }
        >
          ×
        </button>
      ),
    },
  ];
  const groups = new Set(rows.map(({ group }) => group)).size;
  return (
    <DataTable
      name="Chosen runs"
      className="chosen-runs"
      caption={
        <>
          {counted(rows.length, "run")} in {counted(groups, "group")}: runs whose settings differ in the seed alone are
          together, unless you name their group
        </>
      }
      {...{ columns, rows }}
      keyOf={({ id }) => id}
    />
  );
}
