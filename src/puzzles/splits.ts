// Sets of puzzles that share nothing: train and test are told apart by canonical form, so a puzzle and its mirror image
// always fall on the same side.
import { ConfigurationError } from "../base/errors.ts";
import { hash128, type Random } from "../base/random.ts";
import {
  type AnyPuzzle,
  canonicalId,
  type Generated,
  GenerationError,
  ImpossibleRequestError,
  OutOfTimeError,
  type PuzzleParams,
} from "./puzzle.ts";
import type { Rating } from "./rating.ts";

export type SplitName = "train" | "test";

export type SplitPuzzle = {
  readonly id: string;
  readonly canonical: string;
  readonly difficulty: string;
  readonly instance: unknown;
  readonly solution: unknown;
  /** Where whoever drew it has measured it. */
  readonly rating?: Rating;
  /** Which draw of its kind it was; none where the world was listed. */
  readonly draw?: number;
};

/** Which side a canonical form falls on: fixed by the form itself, whoever asks and whenever. */
export function splitOf(canonical: string, testShare = defaultTestShare): SplitName {
  checkTestShare(testShare);
  return hash128(`split:${canonical}`)[0] / 4_294_967_296 < testShare ? "test" : "train";
}

export type TrainStage = "teaching" | "training";

/** Which stage a train puzzle is for: SFT or RL, half of them each, fixed by the form like the side. */
export function stageOf(canonical: string): TrainStage {
  return hash128(`stage:${canonical}`)[0] % 2 === 0 ? "teaching" : "training";
}

export const defaultTestShare = 0.1;

/** A share that is no number would put every puzzle on one side, and nobody would notice. */
function checkTestShare(share: number): void {
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

/** A kind of puzzle that is not found so often in a row is taken not to be there; once some were found, that is less likely. */
const mostFailuresInARow = 10;
const patienceOnceFound = 10;
/** Waiting for the limit on time costs more than a draw that says by itself that it found nothing. */
const failuresOutOfTime = 4;

/** What a draw came to; undefined for one that is known to have come to nothing and is left out. */
export type Drawn = (Generated<unknown, unknown> & { readonly rating?: Rating }) | GenerationError | undefined;

/** Either a puzzle, or a wish: whoever drives the steps draws with this stream and hands back what came of it. */
type SplitStep = { readonly found: SplitPuzzle } | { readonly draw: Random; readonly number: number };

/**
 * Endless distinct puzzles of one side, no two of them images of each other. Ends with an error that says how many there
 * are once the world is exhausted: by counting where it can be listed, by patience where it cannot.
 */
export function* splitPuzzles(request: SplitRequest, seen: Set<string> = new Set()): Generator<SplitPuzzle> {
  const steps = splitSteps(request, seen);
  for (let step = steps.next(); !step.done; ) {
    if ("found" in step.value) {
      yield step.value.found;
      step = steps.next();
    } else step = steps.next(drawn(request.puzzle, request.params, step.value.draw));
  }
}

export function drawn(puzzle: AnyPuzzle, params: PuzzleParams, random: Random): Drawn {
  try {
    return puzzle.generate(params, random);
  } catch (error) {
    if (error instanceof GenerationError) return error;
    throw error;
  }
}

/** The same step by step, for whoever draws elsewhere: in another thread, with a limit on time. */
export function* splitSteps(request: SplitRequest, seen: Set<string>): Generator<SplitStep, void, Drawn> {
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
  let found = 0;
  for (let draw = 0; ; draw++) {
    if (stale > patience) {
      for (const found of remaining(request, seen)) yield { found };
      throw new GenerationError(`${name}: only ${seen.size} different puzzles exist or can be found; ask for fewer`);
    }
    const made = yield { draw: random.child("draw", draw), number: draw };
    if (made === undefined) continue;
    if (made instanceof GenerationError) {
      failures += made instanceof OutOfTimeError ? failuresOutOfTime : 1;
      const tolerated = mostFailuresInARow * (found === 0 ? 1 : patienceOnceFound);
      if (made instanceof ImpossibleRequestError || failures > tolerated) throw made;
      request.onFailure?.(made);
      continue;
    }
    failures = 0;
    const { instance, solution, difficulty, rating } = made;
    const canonical = canonicalId(puzzle, instance);
    stale += 1;
    if (seen.has(canonical) || (split !== undefined && splitOf(canonical, testShare) !== split)) continue;
    seen.add(canonical);
    stale = 0;
    found++;
    const id = puzzle.writeId(instance);
    yield { found: { id, canonical, difficulty, instance, solution, draw, ...(rating && { rating }) } };
  }
}

/** What a generator that favors some puzzles over others has not met, where the whole world can be listed. */
function* remaining({ puzzle, params, split, testShare }: SplitRequest, seen: Set<string>): Generator<SplitPuzzle> {
  for (const instance of puzzle.enumerate(params) ?? []) {
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
