// A corpus from the narrating teacher: puzzles of the train side, thought through aloud, kept only if the answer verifies.
import type { Random } from "../base/random.ts";
import { puzzleProblemId } from "../problems/problem-id.ts";
import { puzzlePrompt, puzzleResponse } from "../puzzles/prompt.ts";
import { type AnyPuzzle, GenerationError, type PuzzleParams } from "../puzzles/puzzle.ts";
import { type SplitPuzzle, splitPuzzles, stageOf, type TrainStage } from "../puzzles/splits.ts";
import { gradeResponse, gradingKey } from "../puzzles/verification.ts";
import { type NarrationOptions, narrate, tersePrompt, terseResponse } from "./narrator.ts";
import type { Attempt } from "./rejection-sampling.ts";

export type NarratedSet = {
  readonly puzzle: AnyPuzzle;
  readonly params: PuzzleParams;
  /** How often this set is drawn from, relative to the others. */
  readonly weight: number;
};

export type NarratedCorpusRequest = {
  readonly sets: readonly NarratedSet[];
  readonly narration: Omit<NarrationOptions, "random">;
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
  readonly random: Random;
  /** Narrations per puzzle: a small world of puzzles gives more traces than it has puzzles. */
  readonly tracesPerPuzzle: number;
  /** Only the train puzzles of one stage, so that the other shares none of them. */
  readonly stage?: TrainStage;
};

/** Endless attempts; the caller counts and stops. Sets are drawn by weight, each with its own stream of distinct puzzles. */
export function* narratedTraces(request: NarratedCorpusRequest): Generator<Attempt> {
  const { sets, random, tracesPerPuzzle } = request;
  const streams = sets.map((set) => ({ set, puzzles: puzzlesToNarrate(request, set, tracesPerPuzzle) }));
  const total = sets.reduce((sum, { weight }) => sum + weight, 0);
  const choice = random.child("choice");
  for (let count = 0; ; count++) {
    let ticket = choice.uniform() * total;
    const chosen = streams.find(({ set }) => (ticket -= set.weight) < 0) ?? streams[streams.length - 1];
    const made = chosen.puzzles.next().value as SplitPuzzle;
    yield narratedAttempt(request, chosen.set.puzzle, made, random.child("telling", count));
  }
}

/** Distinct train puzzles, each narrated a few times; when there are no more, it starts again. */
function* puzzlesToNarrate(
  { random, stage }: NarratedCorpusRequest,
  { puzzle, params }: NarratedSet,
  tracesPerPuzzle: number,
): Generator<SplitPuzzle> {
  const narrated: SplitPuzzle[] = [];
  const fresh = splitPuzzles({
    puzzle,
    params,
    split: "train",
    random: random.child("puzzles", puzzle.name, puzzle.writeParams(params)),
  });
  let exhausted = false;
  for (let count = 0; ; count++) {
    if (!exhausted && count % tracesPerPuzzle === 0) {
      try {
        let next = fresh.next();
        while (!next.done && stage !== undefined && stageOf(next.value.canonical) !== stage) next = fresh.next();
        if (!next.done) narrated.push(next.value);
      } catch (error) {
        // No more, after at least one puzzle: repeat those there are. With none at all, the reason matters.
        if (!(error instanceof GenerationError) || narrated.length === 0) throw error;
        exhausted = true;
      }
    }
    yield exhausted || count % tracesPerPuzzle !== 0
      ? narrated[(count * 7919) % narrated.length]
      : narrated[narrated.length - 1];
  }
}

type PuzzleToNarrate = {
  readonly id: string;
  readonly instance: unknown;
  /** Solved for grading where it is not given. */
  readonly solution?: unknown;
  /** As the student is asked; by the narration's style where it is not given. */
  readonly prompt?: string;
};

/** One trace, kept if its answer verifies and it is short enough. */
export function narratedAttempt(
  { narration, countTokens, maxTokens }: Pick<NarratedCorpusRequest, "narration" | "countTokens" | "maxTokens">,
  puzzle: AnyPuzzle,
  { id, instance, solution, prompt }: PuzzleToNarrate,
  random: Random,
): Attempt {
  const terse = narration.style === "terse";
  const trace = narrate(puzzle.name, instance, { ...narration, random });
  if (trace.answer === undefined) return { rejected: "gave up" };
  const response = terse
    ? terseResponse(trace)
    : puzzleResponse(trace.steps.map(({ text }) => text).join("\n\n"), trace.answer);
  const { verdict } = gradeResponse(gradingKey(puzzle, instance, solution), response);
  if (verdict.verdict !== "correct") return { rejected: verdict.verdict };
  const tokens = countTokens(response);
  if (tokens > maxTokens) return { rejected: "too long" };
  const { style, guessing, errorRate, repertoire } = narration;
  return {
    kept: {
      problem: puzzleProblemId(puzzle.name, id),
      puzzle: puzzle.name,
      instance: id,
      prompt: prompt ?? (terse ? tersePrompt(puzzle.name, instance) : puzzlePrompt(puzzle, instance)),
      response,
      tokens,
      source: { teacher: "narrator", style, guessing, errorRate, repertoire },
      labels: trace.steps.map(({ primitive }) => primitive),
    },
  };
}
