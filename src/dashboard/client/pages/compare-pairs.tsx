// Pairs of traces that are worth reading beside each other, for whoever has no problem in mind yet.
import type { PairEntry, Source } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useLinkKeys } from "../keys.ts";
import { Link, useQuery } from "../navigation.tsx";
import { ProblemName } from "../parts/marks.tsx";
import { SequenceStrip } from "../parts/sequence-strip.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";

const pairWords: Readonly<Record<PairEntry["kind"], string>> = {
  depth: "Both solve it, from the same opening; how deep each goes is typical of its checkpoint",
  recovery: "Only the second solves it, by recovering",
};

export function PairChoice({
  first,
  second,
  set,
}: {
  /** A set, or a scope of the run's analysis. */
  readonly set?: string;
  readonly first: Source;
  readonly second: Source;
}) {
  const { run, version, reading, inkOf } = useShownRun();
  const [, change] = useQuery();
  useLinkKeys("Pairs to read", "pair", ".pairs button");
  const asked = useReply("pairs", { run, first: first.id, second: second.id, set }, { version });
  const open = (pair: PairEntry) =>
    change(
      {
        problem: pair.problem,
        first: first.id,
        second: second.id,
        firstRow: pair.first.row,
        secondRow: pair.second.row,
      },
      "push",
    );
  return (
    <Answered asked={asked}>
      {({ pairs }) => (
        <>
          {(["depth", "recovery"] as const).map((kind) => {
            const own = pairs.filter((pair) => pair.kind === kind);
            return own.length === 0 ? null : (
              <section key={kind}>
                <h2>{pairWords[kind]}</h2>
                <ul className="pairs ruled">
                  {own.map((pair) => (
                    <li key={`${pair.problem} ${pair.first.row} ${pair.second.row}`}>
                      <button type="button" className="link" onClick={() => open(pair)}>
                        <ProblemName problem={pair.problem} asked={pair.first.asked} />
                      </button>
                      <span className="pair-strips">
                        <span className={`swatch ink-${inkOf(first.id)}`} />
                        <SequenceStrip sequence={pair.first.sequence} />
                        <span className={`swatch ink-${inkOf(second.id)}`} />
                        <SequenceStrip sequence={pair.second.sequence} />
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
          {pairs.length === 0 && (
            <Nothing title={reading ? "Still reading …" : "No pair stands out"}>
              <p>
                Pairs worth reading side by side need problems that both checkpoints tried. Choose any problem from{" "}
                <Link to={addressOf.problems(run, { first: first.id, second: second.id })}>the list</Link>.
              </p>
            </Nothing>
          )}
          {pairs.length > 0 && (
            <p>
              Or choose from{" "}
              <Link to={addressOf.problems(run, { first: first.id, second: second.id })}>all problems</Link>.
            </p>
          )}
        </>
      )}
    </Answered>
  );
}
