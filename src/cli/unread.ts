// What could not be read of somebody's traces: said, never dropped, and an error where nothing is left.
import type { SkipReason } from "../imports/skips.ts";
import { warn } from "./progress.ts";

const reasonsSaid = 8;

export function warnUnread(skipped: readonly SkipReason[]): void {
  for (const { because, count, places } of skipped.slice(0, reasonsSaid))
    warn(`skipped ${count}: ${because} (${places[0]})`);
}
