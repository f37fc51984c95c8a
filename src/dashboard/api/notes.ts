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

// ---- GET /api/download?run=&… ----------------------------------------------------------------------------------------
// What /api/rollouts matches, all of it, as JSON lines: what is known of each rollout, its text, its labels, what people
// wrote on it. `repertoire traces analyze` reads the file.
