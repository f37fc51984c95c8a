// A trace as the tools here read it: one response of one checkpoint to one problem, wherever it was recorded.

import type { Language } from "../engine/language.ts";
import type { PuzzleName } from "../puzzles/catalog.ts";
import type { RolloutStage } from "../rollouts/rollout.ts";

export type TraceStage = RolloutStage;

export type Trace = {
  /** Whose it is: a model, a run, a training step. Comparisons are between checkpoints. */
  readonly checkpoint: string;
  readonly step?: number;
  /** Attempts at the same problem share it, in every checkpoint. */
  readonly problem: string;
  /** Counts the attempts of a checkpoint at a problem; given out in order of appearance where a record has none. */
  readonly attempt?: number;
  /** The benchmark or puzzle set, where known. */
  readonly set?: string;
  readonly puzzle?: string;
  /** Board size, like 7x7. */
  readonly size?: string;
  /** Absent where nobody graded it; that is not the same as wrong. */
  readonly correct?: boolean;
  /** Whose grade that is: the record's own, or ours, by the gold answer beside it; or scores that are all 0 or 1. */
  readonly gradedBy?: "recorded" | "gold" | "score";
  /** What the record itself says, where it says it, also beside our grade. */
  readonly recorded?: boolean;
  /** The number in a column named for a grade. */
  readonly mark?: number;
  /** The right answer: a text, or a board of ours. */
  readonly gold?: Gold;
  /** What the record's trainer or harness gave it. Partial credit and bonuses may be in it: no grade. */
  readonly score?: number;
  /** By its name the score is of something else than the answer. */
  readonly scoreIsAside?: true;
  /** What was asked, where the record says it. */
  readonly prompt?: string;
  /** With its reasoning, inside tags where the record kept it apart. */
  readonly response: string;
  readonly responseTokens?: number;
  /** Its budget ended first. */
  readonly truncated?: boolean;
  readonly kind?: "puzzle" | "mathematics";
  /** Made while a policy was trained, by a teacher, or to be evaluated. */
  readonly stage?: TraceStage;
  /** What the run says its model speaks; absent where nothing says so. */
  readonly language?: Language;
  /** Recorded with the trace, and by whom: the id of a labeler, or `teacher` where they are exact. */
  readonly labels?: readonly string[];
  readonly labeledBy?: string;
};

/** Of a run that was imported: which part of it this is, and whether its program's scores all say right or wrong. */
export type ImportedAs = { readonly stage: TraceStage; readonly scoresGrade: boolean };

/** `puzzle` by its name, `instance` by its game id. */
export type Gold = string | { readonly puzzle: PuzzleName; readonly instance: string };

/** A response whose thinking was returned apart, as one text that segmentation reads like any other. */
export function withReasoning(reasoning: string | undefined, response: string): string {
  return reasoning ? `<think>${reasoning}</think>${response}` : response;
}

/** Who gave the labels of a teacher: exact by construction. */
export const exactTeacher = "teacher";

/** What traces are about, and what dumps and measurements of quality call it. */
export const domains = {
  puzzle: { words: "board puzzles", names: ["puzzle", "puzzles", "board puzzles"] },
  mathematics: { words: "mathematics", names: ["mathematics", "math"] },
} as const;
export type Domain = keyof typeof domains;

/** The domain that a dump or a labeled span calls so, whatever its case; undefined for any other subject. */
export const domainNamed = (given: string): Domain | undefined =>
  (Object.keys(domains) as Domain[]).find((domain) =>
    (domains[domain].names as readonly string[]).includes(given.trim().toLowerCase()),
  );
