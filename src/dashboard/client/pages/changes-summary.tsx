// Two checkpoints on the problems they share, in one line: how much better, how many gained and lost, how sure.
import { useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { useQuery } from "../navigation.tsx";
import { compactNumber, points } from "../number-text.ts";

export function ChangesSummary({
  first,
  second,
  set,
}: {
  readonly first: string;
  readonly second: string;
  readonly set?: string;
}) {
  const { run } = useShownRun();
  const [, change] = useQuery();
  const { reply, failure } = useReply("changes", { run, first, second, set }, { meanwhile: "earlier" });
  if (failure !== undefined || reply === undefined || reply.problems === 0) return null;
  const surprising = reply.changes.filter(({ corrected }) => corrected < 0.05).length;
  return (
    <dl className="facts" aria-label="Between the two checkpoints">
      {reply.differences.map(({ k, difference, newProblems }) => (
        <div key={k}>
          <dt>pass@{k}</dt>
          <dd>
            {points(difference)} points{" "}
            <small className="quiet">
              {points(newProblems.low)} to {points(newProblems.high)}
            </small>
          </dd>
        </div>
      ))}
      <div>
        <dt>gained</dt>
        <dd>
          <button type="button" className="link" onClick={() => change({ change: "gained" })}>
            {reply.gained.length}
          </button>
        </dd>
      </div>
      <div>
        <dt>lost</dt>
        <dd>
          <button type="button" className="link" onClick={() => change({ change: "lost" })}>
            {reply.lost.length}
          </button>
        </dd>
      </div>
      <div>
        <dt>gained against lost</dt>
        <dd>p = {compactNumber(reply.gainedAgainstLost)}</dd>
      </div>
      <div>
        <dt>changed beyond chance</dt>
        <dd>
          {surprising} <small className="quiet">at a false discovery rate of 5%</small>
        </dd>
      </div>
    </dl>
  );
}
