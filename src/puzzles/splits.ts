// Sets of puzzles that share nothing: train and test are told apart by canonical form, so a puzzle and its mirror image
// always fall on the same side.
import { ConfigurationError } from "../base/errors.ts";
import { hash128, type Random } from "../base/random.ts";
import { type AnyPuzzle, canonicalId, type Generated, GenerationError, type PuzzleParams } from "./puzzle.ts";

export type SplitName = "train" | "test";

export type SplitPuzzle = {
  readonly id: string;
  readonly canonical: string;
  readonly difficulty: string;
  readonly instance: unknown;
  readonly solution: unknown;
};

/** Which side a canonical form falls on: fixed by the form itself, whoever asks and whenever. */
export function splitOf(canonical: string, testShare = defaultTestShare): SplitName {
  checkTestShare(testShare);
  return hash128(`split:${canonical}`)[0] / 4_294_967_296 < testShare ? "test" : "train";
}

export const defaultTestShare = 0.1;

/** A share that is no number would put every puzzle on one side, and nobody would notice. */
export function checkTestShare(share: number): void {
  if (!(share >= 0 && share <= 1)) {
    throw new ConfigurationError(`the test share must be a number from 0 to 1, such as 0.1, not ${share}`);
  }
}

export type SplitRequest = {
  readonly puzzle: AnyPuzzle;
  readonly params: PuzzleParams;
  readonly split?: SplitName;
  readonly testShare?: number;
  readonly random: Random;
  /** Told about every draw that found no puzzle. It is passed over: the next one is another. */
  readonly onFailure?: (error: GenerationError) => void;
};

/** A kind of puzzle that is not found so often in a row is taken not to be there. */
const mostFailuresInARow = 10;

/**
 * Endless distinct puzzles of one side, no two of them images of each other. Ends with an error that says how many there
 * are once the world is exhausted: by counting where it can be listed, by patience where it cannot.
 */
export function* splitPuzzles(request: SplitRequest, seen: Set<string> = new Set()): Generator<SplitPuzzle> {
  const { puzzle, params, split, testShare = defaultTestShare, random } = request;
  checkTestShare(testShare);
  if ((split === "test" && testShare === 0) || (split === "train" && testShare === 1)) {
    throw new ConfigurationError(`with a test share of ${testShare} there are no ${split} puzzles`);
  }
  const name = `${puzzle.name} ${puzzle.writeParams(params)}${split === undefined ? "" : ` (${split})`}`;
  // After this many draws without a new puzzle the unseen share is below a tenth of a percent with high confidence.
  const patience = 5_000;
  let stale = 0;
  let failures = 0;
  for (let draw = 0; ; draw++) {
    if (stale > patience) {
      yield* remaining(request, seen);
      throw new GenerationError(`${name}: only ${seen.size} different puzzles exist or can be found; ask for fewer`);
    }
    let made: Generated<unknown, unknown>;
    try {
      made = puzzle.generate(params, random.child("draw", draw));
      failures = 0;
    } catch (error) {
      if (!(error instanceof GenerationError) || ++failures > mostFailuresInARow) throw error;
      request.onFailure?.(error);
      continue;
    }
    const { instance, solution, difficulty } = made;
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
