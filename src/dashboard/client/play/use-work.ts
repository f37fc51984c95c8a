// Work on a puzzle as a component sees it.
import { useEffect, useState } from "react";
import { workOn } from "./puzzle-desk.ts";
import type { PlayTask, PuzzleAnswer } from "./puzzle-tasks.ts";

/** The answer to a task, once it is there; a new task abandons the one before. */
export function useWork(task: PlayTask | undefined): PuzzleAnswer | undefined {
  const text = JSON.stringify(task);
  const [done, setDone] = useState<{ readonly text: string; readonly answer: PuzzleAnswer }>();
  useEffect(() => {
    if (text === undefined) return;
    const cancel = new AbortController();
    workOn(JSON.parse(text), cancel.signal).then((answer) => {
      if (!cancel.signal.aborted) setDone({ text, answer });
    });
    return () => cancel.abort();
  }, [text]);
  return done?.text === text ? done?.answer : undefined;
}
