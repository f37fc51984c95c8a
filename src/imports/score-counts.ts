// What numbers say of right and wrong: a mark stands in a column named for a grade, a score anywhere. One alone tells nothing:
// 1 is right of 0 and 1, and the worst of five marks.
import type { Trace } from "./trace.ts";

export class ScoreCounts {
  #scores = new Set<number>();
  /** By set, which may have a grader of its own. */
  readonly #marks = new Map<string, Set<number>>();
  /** Of rollouts that nothing else grades. */
  alone = 0;
  /** Beside our own grades: how many scores, how many of them say otherwise, and some of those. */
  both = 0;
  disagree = 0;
  readonly disagreeing: string[] = [];

  addMark({ mark, set = "" }: Trace): void {
    if (mark === undefined) return;
    const marks = this.#marks.get(set) ?? new Set();
    this.#marks.set(set, marks);
    if (marks.size <= 2) marks.add(mark);
  }

  add({ score, scoreIsAside, correct, gradedBy, recorded }: Trace): void {
    // A record with a grade of its own means something else by its score.
    if (score === undefined || scoreIsAside || recorded !== undefined || gradedBy === "recorded") return;
    if (this.#scores.size <= 2) this.#scores.add(score);
    if (correct === undefined) this.alone += 1;
  }

  /** Where no score is anything but 0 and 1, or anything but -1 and 1. */
  get grade(): boolean {
    return this.#scores.has(1) && rightOf(this.#scores) === 1;
  }

  /** Sets whose marks are not 0 and 1, each with the mark that means right, or null where none does. */
  get otherMarks(): Readonly<Record<string, number | null>> {
    const others = [...this.#marks].filter(([, marks]) => [...marks].some((mark) => mark !== 0 && mark !== 1));
    return Object.fromEntries(others.map(([set, marks]) => [set, rightOf(marks) ?? null]));
  }
}

/** 1 of 0 and 1, 2 of 0 and 2, 1 of -1 and 1; nothing of three, and nothing of another number alone. */
function rightOf(values: ReadonlySet<number>): number | undefined {
  const [low, high = low] = [...values].sort((a, b) => a - b);
  if (low === high) return low === 0 || low === 1 ? 1 : undefined;
  return values.size === 2 && (low === 0 || low === -high) && high > 0 ? high : undefined;
}
