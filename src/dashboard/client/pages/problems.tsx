// Every problem with its solve rate by checkpoint: what training gained, what it lost.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { oneLine } from "../../../report/safe-text.ts";
import type { ProblemRow, ProblemsReply, SolveCount } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { useKeys } from "../keys.ts";
import { goTo, Link, useQuery } from "../navigation.tsx";
import { counted, signedPercent } from "../number-text.ts";
import { Choice, focusSearch, TextField } from "../parts/fields.tsx";
import { inksOf, noInks } from "../parts/inks.ts";
import { CheckpointName, Name, ProblemName } from "../parts/marks.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";
import { ChangesSummary } from "./changes-summary.tsx";
import { type ChangeName, changed, changeNames, changeWords, ordered } from "./problem-changes.ts";

const rowHeight = 30;

export function ProblemsPage({ run }: { readonly run: string }) {
  const changes = useLiveCount((event) => event.type === "changed" && event.run === run, 3000);
  const asked = useReply("problems", { run }, { version: changes });
  return (
    <div className="page">
      <h1>Problems</h1>
      <Answered asked={asked}>
        {(reply) =>
          reply.problems.length === 0 ? (
            <Nothing title="No problems yet">
              <p>
                This run has no evaluation. <code>repertoire evaluate --help</code> says how to make one; its problems
                appear here with the first graded rollouts.
              </p>
            </Nothing>
          ) : (
            <Problems run={run} reply={reply} />
          )
        }
      </Answered>
    </div>
  );
}

function Problems({ run, reply }: { readonly run: string; readonly reply: ProblemsReply }) {
  const [query, change] = useQuery();
  const { checkpoints, problems } = reply;
  const columns = useMemo(() => checkpoints.map(({ stage }) => stage), [checkpoints]);
  const about = useReply("run", { run }).reply;
  const inks = about === undefined ? noInks : inksOf(about);
  const at = (stage: string | undefined, otherwise: number) => {
    const found = columns.indexOf(stage ?? "");
    return found < 0 ? otherwise : found;
  };
  const sftColumn = checkpoints.findIndex(({ role }) => role === "sft");
  const first = at(query.first, Math.max(0, sftColumn));
  const second = at(query.second, columns.length - 1);
  const kind = changeNames.find((name) => name === query.change) ?? "any";
  const by = query.sort ?? "";
  const descending = query.order !== "asc";
  const sets = useMemo(() => [...new Set(problems.map(({ set }) => set))], [problems]);

  const shown = useMemo(() => {
    const text = (query.text ?? "").toLowerCase();
    const kept = problems.filter(
      (row) =>
        (query.set === undefined || row.set === query.set) &&
        [row.problem, row.subject, row.asked].some((words) => (words ?? "").toLowerCase().includes(text)) &&
        changed(row, first, second, kind),
    );
    return ordered(kept, columns, { by, descending }, [first, second]);
  }, [problems, columns, query.set, query.text, first, second, kind, by, descending]);

  const sortBy = (column: string) => change({ sort: column, order: by === column && descending ? "asc" : undefined });
  const heading = (column: string) => (by === column ? (descending ? "descending" : "ascending") : undefined);

  const [selected, setSelected] = useState(0);
  const frame = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const current = Math.min(selected, shown.length - 1);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, current + by));
    setSelected(next);
    list.scrollToIndex(next);
  };
  useKeys("Problems", [
    { keys: ["j", "ArrowDown"], about: "next problem", run: () => move(1) },
    { keys: ["k", "ArrowUp"], about: "previous problem", run: () => move(-1) },
    {
      keys: ["Enter"],
      about: "open it",
      run: () => shown[current] && goTo(addressOf.problem(run, shown[current].problem)),
    },
    { keys: ["/"], about: "search", run: focusSearch },
  ]);

  const items = list.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = list.getTotalSize() - (items.at(-1)?.end ?? 0);
  const choices = checkpoints.map(({ stage, name }) => ({ value: stage, name: oneLine(name) }));
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="search"
          value={query.text ?? ""}
          onChange={(text) => change({ text })}
          placeholder="id or subject"
          shortcut
        />
        <Choice
          label="set"
          value={query.set ?? ""}
          options={[{ value: "", name: "all sets" }, ...sets.map((set) => ({ value: set, name: oneLine(set) }))]}
          onChange={(set) => change({ set })}
        />
        {columns.length > 1 && (
          <>
            <Choice label="from" value={columns[first]} options={choices} onChange={(first) => change({ first })} />
            <Choice label="to" value={columns[second]} options={choices} onChange={(second) => change({ second })} />
            <Choice
              label="show"
              value={kind}
              options={changeNames.map((name) => ({ value: name, name: changeWords[name] }))}
              onChange={(next) => change({ change: next === "any" ? undefined : (next as ChangeName) })}
            />
          </>
        )}
      </form>
      {columns.length > 1 && first !== second && (
        <ChangesSummary run={run} first={columns[first]} second={columns[second]} set={query.set} />
      )}
      <p className="count" role="status">
        {counted(shown.length, "problem")}
        {shown.length < problems.length && <span className="quiet"> of {problems.length}</span>}
      </p>
      <Scrolling className="virtual" frame={frame} name="Problems">
        <table className="problems" aria-rowcount={shown.length + 1}>
          <thead>
            <tr>
              <SortHeading name="problem" sorted={heading("problem")} onSort={() => sortBy("problem")} />
              <th scope="col">set</th>
              {checkpoints.map(({ stage, name }) => (
                <SortHeading
                  key={stage}
                  name={oneLine(name)}
                  ink={inks.get(stage) ?? "muted"}
                  sorted={heading(stage)}
                  onSort={() => sortBy(stage)}
                />
              ))}
              {columns.length > 1 && (
                <SortHeading name="change" sorted={heading("change")} onSort={() => sortBy("change")} />
              )}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Spacer height={before} columns={checkpoints.length + 3} />}
            {items.map(({ index }) => (
              <ProblemLine
                key={shown[index].problem + shown[index].set}
                run={run}
                row={shown[index]}
                index={index}
                inks={columns.map((stage) => inks.get(stage) ?? "muted")}
                pair={columns.length > 1 ? [first, second] : undefined}
                selected={index === current}
              />
            ))}
            {after > 0 && <Spacer height={after} columns={checkpoints.length + 3} />}
          </tbody>
        </table>
      </Scrolling>
    </>
  );
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr>
      <td className="spacer" colSpan={columns} style={{ height }} />
    </tr>
  );
}

