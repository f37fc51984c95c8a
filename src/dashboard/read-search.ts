// Full-text search over traces whose texts lie in other programs' files: they are read, a slice after the other, and looked
// through. Slower than a search over a log's bytes; it stops and goes on in the same way.
import { withReasoning } from "../traces/trace.ts";
import type { RolloutSource } from "./rollout-source.ts";

const batchRows = 64;

export class ReadSearch {
  readonly #needle: string;
  #found = new Uint8Array(0);
  #searched = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(needle: string) {
    this.#needle = needle.toLowerCase();
  }

  /** 1 for each row that holds the needle, as far as searched. */
  get found(): Uint8Array {
    return this.#found;
  }
  get searched(): number {
    return this.#searched;
  }

  advance(source: RolloutSource, deadline: number): Promise<void> {
    // A list asks for several windows at once; the second waits and finds the work done.
    const turn = this.#turn.then(() => this.#advance(source, deadline));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #advance(source: RolloutSource, deadline: number): Promise<void> {
    const { rows } = source.columns;
    if (this.#found.length < rows) {
      const grown = new Uint8Array(rows);
      grown.set(this.#found);
      this.#found = grown;
    }
    while (this.#searched < rows && performance.now() < deadline) {
      const to = Math.min(rows, this.#searched + batchRows);
      const read = await source.read(Array.from({ length: to - this.#searched }, (_, i) => this.#searched + i));
      for (const [i, one] of read.entries()) {
        if ("unavailable" in one) continue;
        const text = withReasoning(one.rollout.reasoning, one.rollout.response);
        if (text.toLowerCase().includes(this.#needle)) this.#found[this.#searched + i] = 1;
      }
      this.#searched = to;
    }
  }
}
