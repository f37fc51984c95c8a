// What is said about two checkpoints or several: comparisons in words, pairs to read, motifs and where they occur.
import type { Item } from "../../drawing/item.ts";
import type { RolloutRow, TraceSpan } from "./rollouts.ts";
import type { Interval } from "./runs.ts";

// ---- GET /api/comparison?run=&first=&second=&scope= ------------------------------------------------------------------
// Two checkpoints (source ids) as a chart of what changed, as the run's analysis compared them in one of its scopes.

export type ComparisonReply = {
  readonly scope: string;
  /** What it compared. */
  readonly compared: readonly { readonly first: string; readonly second: string }[];
  /** Of these two, and of the ends of training runs, several steps together, which are no sources of their own. */
  readonly items: readonly Item[];
};

// ---- GET /api/pairs?run=&first=&second=&set= -------------------------------------------------------------------------
// Pairs worth reading side by side, one a problem, chosen by the rules of the paper: those of the run's analysis where it
// compared these two. `set` is a set, or a scope of the analysis.

export type PairsReply = { readonly pairs: readonly PairEntry[] };
export type PairEntry = {
  /** Depth: both right, same opening, each as deep as usual for its checkpoint. Recovery: only the second solves it, recovering. */
  readonly kind: "depth" | "recovery";
  readonly problem: string;
  /** Primitives that both open with. */
  readonly opening: number;
  readonly first: RolloutRow;
  readonly second: RolloutRow;
};

// ---- GET /api/motifs?run=&length=&scope= -------------------------------------------------------------------------------
// Named motifs, categories and the most frequent k-grams (length 2..15, 3 unless said) by source, as a scope of the analysis
// has them.

export type MotifsReply = {
  readonly length: number;
  /** Lengths that can be asked for. */
  readonly lengths: readonly number[];
  /** The columns. */
  readonly sources: readonly {
    readonly id: string;
    readonly name: string;
    readonly role?: string;
    readonly traces: number;
  }[];
  readonly named: readonly MotifRow[];
  readonly categories: readonly MotifRow[];
  /** Up to 200, by count over all sources; those seen fewer times than `noise` are left out. */
  readonly frequent: readonly MotifRow[];
  readonly noise: number;
  readonly labeled: readonly string[];
};

export type MotifRow = {
  /** `compute→check`, or the name of a category. */
  readonly motif: string;
  /** One per source; null where an analysis did not keep it, because others were more frequent there. */
  readonly rates: readonly (MotifRate | null)[];
};

export type MotifRate = {
  /** Occurrences per trace; named motifs without overlap. */
  readonly rate: number;
  /** Over problems. */
  readonly interval?: Interval;
  /** Traces that show it, where they were counted. */
  readonly traces?: number;
};

// ---- GET /api/motif?run=&motif=&source=*&offset=&limit= --------------------------------------------------------------
// The spans that show a motif (or a category by name), trace by trace; limit 1..100, 20 unless said.

export type MotifReply = {
  readonly motif: string;
  /** How many primitives long. */
  readonly length: number;
  /** Traces that show it. */
  readonly matching: number;
  readonly offset: number;
  readonly traces: readonly {
    readonly rollout: RolloutRow;
    /** Without overlap; at most 20 a trace. `first` counts spans from 0. */
    readonly occurrences: readonly {
      readonly first: number;
      readonly spans: readonly (TraceSpan & { readonly text: string })[];
    }[];
  }[];
};
