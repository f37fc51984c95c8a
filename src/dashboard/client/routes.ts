// The address of every view.
import { type QueryChange, writeAddress } from "./address.ts";

export const addressOf = {
  runs: () => "/",
  sideBySide: (query?: QueryChange) => writeAddress(["side-by-side"], query),
  run: (run: string) => writeAddress(["runs", run]),
  problems: (run: string, query?: QueryChange) => writeAddress(["runs", run, "problems"], query),
  problem: (run: string, problem: string) => writeAddress(["runs", run, "problems", problem]),
  rollouts: (run: string, query?: QueryChange) => writeAddress(["runs", run, "rollouts"], query),
  trace: (run: string, trace: { readonly source: string; readonly row: number }, query?: QueryChange) =>
    writeAddress(["runs", run, "traces", trace.source, String(trace.row)], query),
  compare: (run: string, query?: QueryChange) => writeAddress(["runs", run, "compare"], query),
  puzzles: (query?: QueryChange) => writeAddress(["puzzles"], query),
};
