// The thread that reads and labels logs for the dashboard, as the server asks it. What it does is in indexing-worker.ts.
import { Refusal } from "../base/http/body.ts";
import { startWorker, ThreadEnded, WorkerCalls } from "../base/worker-thread.ts";
import type { WantedRun } from "../report/run-data.ts";
import type { LabelerSpec } from "../traces/labeler-spec.ts";
import { labelsInThreads } from "../traces/slice-pool.ts";
import type { TraceReader } from "../traces/trace-reader.ts";
import type { ItemsReply, QueryReply } from "./api.ts";
import { type Labels, type LogKind, labelStretch, type ReadLog, type WantedLabels } from "./log-reading.ts";
import type { ReadGrade, ReadRollout } from "./rollout-index.ts";

export type IndexingTask =
  | { readonly task: "rollouts"; readonly path: string; readonly kind: LogKind; readonly start: number }
  | { readonly task: "grades"; readonly path: string; readonly start: number }
  | ({ readonly task: "label"; readonly labeler: FolderSpec } & WantedLabels)
  | ({ readonly task: "query" } & WantedQuery)
  | ItemsTask;
export type ItemsTask = { readonly task: "items" } & WantedItems;
export type MadeItems = { readonly items: ItemsReply; readonly milliseconds: number };
export type WantedItems = { readonly runs: readonly WantedRun[]; readonly checkpoint?: string };
export type WantedQuery = { readonly folder: string; readonly sql: string };
/** A labeler that a thread can load: the shipped one, or a folder. */
export type FolderSpec = Omit<LabelerSpec, "classifier"> & { readonly classifier?: { readonly folder: string } };

/** One thread for all runs: it does one thing after another, in the order of asking. One that died is begun anew. */
export class IndexingThread {
  // At once, because it takes a moment and the first page is soon asked for.
  #thread = begun();
  #closed = false;

  rollouts(path: string, kind: LogKind, start: number): Promise<ReadLog<ReadRollout>> {
    return this.#ask({ task: "rollouts", path, kind, start });
  }

  grades(path: string, start: number): Promise<ReadLog<ReadGrade>> {
    return this.#ask({ task: "grades", path, start });
  }

  /** A labeler that no thread can load is asked from here. */
  label(wanted: WantedLabels, { spec, reader }: { spec: LabelerSpec; reader: TraceReader }): Promise<Labels> {
    if (!labelsInThreads(spec)) return labelStretch(wanted, reader);
    return this.#ask({ task: "label", labeler: spec as FolderSpec, ...wanted });
  }

  items(wanted: WantedItems): Promise<MadeItems> {
    return this.#ask({ task: "items", ...wanted });
  }

  async query(wanted: WantedQuery): Promise<QueryReply> {
    const answer = await this.#ask<QueryReply | { readonly complaint: string }>({ task: "query", ...wanted });
    if ("complaint" in answer) throw new Refusal(400, answer.complaint);
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.end(serverEnded());
  }

  #ask<Result>(task: IndexingTask): Promise<Result> {
    if (this.#closed) return Promise.reject(serverEnded());
    if (this.#thread.ended) this.#thread = begun();
    return this.#thread.call<Result>(task);
  }
}

const begun = () => new WorkerCalls<IndexingTask>(startWorker(import.meta.url, "./indexing-worker.ts"));
const serverEnded = () => new ThreadEnded("the indexing thread ended");
