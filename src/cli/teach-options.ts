// What both ways of teaching share on the command line.
import { loadTokenizer } from "../engine/tokenizer.ts";
import type { RejectionCounts } from "../teaching/corpus.ts";
import { flag } from "./flags.ts";
import { puzzleFlag } from "./puzzle-sets.ts";

export const teachingFlags = [
  puzzleFlag,
  flag("--tokenizer <folder>", "count tokens as this model does (default: four characters each)"),
];

/** Tokens by the student's tokenizer, or by the usual four characters each. */
export async function tokenCounter(folder: string | undefined): Promise<(text: string) => number> {
  if (folder === undefined) return (text) => Math.ceil(text.length / 4);
  const tokenizer = await loadTokenizer(folder);
  return (text) => tokenizer.encode(text).length;
}

/** `kept 12 of 20: 5 wrong, 3 too long`; what did not happen is not mentioned. */
export function countsText({ kept, ...rejected }: RejectionCounts): string {
  const reasons = Object.entries(rejected).filter(([, count]) => count > 0);
  const all = reasons.reduce((sum, [, count]) => sum + count, kept);
  const rest = reasons.map(([why, count]) => `${count} ${why}`).join(", ");
  return `kept ${kept} of ${all}${rest === "" ? "" : `: ${rest}`}`;
}
