// Tables of several runs as papers print them: mean ± one standard deviation over runs; of a single run its interval.
import { visibleText } from "../../../drawing/safe-text.ts";
import type { Interval } from "../../api.ts";
import { useQuery } from "../navigation.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Choice } from "../parts/fields.tsx";
import { labelWords, Name } from "../parts/marks.tsx";
import { type Chosen, chosenParts, measureOver, type Part, passOver, type RunGroup, type Spread } from "./over-runs.ts";

type Spreading = Spread & { readonly interval?: Interval };
type Row = { readonly group: RunGroup; readonly part: Part };
type TableProps = { readonly groups: readonly RunGroup[]; readonly chosen: Chosen };

const rowsOf = ({ groups, chosen }: TableProps): Row[] =>
  groups.flatMap((group) => chosenParts(group, chosen).map((part) => ({ group, part })));

/** `61.3 ± 2.4`, and over how many runs where some that have the checkpoint lack it. */
function spreadColumn(
  name: string,
  read: (part: Part) => Spreading | undefined,
  format: (value: number) => string,
): Column<Row> {
  return {
    ...{ name: visibleText(name), number: true },
    by: ({ part }) => read(part)?.value,
    cell: ({ part }) => {
      const of = read(part);
      if (of === undefined) return "–";
      return (
        <>
          {format(of.value)}
          <small className="quiet">
            {of.spread !== undefined && ` ± ${format(of.spread)}`}
            {of.interval !== undefined && ` ${format(of.interval.low)} – ${format(of.interval.high)}`}
            {of.runs < part.found.length && ` (${of.runs} of ${part.found.length})`}
          </small>
        </>
      );
    },
  };
}

function SpreadTable({
  name,
  caption,
  groups,
  rows,
  columns,
}: {
  readonly name: string;
  readonly caption: string;
  readonly groups: readonly RunGroup[];
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}) {
  const names: Column<Row>[] = [
    { name: "checkpoint", naming: true, by: ({ part }) => part.part, cell: ({ part }) => <Name>{part.part}</Name> },
    { name: "group", by: ({ group }) => group.name, cell: ({ group }) => <Name>{group.name}</Name> },
    { name: "runs", number: true, by: ({ part }) => part.found.length, cell: ({ part }) => part.found.length },
  ];
  return (
    <DataTable
      {...{ name, caption, rows }}
      className="over-runs"
      columns={[...names.filter((column) => column.name !== "group" || groups.length > 1), ...columns]}
      keyOf={({ group, part }) => `${group.name} ${part.part}`}
    />
  );
}

export function AccuracyTable({ sets, ...props }: TableProps & { readonly sets: readonly string[] }) {
  const rows = rowsOf(props);
  // The largest k that every run has, besides 1.
  const columns = sets.flatMap((set) => {
    const own = rows.flatMap(({ part }) =>
      part.found.flatMap(({ checkpoint }) =>
        checkpoint.sets.filter((one) => one.set === set && one.passAtK.length > 0),
      ),
    );
    const most = own.reduce((least, { passAtK }) => Math.min(least, passAtK.at(-1)!.k), Number.POSITIVE_INFINITY);
    const ks = [...new Set([1, most])].filter(Number.isFinite);
    return ks.map((k) =>
      spreadColumn(
        `${set} @${k}`,
        (part) => passOver(part, set, k),
        (value) => (100 * value).toFixed(1),
      ),
    );
  });
  return (
    <SpreadTable
      name="Accuracy over runs"
      caption="pass@k in percent, mean over the runs of a group ± one standard deviation over runs (n − 1)"
      {...{ groups: props.groups, rows, columns }}
    />
  );
}

/** Primitives and depth, as the analyses of the runs have them. */
export function ReasoningTable(props: TableProps) {
  const [query, change] = useQuery();
  const rows = rowsOf(props);
  const all = rows.flatMap(({ part }) => part.found.flatMap(({ checkpoint }) => checkpoint.reasoning));
  const scopes = [...new Set(all.map(({ scope }) => scope))];
  if (scopes.length === 0) return null;
  const scope = scopes.includes(query.scope ?? "") ? query.scope! : scopes[0];
  const measures = [
    ...new Set(all.filter((one) => one.scope === scope).flatMap(({ measures }) => Object.keys(measures))),
  ];
  const labeled = [...new Set(props.groups.flatMap(({ runs }) => runs.flatMap((run) => run.labeled)))];
  return (
    <section aria-labelledby="reasoning-title">
      <h2 id="reasoning-title">How traces reason</h2>
      <div className="filters">
        <Choice
          label="traces of"
          value={scope}
          options={scopes.map((name) => ({ value: name, name: visibleText(name) }))}
          onChange={(chosen) => change({ scope: chosen === scopes[0] ? undefined : chosen })}
        />
      </div>
      <SpreadTable
        name="Primitives and depth over runs"
        caption="Per trace, mean over the runs of a group ± one standard deviation over runs"
        {...{ groups: props.groups, rows }}
        columns={measures.map((measure) =>
          spreadColumn(
            measure,
            (part) => measureOver(part, scope, measure),
            (value) => value.toFixed(2),
          ),
        )}
      />
      {labeled.map((who) => (
        <p key={who} className="quiet">
          {labelWords(who)}
        </p>
      ))}
    </section>
  );
}
