// The board of a puzzle problem, alone or with an answer and what the verifier says about it.
import { useMemo } from "react";
import { visibleText } from "../../../drawing/safe-text.ts";
import { useShownRun } from "../data/shown-run.tsx";
import { Link } from "../navigation.tsx";
import { answerPicture, readPuzzle } from "../puzzle-reading.ts";
import { addressOf } from "../routes.ts";
import { BoardPicture } from "./drawing.tsx";

export function ProblemBoard({
  problem,
  puzzle,
  instance,
  answer,
  said,
}: {
  readonly problem: string;
  readonly puzzle: string;
  readonly instance: string;
  readonly answer?: string;
  /** What the page already says about the answer; it is not said twice. */
  readonly said?: string;
}) {
  const { run } = useShownRun();
  const shown = useMemo(() => {
    const read = readPuzzle(puzzle, instance);
    return "unreadable" in read ? read : answerPicture(read, answer);
  }, [puzzle, instance, answer]);
  if ("unreadable" in shown) return <p className="quiet">No board can be drawn: {visibleText(shown.unreadable)}</p>;
  return (
    <figure className="board">
      <BoardPicture svg={shown.svg} />
      <figcaption>
        {shown.says !== undefined && shown.says !== said && (
          <p className={shown.correct ? "gain" : "loss"}>
            <span aria-hidden="true">{shown.correct ? "✓" : "✗"}</span> {visibleText(shown.says)}
          </p>
        )}
        <Link to={addressOf.puzzles({ puzzle, id: instance, run, problem })}>Play this board</Link>
      </figcaption>
    </figure>
  );
}
