// Work on a puzzle as a component sees it, done by a worker, one task at a time: a new task abandons the one before. A page
// without a server does the work itself.
import { useEffect, useState } from "react";
import { inPage } from "../data/labs.ts";
import { answerTask, type PlayTask, type PuzzleAnswer } from "./puzzle-tasks.ts";

// Known only while the script that loads the page runs.
const workerAddress = document.currentScript?.dataset.puzzleWorker;

/** The answer to a task, once it is there. */
export function useWork(task: PlayTask | undefined): PuzzleAnswer | undefined {
  const text = JSON.stringify(task);
  const [done, setDone] = useState<{ readonly text: string; readonly answer: PuzzleAnswer }>();
  useEffect(() => {
    if (text === undefined) return;
    const finish = (answer: PuzzleAnswer) => setDone({ text, answer });
    if (inPage || workerAddress === undefined) {
      // After what asked for it is drawn.
      const turn = setTimeout(() => finish(answerTask(JSON.parse(text))));
      return () => clearTimeout(turn);
    }
    const worker = new Worker(workerAddress);
    worker.onmessage = ({ data }: MessageEvent<PuzzleAnswer>) => finish(data);
    worker.onerror = (event) => finish({ task: "failed", because: event.message || "the worker could not be started" });
    worker.postMessage(JSON.parse(text));
    return () => worker.terminate();
  }, [text]);
  return done?.text === text ? done?.answer : undefined;
}
