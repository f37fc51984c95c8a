// What the pages need of rollouts that belong together, wherever they are kept: their numbers, and a record when one is read.
import type { Rollout } from "../rollouts/rollout.ts";
import type { Gap, PairEntry, Source, TraceReply, TraceSpan } from "./api.ts";
import type { ProblemFact } from "./problem-book.ts";
import type { RolloutColumns } from "./rollout-columns.ts";
import type { Language } from "./span-labels.ts";

/** Where a source's records lie. */
export type SourcePlace = Pick<Source, "id" | "name" | "kind" | "role"> & {
  /** The stage that writes it. */
  readonly stage: string;
  readonly folder: string;
};

/** A record with its text; with spans where they are kept beside it. */
export type Read =
  | { readonly rollout: Rollout; readonly spans?: readonly TraceSpan[] }
  | { readonly unavailable: string };

/** Two rows worth reading side by side. */
export type ChosenPair = Pick<PairEntry, "kind" | "problem" | "opening"> & {
  readonly firstRow: number;
  readonly secondRow: number;
};

export interface RolloutSource {
  readonly place: SourcePlace;
  readonly columns: RolloutColumns;
  readonly gaps: readonly Gap[];
  /** Who labelled the traces, where that is written down with them. */
  readonly labelled?: string;
  /** How its traces are read, once known. */
  readonly language?: Language;
  /** Some records carry labels of their own. */
  readonly recorded?: boolean;
  /** The file that a search goes through; without one there is nothing to search. */
  readonly log?: string;
  /** What it knows about its problems, where no other file says it. */
  readonly problems?: ReadonlyMap<string, ProblemFact>;
  read(rows: readonly number[]): Promise<Read[]>;
  /** The grade of a row, where it is kept apart from the record. */
  grade?(row: number): Promise<TraceReply["grade"]>;
  /** Pairs that were chosen when the rollouts were written down. */
  pairsWith?(other: RolloutSource): Promise<ChosenPair[]>;
  /** Everything that was there has been read once. */
  readonly isRead: boolean;
  refresh(): void;
  whenRead(milliseconds: number): Promise<void>;
  whenComplete(): Promise<void>;
  close(): void;
}
