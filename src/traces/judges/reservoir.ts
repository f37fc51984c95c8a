// A sample of fixed size in one pass, in memory that does not grow with what it is drawn from.
type Drawn<Span> = { readonly span: Span; readonly key: number; readonly order: number };

/** The `size` largest keys that were added. */
export class Reservoir<Span> {
  readonly #size: number;
  #kept: Drawn<Span>[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(size: number) {
    this.#size = size;
  }

  add(drawn: Drawn<Span>): void {
    if (drawn.key <= this.#least) return;
    this.#kept.push(drawn);
    // Sorted when it has doubled: a constant number of comparisons a span.
    if (this.#kept.length >= 2 * this.#size) this.#trim();
  }

  sorted(): Drawn<Span>[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept.sort((a, b) => b.key - a.key || a.order - b.order);
    if (this.#kept.length <= this.#size) return;
    this.#kept.length = this.#size;
    this.#least = this.#kept[this.#size - 1].key;
  }
}
