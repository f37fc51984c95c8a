import { oneLine } from "../../../drawing/safe-text.ts";
import type { RunReply, Source } from "../../api.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { usualPair } from "../data/usual-pair.ts";
import { Link, useQuery } from "../navigation.tsx";
import { Choice } from "../parts/fields.tsx";
import { ProblemName, sourceNames } from "../parts/marks.tsx";
import { Answered, Nothing } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";
import { PairChoice } from "./compare-pairs.tsx";
import { ComparisonWords } from "./comparison-words.tsx";
import { SideBySide } from "./side-by-side.tsx";

export function ComparePage() {
  const { asked } = useShownRun();
  return (
    <div className="page page-full">
      <h1>Compare</h1>
      <Answered asked={asked}>
        {(about) =>
          about.sources.length < 2 ? (
            <Nothing title="There is nothing to compare yet">
              <p>Two checkpoints with rollouts of the same problems are needed; this run has {about.sources.length}.</p>
            </Nothing>
          ) : (
            <Compare about={about} />
          )
        }
      </Answered>
    </div>
  );
}

function Compare({ about }: { readonly about: RunReply }) {
  const { run } = useShownRun();
  const [query, change] = useQuery();
  const { sources } = about;
  const [usualFirst, usualSecond] = usualPair(about);
  const first = sources.find(({ id }) => id === query.first) ?? usualFirst;
  const second =
    sources.find(({ id }) => id === query.second) ?? (usualSecond.id === first.id ? usualFirst : usualSecond);
  const asked = useReply("problem", query.problem === undefined ? undefined : { run, problem: query.problem }).reply
    ?.rollouts[0]?.asked;
  const choices = [...sourceNames(sources)].map(([id, name]) => ({ value: id, name: oneLine(name) }));
  return (
    <>
      <form className="row filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="first"
          value={first.id}
          options={choices}
          onChange={(id) => change({ first: id, firstRow: undefined })}
        />
        <Choice
          label="second"
          value={second.id}
          options={choices}
          onChange={(id) => change({ second: id, secondRow: undefined })}
        />
        {query.problem !== undefined && (
          <span className="field">
            <span>problem</span>
            <span>
              <Link to={addressOf.problem(run, query.problem)}>
                <ProblemName problem={query.problem} asked={asked} />
              </Link>{" "}
              <button
                type="button"
                className="plain"
                onClick={() => change({ problem: undefined, firstRow: undefined, secondRow: undefined })}
                aria-label="Another problem"
              >
                ×
              </button>
            </span>
          </span>
        )}
      </form>
      {query.problem === undefined ? (
        <>
          {about.analysis !== undefined && <ComparisonWords first={first} second={second} analysis={about.analysis} />}
          <PairChoice first={first} second={second} set={query.set} />
        </>
      ) : (
        <ProblemCompare key={query.problem} problem={query.problem} first={first} second={second} />
      )}
    </>
  );
}

function ProblemCompare({
  problem,
  first,
  second,
}: {
  readonly problem: string;
  readonly first: Source;
  readonly second: Source;
}) {
  const { run, about, version } = useShownRun();
  const [query] = useQuery();
  const asked = useReply("problem", { run, problem }, { version });
  return (
    <Answered asked={asked}>
      {(reply) => {
        // Nobody was asked for by name: rather one who tried the problem than one who never saw it.
        const tried = (id: string) => reply.rollouts.some((rollout) => rollout.source === id);
        const other = about?.sources.findLast(({ id }) => id !== first.id && tried(id));
        const shown = query.second === undefined && !tried(second.id) ? (other ?? second) : second;
        return <SideBySide reply={reply} sources={{ first, second: shown }} />;
      }}
    </Answered>
  );
}
