// Tables of several runs as papers print them: mean ± one standard deviation over runs; of a single run its interval.
import { visibleText } from "../../../report/safe-text.ts";
import type { Interval } from "../../api.ts";
import { useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { labelWords, Name } from "../parts/marks.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { type Chosen, chosenParts, measureOver, passOver, type RunGroup, type Spread } from "./over-runs.ts";

type Format = (value: number) => string;
const inPercent: Format = (value) => (100 * value).toFixed(1);
const perTrace: Format = (value) => value.toFixed(2);

/** `61.3 ± 2.4`, and over how many runs where some of the group lack it. */
function SpreadCell({
  of,
  runs,
  format,
}: {
  readonly of: (Spread & { readonly interval?: Interval }) | undefined;
  readonly runs: number;
  readonly format: Format;
}) {
  if (of === undefined) return <td className="number">–</td>;
  return (
    <td className="number">
      {format(of.value)}
      {of.spread !== undefined && ` ± ${format(of.spread)}`}
      {of.interval !== undefined && (
        <small className="quiet">
          {" "}
          {format(of.interval.low)} – {format(of.interval.high)}
        </small>
      )}
      {of.runs < runs && (
        <small className="quiet">
          {" "}
          ({of.runs} of {runs})
        </small>
      )}
    </td>
  );
}

type TableProps = { readonly groups: readonly RunGroup[]; readonly chosen: Chosen };

const rowsOf = ({ groups, chosen }: TableProps) =>
  groups.flatMap((group) => chosenParts(group, chosen).map((part) => ({ group, part })));

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
    return [...new Set([1, most])].filter(Number.isFinite).map((k) => ({ set, k }));
  });
  return (
    <Scrolling name="Accuracy over runs">
      <table>
        <caption>pass@k in percent, mean over the runs of a group ± one standard deviation over runs (n − 1)</caption>
        <thead>
          <tr>
            <RowHeads groups={props.groups} />
            {columns.map(({ set, k }) => (
              <th key={`${set} ${k}`} scope="col" className="number">
                {visibleText(set)} @{k}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ group, part }) => (
            <tr key={`${group.name} ${part.part}`}>
              <RowNames groups={props.groups} group={group} part={part.part} runs={part.found.length} />
              {columns.map(({ set, k }) => (
                <SpreadCell
                  key={`${set} ${k}`}
                  of={passOver(part, set, k)}
                  runs={group.runs.length}
                  format={inPercent}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
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
      <Scrolling name="Primitives and depth over runs">
        <table>
          <caption>Per trace, mean over the runs of a group ± one standard deviation over runs</caption>
          <thead>
            <tr>
              <RowHeads groups={props.groups} />
              {measures.map((measure) => (
                <th key={measure} scope="col" className="number">
                  {visibleText(measure)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ group, part }) => (
              <tr key={`${group.name} ${part.part}`}>
                <RowNames groups={props.groups} group={group} part={part.part} runs={part.found.length} />
                {measures.map((measure) => (
                  <SpreadCell
                    key={measure}
                    of={measureOver(part, scope, measure)}
                    runs={group.runs.length}
                    format={perTrace}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {labeled.map((who) => (
        <p key={who} className="quiet">
          {labelWords(who)}
        </p>
      ))}
    </section>
  );
}

function RowHeads({ groups }: { readonly groups: readonly RunGroup[] }) {
  return (
    <>
      <th scope="col">checkpoint</th>
      {groups.length > 1 && <th scope="col">group</th>}
      <th scope="col" className="number">
        runs
      </th>
    </>
  );
}

function RowNames({
  groups,
  group,
  part,
  runs,
}: {
  readonly groups: readonly RunGroup[];
  readonly group: RunGroup;
  readonly part: string;
  readonly runs: number;
}) {
  return (
    <>
      <th scope="row">
        <Name>{part}</Name>
      </th>
      {groups.length > 1 && (
        <td>
          <Name>{group.name}</Name>
        </td>
      )}
      <td className="number">{runs}</td>
    </>
  );
}
