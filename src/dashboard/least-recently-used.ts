// A map that keeps the entries that were asked for last, up to a number.

export class LeastRecentlyUsed<Key, Value> {
  readonly #most: number;
  readonly #drop: (value: Value) => void;
  readonly #entries = new Map<Key, Value>();

  constructor(most: number, drop: (value: Value) => void = () => {}) {
    this.#most = most;
    this.#drop = drop;
  }

  get(key: Key, make: () => Value): Value {
    const kept = this.#entries.get(key);
    const value = kept ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#shrinkTo(this.#most);
    return value;
  }

  /** Without making one, and without counting as a use. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** From the least to the most recently used. */
  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#drop(value);
  }

  /** Drops the oldest while `tooMuch` says so; the newest always stays. */
  shrinkWhile(tooMuch: () => boolean): void {
    while (this.#entries.size > 1 && tooMuch()) this.#shrinkTo(this.#entries.size - 1);
  }

  #shrinkTo(most: number): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= most) return;
      this.delete(key);
    }
  }
}
