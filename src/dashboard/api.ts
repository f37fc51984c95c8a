// What the dashboard's server and its client say to each other: plain records, nothing of Node. Every reply is JSON; every
// string in it that came from a run (names, ids, texts) is untrusted text and must be shown as text.
//
// Addresses: GET /api/<route>?<query>. A refused request has a status of 400 or more and the body `ApiError`.
// A static export answers the same routes with the same replies through `exported-run.ts`.
import type { PuzzleName } from "../puzzles/catalog.ts";
import type { RolloutState, VerdictName } from "../rollouts/rollout.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import type { Claim } from "../traces/analysis/claims.ts";
import type { RecoveryMonitor, RlCurveId } from "../training/curves.ts";

export type ApiError = { readonly error: string };

export type Interval = { readonly low: number; readonly high: number };
/** Something a page would show and the run does not hold, or a file that cannot be read. */
export type Gap = { readonly missing: string; readonly where: string; readonly remedy: string };

/** Running: a process on this machine writes it. Stopped: begun, not finished, nobody writes. */
export type RunState = "empty" | "running" | "finished" | "stopped" | "broken";

// ---- GET /api/runs ---------------------------------------------------------------------------------------------------
// Every run found below the served folder, newest first, and the folders of juries.

export type RunsReply = {
  /** As it was given on the command line. */
  readonly folder: string;
  readonly runs: readonly RunEntry[];
  readonly juries: readonly JuryEntry[];
  /** Folders deeper or more numerous than what was looked at. */
  readonly gaps: readonly Gap[];
};

export type RunEntry = {
  /** Its path below the served folder, with `/`; the key of every other request. The served folder itself is `.`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "teach" | "sft" | "rl" | "evaluate" | "analyze" | "recipe" | "import" | "unknown";
  readonly state: RunState;
  /** Why it is broken. */
  readonly problem?: string;
  /** ISO 8601; absent where run.json cannot be read. */
  readonly created?: string;
  /** ISO 8601, of the newest file. */
  readonly changed?: string;
  readonly command?: string;
  readonly stages: readonly StageEntry[];
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
  readonly state: RunState;
  /** How far it is, where the total is known: steps of training, rollouts of an evaluation. */
  readonly progress?: { readonly done: number; readonly total: number; readonly unit: "steps" | "rollouts" };
};

// ---- GET /api/run?run= -----------------------------------------------------------------------------------------------

export type RunReply = {
  readonly run: RunEntry;
  readonly config: Readonly<Record<string, unknown>>;
  /** What the labels of its spans mean, with their letters and colors. */
  readonly taxonomy: Taxonomy;
  readonly sources: readonly Source[];
  readonly evaluations: readonly EvaluationEntry[];
  /** Where somebody analyzed it: what the pages read instead of counting themselves. */
  readonly analysis?: AnalysisEntry;
  readonly gaps: readonly Gap[];
};

export type AnalysisEntry = {
  /** The stage that it is. */
  readonly stage: string;
  /** Who labelled what it read, and how good that is. */
  readonly labelled: readonly string[];
  /** Everything first, then all puzzles, all mathematics, and each set. */
  readonly scopes: readonly AnalysedScope[];
  /** What of the paper it shows; empty where it is not from its recipe. */
  readonly claims: readonly Claim[];
  /** In words, where what it read has changed since. */
  readonly outdated?: string;
};

export type AnalysedScope = {
  readonly name: string;
  readonly kind?: "puzzle" | "mathematics";
  /** Absent for everything. */
  readonly sets?: readonly string[];
  readonly problems: number;
  readonly traces: number;
};

