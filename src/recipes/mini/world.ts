// The miniature's world: which puzzles a small model meets in training, which are held out, and how large the model is that
// meets them.
import type { Random } from "../../base/random.ts";
import type { PuzzleProblem } from "../../problems/problem.ts";
import { inTurn, puzzleProblem } from "../../problems/puzzle-problems.ts";
import { type PuzzleName, puzzleNamed, puzzles } from "../../puzzles/catalog.ts";
import { type AnyPuzzle, canonicalId, GenerationError, type MiniatureParams } from "../../puzzles/puzzle.ts";
import { type SplitName, type SplitPuzzle, splitOf, splitPuzzles } from "../../puzzles/splits.ts";
import { narrate, tersePrompt } from "../../teaching/narrator.ts";

/** The puzzles that the miniature's closed vocabulary has words for: those that have sizes for it. */
export const miniaturePuzzles: readonly AnyPuzzle[] = puzzles.filter(({ usual }) => usual.miniature !== undefined);

/** A puzzle without a size is left out. */
export type MiniatureSizes = Partial<Readonly<Record<PuzzleName, string>>>;

/** Each puzzle says itself what a small model can do of it. */
const sizesFor = (use: keyof MiniatureParams): MiniatureSizes =>
  Object.fromEntries(
    miniaturePuzzles.flatMap(({ name, usual }) => {
      const params = usual.miniature?.[use];
      return params === undefined ? [] : [[name, params]];
    }),
  );

/** 0.8 million parameters, for two cores. */
export const world = {
  shape: { width: 128, layers: 4, heads: 4 },
  /** Prompt and response together, in words. */
  contextLength: 512,
  /** The longest response. */
  maxTokens: 400,
  /** What SFT and RL train on. */
  training: sizesFor("training"),
  /** One step beyond; the base has read such boards, post-training has not. */
  larger: sizesFor("larger"),
  /**
   * Where puzzles that need search are looked for: on boards of the training sizes, but at harder levels, since easy puzzles
   * hardly ever need any. Galaxies of these sizes hardly ever do at any level.
   */
  search: sizesFor("search"),
} as const;

export function worldOf(name: string, params: string) {
  const puzzle = puzzleNamed(name);
  return { puzzle, params: puzzle.readParams(params) };
}

const listedWorlds = new Map<string, readonly SplitPuzzle[]>();

/** Every puzzle of a small world once, up to symmetry, each as likely as any other; generators favor some. */
function listedWorld({ puzzle, params }: ReturnType<typeof worldOf>): readonly SplitPuzzle[] | undefined {
  const key = `${puzzle.name} ${puzzle.writeParams(params)}`;
  if (params.difficulty !== undefined) return undefined;
  let world = listedWorlds.get(key);
  if (world === undefined) {
    const found = new Map<string, SplitPuzzle>();
    for (const instance of puzzle.enumerate(params) ?? []) {
      const canonical = canonicalId(puzzle, instance);
      if (found.has(canonical)) continue;
      const solved = puzzle.solve(instance);
      if (solved.status !== "unique") continue;
      const { solution } = solved;
      found.set(canonical, { id: puzzle.writeId(instance), canonical, difficulty: "", instance, solution });
    }
    world = [...found.values()];
    listedWorlds.set(key, world);
  }
  return world.length === 0 ? undefined : world;
}

/** Distinct puzzles of one side, in random order; ends, or throws, when there are no more. */
export function* worldPuzzles(
  world: ReturnType<typeof worldOf>,
  split: SplitName,
  random: Random,
): Generator<SplitPuzzle> {
  const listed = listedWorld(world);
  if (listed === undefined) yield* splitPuzzles({ ...world, split, random });
  else yield* random.shuffle(listed.filter(({ canonical }) => splitOf(canonical) === split));
}

/** Whether deduction line by line gets stuck: these are the puzzles on which recovery moves can earn something. */
export function needsSearch(puzzle: AnyPuzzle, instance: unknown, random: Random): boolean {
  const careful = { style: "terse", guessing: 0, errorRate: 0, repertoire: "direct", maxSteps: 400 } as const;
  return narrate(puzzle.name, instance, { ...careful, random }).answer === undefined;
}

type PuzzleSetRequest = {
  readonly set: string;
  readonly sizes: MiniatureSizes;
  readonly split: SplitName;
  readonly perPuzzle: number;
  readonly random: Random;
  readonly accept?: (puzzle: AnyPuzzle, instance: unknown) => boolean;
  /** Give up on a puzzle after this many draws without enough that are accepted; small worlds have few hard puzzles. */
  readonly patience?: number;
};

/**
 * Distinct puzzles of every kind, in turn, so that any beginning of the list is balanced. A kind's are in random order: a
 * generator comes to the rare boards last, which are the hard ones, and training would be harder from step to step.
 */
export function puzzleSet(request: PuzzleSetRequest): PuzzleProblem[] {
  const { set, sizes, split, perPuzzle, random, accept, patience = 20_000 } = request;
  const chosen = miniaturePuzzles.map(({ name }) => {
    const problems: PuzzleProblem[] = [];
    const size = sizes[name];
    if (size === undefined) return problems;
    const { puzzle, params } = worldOf(name, size);
    let draws = 0;
    try {
      for (const made of worldPuzzles({ puzzle, params }, split, random.child(set, name))) {
        if (accept === undefined || accept(puzzle, made.instance))
          problems.push(puzzleProblem(puzzle, made, set, tersePrompt(puzzle.name, made.instance)));
        if (problems.length === perPuzzle || ++draws === patience) break;
      }
    } catch (error) {
      // The world is used up: what there is, is what there is. With nothing at all the reason is worth hearing.
      if (!(error instanceof GenerationError) || (problems.length === 0 && accept === undefined)) throw error;
    }
    return random.child(set, name, "order").shuffle(problems);
  });
  return inTurn(chosen);
}

/** `plan guess` up to the guess, in mathematics and on boards: once that plan is made the guess follows, so that only together they can be left out. */
export const guessingRoutes = [
  ["plan", "hypothesize"],
  ["plan", "summarize", "enumerate", "hypothesize"],
];
