// Traces that are most like one: by the motifs that their labels make, or by their words.
import { useEffect } from "react";
import { visibleText } from "../../../report/safe-text.ts";
import type { SimilarReply } from "../../api.ts";
import { useReply } from "../data/use-reply.ts";
import { useRun } from "../data/use-run.ts";
import { Link, useQuery } from "../navigation.tsx";
import { percent, wholeNumber } from "../number-text.ts";
import { Choice } from "../parts/fields.tsx";
import { inksOf, noInks } from "../parts/inks.ts";
import { CheckpointName, ProblemName, sourceNames, VerdictMark } from "../parts/marks.tsx";
import { Scrolling } from "../parts/scrolling.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";

type TraceKey = { readonly run: string; readonly source: string; readonly row: number };

export function SimilarPage(key: TraceKey) {
  const [query, change] = useQuery();
  const by = query.by === "words" ? "words" : "motifs";
  const asked = useReply("similar", { ...key, by }, { meanwhile: "earlier" });
  const trace = useReply("trace", key).reply;
  const { reply, again } = asked;
  // A search by words stops after a while and resumes where it stopped.
  const unfinished = reply !== undefined && reply.by === by && reply.looked < reply.of ? reply.looked : undefined;
  useEffect(() => {
    if (unfinished !== undefined && by === "words") again();
  }, [unfinished, by, again]);
  return (
    <div className="page">
      <p>
        <Link to={addressOf.trace(key.run, key)} className="up">
          {trace === undefined ? (
            "The trace"
          ) : (
            <>
              <ProblemName problem={trace.rollout.problem} asked={trace.rollout.asked} /> #{trace.rollout.attempt}
            </>
          )}
        </Link>
      </p>
      <h1>Traces like this one</h1>
      {trace?.rollout.sequence !== undefined && (
        <p className="row-strip long-strip">
          <SequenceStrip sequence={trace.rollout.sequence} spans={trace.rollout.spans} />
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
      <Answered asked={asked}>{(found) => <Alike {...key} found={found} problem={trace?.rollout.problem} />}</Answered>
    </div>
  );
}

function Alike({
  run,
  source,
  row,
  found,
  problem,
}: TraceKey & { readonly found: SimilarReply; readonly problem?: string }) {
  const { about } = useRun(run);
  const inks = about === undefined ? noInks : inksOf(about);
  const names = sourceNames(about?.sources ?? []);
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
        <Scrolling name="Traces like this one">
          <table className="alike">
            <thead>
              <tr>
                <th scope="col" className="number">
                  alike
                </th>
                <th scope="col">problem</th>
                <th scope="col">checkpoint</th>
                <th scope="col">verdict</th>
                <th scope="col" className="number">
                  step
                </th>
                <th scope="col">primitives</th>
                <th scope="col">
                  <span className="for-readers">side by side</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.traces.map(({ rollout, likeness }) => (
                <tr key={`${rollout.source} ${rollout.row}`}>
                  <td className="number">{percent(likeness)}</td>
                  <th scope="row">
                    <Link to={addressOf.trace(run, rollout)}>
                      <ProblemName problem={rollout.problem} asked={rollout.asked} />{" "}
                      <span className="quiet">#{rollout.attempt}</span>
                    </Link>
                  </th>
                  <td>
                    <CheckpointName
                      name={names.get(rollout.source) ?? rollout.source}
                      ink={inks.get(rollout.source) ?? "muted"}
                    />
                  </td>
                  <td>
                    <VerdictMark of={rollout.verdict} />
                  </td>
                  <td className="number">{rollout.step ?? ""}</td>
                  <td className="row-strip">
                    <SequenceStrip sequence={rollout.sequence} spans={rollout.spans} />
                  </td>
                  <td>
                    {rollout.problem === problem && rollout.source !== source && (
                      <Link
                        to={addressOf.compare(run, {
                          ...{ problem, first: source, firstRow: row },
                          ...{ second: rollout.source, secondRow: rollout.row },
                        })}
                      >
                        side by side
                      </Link>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
    </>
  );
}
