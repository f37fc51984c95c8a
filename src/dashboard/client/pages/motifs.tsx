// Motifs by checkpoint, and from a motif to the spans that show it.
import { useEffect, useState } from "react";
import { oneLine, visibleText } from "../../../report/safe-text.ts";
import { type Primitive, primitives } from "../../../rollouts/primitives.ts";
import { motifLengths, motifOf } from "../../../traces/motifs.ts";
import type { MotifReply, MotifRow, MotifsReply } from "../../api.ts";
import { useLiveCount } from "../data/live.ts";
import { useReply } from "../data/use-reply.ts";
import { Link, useQuery } from "../navigation.tsx";
import { compactNumber, counted, percent, wholeNumber } from "../number-text.ts";
import { Choice } from "../parts/fields.tsx";
import { CheckpointName, inksOf, Name, PrimitiveMark, VerdictMark } from "../parts/marks.tsx";
import { Answered, Failure, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";

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
    changes,
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
                <Occurrences run={run} motif={query.motif} source={query.source} reply={reply} />
              )}
            </div>
          )
        }
      </Answered>
    </div>
  );
}

const usuallyShown = 40;

const isPrimitive = (word: string): word is Primitive => (primitives as readonly string[]).includes(word);

/** A motif as marks in a row; a category by its name. */
function MotifMarks({ motif, short = false }: { readonly motif: string; readonly short?: boolean }) {
  const parts = motifOf(motif);
  if (!parts.every(isPrimitive)) return <>{motif}</>;
  return (
    <span className="motif-marks" title={parts.join(" → ")}>
      {parts.map((primitive, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a primitive's name is its place in the motif
        <PrimitiveMark key={i} of={primitive} />
      ))}
      <span className={short ? "motif-words" : "for-readers"}>{parts.join(" → ")}</span>
    </span>
  );
}

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

type MotifTrace = MotifReply["traces"][number];

/** The spans behind a number, trace by trace, more on demand. */
function Occurrences({
  run,
  motif,
  source,
  reply,
}: {
  readonly run: string;
  readonly motif: string;
  readonly source?: string;
  readonly reply: MotifsReply;
}) {
  const [, change] = useQuery();
  const [offset, setOffset] = useState(0);
  const [earlier, setEarlier] = useState<readonly MotifTrace[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another motif starts anew
  useEffect(() => {
    setOffset(0);
    setEarlier([]);
  }, [motif, source]);
  const asked = useReply("motif", { run, motif, source, offset, limit: 20 });
  const inks = inksOf(reply.sources);
  const names = new Map(reply.sources.map(({ id, name }) => [id, name]));
  return (
    <aside className="occurrences" aria-label="Where it occurs">
      <header>
        <h2>
          <MotifMarks motif={motif} short />
        </h2>
        <button
          type="button"
          className="plain"
          onClick={() => change({ motif: undefined, source: undefined })}
          aria-label="Close"
        >
          ×
        </button>
      </header>
      <Choice
        label="in"
        value={source ?? ""}
        options={[
          { value: "", name: "all checkpoints" },
          ...reply.sources.map(({ id, name }) => ({ value: id, name: oneLine(name) })),
        ]}
        onChange={(id) => change({ source: id })}
      />
      <Failure asked={asked} />
      {asked.reply !== undefined && (
        <>
          <p className="quiet" role="status">
            {counted(asked.reply.matching, "trace shows it", "traces show it")}.{" "}
            <Link to={addressOf.rollouts(run, motifFilter(motif, source))}>As a list of rollouts</Link>
          </p>
          <ul className="occurrence-list">
            {[...earlier, ...asked.reply.traces].map((trace) => (
              <OccurrenceItem
                key={`${trace.rollout.source} ${trace.rollout.row}`}
                run={run}
                trace={trace}
                length={asked.reply?.length ?? 0}
                name={names.get(trace.rollout.source) ?? trace.rollout.source}
                ink={inks.get(trace.rollout.source) ?? "muted"}
              />
            ))}
          </ul>
          {asked.reply.offset + asked.reply.traces.length < asked.reply.matching && (
            <button
              type="button"
              disabled={asked.stale}
              onClick={() => {
                setEarlier((before) => [...before, ...(asked.reply?.traces ?? [])]);
                setOffset(offset + 20);
              }}
            >
              More
            </button>
          )}
        </>
      )}
    </aside>
  );
}

const motifFilter = (motif: string, source: string | undefined) =>
  motif.includes("→") ? { motif, source } : { category: motif, source };

function OccurrenceItem({
  run,
  trace,
  length,
  name,
  ink,
}: {
  readonly run: string;
  readonly trace: MotifTrace;
  readonly length: number;
  readonly name: string;
  readonly ink: string;
}) {
  const { rollout, occurrences } = trace;
  return (
    <li>
      <p className="occurrence-head">
        <CheckpointName name={name} ink={ink} /> <VerdictMark of={rollout.verdict} />{" "}
        <Name className="quiet">{`${rollout.problem} #${rollout.attempt}`}</Name>
      </p>
      {occurrences.slice(0, 3).map(({ first, spans }) => (
        <Link
          key={first}
          className="occurrence"
          to={addressOf.trace(run, rollout, { span: `${first}-${first + length - 1}` })}
        >
          {spans.length === 0 && `spans ${first + 1} to ${first + length}; their text was not kept`}
          {spans.map((span) => (
            <span key={span.start} className={`occurrence-span ink-${span.label}`}>
              <PrimitiveMark of={span.label} />
              <span className="text">{visibleText(span.text)}</span>
            </span>
          ))}
        </Link>
      ))}
      {occurrences.length > 3 && <p className="quiet">and {occurrences.length - 3} more in this trace</p>}
    </li>
  );
}
