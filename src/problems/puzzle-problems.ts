// Our puzzles as problems: a set of one kind to evaluate on, or many kinds by `bridges=7x7d0`, as many as there are.
import type { Random } from "../base/random.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { type PromptStyle, puzzlePrompt } from "../puzzles/prompt.ts";
import { type AnyPuzzle, canonicalId, GenerationError } from "../puzzles/puzzle.ts";
import { type SplitName, type SplitPuzzle, splitPuzzles, stageOf, type TrainStage } from "../puzzles/splits.ts";
import type { PuzzleProblem } from "./problem.ts";
import { puzzleProblemId } from "./problem-id.ts";

export type PuzzleSet = {
  readonly puzzle: string;
  /** In Simon Tatham's notation. */
  readonly params: string;
  readonly count: number;
  readonly random: Random;
  readonly split?: SplitName;
  readonly prompt?: PromptStyle;
};

/** A puzzle that was drawn, as a problem of a set. */
export function puzzleProblem(
  puzzle: AnyPuzzle,
  made: SplitPuzzle,
  set: string,
  prompt = puzzlePrompt(puzzle, made.instance),
): PuzzleProblem {
  const { id: instance, difficulty } = made;
  const id = puzzleProblemId(puzzle.name, instance);
  return { kind: "puzzle", id, set, prompt, puzzle: puzzle.name, instance, difficulty };
}

/** The same for a board and its mirror images. */
export function boardOf({ puzzle: name, instance }: { readonly puzzle: string; readonly instance: string }): string {
  const puzzle = puzzleNamed(name);
  return `${name} ${canonicalId(puzzle, puzzle.readId(instance))}`;
}

export function puzzleProblems({
  puzzle: name,
  params,
  count,
  random,
  split = "test",
  prompt,
}: PuzzleSet): PuzzleProblem[] {
  const puzzle = puzzleNamed(name);
  const problems: PuzzleProblem[] = [];
  if (count === 0) return problems;
  for (const made of splitPuzzles({ puzzle, params: puzzle.readParams(params), split, random })) {
    problems.push(
      puzzleProblem(puzzle, made, `${name} ${params} ${split}`, puzzlePrompt(puzzle, made.instance, prompt)),
    );
    if (problems.length === count) break;
  }
  return problems;
}

/** Held-out puzzles, or the train puzzles of one stage. */
type PoolSide = "test" | TrainStage;

/** Puzzles in the order in which they were drawn, and how far each side has looked. */
type Stream = {
  readonly puzzles: Generator<SplitPuzzle>;
  readonly drawn: SplitPuzzle[];
  readonly next: Record<PoolSide, number>;
  ended?: GenerationError;
};

/**
 * Puzzles of any number of worlds, each given once: two worlds may overlap (a size with and without its difficulty), and
 * what one gave, or an image of it, the other does not give again. What a side gets does not depend on what others take.
 */
export class PuzzleDraw {
  readonly #random: Random;
  readonly #onPuzzle: () => void;
  readonly #streams = new Map<string, Stream>();
  readonly #given = new Set<string>();

  constructor(random: Random, onPuzzle: () => void = () => {}) {
    this.#random = random;
    this.#onPuzzle = onPuzzle;
  }

  /** As many as there are, up to `count`. */
  take(world: string, side: PoolSide, count: number): PuzzleProblem[] {
    const [name, params] = world.split("=");
    const puzzle = puzzleNamed(name);
    const stream = this.#streamOf(world, side === "test" ? "test" : "train");
    const taken: PuzzleProblem[] = [];
    while (taken.length < count) {
      const made = stream.drawn[stream.next[side]] ?? drawnNext(stream);
      if (made === undefined) break;
      stream.next[side]++;
      const form = `${name} ${made.canonical}`;
      if ((side !== "test" && stageOf(made.canonical) !== side) || this.#given.has(form)) continue;
      this.#given.add(form);
      taken.push(puzzleProblem(puzzle, made, `${puzzle.name} ${params}`));
      this.#onPuzzle();
    }
    // A world without any puzzle is a mistake, and its reason is worth hearing.
    if (stream.ended !== undefined && stream.drawn.length === 0) throw stream.ended;
    return taken;
  }

  #streamOf(world: string, split: SplitName): Stream {
    const key = `${split} ${world}`;
    let stream = this.#streams.get(key);
    if (stream === undefined) {
      const [name, params] = world.split("=");
      const puzzle = puzzleNamed(name);
      const random = this.#random.child(split, world);
      const puzzles = splitPuzzles({ puzzle, params: puzzle.readParams(params), split, random });
      stream = { puzzles, drawn: [], next: { test: 0, teaching: 0, training: 0 } };
      this.#streams.set(key, stream);
    }
    return stream;
  }
}

function drawnNext(stream: Stream): SplitPuzzle | undefined {
  if (stream.ended !== undefined) return undefined;
  try {
    const made = stream.puzzles.next().value as SplitPuzzle;
    stream.drawn.push(made);
    return made;
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    stream.ended = error;
    return undefined;
  }
}

/** One of each in turn, so that every step sees every kind. */
export function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