function SortHeading({
  name,
  ink,
  sorted,
  onSort,
}: {
  readonly name: string;
  readonly ink?: string;
  readonly sorted?: "ascending" | "descending";
  readonly onSort: () => void;
}) {
  return (
    <th scope="col" aria-sort={sorted}>
      <button type="button" className="sort" onClick={onSort}>
        {ink === undefined ? name : <CheckpointName name={name} ink={ink} />}
        <span aria-hidden="true">{sorted === undefined ? "" : sorted === "descending" ? " ↓" : " ↑"}</span>
      </button>
    </th>
  );
}

function ProblemLine({
  run,
  row,
  index,
  inks,
  pair,
  selected,
}: {
  readonly run: string;
  readonly row: ProblemRow;
  readonly index: number;
  readonly inks: readonly string[];
  readonly pair?: readonly [number, number];
  readonly selected: boolean;
}) {
  const [before, after] = (pair ?? [0, 0]).map((at) => row.counts[at]);
  const difference =
    before && after && before.attempts > 0 && after.attempts > 0
      ? after.correct / after.attempts - before.correct / before.attempts
      : undefined;
  return (
    <tr className={selected ? "selected" : undefined} aria-rowindex={index + 2} style={{ height: rowHeight }}>
      <th scope="row">
        <Link to={addressOf.problem(run, row.problem)}>
          <ProblemName problem={row.problem} asked={row.asked} />
        </Link>
      </th>
      <td className="quiet">
        <Name>{row.set}</Name>
        {row.subject !== undefined && row.subject !== "" && <Name className="subject">{row.subject}</Name>}
      </td>
      {row.counts.map((count, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns are checkpoints in a fixed order
        <td key={i}>
          <RateBar count={count} ink={inks[i]} />
        </td>
      ))}
      {pair !== undefined && (
        <td className={`number ${difference ? (difference > 0 ? "gain" : "loss") : "quiet"}`}>
          {difference === undefined ? "–" : signedPercent(difference)}
        </td>
      )}
    </tr>
  );
}

function RateBar({ count, ink }: { readonly count: SolveCount | null; readonly ink: string }) {
  if (count === null || count.attempts === 0) return <span className="quiet">not asked</span>;
  return (
    <span className={`rate ink-${ink}`}>
      <span className="rate-bed" aria-hidden="true">
        <span className="rate-fill" style={{ width: `${(count.correct / count.attempts) * 100}%` }} />
      </span>
      <span className="rate-text">
        {count.correct}/{count.attempts}
      </span>
    </span>
  );
}
