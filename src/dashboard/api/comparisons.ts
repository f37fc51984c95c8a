// What is said about two checkpoints or several: what changed between them, and pairs to read.
import type { Item } from "../../drawing/item.ts";
import type { RolloutRow } from "./rollouts.ts";

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
