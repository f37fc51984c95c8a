// A board of a run: which there are to play, and what its models did on the one that is played.
import { puzzleIdentity } from "../../../problems/problem-id.ts";
import { ShownRunProvider, useRun, useShownRun } from "../data/shown-run.tsx";
import { useReply } from "../data/use-reply.ts";
import { Link } from "../navigation.tsx";
import { AttemptsBySource } from "../pages/problem.tsx";
import { Answered } from "../parts/states.tsx";
import { addressOf } from "../routes.ts";

export type RunBoard = { readonly problem: string; readonly instance: string };

export function useRunBoards(run: string | undefined, puzzle: string): readonly RunBoard[] {
  const { reply } = useReply("problems", run === undefined ? undefined : { run });
  return (reply?.problems ?? []).flatMap(({ problem }) => {
    const known = puzzleIdentity(problem);
    return known?.puzzle === puzzle ? [{ problem, instance: known.instance }] : [];
  });
}

export function BesideModels({ run, problem }: { readonly run: string; readonly problem: string }) {
  return (
    <ShownRunProvider of={useRun(run)!}>
      <Attempts problem={problem} />
    </ShownRunProvider>
  );
}

/** Of each checkpoint. */
const mostShown = 3;

function Attempts({ problem }: { readonly problem: string }) {
  const { run, version } = useShownRun();
  const asked = useReply("problem", { run, problem }, { version });
  return (
    <section aria-labelledby="beside-models">
      <h2 id="beside-models">What the models did on this board</h2>
      <Answered asked={asked}>{({ rollouts }) => <AttemptsBySource rollouts={rollouts} most={mostShown} />}</Answered>
      <p>
        <Link to={addressOf.problem(run, problem)}>All their attempts</Link>
      </p>
    </section>
  );
}
