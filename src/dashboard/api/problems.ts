// What is said about problems: who solves them, what changed between two checkpoints, and one problem with all its rollouts.
import type { PuzzleName } from "../../puzzles/catalog.ts";
import type { RolloutRow } from "./rollouts.ts";

// ---- GET /api/problems?run= ------------------------------------------------------------------------------------------
// Every problem of every evaluation with its solve count by checkpoint. Gained and lost are the client's to filter:
// gained between columns a and b where a has attempts and no correct one, and b has a correct one.

export type ProblemsReply = {
  /** The columns: evaluations in the recipe's order. */
  readonly checkpoints: readonly { readonly stage: string; readonly name: string; readonly role?: string }[];
  readonly problems: readonly ProblemRow[];
};

export type ProblemRow = {
  readonly problem: string;
  readonly set: string;
  readonly kind: "puzzle" | "mathematics" | "question";
  readonly puzzle?: string;
  /** `7x7` */
  readonly size?: string;
  /** Difficulty of a puzzle, subject of mathematics. */
  readonly subject?: string;
  /** How its prompt begins, where its id says nothing. */
  readonly asked?: string;
  /** One per checkpoint; null where it was not asked or not graded. */
  readonly counts: readonly (SolveCount | null)[];
};

export type SolveCount = { readonly correct: number; readonly attempts: number };

// ---- GET /api/problem?run=&problem= ----------------------------------------------------------------------------------
// One problem: what was asked, and every rollout of it in every source.

export type ProblemReply = {
  readonly problem: ProblemStatement;
  readonly rollouts: readonly RolloutRow[];
  /** True where there are more than the reply holds (2,000). */
  readonly cut: boolean;
};

export type ProblemStatement = {
  readonly id: string;
  readonly set: string;
  readonly prompt?: string;
} & (
  | {
      readonly kind: "puzzle";
      readonly puzzle: PuzzleName;
      /** Simon Tatham's `params:desc`. */
      readonly instance: string;
      readonly difficulty?: string;
    }
  | { readonly kind: "mathematics" | "question"; readonly answer?: string; readonly subject?: string }
  /** Only its id is known. */
  | { readonly kind: "unknown" }
);
