// What stands around a match of a search.
import type { RolloutRow } from "./api.ts";

const aroundMatch = 60;

/** The first match in a text with what stands around it. */
export function excerptOf(text: string, needle: string): RolloutRow["excerpt"] {
  const at = text.toLowerCase().indexOf(needle.toLowerCase());
  if (at === -1) return undefined;
  const end = at + needle.length;
  return {
    before: text.slice(Math.max(0, at - aroundMatch), at),
    match: text.slice(at, end),
    after: text.slice(end, end + aroundMatch),
  };
}
