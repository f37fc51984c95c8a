// How long a stage still takes, by how it was seen to grow: for evaluations and SFT, which write down no pace of their own.

type Look = { readonly at: number; readonly done: number };

/** The pace is that of this long: what a stage did an hour ago says little about its next minutes. */
const windowMs = 10 * 60_000;
const mostLooks = 64;
/** Less than this says more about chance than about pace. */
const leastMs = 2_000;

export class ObservedPace {
  readonly #looks = new Map<string, Look[]>();

  /** Undefined until it was seen to grow. `now` is in milliseconds. */
  secondsLeft(stage: string, { done, total }: { done: number; total: number }, now: number): number | undefined {
    const before = (this.#looks.get(stage) ?? []).filter((look) => now - look.at < windowMs && look.done <= done);
    const last = before.at(-1);
    const looks = last?.done === done ? before : [...before, { at: now, done }].slice(-mostLooks);
    this.#looks.set(stage, looks);
    const [first] = looks;
    if (done >= total || done === first.done || now - first.at < leastMs) return undefined;
    return Math.round(((total - done) * (now - first.at)) / 1000 / (done - first.done));
  }
}
