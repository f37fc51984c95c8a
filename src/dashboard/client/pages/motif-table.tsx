// Motifs by checkpoint: how often per trace, and how that changed between two of them.
import { oneLine } from "../../../drawing/safe-text.ts";
import type { MotifRate, MotifRow, MotifsReply } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useQuery } from "../navigation.tsx";
import { compactNumber, counted, wholeNumber } from "../number-text.ts";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { CheckpointName, mostBars, Rate } from "../parts/marks.tsx";
import { MotifMarks } from "../parts/motif-marks.tsx";
import { changeText, rise } from "./motif-change.ts";

export function MotifTable({
  title,
  reply: { sources },
  rows,
  pair,
}: {
  readonly title: string;
  readonly reply: MotifsReply;
  readonly rows: readonly MotifRow[];
  /** The columns that the change is between. */
  readonly pair?: readonly [number, number];
}) {
  const { inkOf } = useShownRun();
  const [query, change] = useQuery();
  const most = Math.max(...rows.flatMap(({ rates }) => rates.map((one) => one?.rate ?? 0)), Number.MIN_VALUE);
  const columns: Column<MotifRow>[] = [
    {
      ...{ name: "motif", naming: true },
      by: ({ motif }) => motif,
      cell: ({ motif }) => (
        <button type="button" className="link" onClick={() => change({ motif, source: undefined })}>
          <MotifMarks motif={motif} />
        </button>
      ),
    },
    ...sources.map(({ id, name, traces }, i): Column<MotifRow> => {
      const ink = inkOf(id);
      return {
        name: id,
        head: (
          <>
            <CheckpointName name={name} ink={ink} /> <small className="quiet">n = {wholeNumber(traces)}</small>
          </>
        ),
        sortedAs: "numbers",
        by: ({ rates }) => rates[i]?.rate,
        cell: ({ motif, rates }) => {
          const rate = rates[i];
          if (rate === null) return <span className="quiet">–</span>;
          return (
            <button
              type="button"
              className="bare"
              disabled={rate.rate === 0}
              aria-label={`${motif} in ${oneLine(name)}: ${rateWords(rate)}`}
              title={rateWords(rate)}
              onClick={() => change({ motif, source: id })}
            >
              <Rate share={rate.rate / most} ink={ink}>
                {compactNumber(rate.rate)}
              </Rate>
            </button>
          );
        },
      };
    }),
  ];
  if (pair !== undefined)
    columns.push({
      ...{ name: "change", number: true },
      by: (row) => rise(row, sources, pair),
      cell: ({ rates }) => changeText(rates[pair[0]]?.rate, rates[pair[1]]?.rate),
    });
  return (
    <DataTable
      name={title}
      className={sources.length > mostBars ? "motifs many" : "motifs"}
      caption={
        <>
          {title} <small className="quiet">occurrences per trace</small>
        </>
      }
      {...{ columns, rows, most: 30 }}
      keyOf={({ motif }) => motif}
      rowClass={({ motif }) => (motif === query.motif ? "selected" : undefined)}
    />
  );
}

function rateWords({ rate, interval, traces }: MotifRate): string {
  const between =
    interval === undefined ? "" : ` (${compactNumber(interval.low)} to ${compactNumber(interval.high)} over problems)`;
  return `${compactNumber(rate)} per trace${between}${traces === undefined ? "" : `, in ${counted(traces, "trace")}`}`;
}
