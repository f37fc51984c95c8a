// Puzzles that were asked about lately, solved once and kept: eight rollouts of a group, and the epochs after, share one.
// Bounded by cells, not by count, so that a thousand huge boards cannot fill the memory.
import { messageOf, UserError } from "../base/errors.ts";
import { type RewardName, rewardsByName } from "../grading/reward.ts";
import { type PuzzleName, puzzleNamed } from "../puzzles/catalog.ts";
import { puzzleGrader } from "../rollouts/puzzle-grading.ts";
import { failedScore, type Score, scoreOf } from "./score.ts";

export type ScoringTask = {
  readonly puzzle: PuzzleName;
  readonly id: string;
  readonly response: string;
  readonly reward: RewardName;
};

type Kept = { readonly score: (response: string) => Score; readonly cells: number };

export class PuzzleKeys {
  readonly #kept = new Map<string, Kept>();
  readonly #mostCells: number;
  #cells = 0;

  constructor(mostCells = 2_000_000) {
    this.#mostCells = mostCells;
  }

  score({ puzzle, id, response, reward }: ScoringTask): Score {
    const name = `${reward} ${puzzle} ${id}`;
    const kept = this.#kept.get(name) ?? this.#made(name, solved(puzzle, id, reward));
    // Moving to the end on every use keeps the least recently used first.
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    return kept.score(response);
  }

  get size(): number {
    return this.#kept.size;
  }

  #made(name: string, kept: Kept): Kept {
    this.#cells += kept.cells;
    for (const [oldest, { cells }] of this.#kept) {
      if (this.#cells <= this.#mostCells) break;
      this.#kept.delete(oldest);
      this.#cells -= cells;
    }
    this.#kept.set(name, kept);
    return kept;
  }
}

function solved(name: PuzzleName, id: string, reward: RewardName): Kept {
  try {
    const puzzle = puzzleNamed(name);
    const { width, height } = puzzle.size(puzzle.readId(id));
    const grade = puzzleGrader({ kind: "puzzle", id, prompt: "", puzzle: name, instance: id }, rewardsByName[reward]);
    return { score: (response) => scoreOf(grade(response)), cells: width * height };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const failed = failedScore(messageOf(error));
    return { score: () => failed, cells: id.length };
  }
}