/** Rollouts that can be listed together: one evaluation, one training run, the teacher's corpus, one analysed checkpoint. */
export type Source = {
  /** The stage's id; for an analysis with several checkpoints `<stage>@<checkpoint>`. */
  readonly id: string;
  readonly name: string;
  readonly kind: "evaluation" | "training" | "teacher" | "analysis";
  /** What analyses call the policy: `sft`, a model's name. */
  readonly checkpoint: string;
  readonly role?: string;
  /** Whole records in the log so far. */
  readonly rollouts: number;
  /** How many of them are read and labelled; filters see these. Grows while the server reads. */
  readonly indexed: number;
  /** Who labelled the spans, and how good that is. Absent where labels cannot be had. */
  readonly labelled?: string;
  /** First and last training step, for training. */
  readonly steps?: { readonly first: number; readonly last: number };
};

export type EvaluationEntry = {
  /** The id of the stage and of its source. */
  readonly stage: string;
  readonly name: string;
  readonly role?: string;
  readonly policy: string;
  /** Share that intervals cover. */
  readonly level: number;
  readonly sets: readonly SetSummary[];
  readonly warnings: readonly string[];
};

export type SetSummary = {
  readonly set: string;
  readonly problems: number;
  readonly attempts: { readonly fewest: number; readonly most: number };
  readonly states: {
    readonly complete: number;
    readonly truncated: number;
    readonly failed: number;
    readonly ungraded: number;
  };
  readonly verdicts: Readonly<Record<VerdictName, number>>;
  readonly passAtK: readonly {
    readonly k: number;
    readonly value: number;
    /** What other problems of this kind would give. */
    readonly newProblems?: Interval;
    /** What sampling the same problems again would give. */
    readonly sameProblems?: Interval;
  }[];
  readonly majority?: { readonly value: number; readonly newProblems?: Interval };
  readonly solved: number;
  readonly responseTokens?: {
    readonly mean: number;
    readonly median: number;
    readonly p90: number;
    readonly total: number;
  };
};

// ---- GET /api/training?run=&stage=&after= ----------------------------------------------------------------------------
// The curves of one stage of kind sft or rl. `after` (a step) asks only for later points; live updates use it.

export type TrainingReply = RlTraining | SftTraining;

export type RlTraining = {
  readonly kind: "rl";
  readonly stage: string;
  readonly state: RunState;
  /** Steps planned, where the configuration says. */
  readonly plannedSteps?: number;
  readonly points: readonly RlPoint[];
  /** Whether the moves that let a model leave a failing line survive training. */
  readonly monitor: RecoveryMonitor;
  /** Who counted the primitives. */
  readonly labelled?: string;
  readonly end?: { readonly steps: number; readonly checkpoint: string; readonly because: string };
  readonly gaps: readonly Gap[];
};

export type RlPoint = {
  readonly step: number;
  readonly problems: number;
  readonly rollouts: number;
  readonly reward: {
    readonly total: number;
    readonly exact: number;
    readonly completion: number;
    readonly format: number;
    readonly bonus: number;
  };
  /** By puzzle or set. */
  readonly solveRateByFamily: Readonly<Record<string, number>>;
  /** As `rlCurves` defines them; what the run does not have is absent. */
  readonly curves: Readonly<Partial<Record<RlCurveId, number>>>;
  readonly learningRate?: number;
  readonly groups?: { readonly allRight: number; readonly allWrong: number };
  readonly tokensPerSecond?: number;
  readonly seconds?: { readonly sampling: number; readonly scoring: number; readonly updating: number };
  /** Mean number of each label per trace, by a labeller that is known. */
  readonly primitives?: Readonly<Record<string, number>>;
  readonly recovery?: {
    readonly tracesWithRecovery: number;
    readonly accuracyWithRecovery?: number;
    readonly accuracyWithoutRecovery?: number;
  };
  readonly warnings: readonly string[];
};

export type SftTraining = {
  readonly kind: "sft";
  readonly stage: string;
  readonly state: RunState;
  readonly plannedSteps?: number;
  readonly losses: readonly {
    readonly step: number;
    readonly loss: number;
    readonly gradientNorm?: number;
    readonly learningRate?: number;
  }[];
  readonly epochs: readonly {
    readonly epoch: number;
    readonly passAt1: number;
    readonly rollouts: number;
    readonly lastStep: number;
  }[];
  readonly bestEpoch?: number;
  readonly gaps: readonly Gap[];
};

