// What could not be used, counted by reason, with a few places each to look at. Nothing is dropped without a trace here.

export type SkipReason = { readonly because: string; count: number; readonly places: string[] };

const placesKept = 3;
const reasonsKept = 40;
const everythingElse = "other reasons";

export class SkipCounts {
  readonly #reasons = new Map<string, SkipReason>();

  add(because: string, place: string): void {
    // Positions and sizes inside a message would make every row a reason of its own.
    const name = because.replace(/\d+/g, "N").slice(0, 160);
    const known = this.#reasons.has(name) || this.#reasons.size < reasonsKept ? name : everythingElse;
    this.merge([{ because: known, count: 1, places: [place] }]);
  }

  merge(reasons: readonly SkipReason[]): void {
    for (const { because, count, places } of reasons) {
      const reason = this.#reasons.get(because) ?? { because, count: 0, places: [] };
      reason.count += count;
      for (const place of places) if (reason.places.length < placesKept) reason.places.push(place);
      this.#reasons.set(because, reason);
    }
  }

  /** Most frequent first. */
  reasons(): SkipReason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count || (a.because < b.because ? -1 : 1));
  }
}
