// What the pages need of rollouts that belong together, wherever they are kept: their numbers, and a record when one is read.

import type { Language } from "../engine/language.ts";
import type { Rollout } from "../rollouts/rollout.ts";
import type { LabelerDescription } from "../traces/labeler.ts";
import type { Gap, Source, TraceReply, TraceSpan } from "./api.ts";
import type { RolloutColumns } from "./rollout-columns.ts";

/** Where a source's records lie. */
export type SourcePlace = Pick<Source, "id" | "name" | "kind" | "role"> & {
  /** The stage that writes it. */
  readonly stage: string;
  /** What analyses call the policy whose rollouts these are. */
  readonly checkpoint: string;
  readonly folder: string;
};

/** A record with its text; with spans and whose labels they are where that is kept beside it. */
export type Read =
  | { readonly rollout: Rollout; readonly spans?: readonly TraceSpan[]; readonly labeledBy?: LabelerDescription }
  | { readonly unavailable: string };

export interface RolloutSource {
  readonly place: SourcePlace;
  readonly columns: RolloutColumns;
  readonly gaps: readonly Gap[];
  /** Who labeled the traces that are labeled so far. */
  readonly labelers: readonly LabelerDescription[];
  /** What the run says its model speaks. */
  readonly language?: Language;
  /** The file that a search goes through. */
  readonly log: string;
  read(rows: readonly number[]): Promise<Read[]>;
  /** The grade of a row, where it is kept apart from the record. */
  grade?(row: number): Promise<TraceReply["grade"]>;
  /** The row of an attempt. */
  rowOf(problem: string, attempt: number): number | undefined;
  /** Everything that was there has been read once. */
  readonly isRead: boolean;
  refresh(): void;
  /** Resolves when every record that was there has been read once. */
  whenRead(): Promise<void>;
  /** Resolves when everything that is there is read and labeled. */
  whenComplete(): Promise<void>;
  close(): void;
}
