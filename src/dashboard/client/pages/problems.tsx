// Every problem with its solve rate by checkpoint: what training gained, what it lost.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { oneLine } from "../../../drawing/safe-text.ts";
import type { ProblemRow, ProblemsReply, SolveCount } from "../../api.ts";
import { type ShownRun, useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { usualPair } from "../data/usual-pair.ts";
import { useListKeys } from "../keys.ts";
import { goTo, Link, useQuery } from "../navigation.tsx";
import { counted, points } from "../number-text.ts";
import { type Column, ColumnHead, RowCells, useSorted } from "../parts/data-table.tsx";
import { Choice, focusSearch, TextField } from "../parts/fields.tsx";
import { CheckpointName, mostBars, Name, ProblemName, Rate } from "../parts/marks.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";
import { type ChangeName, changeBetween, changed, changeNames, changeWords, rateOf } from "./problem-changes.ts";

const rowHeight = 30;

export function ProblemsPage() {
  const { run, version } = useShownRun();
  const asked = useReply("problems", { run }, { version });
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
            <Problems reply={reply} />
          )
        }
      </Answered>
    </div>
  );
}

function Problems({ reply }: { readonly reply: ProblemsReply }) {
  const { run, reading, inkOf, about } = useShownRun();
  const [query, change] = useQuery();
  const { checkpoints, problems } = reply;
  const columns = useMemo(() => checkpoints.map(({ stage }) => stage), [checkpoints]);
  const at = (stage: string | undefined, otherwise: number) => {
    const found = columns.indexOf(stage ?? "");
    return found < 0 ? otherwise : found;
  };
  const [usualFirst, usualSecond] = about && about.sources.length > 1 ? usualPair(about) : [];
  const first = at(query.first, at(usualFirst?.id, 0));
  const second = at(query.second, at(usualSecond?.id, columns.length - 1));
  const kind = changeNames.find((name) => name === query.change) ?? "any";
  const sets = useMemo(() => [...new Set(problems.map(({ set }) => set))], [problems]);

  const kept = useMemo(() => {
    const text = (query.text ?? "").toLowerCase();
    return problems.filter(
      (row) =>
        (query.set === undefined || row.set === query.set) &&
        [row.problem, row.subject, row.asked].some((words) => (words ?? "").toLowerCase().includes(text)) &&
        changed(row, first, second, kind),
    );
  }, [problems, query.set, query.text, first, second, kind]);
  const heads = useMemo(
    () => problemColumns(run, checkpoints, inkOf, reading, columns.length > 1 ? [first, second] : undefined),
    [run, checkpoints, inkOf, reading, columns, first, second],
  );
  const [shown, sorting] = useSorted(kept, heads);

  const [selected, setSelected] = useState(0);
  const frame = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const current = Math.min(selected, shown.length - 1);
  const move = (next: number) => {
    setSelected(next);
    list.scrollToIndex(next);
  };
  const open = (at: number) => goTo(addressOf.problem(run, shown[at].problem));
  useListKeys("Problems", "problem", { length: shown.length, current, move, open }, [
    { keys: ["/"], about: "search", run: focusSearch },
  ]);

  const items = list.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = list.getTotalSize() - (items.at(-1)?.end ?? 0);
  const choices = checkpoints.map(({ stage, name }) => ({ value: stage, name: oneLine(name) }));
  return (
    <>
      <form className="row filters" onSubmit={(event) => event.preventDefault()}>
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
      <p className="count" role="status">
        {counted(shown.length, "problem")}
        {shown.length < problems.length && <span className="quiet"> of {problems.length}</span>}
      </p>
      <Scrolling className="virtual" frame={frame} name="Problems">
        <table
          className={checkpoints.length > mostBars ? "problems many" : "problems"}
          aria-rowcount={shown.length + 1}
        >
          <thead>
            <tr>
              {heads.map((column) => (
                <ColumnHead key={column.name} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Spacer height={before} columns={heads.length} />}
            {items.map(({ index }) => (
              <tr
                key={shown[index].problem + shown[index].set}
                className={index === current ? "selected" : undefined}
                aria-rowindex={index + 2}
                style={{ height: rowHeight }}
              >
                <RowCells row={shown[index]} columns={heads} />
              </tr>
            ))}
            {after > 0 && <Spacer height={after} columns={heads.length} />}
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

function problemColumns(
  run: string,
  checkpoints: ProblemsReply["checkpoints"],
  inkOf: ShownRun["inkOf"],
  /** Whether counts may be missing only because they are not read yet. */
  reading: boolean,
  pair: readonly [number, number] | undefined,
): Column<ProblemRow>[] {
  const columns: Column<ProblemRow>[] = [
    {
      ...{ name: "problem", naming: true },
      by: ({ problem, asked }) => asked ?? problem,
      cell: ({ problem, asked }) => (
        <Link to={addressOf.problem(run, problem)}>
          <ProblemName problem={problem} asked={asked} />
        </Link>
      ),
    },
    {
      ...{ name: "set", className: "quiet" },
      by: ({ set, subject }) => `${set} ${subject ?? ""}`,
      cell: ({ set, subject = "" }) => (
        <>
          <Name>{set}</Name>
          {subject !== "" && <Name className="subject">{subject}</Name>}
        </>
      ),
    },
    ...checkpoints.map(({ stage, name }, i): Column<ProblemRow> => {
      const ink = inkOf(stage);
      return {
        ...{ name: stage, head: <CheckpointName name={name} ink={ink} />, sortedAs: "numbers" },
        by: ({ counts }) => rateOf(counts[i]),
        cell: ({ counts }) => <SolveRate count={counts[i]} ink={ink} missing={reading ? "…" : "not asked"} />,
      };
    }),
  ];
  if (pair === undefined) return columns;
  const change = ({ counts }: ProblemRow) => changeBetween(counts[pair[0]], counts[pair[1]]);
  columns.push({
    ...{ name: "change, points", number: true, by: change },
    className: (row) => (change(row) ? (change(row)! > 0 ? "gain" : "loss") : "quiet"),
    cell: (row) => (change(row) === undefined ? "–" : points(change(row)!)),
  });
  return columns;
}

function SolveRate({
  count,
  ink,
  missing,
}: {
  readonly count: SolveCount | null;
  readonly ink: string;
  readonly missing: string;
}) {
  const share = rateOf(count);
  if (count === null || share === undefined) return <span className="quiet">{missing}</span>;
  return (
    <Rate share={share} ink={ink}>
      {count.correct}/{count.attempts}
    </Rate>
  );
}
