// What is said about rollouts: lists of any length, and one trace with everything that is known of it.
import type { Reward as RewardByPart, RolloutState, VerdictName } from "../../rollouts/rollout.ts";
import type { TraceNote } from "./notes.ts";
import type { ProblemStatement } from "./problems.ts";

// ---- GET /api/rollouts?run=&… ----------------------------------------------------------------------------------------
// A window onto the rollouts that match. Query (all optional but `run`; those marked * may be repeated):
//   source*      ids of sources; all of them where none is given
//   verdict*     correct | wrong | unreadable | undecided | ungraded
//   state*       complete | truncated | failed
//   primitive*   must all occur;  without* must not occur
//   motif        `compute→check` or letters of the taxonomy, `CK`; contiguous
//   category     one of the taxonomy's, as tables call it: `recovery trigrams`
//   problem      exact id;  set, puzzle: exact
//   minTokens, maxTokens, minStep, maxStep, minDepth, maxDepth, minReward, maxReward
//   text         words to find in response and reasoning (case-insensitive, literal, at least 2 characters)
//   noted*       bookmark | note;  tag* must all be there
//   sort         log | tokens | reward | depth | spans | step | novelty | verdict | source | problem;  order = asc | desc
//   offset, limit   limit is 1..500, 100 unless said
// For a virtual list: ask for windows; `matching` is the list's length. With `text` the server searches for at most about
// two seconds; `search.complete` says whether it got through, and asking again resumes where it stopped.

export type RolloutsReply = {
  readonly offset: number;
  readonly rows: readonly RolloutRow[];
  readonly matching: number;
  /** In the sources asked for. */
  readonly total: number;
  /** Rollouts already read and labeled, of `total`; less while the server still reads. */
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
    /** A histogram: bars of equal width between the ends of what is asked; absent where all rewards are alike. */
    readonly rewards?: { readonly low: number; readonly high: number; readonly counts: readonly number[] };
  };
};

export type VerdictOrNone = VerdictName | "ungraded";

export type RolloutRow = {
  /** With `source` the key of a trace; it does not change while the log grows. */
  readonly row: number;
  readonly source: string;
  readonly problem: string;
  /** How its prompt begins, where its id says nothing. */
  readonly asked?: string;
  readonly attempt: number;
  readonly step?: number;
  readonly state: RolloutState;
  readonly verdict: VerdictOrNone;
  /** Total reward. */
  readonly reward?: number;
  readonly parts?: RewardByPart;
  readonly tokens?: number;
  /** Bytes of the record, where tokens are not known a hint at its length. */
  readonly bytes: number;
  /** One letter a span, as the run's taxonomy has them; at most 400. */
  readonly sequence?: string;
  readonly spans?: number;
  readonly depth?: number;
  readonly novelty?: number;
  /** Mean surprisal under the reference, nats per token. */
  readonly surprisal?: number;
  /** What people wrote on it. */
  readonly note?: Pick<TraceNote, "text" | "tags" | "bookmarked">;
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
  readonly labeled?: string;
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
  readonly surprisal?: { readonly mean: number; readonly top: readonly number[] };
  /** Negative log-likelihood under the reference, token by token, where recorded: `ends[i]` is where token i ends in `text`. */
  readonly tokenNll?: {
    readonly ends: readonly number[];
    readonly nll: readonly number[];
    /** The tokens' boundaries are not known, so they are spread evenly over the text. */
    readonly approximate?: true;
  };
  readonly depth?: { readonly chain: number; readonly meanRun?: number };
  /** Places from which it was gone on with a move and without it. */
  readonly forks?: readonly TraceFork[];
  readonly finish?: string;
  readonly milliseconds?: number;
  readonly servedBy?: string;
  readonly failure?: string;
  readonly seed?: number;
};

export type TraceFork = {
  readonly first: number;
  readonly move: readonly string[];
  /** Who went on, and whether the move was left out once or for good. */
  readonly by: string;
  readonly without: "next" | "ever";
  /** How many ends of either way were right. */
  readonly right: Readonly<Record<"with" | "without", { readonly ends: number; readonly right: number }>>;
};

export type TraceSpan = {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** Of the classifier, calibrated; absent where the grammar or the teacher labeled. */
  readonly confidence?: number;
};

export type { RewardByPart };
