// The spans behind a motif's numbers, trace by trace.
import { useState } from "react";
import { oneLine, visibleText } from "../../../drawing/safe-text.ts";
import type { MotifReply, MotifsReply } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useLabels } from "../labels.tsx";
import { Link, useQuery } from "../navigation.tsx";
import { counted } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { Choice } from "../parts/fields.tsx";
import { PrimitiveMark, ProblemName, VerdictMark } from "../parts/marks.tsx";
import { MotifMarks } from "../parts/motif-marks.tsx";
import { Answered } from "../parts/states.tsx";
import { listText } from "../rollout-filter.ts";
import { addressOf } from "../routes.ts";

type MotifTrace = MotifReply["traces"][number];

const tracesAtOnce = 20;

type Wanted = {
  readonly motif: string;
  /** One checkpoint, or all that the table shows. */
  readonly source?: string;
  readonly reply: MotifsReply;
  /** Only problems of this set. */
  readonly set?: string;
};

export function Occurrences(wanted: Wanted) {
  const { motif, source, reply } = wanted;
  const [, change] = useQuery();
  const [pages, setPages] = useState(1);
  return (
    <aside className="occurrences" aria-label="Where it occurs">
      <header>
        <h2>
          <MotifMarks motif={motif} words />
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
          { value: "", name: "all of these checkpoints" },
          ...reply.sources.map(({ id, name }) => ({ value: id, name: oneLine(name) })),
        ]}
        onChange={(id) => change({ source: id })}
      />
      {Array.from({ length: pages }, (_, page) => (
        <OccurrencePage
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
          key={page}
          wanted={wanted}
          offset={page * tracesAtOnce}
          onMore={page === pages - 1 ? () => setPages(pages + 1) : undefined}
        />
      ))}
    </aside>
  );
}

function OccurrencePage({
  wanted,
  offset,
  onMore,
}: {
  readonly wanted: Wanted;
  readonly offset: number;
  /** Asks for the next page; absent where it is already there. */
  readonly onMore?: () => void;
}) {
  const { run } = useShownRun();
  const { motif, source, reply, set } = wanted;
  const sources = source === undefined ? reply.sources.map(({ id }) => id) : [source];
  const asked = useReply("motif", { run, motif, source: sources, set, offset, limit: tracesAtOnce });
  return (
    <Answered asked={asked}>
      {({ matching, traces, length }) => (
        <>
          {offset === 0 && (
            <p className="quiet" role="status">
              {counted(matching, "trace shows it", "traces show it")}.{" "}
              <Link to={addressOf.rollouts(run, motifFilter(motif, sources))}>As a list of rollouts</Link>
            </p>
          )}
          <ul className="occurrence-list">
            {traces.map((trace) => (
              <OccurrenceItem key={`${trace.rollout.source} ${trace.rollout.row}`} trace={trace} length={length} />
            ))}
          </ul>
          {onMore !== undefined && offset + traces.length < matching && (
            <button type="button" onClick={onMore}>
              More
            </button>
          )}
        </>
      )}
    </Answered>
  );
}

const motifFilter = (motif: string, sources: readonly string[]) => ({
  [motif.includes("→") ? "motif" : "category"]: motif,
  source: listText(sources),
});

function OccurrenceItem({ trace, length }: { readonly trace: MotifTrace; readonly length: number }) {
  const { run } = useShownRun();
  const { rollout, occurrences } = trace;
  const { named } = useLabels();
  return (
    <li>
      <p className="occurrence-head">
        <Checkpoint of={rollout.source} /> <VerdictMark of={rollout.verdict} />{" "}
        <span className="quiet">
          <ProblemName problem={rollout.problem} asked={rollout.asked} /> #{rollout.attempt}
        </span>
      </p>
      {occurrences.slice(0, 3).map(({ first, spans }) => (
        <Link
          key={first}
          className="occurrence"
          to={addressOf.trace(run, rollout, { span: `${first}-${first + length - 1}` })}
        >
          {spans.length === 0 && `spans ${first + 1} to ${first + length}; their text was not kept`}
          {spans.map((span) => (
            <span key={span.start} className={`occurrence-span ink-${named(span.label)?.ink ?? "grid"}`}>
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
