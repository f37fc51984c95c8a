// What a format is: how its rows are recognized, and where in them each fact about a rollout stands. A format is a line of the
// table in formats.ts; code is for those whose rows lay rollouts out in a way of their own.
import type { ImportedAs, Trace } from "./trace.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What a user may name a column for. */
// biome-ignore format: a table
export const columnNames = [
  "response", "problem", "prompt", "gold", "correct", "score", "checkpoint", "step", "attempt", "set", "kind", "puzzle", "size",
  "reasoning",
] as const;
export type ColumnName = (typeof columnNames)[number];

/** Which column holds what; a path with dots reaches into nested records. */
export type ColumnMapping = { readonly [Name in ColumnName]?: string };

/**
 * Beside what a user can name: `messages`, a conversation that asks and answers; `id`, which names an attempt and tells the
 * problem only where nothing else does; `metrics`, records of numbers of which one may be a grade; `state` and `failure`, which
 * say that there is nothing to read.
 */
export type Fact = ColumnName | "messages" | "id" | "metrics" | "tokens" | "state" | "failure" | "stage";

/** By fact, the paths where it may stand, in the order in which they are believed: `gts|reward_model.ground_truth`. */
export type Columns = { readonly [Name in Fact]?: string };

/** What the place of a row says about it, for formats whose rows do not say it themselves. */
export type RowContext = {
  /** The name the user gave, or one made from the file's. */
  readonly source: string;
  readonly named: boolean;
  /** The file's name, which some harnesses write the task into. */
  readonly file: string;
  /** The names of the folders it is in, nearest first: others write the model or the step into them. */
  readonly folders: readonly string[];
  /** What a file beside it says that its rows are of. */
  readonly task?: string;
  readonly columns?: ColumnMapping;
  readonly imported?: ImportedAs;
  /** Of TRL: the columns of its reward functions. */
  readonly rewards?: readonly { readonly column: string; readonly weight: number }[];
  /** Which of several paths the file's rows use: by format and fact. */
  readonly chosen?: ReadonlyMap<string, Columns>;
};

/** Why a row gave no trace: data, not a crash. */
export type Unusable = { readonly unusable: string };

export const unusable = (because: string): Unusable => ({ unusable: because });

export type RowFormat = {
  readonly name: string;
  /** Paths that all of its rows have; `a|b` is either. */
  readonly has: readonly string[];
  /** Where names alone do not tell. */
  readonly looks?: (row: Row) => boolean;
  /** By default each fact stands under its own name, which is what `unfold` gives. */
  readonly columns?: Columns;
  /** Ids that count within a set. */
  readonly numbered?: true;
  /** A score of 1 is right and anything below is not, as the program itself says. */
  readonly rightAt1?: true;
  /** Its score is of something else than the answer: no grade, whatever its values. */
  readonly scoreIsAside?: (context: RowContext) => boolean;
  /** A row of its own layout as plain rows, one a rollout. */
  readonly unfold?: (row: Row, context: RowContext) => readonly (Row | Unusable)[] | Unusable;
  /** Our own records, which have a schema. */
  readonly traces?: (row: Row, context: RowContext) => readonly (Trace | Unusable)[] | Unusable;
};
