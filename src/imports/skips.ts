// What could not be used, counted by reason, with a few places each to look at. Nothing is dropped without a trace here.

export type SkipReason = { readonly because: string; count: number; readonly places: string[] };

const placesKept = 3;
const reasonsKept = 40;
const longestReason = 160;
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
