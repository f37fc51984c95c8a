// What people write on traces: notes, tags and bookmarks, kept beside the run; and traces that are like one.
import type { RolloutRow } from "./rollouts.ts";

// ---- GET /api/notes?run= ---------------------------------------------------------------------------------------------

export type NotesReply = {
  readonly notes: readonly TraceNote[];
  /** The file they are kept in, below the served folder. */
  readonly file: string;
  /** False in a page without a server. */
  readonly writable: boolean;
};

/** Known by what it is about rather than by its place in a log: a log may be cut back and grow again. */
export type TraceNote = {
  readonly source: string;
  readonly problem: string;
  readonly attempt: number;
  readonly step?: number;
  readonly text: string;
  readonly tags: readonly string[];
  readonly bookmarked: boolean;
};

// ---- POST /api/note --------------------------------------------------------------------------------------------------
// All that is said about one trace; an empty text without tags or bookmark takes it back. JSON body, JSON reply.

export type NoteRequest = {
  readonly run: string;
  readonly source: string;
  readonly row: number;
  readonly text: string;
  readonly tags: readonly string[];
  readonly bookmarked: boolean;
};
export type NoteReply = { readonly notes: number; readonly file: string };

// ---- GET /api/similar?run=&source=&row=&by=&limit= -------------------------------------------------------------------
// The traces of the run that are most like one. By `motifs`: how alike their labels, pairs and triples of labels are
// distributed (Bhattacharyya's coefficient, mean over the three lengths; 1 is the same). By `words`: BM25 for the words
// that tell this trace from others, as a share of what it scores itself; like a search, it stops after about two seconds
// and goes on when it is asked again.

export type SimilarReply = {
  readonly by: "motifs" | "words";
  readonly traces: readonly { readonly rollout: RolloutRow; readonly likeness: number }[];
  /** Rollouts looked at, of `of`. */
  readonly looked: number;
  readonly of: number;
  /** What was looked for, the most telling first. */
  readonly words?: readonly string[];
};

// ---- GET /api/download?run=&… ----------------------------------------------------------------------------------------
// What /api/rollouts matches, all of it, as JSON lines: what is known of each rollout, its text, its labels, what people
// wrote on it. `repertoire traces analyze` reads the file.

export type DownloadedRollout = {
  readonly checkpoint: string;
  readonly source: string;
  readonly problem: string;
  readonly attempt: number;
  readonly step?: number;
  readonly set?: string;
  readonly verdict: string;
  readonly correct?: boolean;
  readonly score?: number;
  readonly tokens?: number;
  readonly prompt?: string;
  /** With its reasoning in tags; absent where the text cannot be had. */
  readonly response?: string;
  readonly labels: readonly string[];
  readonly labeledBy?: string;
  readonly depth?: number;
  readonly note?: string;
  readonly tags?: readonly string[];
  readonly bookmarked?: boolean;
};
