// What a move does: P(right | with it) − P(right | without it) at the same place, averaged over forks of a problem and then
// over problems, with the interval that everything over problems has.
import { z } from "zod";
import { intervalOfMean, shareInterval } from "../../evaluation/intervals.ts";
import type { Problem } from "../../problems/problem.ts";
import { type ProblemFacts, problemFacts } from "../../problems/problem-facts.ts";
import type { PuzzlePools } from "../../runs/recipe-names.ts";
import type { Estimate } from "../analysis/estimates.ts";
import { inScope, scopesOf } from "../analysis/scopes.ts";
import { motifText } from "../motifs.ts";
import type { Continuation, Fork } from "./fork.ts";

const endingSchema = z.object({
  /** Absent where nobody can say. */
  right: z.boolean().optional(),
  /** What followed the fork, a letter a span. */
  sequence: z.string(),
});
export type Ending = z.infer<typeof endingSchema>;

/** One fork and what became of it, without its texts. */
export const forkStorySchema = z.object({
  id: z.string(),
  problem: z.string(),
  attempt: z.int(),
  first: z.int(),
  move: z.array(z.string()),
  set: z.string().optional(),
  kind: z.enum(["puzzle", "mathematics"]).optional(),
  sequence: z.string(),
  correct: z.boolean().optional(),
  with: z.array(endingSchema),
  without: z.array(endingSchema),
  /** Of the way without: draws, those that made the move all the same, continuations given up for it. */
  draws: z.int(),
  rejected: z.int(),
  gaveUp: z.int(),
});
export type ForkStory = z.infer<typeof forkStorySchema>;

export function forkStories(
  forks: readonly Fork[],
  all: Iterable<Continuation>,
  problems: ReadonlyMap<string, Problem>,
): ForkStory[] {
  const byFork = new Map<string, Continuation[]>(forks.map(({ id }) => [id, []]));
  for (const one of all) byFork.get(one.fork.id)?.push(one);
  return forks.map(({ prefix, made, ...fork }) => {
    const own = byFork.get(fork.id) ?? [];
    const without = own.filter(({ arm }) => arm === "without");
    const { set, kind }: Partial<ProblemFacts> = problems.has(fork.problem)
      ? problemFacts(problems.get(fork.problem)!)
      : {};
    return {
      ...{ ...fork, set, kind },
      with: own.filter(({ arm }) => arm === "with").flatMap(endingOf),
      without: without.flatMap(endingOf),
      draws: without.reduce((sum, { draws }) => sum + draws, 0),
      rejected: without.reduce((sum, { rejected }) => sum + rejected, 0),
      gaveUp: without.filter(({ ended, failed, draws }) => ended === undefined && !failed && draws > 0).length,
    };
  });
}

function endingOf({ ended }: Continuation): Ending[] {
  if (ended === undefined) return [];
  const verdict = ended.grade?.verdict;
  return [{ sequence: ended.sequence ?? "", ...(verdict !== undefined && { right: verdict === "correct" }) }];
}

/** JSON has no NaN, and writes null for it. */
const numberSchema = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);
const estimateSchema = z.object({ value: numberSchema, low: numberSchema, high: numberSchema });

export const forkEffectSchema = z.object({
  move: z.string(),
  /** A set, or several together. */
  scope: z.string(),
  /** Forks with ends on both sides, and the problems they are of. */
  forks: z.int(),
  problems: z.int(),
  with: estimateSchema,
  without: estimateSchema,
  effect: estimateSchema,
  /** Draws of the way without that made the move all the same. */
  rejected: z.number(),
  /** Forks from which no draw went on without the move: they say nothing, and are left out. */
  blocked: z.int(),
  /** Ends of the way without that make the move later. */
  later: z.number(),
});
export type ForkEffect = z.infer<typeof forkEffectSchema>;

export function forkEffects(
  stories: readonly ForkStory[],
  lettersOf: (move: readonly string[]) => string,
  pools?: PuzzlePools,
): ForkEffect[] {
  return moves(stories).flatMap((move) => {
    const made = stories.filter((story) => motifText(story.move) === move);
    const scopes = scopesOf(made, pools).map(({ name, ...scope }) => ({
      name,
      own: made.filter((story) => inScope({ name, ...scope }, story)),
    }));
    // What is the same under two names goes by the one that says more.
    const told = scopes.filter(({ own }, i) => !scopes.slice(i + 1).some((later) => sameStories(later.own, own)));
    return told.flatMap(({ name, own }) => {
      const found = effectOf(own, lettersOf);
      return found === undefined ? [] : [{ move, scope: name, ...found }];
    });
  });
}

/** Both in the order of all. */
const sameStories = (some: readonly ForkStory[], others: readonly ForkStory[]): boolean =>
  some.length === others.length && some.every((story, i) => story === others[i]);

const moves = (stories: readonly ForkStory[]): string[] => [...new Set(stories.map(({ move }) => motifText(move)))];

const rightOf = (endings: readonly Ending[]): number | undefined => {
  const graded = endings.filter(({ right }) => right !== undefined);
  return graded.length === 0 ? undefined : graded.filter(({ right }) => right).length / graded.length;
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function effectOf(
  stories: readonly ForkStory[],
  lettersOf: (move: readonly string[]) => string,
): Omit<ForkEffect, "move" | "scope"> | undefined {
  const byProblem = new Map<string, { readonly with: number[]; readonly without: number[] }>();
  const ends: boolean[] = [];
  let forks = 0;
  for (const story of stories) {
    const [made, left] = [rightOf(story.with), rightOf(story.without)];
    if (made === undefined || left === undefined) continue;
    forks += 1;
    const own = byProblem.get(story.problem) ?? { with: [], without: [] };
    byProblem.set(story.problem, own);
    own.with.push(made);
    own.without.push(left);
    for (const { sequence } of story.without) ends.push(sequence.includes(lettersOf(story.move)));
  }
  const blocked = stories.filter(({ without, gaveUp }) => without.length === 0 && gaveUp > 0).length;
  if (forks === 0 && blocked === 0) return undefined;
  const problems = [...byProblem.values()].map((own) => ({ with: mean(own.with), without: mean(own.without) }));
  const share = (values: readonly number[]): Estimate => ({ value: mean(values), ...shareInterval(values) });
  const effects = problems.map((own) => own.with - own.without);
  const draws = stories.reduce((sum, story) => sum + story.draws, 0);
  return {
    ...{ forks, problems: problems.length, blocked },
    with: share(problems.map((own) => own.with)),
    without: share(problems.map((own) => own.without)),
    effect: { value: mean(effects), ...intervalOfMean(effects, { low: -1, high: 1 }) },
    rejected: draws === 0 ? 0 : stories.reduce((sum, story) => sum + story.rejected, 0) / draws,
    later: ends.length === 0 ? 0 : ends.filter(Boolean).length / ends.length,
  };
}
