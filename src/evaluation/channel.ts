// A one-way street from callbacks to an async generator. Whoever sends waits until it is taken, so that nothing piles up
// when the reader is slower than the writers.

export class Channel<T> {
  readonly #waiting: { readonly value: T; readonly taken: () => void }[] = [];
  #wake: () => void = () => {};
  #closed = false;
  #abandoned = false;
  #error: unknown;

  send(value: T): Promise<void> {
    if (this.#abandoned) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting.push({ value, taken });
      this.#wake();
    });
  }

  /** No more will be sent; with an error, the reader gets it after everything that was sent before. */
  close(error?: unknown): void {
    this.#closed = true;
    this.#error = error;
    this.#wake();
  }

  /** The reader has left: nobody need wait for it any more. */
  abandon(): void {
    this.#abandoned = true;
    for (const { taken } of this.#waiting.splice(0)) taken();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        next.taken();
        yield next.value;
      } else if (this.#closed) {
        if (this.#error !== undefined) throw this.#error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