// ---- GET /api/repertoire?run= ----------------------------------------------------------------------------------------
// Primitives over the steps of training, as the run's analysis has them: the monitor for anybody's rollouts.

export type RepertoireReply = { readonly series: readonly AnalysedSeries[] };

export type AnalysedSeries = {
  /** The training run, as the analysis calls it. */
  readonly series: string;
  readonly role?: string;
  readonly points: readonly {
    readonly step: number;
    readonly traces: number;
    /** Share of its rollouts that are right, where somebody graded them. */
    readonly solveRate?: number;
    /** Mean number of each label per trace. */
    readonly primitives: Readonly<Record<string, number>>;
  }[];
  readonly monitor: RecoveryMonitor;
};

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

// ---- GET /api/changes?run=&first=&second=&set= -----------------------------------------------------------------------
// Two checkpoints (stage ids) on the problems they share: pass@1 and pass@n with a paired interval, problems gained and
// lost, and each problem's change tested against chance. `set` is optional.

export type ChangesReply = {
  readonly problems: number;
  readonly differences: readonly {
    readonly k: number;
    readonly first: number;
    readonly second: number;
    readonly difference: number;
    readonly newProblems: Interval;
  }[];
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** Exact test that gaining and losing are equally likely. */
  readonly gainedAgainstLost: number;
  /** The least likely by chance first. */
  readonly changes: readonly {
    readonly problem: string;
    readonly first: SolveCount;
    readonly second: SolveCount;
    readonly p: number;
    /** Corrected for having looked at all problems (Benjamini and Hochberg). */
    readonly corrected: number;
  }[];
};

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

// ---- GET /api/rollouts?run=&… ----------------------------------------------------------------------------------------
// A window onto the rollouts that match. Query (all optional but `run`; those marked * may be repeated):
//   source*      ids of sources; all of them where none is given
//   verdict*     correct | wrong | unreadable | undecided | ungraded
//   state*       complete | truncated | failed
//   primitive*   must all occur;  without* must not occur
//   motif        `compute→check` or letters of the taxonomy, `CK`; contiguous
//   category     one of the taxonomy's, as tables call it: `recovery trigrams`
//   problem      exact id;  set, puzzle: exact
//   minTokens, maxTokens, minStep, maxStep, minDepth, maxDepth
//   text         words to find in response and reasoning (case-insensitive, literal, at least 2 characters)
//   sort         log | tokens | reward | depth | spans | step | novelty;  order = asc | desc
//   offset, limit   limit is 1..500, 100 unless said
// For a virtual list: ask for windows; `matching` is the list's length. With `text` the server searches for at most about
// two seconds; `search.complete` says whether it got through, and asking again goes on where it stopped.

export type RolloutsReply = {
  readonly offset: number;
  readonly rows: readonly RolloutRow[];
  readonly matching: number;
  /** In the sources asked for. */
  readonly total: number;
  /** Rollouts already read and labelled, of `total`; less while the server still reads. */
  readonly indexed: number;
  readonly search?: {
    readonly searched: number;
    readonly of: number;
    readonly complete: boolean;
  };
  /** Counts over what matches, for the filter's choices. */
  readonly facets: {
    readonly sources: Readonly<Record<string, number>>;
    readonly verdicts: Readonly<Record<VerdictOrNone, number>>;
    readonly states: Readonly<Record<RolloutState, number>>;
    /** In how many matching traces each primitive occurs. */
    readonly primitives: Readonly<Record<string, number>>;
  };
};

export type VerdictOrNone = VerdictName | "ungraded";

