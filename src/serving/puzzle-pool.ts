// Puzzle rollouts graded in worker threads. A thread that is stuck on a rollout is killed, and only that rollout fails.
import { DeadlinePool } from "../base/deadline-pool.ts";
import { startWorker } from "../base/worker-thread.ts";
import type { ScoringTask } from "./puzzle-keys.ts";
import { failedScore, type Score } from "./score.ts";

export type PuzzlePool = DeadlinePool<ScoringTask, Score>;

/** Resolves when every thread has started, so that a missing build is noticed before the first request. */
export async function startPuzzlePool(options: {
  readonly workers: number;
  readonly deadlineMs: number;
  readonly memoryMb: number;
}): Promise<PuzzlePool> {
  const pool: PuzzlePool = new DeadlinePool({
    ...{ name: "the puzzle pool", ...options, spares: 0, tasksAtOnce: 64 },
    start: (worker) => startWorker(import.meta.url, "./puzzle-pool-worker.ts", worker),
    cutShort: (by) =>
      failedScore(by === "memory" ? "grading ran out of memory" : `grading took longer than ${options.deadlineMs} ms`),
  });
  await pool.ready();
  return pool;
}
