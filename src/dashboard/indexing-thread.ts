// The thread that reads and labels logs for the dashboard, as the server asks it. What it does is in indexing-worker.ts.
import type { Worker } from "node:worker_threads";
import { startWorker } from "../base/worker-thread.ts";
import type { WantedRun } from "../report/run-data.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { labelsInThreads } from "../traces/slice-pool.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { ItemsReply } from "./api.ts";
import { type LabeledStretch, type LogKind, labelStretch, type ReadLog, type Stretch } from "./log-reading.ts";
import type { GradeBatch, RolloutBatch } from "./rollout-columns.ts";

export type IndexingTask =
  | { readonly task: "rollouts"; readonly path: string; readonly kind: LogKind; readonly start: number }
  | { readonly task: "grades"; readonly path: string; readonly start: number }
  | ({ readonly task: "label"; readonly labeler: FolderSpec } & Stretch)
  | ItemsTask;
export type ItemsTask = { readonly task: "items" } & WantedItems;
export type MadeItems = { readonly items: ItemsReply; readonly milliseconds: number };
export type WantedItems = { readonly runs: readonly WantedRun[]; readonly checkpoint?: string };
/** A labeler that a thread can load: the shipped one, or a folder. */
export type FolderSpec = Omit<LabelerSpec, "classifier"> & { readonly classifier?: { readonly folder: string } };
export type IndexingAnswer = { readonly id: number } & ({ readonly result: unknown } | { readonly failure: string });

/** With the server, or by itself. */
export class ThreadEnded extends Error {
  override name = "ThreadEnded";
  constructor() {
    super("the indexing thread ended");
  }
}

/** One thread for all runs: it does one thing after another, in the order of asking. One that died is begun anew. */
export class IndexingThread {
  #thread: Worker | undefined;
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  #next = 0;
  #closed = false;

  constructor() {
    // At once, because it takes a moment and the first page is soon asked for.
    this.#begin();
  }

  rollouts(path: string, kind: LogKind, start: number): Promise<ReadLog<RolloutBatch>> {
    return this.#ask({ task: "rollouts", path, kind, start });
  }

  grades(path: string, start: number): Promise<ReadLog<GradeBatch>> {
    return this.#ask({ task: "grades", path, start });
  }

  /** A labeler that no thread can load is asked from here. */
  label(stretch: Stretch, { spec, reader }: { spec: LabelerSpec; reader: TraceReader }): Promise<LabeledStretch> {
    if (!labelsInThreads(spec)) return labelStretch(stretch, reader);
    return this.#ask({ task: "label", labeler: spec as FolderSpec, ...stretch });
  }

  items(wanted: WantedItems): Promise<MadeItems> {
    return this.#ask({ task: "items", ...wanted });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.terminate();
  }

  #begin(): Worker {
    const thread = startWorker(import.meta.url, "./indexing-worker.ts");
    thread.unref();
    thread.on("message", (answer: IndexingAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      // It keeps the process alive only while somebody waits for it.
      if (this.#waiting.size === 0) thread.unref();
      if ("failure" in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.result as never);
    });
    const ended = (error: Error) => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    thread.on("error", ended);
    thread.on("exit", () => ended(new ThreadEnded()));
    this.#thread = thread;
    return thread;
  }

  #ask<Result>(task: IndexingTask): Promise<Result> {
    if (this.#closed) return Promise.reject(new ThreadEnded());
    const id = this.#next++;
    const thread = this.#thread ?? this.#begin();
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id, ...task });
    });
  }
}
