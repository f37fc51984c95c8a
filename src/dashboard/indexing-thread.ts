// The thread that reads and labels logs for the dashboard, as the server asks it. What it does is in indexing-worker.ts.
import { Worker } from "node:worker_threads";
import { workerEntry } from "../base/worker-entry.ts";
import type { EvaluationSummary } from "../evaluation/summary.ts";
import type { ProblemTally } from "../evaluation/tally.ts";
import type { LabelledStretch, LogKind, ReadLog, Stretch } from "./log-reading.ts";
import type { GradeBatch, RolloutBatch } from "./rollout-columns.ts";

export type IndexingTask =
  | { readonly task: "rollouts"; readonly path: string; readonly kind: LogKind; readonly start: number }
  | { readonly task: "grades"; readonly path: string; readonly start: number }
  | ({ readonly task: "label" } & Stretch)
  | { readonly task: "summary"; readonly tallies: readonly ProblemTally[]; readonly policy: string };
export type IndexingAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly failure: string });

/** One thread for all runs: it does one thing after another, in the order of asking. */
export class IndexingThread {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  #next = 0;

  constructor() {
    this.#thread = new Worker(workerEntry(import.meta.url, "./indexing-worker.ts"));
    this.#thread.unref();
    this.#thread.on("message", (answer: IndexingAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("failure" in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.result as never);
    });
    this.#thread.on("error", (error) => this.#fail(error));
    this.#thread.on("exit", () => this.#fail(new Error("the indexing thread ended")));
  }

  rollouts(path: string, kind: LogKind, start: number): Promise<ReadLog<RolloutBatch>> {
    return this.#ask({ task: "rollouts", path, kind, start });
  }

  grades(path: string, start: number): Promise<ReadLog<GradeBatch>> {
    return this.#ask({ task: "grades", path, start });
  }

  label(stretch: Stretch): Promise<LabelledStretch> {
    return this.#ask({ task: "label", ...stretch });
  }

  summary(tallies: readonly ProblemTally[], policy: string): Promise<EvaluationSummary> {
    return this.#ask({ task: "summary", tallies, policy });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #ask<Result>(task: IndexingTask): Promise<Result> {
    const id = this.#next++;
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#thread.postMessage({ id, ...task });
    });
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
