// What an importer of one format is: rows in, traces out. Where rows come from (JSON lines, Parquet, archives) is apart.
import type { Trace, TraceStage } from "./trace.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What the place of a row says about it, for formats whose rows do not say it themselves. */
export type RowContext = {
  /** The name the user gave, or one made from the file's. */
  readonly source: string;
  readonly named: boolean;
  /** The file's name, which some harnesses write the task into. */
  readonly file: string;
  /** The names of the folders it is in, nearest first: others write the model or the step into them. */
  readonly folders: readonly string[];
  readonly columns?: ColumnMapping;
  /** Of a run that was imported: which part of it this is. */
  readonly imported?: TraceStage;
  /** Of TRL: the columns of its reward functions. */
  readonly rewards?: readonly { readonly column: string; readonly weight: number }[];
};

/** Which column holds what; a path with dots reaches into nested records. */
export type ColumnMapping = {
  readonly response?: string;
  readonly problem?: string;
  readonly prompt?: string;
  readonly correct?: string;
  readonly score?: string;
  readonly checkpoint?: string;
  readonly step?: string;
  readonly attempt?: string;
  readonly set?: string;
  readonly kind?: string;
  readonly puzzle?: string;
  readonly size?: string;
  readonly reasoning?: string;
};

/** Why a row gave no trace: data, not a crash. */
export type Unusable = { readonly unusable: string };

export type RowFormat = {
  readonly name: string;
  /** How sure it is, from 0 to 1, that rows like this are its own. */
  readonly recognizes: (row: Row) => number;
  /** Of a row with several responses each may be unusable by itself. */
  readonly traces: (row: Row, context: RowContext) => readonly (Trace | Unusable)[] | Unusable;
};

export const unusable = (because: string): Unusable => ({ unusable: because });
