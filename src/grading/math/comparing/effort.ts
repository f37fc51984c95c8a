// How much work one grading may still do. Counted in steps, not in time, so that the same texts always get the same verdict.
import { NoValue } from "../numbers/big-float.ts";

/** Roughly a microsecond each. */
const stepsPerGrading = 1_500_000;

export class Effort {
  #left = stepsPerGrading;

  get exhausted(): boolean {
    return this.#left < 0;
  }

  /** Takes note of work that is done in any case; whoever goes on asks whether anything is left. */
  charge(steps: number): void {
    this.#left -= steps;
  }

  /** Throws when nothing is left, as if the number asked for did not exist. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new NoValue("more work than an answer is worth");
  }
}
