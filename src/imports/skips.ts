// What could not be used, counted by reason, with a few places each to look at. Nothing is dropped without a trace here.
import { z } from "zod";
import { DataError } from "../base/errors.ts";

export const sameAttempt = "the same problem and attempt again; the first one counts";

export const skipReasonSchema = z.object({ because: z.string(), count: z.number(), places: z.array(z.string()) });
export type SkipReason = z.infer<typeof skipReasonSchema>;

const placesKept = 3;
const reasonsKept = 40;
const longestReason = 500;
const everythingElse = "other reasons";

export class SkipCounts {
  readonly #reasons = new Map<string, SkipReason>();

  add(because: string, place: string): void {
    const known = this.#reasons.has(kindOf(because)) || this.#reasons.size < reasonsKept;
    this.merge([{ because: known ? because.slice(0, longestReason) : everythingElse, count: 1, places: [place] }]);
  }

  /** Reasons of one kind count together, in the words of the first. */
  merge(reasons: readonly SkipReason[]): void {
    for (const { because, count, places } of reasons) {
      const kind = kindOf(because);
      const reason = this.#reasons.get(kind) ?? { because, count: 0, places: [] };
      reason.count += count;
      for (const place of places) if (reason.places.length < placesKept) reason.places.push(place);
      this.#reasons.set(kind, reason);
    }
  }

  /** Most frequent first. */
  reasons(): SkipReason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count || (a.because < b.because ? -1 : 1));
  }
}

/** Positions, sizes and a parser's words inside a message would make every row a reason of its own. */
const kindOf = (because: string): string =>
  because
    .slice(0, longestReason)
    .replace(/^(not JSON): .*/s, "$1")
    .replace(/\d+/g, "N");

/** The error where nothing is left. */
export function nothingRead([first]: readonly SkipReason[]): DataError {
  const why = first === undefined ? "there was nothing to read" : `${first.because} (${first.places[0]})`;
  return new DataError(`no trace could be read: ${why}; --help shows how to name formats and columns`);
}
