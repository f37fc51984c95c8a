// Whether scores are grades: where none of them is anything but 0 and 1, or anything but -1 and 1, a score says right or wrong.
import type { Trace } from "./trace.ts";

export class ScoreCounts {
  #seen = { minus: 0, zero: 0, one: 0, other: 0 };
  /** Of rollouts that nothing else grades. */
  alone = 0;
  /** Beside our own grades: how many scores, how many of them say otherwise, and some of those. */
  both = 0;
  disagree = 0;
  readonly disagreeing: string[] = [];

  add({ score, correct, gradedBy, recorded }: Trace): void {
    // A record with a grade of its own means something else by its score.
    if (score === undefined || recorded !== undefined || gradedBy === "recorded") return;
    this.#seen[score === 1 ? "one" : score === 0 ? "zero" : score === -1 ? "minus" : "other"] += 1;
    if (correct === undefined) this.alone += 1;
  }

  get grade(): boolean {
    const { minus, zero, one, other } = this.#seen;
    return one > 0 && other === 0 && (minus === 0 || zero === 0);
  }
}
