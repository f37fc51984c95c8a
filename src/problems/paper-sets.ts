// The puzzles of the paper's experiment: to teach on, to train on, to choose the SFT epoch by, to judge by. No two of these
// sets share a puzzle or an image of one. `run paper` and every export draw here.
//
//   SFT and RL        each train puzzle belongs to one of the two, by its own form (`stageOf`), whoever draws and whenever
//   an RL step        every kind in turn, so that each step has the same mix; a kind whose world is too small is repeated,
//                     all of it in a new order before any of it a third time
//   held out          a fifth of a kind's held-out puzzles, at most `sft.validationPerPuzzle`, choose; the others judge
import { ConfigurationError } from "../base/errors.ts";
import { Random } from "../base/random.ts";
import type { PuzzleProblem } from "./problem.ts";
import { inTurn, PuzzleDraw } from "./puzzle-problems.ts";
import { repeated } from "./question-sets.ts";

/** The part of the recipe's settings that decides on puzzles. */
export type PaperSetsRequest = {
  readonly seed: number;
  readonly puzzles: {
    readonly training: readonly string[];
    readonly teaching?: readonly string[];
    readonly larger: readonly string[];
    /** None unless given. */
    readonly search?: readonly string[];
  };
  readonly corpus: { readonly puzzles: number };
  readonly sft: { readonly validationPerPuzzle: number };
  readonly rl: { readonly steps: number; readonly problemsPerStep: number };
  readonly evaluation: {
    readonly heldOutPerPuzzle: number;
    readonly largerPerPuzzle: number;
    readonly searchPerPuzzle?: number;
  };
};

export type PaperSets = {
  readonly teaching: readonly PuzzleProblem[];
  /** In the order of the steps; puzzles of a small world occur more than once. */
  readonly training: readonly PuzzleProblem[];
  /** On these the best SFT epoch is chosen. */
  readonly validation: readonly PuzzleProblem[];
  readonly heldOut: readonly PuzzleProblem[];
  readonly larger: readonly PuzzleProblem[];
  /** Puzzles that deduction line by line does not solve. */
  readonly search: readonly PuzzleProblem[];
};

/** Nothing of anything: for whoever wants a single set. */
export const noPuzzles = {
  corpus: { puzzles: 0 },
  sft: { validationPerPuzzle: 0 },
  rl: { steps: 0, problemsPerStep: 0 },
  evaluation: { heldOutPerPuzzle: 0, largerPerPuzzle: 0 },
} as const;

/** Of a kind's held-out puzzles, one in so many may choose. */
const validationShare = 5;

/** How many puzzles are drawn at most, for whoever waits. */
export const puzzlesToDraw = ({ puzzles, corpus, rl, sft, evaluation }: PaperSetsRequest): number =>
  corpus.puzzles +
  rl.steps * rl.problemsPerStep +
  puzzles.training.length * Math.max(validationShare * sft.validationPerPuzzle, evaluation.heldOutPerPuzzle) +
  puzzles.larger.length * evaluation.largerPerPuzzle;

export function paperPuzzles(
  request: PaperSetsRequest,
  onPuzzle?: () => void,
  needsSearch: (problem: PuzzleProblem) => boolean = () => false,
): PaperSets {
  const { seed, puzzles, corpus, rl, sft, evaluation } = request;
  const random = Random.from(seed).child("paper sets");
  const pool = new PuzzleDraw(random, onPuzzle);
  const teaching = puzzles.teaching ?? puzzles.training;
  const heldOut = new Map(
    teaching.map((world) => {
      const drawn = pool.take(world, "test", validationShare * sft.validationPerPuzzle);
      // Two are enough for both; one alone judges.
      const few = Math.max(Math.min(1, drawn.length - 1), Math.floor(drawn.length / validationShare));
      return [world, { validation: drawn.slice(0, few), judging: drawn.slice(few) }] as const;
    }),
  );
  const judging = (world: string): PuzzleProblem[] => {
    const drawn = heldOut.get(world)?.judging ?? [];
    const { heldOutPerPuzzle: wanted } = evaluation;
    return [...drawn.slice(0, wanted), ...pool.take(world, "test", Math.max(0, wanted - drawn.length))];
  };
  return {
    teaching: teachingPuzzles(pool, teaching, corpus.puzzles),
    training: trainingPuzzles(pool, puzzles.training, rl.steps * rl.problemsPerStep, random.child("repeats")),
    validation: inTurn([...heldOut.values()].map(({ validation }) => validation)),
    heldOut: [...new Set([...puzzles.training, ...teaching])].flatMap(judging),
    larger: puzzles.larger.flatMap((world) => pool.take(world, "test", evaluation.largerPerPuzzle)),
    search: (puzzles.search ?? []).flatMap((world) =>
      hardPuzzles(pool, world, evaluation.searchPerPuzzle ?? 0, needsSearch),
    ),
  };
}

/** Of so many held-out puzzles for each that is wanted, those that are hard; a world may have none. */
const drawsPerHard = 30;

function hardPuzzles(
  pool: PuzzleDraw,
  world: string,
  wanted: number,
  needsSearch: (problem: PuzzleProblem) => boolean,
): PuzzleProblem[] {
  const hard: PuzzleProblem[] = [];
  for (let draws = 0; hard.length < wanted && draws < wanted * drawsPerHard; draws++) {
    const [problem] = pool.take(world, "test", 1);
    if (problem === undefined) break;
    if (needsSearch(problem)) hard.push(problem);
  }
  return hard;
}

function trainingPuzzles(pool: PuzzleDraw, worlds: readonly string[], count: number, random: Random): PuzzleProblem[] {
  const lists = worlds.map((world, kind) => {
    const wanted = Math.ceil((count - kind) / worlds.length);
    const drawn = pool.take(world, "training", wanted);
    if (drawn.length === 0 && wanted > 0)
      throw new ConfigurationError(`${world} has no train puzzle for RL; take another size`);
    return repeated(drawn, wanted, random.child(world));
  });
  return inTurn(lists);
}

/** Every kind in turn. A kind whose world is used up gives what it has and the others the rest: no trace is asked for twice. */
function teachingPuzzles(pool: PuzzleDraw, worlds: readonly string[], count: number): PuzzleProblem[] {
  const lists = worlds.map((): PuzzleProblem[] => []);
  for (let missing = count, open = worlds.map((_, kind) => kind); missing > 0; ) {
    if (open.length === 0) {
      throw new ConfigurationError(
        `${worlds.join(", ")} hold ${count - missing} different train puzzles for SFT and ${count} are needed (corpus.puzzles); add puzzles or larger boards, or ask for fewer`,
      );
    }
    const wanted = Math.ceil(missing / open.length);
    open = open.filter((kind) => {
      const drawn = pool.take(worlds[kind], "teaching", wanted);
      lists[kind].push(...drawn);
      missing -= drawn.length;
      return drawn.length === wanted;
    });
  }
  return inTurn(lists).slice(0, count);
}
