// Full-text search through a source: it stops when its time is over, and goes on from there when it is asked again.
import { Mutex } from "../base/mutex.ts";
import type { RolloutColumns } from "./rollout-columns.ts";

/** Marks rows with a 1, from one on until all are looked at or the deadline (of `performance.now`) has passed; returns the next. */
export type LookThrough = (found: Uint8Array, from: number, deadline: number) => Promise<number>;

export class RolloutSearch {
  readonly #columns: RolloutColumns;
  readonly #look: LookThrough;
  readonly #mutex = new Mutex();
  #found = new Uint8Array(0);
  #searched = 0;

  constructor(columns: RolloutColumns, look: LookThrough) {
    this.#columns = columns;
    this.#look = look;
  }

  get found(): Uint8Array {
    return this.#found;
  }
  get searched(): number {
    return this.#searched;
  }

  /** A list asks for several windows at once; the second waits and finds the work done. */
  advance(deadline: number): Promise<void> {
    return this.#mutex.take(async () => {
      const { rows } = this.#columns;
      if (this.#found.length < rows) {
        const grown = new Uint8Array(Math.max(rows, this.#found.length * 2));
        grown.set(this.#found);
        this.#found = grown;
      }
      if (this.#searched < rows) this.#searched = await this.#look(this.#found, this.#searched, deadline);
    });
  }
}
