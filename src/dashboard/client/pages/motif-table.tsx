// Motifs by checkpoint: how often per trace, and how that changed between two of them.
import { useState } from "react";
import { oneLine } from "../../../report/safe-text.ts";
import type { MotifRate, MotifRow, MotifsReply } from "../../api.ts";
import { useQuery } from "../navigation.tsx";
import { compactNumber, counted, wholeNumber } from "../number-text.ts";
import { CheckpointName } from "../parts/marks.tsx";
import { MotifMarks } from "../parts/motif-marks.tsx";
import { changeText } from "./motif-order.ts";

const usuallyShown = 30;

export function MotifTable({
  title,
  reply,
  rows,
  pair,
  inks,
}: {
  readonly title: string;
  readonly reply: MotifsReply;
  readonly inks: ReadonlyMap<string, string>;
  readonly rows: readonly MotifRow[];
  /** The columns that the change is between. */
  readonly pair?: readonly [number, number];
}) {
  const [query, change] = useQuery();
  const { sources } = reply;
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, usuallyShown);
  const most = Math.max(...shown.flatMap(({ rates }) => rates.map((one) => one?.rate ?? 0)), Number.MIN_VALUE);
  return (
    <div className="scroller">
      <table className="motifs">
        <caption>
          {title} <small className="quiet">occurrences per trace</small>
        </caption>
        <thead>
          <tr>
            <th scope="col">motif</th>
            {sources.map(({ id, name, traces }) => (
              <th key={id} scope="col">
                <CheckpointName name={name} ink={inks.get(id) ?? "muted"} />{" "}
                <small className="quiet">n = {wholeNumber(traces)}</small>
              </th>
            ))}
            {pair !== undefined && (
              <th scope="col" className="number">
                change
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <MotifLine
              key={row.motif}
              row={row}
              sources={sources}
              inks={inks}
              most={most}
              pair={pair}
              selected={row.motif === query.motif}
              onChoose={(source) => change({ motif: row.motif, source })}
            />
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button type="button" onClick={() => setAll(true)}>
          All {rows.length}
        </button>
      )}
    </div>
  );
}

function MotifLine({
  row,
  sources,
  inks,
  most,
  pair,
  selected,
  onChoose,
}: {
  readonly row: MotifRow;
  readonly sources: MotifsReply["sources"];
  readonly inks: ReadonlyMap<string, string>;
  readonly most: number;
  readonly pair?: readonly [number, number];
  readonly selected: boolean;
  readonly onChoose: (source: string | undefined) => void;
}) {
  return (
    <tr className={selected ? "selected" : undefined}>
      <th scope="row">
        <button type="button" className="link" onClick={() => onChoose(undefined)}>
          <MotifMarks motif={row.motif} />
        </button>
      </th>
      {row.rates.map((rate, i) => (
        <td key={sources[i].id}>
          {rate === null ? (
            <span className="quiet">–</span>
          ) : (
            <button
              type="button"
              className={`rate bare ink-${inks.get(sources[i].id) ?? "muted"}`}
              disabled={rate.rate === 0}
              aria-label={`${row.motif} in ${oneLine(sources[i].name)}: ${rateWords(rate)}`}
              title={rateWords(rate)}
              onClick={() => onChoose(sources[i].id)}
            >
              <span className="rate-bed" aria-hidden="true">
                <span className="rate-fill" style={{ width: `${(rate.rate / most) * 100}%` }} />
              </span>
              <span className="rate-text">{compactNumber(rate.rate)}</span>
            </button>
          )}
        </td>
      ))}
      {pair !== undefined && (
        <td className="number">{changeText(row.rates[pair[0]]?.rate, row.rates[pair[1]]?.rate)}</td>
      )}
    </tr>
  );
}

function rateWords({ rate, interval, traces }: MotifRate): string {
  const between =
    interval === undefined ? "" : ` (${compactNumber(interval.low)} to ${compactNumber(interval.high)} over problems)`;
  return `${compactNumber(rate)} per trace${between}${traces === undefined ? "" : `, in ${counted(traces, "trace")}`}`;
}