export type RolloutRow = {
  /** With `source` the key of a trace; it does not change while the log grows. */
  readonly row: number;
  readonly source: string;
  readonly problem: string;
  readonly attempt: number;
  readonly step?: number;
  readonly state: RolloutState;
  readonly verdict: VerdictOrNone;
  /** Total reward. */
  readonly reward?: number;
  readonly tokens?: number;
  /** Bytes of the record, where tokens are not known a hint at its length. */
  readonly bytes: number;
  /** One letter a span, as the run's taxonomy has them; at most 400. */
  readonly sequence?: string;
  readonly spans?: number;
  readonly depth?: number;
  readonly novelty?: number;
  /** Mean surprise under the reference, nats per token. */
  readonly surprise?: number;
  /** Around the first match of `text`. */
  readonly excerpt?: { readonly before: string; readonly match: string; readonly after: string };
};

// ---- GET /api/trace?run=&source=&row= --------------------------------------------------------------------------------

export type TraceReply = {
  readonly rollout: RolloutRow;
  readonly policy: string;
  readonly problem: ProblemStatement;
  /** What was shown to the model, where it was recorded. */
  readonly prompt?: string;
  /** Response with its reasoning; span offsets are UTF-16 positions in it. Empty where it failed or cannot be read. */
  readonly text: string;
  /** Why there is no text. */
  readonly unavailable?: string;
  /** In order, not overlapping; text between them belongs to none. */
  readonly spans: readonly TraceSpan[];
  readonly labelled?: string;
  readonly classifier?: ClassifierReply;
  readonly grade?: {
    readonly verdict: VerdictName;
    readonly because?: string;
    readonly answer?: string;
    readonly reward: RewardByPart;
  };
  /** For puzzles whose answer could be read: what `Puzzle.readAnswer` takes, and the cells that break a rule. */
  readonly answer?: {
    readonly text: string;
    readonly wrong: readonly { readonly row: number; readonly column: number }[];
  };
  readonly novelty?: { readonly score: number; readonly z?: number };
  readonly surprise?: { readonly mean: number; readonly top: readonly number[] };
  /** Negative log-likelihood under the reference, token by token, where recorded: `ends[i]` is where token i ends in `text`. */
  readonly tokenNll?: {
    readonly ends: readonly number[];
    readonly nll: readonly number[];
    /** The tokens' boundaries are not known, so they are spread evenly over the text. */
    readonly approximate?: true;
  };
  readonly depth?: { readonly chain: number; readonly meanRun?: number };
  readonly finish?: string;
  readonly milliseconds?: number;
  readonly servedBy?: string;
  readonly failure?: string;
  readonly seed?: number;
};

export type TraceSpan = {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** Of the classifier, calibrated; absent where the grammar or the teacher labelled. */
  readonly confidence?: number;
};

export type RewardByPart = {
  readonly exact: number;
  readonly completion?: number;
  readonly format?: number;
  readonly bonus?: number;
  readonly total: number;
};

// ---- GET /api/comparison?run=&first=&second=&scope= ------------------------------------------------------------------
// Two checkpoints (source ids) in words, as the run's analysis compared them in one of its scopes.

export type ComparisonReply = {
  readonly scope: string;
  /** One paragraph each; empty where the analysis did not compare these two. */
  readonly words: readonly string[];
  /** What it compared. */
  readonly compared: readonly { readonly first: string; readonly second: string }[];
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

// ---- GET /api/motifs?run=&source=*&length=&set=&scope= ---------------------------------------------------------------
// Named motifs, categories and the most frequent k-grams (length 2..15, 3 unless said) by source. With `scope` they are the
// analysis's, read and not counted; without it they are counted over what is labelled so far.

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
  readonly labelled: readonly string[];
  /** Rollouts labelled so far, of `total`. */
  readonly indexed: number;
  readonly total: number;
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
  readonly indexed: number;
  readonly total: number;
};

// ---- GET /api/jury?jury= ---------------------------------------------------------------------------------------------
// A folder that `repertoire traces judge` wrote, and what people said about its disagreements.

export type JuryEntry = {
  /** Its path below the served folder. */
  readonly id: string;
  readonly name: string;
  readonly created?: string;
  readonly spans?: number;
  readonly disagreements: number;
  readonly relabelled: number;
};

