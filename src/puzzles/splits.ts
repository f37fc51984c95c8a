// Sets of puzzles that share nothing: train and test are told apart by canonical form, so a puzzle and its mirror image
// always fall on the same side.
import { hash128, type Random } from "../base/random.ts";
import { type AnyPuzzle, canonicalId, GenerationError, type PuzzleParams } from "./puzzle.ts";

export type SplitName = "train" | "test";

export type SplitPuzzle = {
  readonly id: string;
  readonly canonical: string;
  readonly difficulty: string;
  readonly instance: unknown;
  readonly solution: unknown;
};

/** Which side a canonical form falls on: fixed by the form itself, whoever asks and whenever. */
export function splitOf(canonical: string, testShare = 0.1): SplitName {
  return hash128(`split:${canonical}`)[0] / 4_294_967_296 < testShare ? "test" : "train";
}

export type SplitRequest = {
  readonly puzzle: AnyPuzzle;
  readonly params: PuzzleParams;
  readonly split?: SplitName;
  readonly testShare?: number;
  readonly random: Random;
};

/**
 * Endless distinct puzzles of one side, no two of them images of each other. Ends with an error that says how many there
 * are once the world is exhausted: by counting where it can be listed, by patience where it cannot.
 */
export function* splitPuzzles(request: SplitRequest, seen: Set<string> = new Set()): Generator<SplitPuzzle> {
  const { puzzle, params, split, testShare, random } = request;
  const name = `${puzzle.name} ${puzzle.writeParams(params)}${split === undefined ? "" : ` (${split})`}`;
  // After this many draws without a new puzzle the unseen share is below a tenth of a percent with high confidence.
  const patience = 5_000;
  let stale = 0;
  for (let draw = 0; ; draw++) {
    if (stale > patience) {
      yield* remaining(request, seen);
      throw new GenerationError(`${name}: only ${seen.size} different puzzles exist or can be found; ask for fewer`);
    }
    const { instance, solution, difficulty } = puzzle.generate(params, random.child("draw", draw));
    const canonical = canonicalId(puzzle, instance);
    stale += 1;
    if (seen.has(canonical) || (split !== undefined && splitOf(canonical, testShare) !== split)) continue;
    seen.add(canonical);
    stale = 0;
    yield { id: puzzle.writeId(instance), canonical, difficulty, instance, solution };
  }
}

/** What a generator that favours some puzzles over others has not met, where the whole world can be listed. */
function* remaining({ puzzle, params, split, testShare }: SplitRequest, seen: Set<string>): Generator<SplitPuzzle> {
  for (const instance of puzzle.enumerate?.(params) ?? []) {
    const canonical = canonicalId(puzzle, instance);
    if (seen.has(canonical) || (split !== undefined && splitOf(canonical, testShare) !== split)) continue;
    const difficulty = puzzle.difficulty(instance);
    const solved = puzzle.solve(instance);
    if (difficulty === undefined || solved.status !== "unique") continue;
    if (params.difficulty !== undefined && params.difficulty !== difficulty) continue;
    seen.add(canonical);
    yield { id: puzzle.writeId(instance), canonical, difficulty, instance, solution: solved.solution };
  }
}
