// What is said about runs: which there are, how they stand, and what one consists of.
import type { Gap } from "../../drawing/item.ts";
import type { RunNumbers } from "../../results/run-numbers.ts";
import type { Taxonomy } from "../../rollouts/taxonomy.ts";

export type { Gap };

export type Interval = { readonly low: number; readonly high: number };

/** Running: a process on this machine writes it. Stopped: begun, not finished, nobody writes. */
export type RunState = "empty" | "running" | "finished" | "stopped" | "broken";

// ---- GET /api/runs ---------------------------------------------------------------------------------------------------
// Every run found below the served folder, newest first.

export type RunsReply = {
  /** As it was given on the command line. */
  readonly folder: string;
  readonly runs: readonly RunEntry[];
  /** Folders deeper or more numerous than what was looked at. */
  readonly gaps: readonly Gap[];
};

export type RunEntry = {
  /** Its path below the served folder, with `/`; the key of every other request. The served folder itself is `.`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "teach" | "sft" | "rl" | "evaluate" | "analyze" | "fork" | "recipe" | "import" | "unknown";
  readonly state: RunState;
  /** Why it is broken. */
  readonly problem?: string;
  /** ISO 8601; absent where run.json cannot be read. */
  readonly created?: string;
  /** ISO 8601, of the newest file. */
  readonly changed?: string;
  readonly command?: string;
  readonly stages: readonly StageEntry[];
  /** Of its last checkpoint, where somebody analyzed it. */
  readonly numbers?: RunNumbers;
  /** Its report lies in its folder: GET /reports/<run>/index.html. */
  readonly report?: true;
};

/** A part of a run with files of its own. A run that is not a recipe is its own single stage, with the id `.`. */
export type StageEntry = {
  /** Its path inside the run: `vanilla`, `evaluations/base`, or `.`. */
  readonly id: string;
  /** For people: `Vanilla GSPO`, `SFT`. */
  readonly name: string;
  readonly kind: "teach" | "sft" | "rl" | "evaluate" | "analyze" | "import";
  /** `base`, `sft`, `vanilla`, `novelty`: its place in the recipe, where it has one; decides its color. */
  readonly role?: string;
  /** The one that the recipe chose for it, by name. */
  readonly color?: string;
  readonly state: RunState;
  /** How far it is, where the total is known: steps of training, rollouts of an evaluation. */
  readonly progress?: {
    readonly done: number;
    readonly total: number;
    readonly unit: "steps" | "rollouts";
    /** At the pace of the last steps, where that is written down. */
    readonly secondsLeft?: number;
  };
};

// ---- GET /api/run?run= -----------------------------------------------------------------------------------------------

export type RunReply = {
  readonly run: RunEntry;
  readonly config: Readonly<Record<string, unknown>>;
  /** What the labels of its spans mean, with their letters and colors. */
  readonly taxonomy: Taxonomy;
  readonly sources: readonly Source[];
  /** Of the problems that are known so far. */
  readonly sets: readonly string[];
  /** Where somebody analyzed it: what the pages read instead of counting themselves. */
  readonly analysis?: AnalysisEntry;
  readonly gaps: readonly Gap[];
};

export type AnalysisEntry = {
  /** The stage that it is. */
  readonly stage: string;
  /** Who labeled what it read, and how good that is. */
  readonly labeled: readonly string[];
  /** The two checkpoints between which most happened, as the analysis calls them. */
  readonly told?: { readonly first: string; readonly second: string; readonly scope: string };
  /** Everything first, then all puzzles, all mathematics, and each set. */
  readonly scopes: readonly AnalyzedScope[];
  /** In words, where what it read has changed since. */
  readonly outdated?: string;
};

export type AnalyzedScope = {
  readonly name: string;
  readonly kind?: "puzzle" | "mathematics";
  /** Absent for everything. */
  readonly sets?: readonly string[];
  readonly problems: number;
  readonly traces: number;
};

/** Rollouts that can be listed together: one evaluation, one training run, the teacher's corpus, one analyzed checkpoint. */
export type Source = {
  /** The stage's id; for an analysis with several checkpoints `<stage>@<checkpoint>`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "evaluation" | "training" | "teacher";
  /** What analyses call the policy: `sft`, a model's name. */
  readonly checkpoint: string;
  readonly role?: string;
  /** Whole records in the log so far. */
  readonly rollouts: number;
  /** How many of them are read and labeled; filters see these. Grows while the server reads. */
  readonly indexed: number;
  /** Who labeled the spans, and how good that is. Absent where labels cannot be had. */
  readonly labeled?: string;
  /** First and last training step, for training. */
  readonly steps?: { readonly first: number; readonly last: number };
};
