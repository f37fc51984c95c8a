// Several kinds of puzzle in one stream, each by its weight: which kind comes next is drawn, and every kind goes through
// its own puzzles in its own order, so that a weight or another kind never changes which puzzles a kind has.
import { decimal } from "../base/decimal.ts";
import { ConfigurationError } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import { puzzleNamed } from "./catalog.ts";
import { paramsFor } from "./params.ts";
import { type AnyPuzzle, GenerationError, type PuzzleParams } from "./puzzle.ts";
import { type Drawn, drawn, type SplitName, type SplitPuzzle, splitSteps } from "./splits.ts";

/** One kind of puzzle: `bridges=7x7d0`. */
type PuzzleKindOf = { readonly puzzle: AnyPuzzle; readonly params: PuzzleParams; readonly text: string };
export type WeightedKind = PuzzleKindOf & { readonly weight: number };

/** `bridges=7x7d0`, `bridges=7x7,easy`, and with a weight `bridges=7x7,easy*3`. */
export function readWeightedKind(text: string): WeightedKind {
  const match = /^([^=]+)=([^=*,]+)(?:,([a-z]+))?(?:\*(.*))?$/.exec(text.trim());
  if (match === null) {
    throw new ConfigurationError(
      `${JSON.stringify(text)}: expected name=size, as in bridges=7x7d0, bridges=7x7,easy or, with a weight, bridges=7x7,easy*3`,
    );
  }
  const [, name, size, difficulty, written = "1"] = match;
  const weight = decimal(written);
  if (weight === undefined || weight <= 0)
    throw new ConfigurationError(`${text}: a weight is a number above 0, not ${written}`);
  const puzzle = puzzleNamed(name);
  const params = paramsFor(puzzle, size, difficulty);
  return { puzzle, params, text: `${puzzle.name}=${puzzle.writeParams(params)}`, weight };
}

export type MixRequest = {
  readonly kinds: readonly WeightedKind[];
  readonly random: Random;
  readonly split?: SplitName;
  readonly testShare?: number;
  /** A draw that found nothing, or a kind that is used up and left out from there on. */
  readonly onFailure?: (kind: WeightedKind, error: GenerationError) => void;
};

export type MixedPuzzle = SplitPuzzle & { readonly kind: WeightedKind };

type MixStep =
  | { readonly found: MixedPuzzle }
  | { readonly draw: Random; readonly number: number; readonly kind: WeightedKind };

/** Endless; ends with an error once every kind is used up. */
export function* mixedPuzzles(request: MixRequest): Generator<MixedPuzzle> {
  const steps = mixedSteps(request);
  for (let step = steps.next(); !step.done; ) {
    if ("found" in step.value) {
      yield step.value.found;
      step = steps.next();
    } else step = steps.next(drawn(step.value.kind.puzzle, step.value.kind.params, step.value.draw));
  }
}

/** The same step by step: see `splitSteps`. */
export function* mixedSteps({
  kinds,
  random,
  split,
  testShare,
  onFailure,
}: MixRequest): Generator<MixStep, void, Drawn> {
  // Two kinds may be one puzzle at two levels or sizes; none of their boards may come twice either.
  const seen = new Map<AnyPuzzle, Set<string>>();
  const open = kinds.map((kind) => {
    const own = seen.get(kind.puzzle) ?? new Set<string>();
    seen.set(kind.puzzle, own);
    // The same stream as for this kind alone.
    const stream = random.child(kind.puzzle.name, kind.puzzle.writeParams(kind.params));
    const failed = (error: GenerationError) => onFailure?.(kind, error);
    return { kind, steps: splitSteps({ ...kind, random: stream, split, testShare, onFailure: failed }, own) };
  });
  let last: GenerationError | undefined;
  for (let index = 0; open.length > 0; index++) {
    const weights = open.map(({ kind }) => kind.weight);
    const chosen = weightedChoice(weights, random.child("mix", index));
    const { kind, steps } = open[chosen];
    try {
      let step = steps.next();
      while (!step.done && "draw" in step.value) step = steps.next(yield { ...step.value, kind });
      if (!step.done && "found" in step.value) yield { found: { ...step.value.found, kind } };
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      last = error;
      if (open.length > 1) onFailure?.(kind, error);
      open.splice(chosen, 1);
    }
  }
  throw last ?? new ConfigurationError("name at least one kind of puzzle, as in bridges=7x7,easy");
}

export function weightedChoice(weights: readonly number[], random: Random): number {
  // In units of the largest: the sum of weights that are numbers may be none.
  const largest = Math.max(...weights);
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight / largest, 0);
  for (let index = 0; index < weights.length - 1; index++) {
    left -= weights[index] / largest;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
