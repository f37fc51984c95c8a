// Puzzles as problems, by `bridges=7x7d0`: as many as there are where a world is smaller than what is asked of it.
import type { Random } from "../base/random.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { GenerationError } from "../puzzles/puzzle.ts";
import { type SplitName, type SplitPuzzle, splitPuzzles, stageOf, type TrainStage } from "../puzzles/splits.ts";
import type { PuzzleProblem } from "./problem.ts";
import { puzzleProblem } from "./puzzle-problems.ts";

/** Held-out puzzles, or the train puzzles of one stage. */
type PoolSide = "test" | TrainStage;

type Stream = {
  readonly puzzles: Generator<SplitPuzzle>;
  /** Drawn, and not yet asked for. */
  readonly waiting: Record<PoolSide, SplitPuzzle[]>;
  drawn: number;
  ended?: GenerationError;
};

/**
 * Puzzles of any number of worlds, each given once: two worlds may overlap (a size with and without its difficulty), and
 * what one gave, or an image of it, the other does not give again. What a side gets does not depend on what others take.
 */
export class PuzzleDraw {
  private readonly random: Random;
  private readonly streams = new Map<string, Stream>();
  private readonly given = new Set<string>();

  private readonly onPuzzle: () => void;

  constructor(random: Random, onPuzzle: () => void = () => {}) {
    this.random = random;
    this.onPuzzle = onPuzzle;
  }

  /** As many as there are, up to `count`. */
  take(world: string, side: PoolSide, count: number): PuzzleProblem[] {
    const [name, params] = world.split("=");
    const puzzle = puzzleNamed(name);
    const stream = this.streamOf(world, side === "test" ? "test" : "train");
    const waiting = stream.waiting[side];
    const taken: PuzzleProblem[] = [];
    while (taken.length < count) {
      if (waiting.length === 0 && !drawnInto(stream, side)) break;
      const made = waiting.shift()!;
      const form = `${name} ${made.canonical}`;
      if (this.given.has(form)) continue;
      this.given.add(form);
      taken.push(puzzleProblem(puzzle, made, `${puzzle.name} ${params}`));
      this.onPuzzle();
    }
    // A world without any puzzle is a mistake, and its reason is worth hearing.
    if (stream.ended !== undefined && stream.drawn === 0) throw stream.ended;
    return taken;
  }

  private streamOf(world: string, split: SplitName): Stream {
    const key = `${split} ${world}`;
    let stream = this.streams.get(key);
    if (stream === undefined) {
      const [name, params] = world.split("=");
      const puzzle = puzzleNamed(name);
      const random = this.random.child(split, world);
      const puzzles = splitPuzzles({ puzzle, params: puzzle.readParams(params), split, random });
      stream = { puzzles, waiting: { test: [], teaching: [], training: [] }, drawn: 0 };
      this.streams.set(key, stream);
    }
    return stream;
  }
}

/** Draws until a puzzle of this side is waiting; whether there was one. */
function drawnInto(stream: Stream, side: PoolSide): boolean {
  while (stream.ended === undefined && stream.waiting[side].length === 0) {
    try {
      const made = stream.puzzles.next().value as SplitPuzzle;
      stream.drawn += 1;
      stream.waiting[side === "test" ? "test" : stageOf(made.canonical)].push(made);
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      stream.ended = error;
    }
  }
  return stream.waiting[side].length > 0;
}

/** One of each in turn, so that every step sees every kind. */
export function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
