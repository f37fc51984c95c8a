// How many requests are under way at once: doubles while all goes well, halves when the server asks for less, then
// creeps up again by one (slow start, then additive increase and multiplicative decrease, as TCP does).
import PQueue from "p-queue";

type ConcurrencyRange = { readonly start: number; readonly smallest: number; readonly largest: number };

export class AdaptiveQueue {
  readonly #queue: PQueue;
  readonly #range: ConcurrencyRange;
  readonly #now: () => number;
  #successes = 0;
  #everThrottled = false;
  #quietUntil = 0;

  constructor(range: ConcurrencyRange, now: () => number = () => performance.now()) {
    this.#range = range;
    this.#now = now;
    this.#queue = new PQueue({ concurrency: Math.min(Math.max(range.start, range.smallest), range.largest) });
  }

  get concurrency(): number {
    return this.#queue.concurrency;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.add(task) as Promise<T>;
  }

  succeeded(): void {
    this.#successes += 1;
    if (this.#successes < this.concurrency) return;
    this.#successes = 0;
    const wanted = this.#everThrottled ? this.concurrency + 1 : this.concurrency * 2;
    this.#queue.concurrency = Math.min(wanted, this.#range.largest);
  }

  /** Many requests hear "too many" at the same moment; together they count once. */
  throttled(waitSeconds: number): void {
    this.#everThrottled = true;
    this.#successes = 0;
    const now = this.#now();
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + 1000 * Math.max(waitSeconds, 1);
    this.#queue.concurrency = Math.max(Math.floor(this.concurrency / 2), this.#range.smallest);
  }
}
