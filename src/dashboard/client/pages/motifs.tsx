// Motifs by checkpoint, and from a motif to the spans that show it.
import { useState } from "react";
import { oneLine, visibleText } from "../../../report/safe-text.ts";
import { motifLengths } from "../../../traces/motifs.ts";
import type { MotifRow, MotifsReply } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { useQuery } from "../navigation.tsx";
import { compactNumber, counted, percent, wholeNumber } from "../number-text.ts";
import { Choice } from "../parts/fields.tsx";
import { CheckpointName, inksOf } from "../parts/marks.tsx";
import { MotifMarks } from "../parts/motif-marks.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { Occurrences } from "./motif-occurrences.tsx";

/** Seven columns at once are hard to read: evaluations first, the rest on demand. */
const kinds = [
  { value: "evaluation", name: "evaluations" },
  { value: "training", name: "training" },
  { value: "all", name: "everything" },
];

export function MotifsPage({ run }: { readonly run: string }) {
  const [query, change] = useQuery();
  const length = Number(query.length ?? 3);
  const changes = useLiveCount((event) => event.type === "indexed" && event.run === run, 3000);
  const about = useReply("run", { run }).reply;
  const kind = kinds.find(({ value }) => value === query.from)?.value ?? "evaluation";
  const wanted = about?.sources.filter((source) => source.kind === kind).map(({ id }) => id) ?? [];
  const asked = useReply(
    "motifs",
    about === undefined
      ? undefined
      : {
          run,
          length: motifLengths.includes(length) ? length : 3,
          set: query.set,
          source: kind === "all" ? undefined : wanted.length === 0 ? undefined : wanted,
        },
    { version: changes, meanwhile: "earlier" },
  );
  return (
    <div className="page">
      <h1>Motifs</h1>
      <Answered asked={asked}>
        {(reply) =>
          reply.sources.length === 0 ? (
            <Nothing title="No labelled traces">
              <p>Motifs are counted over labelled spans. They appear here once rollouts are written and read.</p>
            </Nothing>
          ) : (
            <div className={query.motif === undefined ? "" : "with-aside wide-aside"}>
              <div>
                {reply.indexed < reply.total && (
                  <p className="quiet">{percent(reply.indexed / reply.total)} of the rollouts are read so far.</p>
                )}
                <div className="filters">
                  <Choice
                    label="rollouts of"
                    value={kind}
                    options={kinds}
                    onChange={(from) => change({ from: from === "evaluation" ? undefined : from })}
                  />
                </div>
                <MotifTable title="The paper’s three" reply={reply} rows={reply.named} />
                <MotifTable title="Trigram categories" reply={reply} rows={reply.categories} />
                <div className="filters">
                  <Choice
                    label="length"
                    value={String(reply.length)}
                    options={motifLengths.map((k) => ({ value: String(k), name: `${k} primitives` }))}
                    onChange={(k) => change({ length: k === "3" ? undefined : k })}
                  />
                </div>
                {reply.frequent.length === 0 ? (
                  <p className="quiet">
                    No motif of {reply.length} primitives occurs {reply.noise} times or more.
                  </p>
                ) : (
                  <MotifTable title={`Most frequent, ${reply.length} primitives`} reply={reply} rows={reply.frequent} />
                )}
                {reply.labelled.map((labelled) => (
                  <p key={labelled} className="quiet">
                    Labels: {visibleText(labelled)}
                  </p>
                ))}
              </div>
              {query.motif !== undefined && (
                <Occurrences
                  key={`${query.motif} ${query.source}`}
                  run={run}
                  motif={query.motif}
                  source={query.source}
                  reply={reply}
                />
              )}
            </div>
          )
        }
      </Answered>
    </div>
  );
}

const usuallyShown = 40;

function MotifTable({
  title,
  reply,
  rows,
}: {
  readonly title: string;
  readonly reply: MotifsReply;
  readonly rows: readonly MotifRow[];
}) {
  const [query, change] = useQuery();
  const inks = inksOf(reply.sources);
  const perTrace = (row: MotifRow) =>
    row.counts.map(({ count }, i) => (reply.sources[i].traces === 0 ? 0 : count / reply.sources[i].traces));
  const most = Math.max(...rows.flatMap(perTrace), Number.MIN_VALUE);
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, usuallyShown);
  return (
    <div className="scroller">
      <table className="motifs">
        <caption>
          {title} <small className="quiet">occurrences per trace</small>
        </caption>
        <thead>
          <tr>
            <th scope="col">motif</th>
            {reply.sources.map(({ id, name, traces }) => (
              <th key={id} scope="col">
                <CheckpointName name={name} ink={inks.get(id)!} />{" "}
                <small className="quiet">n = {wholeNumber(traces)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.motif} className={row.motif === query.motif ? "selected" : undefined}>
              <th scope="row">
                <button type="button" className="link" onClick={() => change({ motif: row.motif, source: undefined })}>
                  <MotifMarks motif={row.motif} />
                </button>
              </th>
              {perTrace(row).map((value, i) => (
                <td key={reply.sources[i].id}>
                  <button
                    type="button"
                    className={`rate bare ink-${inks.get(reply.sources[i].id)}`}
                    disabled={row.counts[i].count === 0}
                    aria-label={`${row.motif} in ${oneLine(reply.sources[i].name)}: ${compactNumber(value)} per trace, in ${counted(row.counts[i].traces, "trace")}`}
                    onClick={() => change({ motif: row.motif, source: reply.sources[i].id })}
                  >
                    <span className="rate-bed" aria-hidden="true">
                      <span className="rate-fill" style={{ width: `${(value / most) * 100}%` }} />
                    </span>
                    <span className="rate-text">{compactNumber(value)}</span>
                  </button>
                </td>
              ))}
            </tr>
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