export type JuryReply = {
  readonly jury: JuryEntry;
  readonly judges: readonly string[];
  /** Share of equal labels, in percent, mean over pairs of judges. */
  readonly percent?: number;
  readonly fleissKappa?: number;
  readonly pairs: readonly {
    readonly judges: readonly [string, string];
    readonly spans: number;
    readonly percent: number;
    readonly kappa?: number;
  }[];
  /** The most divided first. */
  readonly queue: readonly Disagreement[];
  /** What its judges chose from. */
  readonly taxonomy: Taxonomy;
  /** The file that relabels are saved to, below the served folder. */
  readonly file: string;
  /** False in an export. */
  readonly writable: boolean;
  readonly gaps: readonly Gap[];
};

export type Disagreement = {
  /** The span's id. */
  readonly id: string;
  readonly text: string;
  readonly previous: string;
  readonly trace?: string;
  readonly domain?: string;
  readonly votes: Readonly<Record<string, string>>;
  /** What a person said. */
  readonly relabel?: string;
};

// ---- POST /api/relabel -----------------------------------------------------------------------------------------------
// The only request that writes: one label for one span of the queue, or null to take it back. JSON body, JSON reply.

export type RelabelRequest = { readonly jury: string; readonly span: string; readonly label: string | null };
export type RelabelReply = { readonly relabelled: number; readonly file: string };

// ---- GET /api/classifier ---------------------------------------------------------------------------------------------
// The span classifier's measured quality, to stand wherever its labels are shown.

export type ClassifierReply = {
  readonly name: string;
  readonly version: string;
  readonly about?: string;
  readonly quality?: {
    readonly measured: string;
    readonly spans: number;
    readonly accuracy: number;
    readonly macroF1: number;
    readonly f1: Readonly<Record<string, number>>;
    readonly examples: Readonly<Record<string, number>>;
    /** Rows: what readers said; columns: what the classifier says; in the order of the labels, the break last. */
    readonly confusion: readonly (readonly number[])[];
    readonly coverage: readonly {
      readonly share: number;
      readonly accuracy: number;
      readonly confidenceAbove: number;
    }[];
  };
};

// ---- GET /api/events -------------------------------------------------------------------------------------------------
// Server-sent events (EventSource), each `data:` one of these. Nothing is sent twice; after a reconnect ask again.

export type LiveEvent =
  /** The list of runs, or a run's stages or state, changed: ask /api/runs again. */
  | { readonly type: "runs" }
  /** Files of these stages grew: ask /api/training?after=, /api/run and what is on screen again. */
  | { readonly type: "changed"; readonly run: string; readonly stages: readonly string[] }
  /** The server read and labelled more of a source. */
  | {
      readonly type: "indexed";
      readonly run: string;
      readonly source: string;
      readonly indexed: number;
      readonly of: number;
    };

// ---- Access ----------------------------------------------------------------------------------------------------------
// On localhost nothing is needed. Elsewhere the printed address carries `?token=…`; the server answers with an HttpOnly
// cookie and redirects to the same page without it, so the client never handles the token. A request without it gets 401.
// POST needs `content-type: application/json`; the browser's own Origin header is checked.

// ---- Static export ---------------------------------------------------------------------------------------------------
// index.html carries <meta name="repertoire-export" content="1">; then the client answers its requests with
// `exportedReply(route, query, load)` of exported-run.ts instead of fetch. `load(name)` must add a classic
// <script src="data/<name>.js"> and resolve with what that script put: each is one call `repertoireData("<name>", {…})`
// of a global function that the client defines before (fetch and module scripts do not work from file://, so the client's
// bundle is one classic script too). There are no live events, and nothing can be written.
// scripts/build-client.mjs writes dist/dashboard/client: `index.html` (assets at /assets/…) for the server, which answers
// with it for every path outside /api/ and /assets/ (views live in the path: /runs/<id>/rollouts?…), and `export.html`
// (assets at assets/…, with that meta) to be copied as an export's index.html beside assets/ and data/.
