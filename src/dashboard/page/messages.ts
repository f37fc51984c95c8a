// What the page and the worker that holds one run say to each other.
import type { LiveEvent } from "../api.ts";

/** A file that somebody gave, by its path below what they gave; it is read where it lies. */
export type GivenFile = { readonly path: string; readonly content: Blob };

export type ToLab =
  /** Rollouts of any program, or a run; said first, with what the run is called here and the script that its workers run. */
  | { readonly open: readonly GivenFile[]; readonly name: string; readonly script: Blob }
  | { readonly id: number; readonly route: string; readonly query: string };

/** In bytes. */
export type Progress = { readonly doing: string; readonly done: number; readonly of: number };

export type News = { readonly progress: Progress } | { readonly event: LiveEvent };

/** A reply as the server's text would be, or why there is none. */
export type Answer = { readonly reply: string } | { readonly refused: string; readonly status: number };

export type FromLab =
  | News
  | { readonly opened: true }
  | { readonly failed: string }
  | ({ readonly id: number } & Answer);
