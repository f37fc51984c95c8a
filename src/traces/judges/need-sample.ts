// Which spans a jury is asked about, when it cannot be asked about all: labels that a classifier sees rarely as often as
// common ones, spans it is unsure of before those it is sure of, and a part drawn evenly, so that nothing is never asked.
import type { Random } from "../../base/random.ts";
import type { SpanLabel } from "../span-classifier.ts";

/** Of the sample drawn evenly over all spans; the rest goes to the labels in equal parts. */
const evenShare = 0.3;
/** A span that the classifier is sure of still has this much of a chance. */
const leastNeed = 0.05;

type Drawn<Span> = { readonly span: Span; readonly key: number; readonly order: number };

/**
 * One pass, bounded memory: weighted reservoirs (Efraimidis and Spirakis 2006) by the label that the classifier gives.
 * What a small label leaves free goes to the others.
 */
export class NeedSample<Span extends object> {
  readonly #size: number;
  readonly #random: Random;
  readonly #even: Reservoir<Span>;
  readonly #byLabel = new Map<string, Reservoir<Span>>();
  #seen = 0;

  constructor(size: number, random: Random) {
    this.#size = size;
    this.#random = random;
    this.#even = new Reservoir(size);
  }

  add(span: Span, { label, confidence }: SpanLabel): void {
    const order = this.#seen++;
    const draw = Math.log(this.#random.uniform() || Number.MIN_VALUE);
    this.#even.add({ span, key: Math.log(this.#random.uniform() || Number.MIN_VALUE), order });
    const doubt = Number.isNaN(confidence) ? 1 : 1 - confidence;
    const reservoir = this.#byLabel.get(label) ?? new Reservoir<Span>(this.#size);
    this.#byLabel.set(label, reservoir);
    reservoir.add({ span, key: draw / Math.max(leastNeed, doubt), order });
  }

  /** In the order they were added, each with how it was drawn: quality is measured on those at random alone. */
  spans(): (Span & { readonly drawn: "random" | "need" })[] {
    const chosen = new Map<number, Span & { readonly drawn: "random" | "need" }>();
    for (const { order, span } of this.#even.sorted().slice(0, Math.round(evenShare * this.#size)))
      chosen.set(order, { ...span, drawn: "random" });
    const queues = [...this.#byLabel].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reservoir]) => reservoir.sorted());
    // One of every label in turn, until the sample is full or nothing is left.
    for (let round = 0; chosen.size < this.#size && queues.some((queue) => round < queue.length); round++) {
      for (const queue of queues) {
        const next = queue[round];
        if (next === undefined || chosen.size >= this.#size || chosen.has(next.order)) continue;
        chosen.set(next.order, { ...next.span, drawn: "need" });
      }
    }
    return [...chosen].sort(([a], [b]) => a - b).map(([, span]) => span);
  }
}

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
