// What is shown of runs as figures and tables: the report's items, whatever page shows them.

import type { Gap, Section, TableBody } from "../../drawing/item.ts";
import type { Said } from "../../results/conclusion.ts";
import type { SeriesAlarm } from "../../traces/step-signs.ts";

// ---- GET /api/items?run=*&group=*&checkpoint= ----------------------------------------------------------------------------
// Of up to 24 runs together, in the order in which they are named. Groups, where given, are named in the same order; an empty
// name leaves a run to its settings. A checkpoint, by the name that it has in each run, leaves out all others.

export type ItemsReply = {
  readonly runs: readonly GroupedRun[];
  /** What checkpoints are called in their runs, of all runs. */
  readonly checkpoints: readonly string[];
  /** What they say, in at most three sentences, and how sure that is. */
  readonly conclusion: readonly Said[];
  readonly about?: string;
  /** Of its training, what should worry somebody. */
  readonly alarms: readonly SeriesAlarm[];
  readonly sections: readonly Section[];
  readonly gaps: readonly Gap[];
};

export type GroupedRun = { readonly name: string; readonly seed: string; readonly group: string };

// ---- GET /api/query?run=&sql= --------------------------------------------------------------------------------------------
// SQL over the tables `traces`, `motifs` and `measures` of a run's analysis: what `repertoire traces query` answers.

export type QueryReply = {
  readonly table: TableBody;
  /** Rows there are; the table holds the first thousand. */
  readonly rows: number;
};
