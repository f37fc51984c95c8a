// What the dashboard's server and its client say to each other: plain records, nothing of Node. Every reply is JSON; every
// string in it that came from a run (names, ids, texts) is untrusted text and must be shown as text.
//
// Addresses: GET /api/<route>?<query>. A refused request has a status of 400 or more and the body `ApiError`.
// A page without a server asks the same routes of its workers (page/messages.ts), and gets the same replies.
import type { ComparisonReply, PairsReply } from "./api/comparisons.ts";
import type { ItemsReply, QueryReply } from "./api/items.ts";
import type { NotesReply } from "./api/notes.ts";
import type { ProblemReply, ProblemsReply } from "./api/problems.ts";
import type { RolloutsReply, TraceReply } from "./api/rollouts.ts";
import type { RunReply, RunsReply } from "./api/runs.ts";

export type * from "./api/comparisons.ts";
export type * from "./api/items.ts";
export type * from "./api/notes.ts";
export type * from "./api/problems.ts";
export type * from "./api/rollouts.ts";
export type * from "./api/runs.ts";

/** Which reply each route gives: the server, a page's workers and the client are all held to it. */
export type Replies = {
  readonly runs: RunsReply;
  readonly run: RunReply;
  readonly problems: ProblemsReply;
  readonly problem: ProblemReply;
  readonly items: ItemsReply;
  readonly query: QueryReply;
  readonly rollouts: RolloutsReply;
  readonly trace: TraceReply;
  readonly pairs: PairsReply;
  readonly comparison: ComparisonReply;
  readonly notes: NotesReply;
};

export type ApiError = { readonly error: string };

// ---- GET /api/events -------------------------------------------------------------------------------------------------
// Server-sent events (EventSource), each `data:` one of these. Nothing is sent twice; after a reconnect ask again.

export type LiveEvent =
  /** The list of runs, or a run's stages or state, changed: ask /api/runs again. */
  | { readonly type: "runs" }
  /** Files of these stages grew: ask /api/items, /api/run and what is on screen again. */
  | { readonly type: "changed"; readonly run: string; readonly stages: readonly string[] }
  /** The server read and labeled more of a source. */
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
