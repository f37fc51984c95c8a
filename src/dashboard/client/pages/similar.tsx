// Traces that are most like one: by the motifs that their labels make, or by their words.
import { useEffect } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import type { SimilarReply } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useLinkKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { percent, wholeNumber } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Choice } from "../parts/fields.tsx";
import { ProblemName, VerdictMark } from "../parts/marks.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";

type TraceKey = { readonly source: string; readonly row: number };

export function SimilarPage(trace: TraceKey) {
  const { run } = useShownRun();
  const key = { run, ...trace };
  const [query, change] = useQuery();
  const by = query.by === "words" ? "words" : "motifs";
  const asked = useReply("similar", { ...key, by }, { meanwhile: "earlier" });
  const rollout = useReply("trace", key).reply?.rollout;
  const { reply, again } = asked;
  // A search by words stops after a while and resumes where it stopped.
  const unfinished = reply !== undefined && reply.by === by && reply.looked < reply.of ? reply.looked : undefined;
  useEffect(() => {
    if (unfinished !== undefined && by === "words") again();
  }, [unfinished, by, again]);
  return (
    <div className="page">
      <p>
        <Link to={addressOf.trace(run, trace)} className="up">
          {rollout === undefined ? (
            "The trace"
          ) : (
            <>
              <ProblemName problem={rollout.problem} asked={rollout.asked} /> #{rollout.attempt}
            </>
          )}
        </Link>
      </p>
      <h1>Traces like this one</h1>
      {rollout?.sequence !== undefined && (
        <p className="row-strip long-strip">
          <SequenceStrip sequence={rollout.sequence} spans={rollout.spans} />
        </p>
      )}
      <div className="filters">
        <Choice
          label="alike by"
          value={by}
          options={[
            { value: "motifs", name: "the motifs of their labels" },
            { value: "words", name: "their words" },
          ]}
          onChange={(chosen) => change({ by: chosen === "motifs" ? undefined : chosen })}
        />
      </div>
      <Answered asked={asked}>{(found) => <Alike {...trace} found={found} problem={rollout?.problem} />}</Answered>
    </div>
  );
}

function Alike({
  source,
  row,
  found,
  problem,
}: TraceKey & { readonly found: SimilarReply; readonly problem?: string }) {
  const { run, nameOf } = useShownRun();
  useLinkKeys("Traces like one", "trace", ".alike tbody th a");
  const columns: readonly Column<SimilarReply["traces"][number]>[] = [
    { name: "alike", number: true, by: ({ likeness }) => likeness, cell: ({ likeness }) => percent(likeness) },
    {
      ...{ name: "problem", naming: true },
      by: ({ rollout }) => rollout.asked ?? rollout.problem,
      cell: ({ rollout }) => (
        <Link to={addressOf.trace(run, rollout)}>
          <ProblemName problem={rollout.problem} asked={rollout.asked} />{" "}
          <span className="quiet">#{rollout.attempt}</span>
        </Link>
      ),
    },
    {
      name: "checkpoint",
      by: ({ rollout }) => nameOf(rollout.source),
      cell: ({ rollout }) => <Checkpoint of={rollout.source} />,
    },
    {
      name: "verdict",
      by: ({ rollout }) => rollout.verdict,
      cell: ({ rollout }) => <VerdictMark of={rollout.verdict} />,
    },
    { name: "step", number: true, by: ({ rollout }) => rollout.step, cell: ({ rollout }) => rollout.step ?? "" },
    {
      ...{ name: "primitives", className: "row-strip" },
      by: ({ rollout }) => rollout.spans,
      cell: ({ rollout }) => <SequenceStrip sequence={rollout.sequence} spans={rollout.spans} />,
    },
    {
      name: "side by side",
      head: <span className="for-readers">side by side</span>,
      cell: ({ rollout }) =>
        rollout.problem === problem &&
        rollout.source !== source && (
          <Link
            to={addressOf.compare(run, {
              ...{ problem, first: source, firstRow: row },
              ...{ second: rollout.source, secondRow: rollout.row },
            })}
          >
            side by side
          </Link>
        ),
    },
  ];
  return (
    <>
      <p className="quiet" role="status">
        {found.looked < found.of
          ? `looked at ${wholeNumber(found.looked)} of ${wholeNumber(found.of)} rollouts …`
          : `among ${wholeNumber(found.of)} rollouts`}
        {found.words !== undefined && found.words.length > 0 && (
          <>
            {" "}
            · by the words <q>{found.words.slice(0, 12).map(visibleText).join(", ")}</q>
          </>
        )}
      </p>
      {found.traces.length === 0 && found.looked >= found.of && (
        <Nothing title="None is like it">
          <p>{found.by === "words" ? "Its text cannot be read, or no other shares its words." : "It has no labels."}</p>
        </Nothing>
      )}
      {found.traces.length > 0 && (
        <DataTable
          name="Traces like this one"
          className="alike"
          columns={columns}
          rows={found.traces}
          keyOf={({ rollout }) => `${rollout.source} ${rollout.row}`}
        />
      )}
    </>
  );
}
