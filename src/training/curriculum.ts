// A curriculum that follows the success rate: levels from easy to hard, up when enough is solved and down when too little is.
// Pure: what comes next is a function of the curriculum and of what was solved, so that any trainer can read it, and a run
// that was interrupted resumes as if it had not been.
import { z } from "zod";
import { readWeightedKind } from "../puzzles/mix.ts";

const share = z.number().min(0).max(1);

export const curriculumSchema = z
  .strictObject({
    /** Easiest first; a level is one or more kinds of puzzle, as in `bridges=7x7,easy*3`. */
    levels: z.array(z.array(z.string()).min(1)).min(1),
    /** The success rate at which the next level begins, and the one at which the level before comes back. */
    promoteAt: share.default(0.7),
    demoteAt: share.default(0.2),
    /** Over how many problems of the level the rate is taken; before that nothing changes. */
    window: z.number().int().positive().default(64),
    /** The share of problems from the levels before, so that they are not forgotten. */
    review: share.default(0.2),
  })
  .refine(({ promoteAt, demoteAt }) => demoteAt < promoteAt, "demoteAt must be below promoteAt");
export type Curriculum = z.output<typeof curriculumSchema>;

export const progressSchema = z.strictObject({
  level: z.number().int().nonnegative(),
  /** Success rates of the latest problems of this level, oldest first. */
  recent: z.array(share),
  /** How many puzzles of each kind were taken so far. */
  taken: z.record(z.string(), z.number().int().nonnegative()),
});
export type CurriculumProgress = z.output<typeof progressSchema>;

/** How often one problem of a kind was solved, of how many attempts. */
export const outcomeSchema = z.strictObject({
  kind: z.string(),
  solved: z.number().nonnegative(),
  attempts: z.number().positive(),
});
export type CurriculumOutcome = z.output<typeof outcomeSchema>;

export const startOfCurriculum: CurriculumProgress = { level: 0, recent: [], taken: {} };

/** A kind by the name it has everywhere: full parameters, no weight. */
const kindsOf = (level: readonly string[]) => level.map((text) => readWeightedKind(text));

export function nextProgress(
  curriculum: Curriculum,
  progress: CurriculumProgress,
  outcomes: readonly CurriculumOutcome[],
): CurriculumProgress {
  const { levels, promoteAt, demoteAt, window } = curriculum;
  let { level, recent } = progress;
  for (const { kind, solved, attempts } of outcomes) {
    if (!kindsOf(levels[level]).some(({ text }) => text === readWeightedKind(kind).text)) continue;
    recent = [...recent, Math.min(1, solved / attempts)].slice(-window);
    if (recent.length < window) continue;
    const rate = recent.reduce((sum, value) => sum + value, 0) / window;
    const step = rate >= promoteAt && level < levels.length - 1 ? 1 : rate <= demoteAt && level > 0 ? -1 : 0;
    if (step === 0) continue;
    // What was solved at another level says nothing about this one.
    level += step;
    recent = [];
  }
  return { ...progress, level, recent };
}

/** Which kinds come next, and how often: weights that add up to one. */
export function kindWeights(
  { levels, review }: Curriculum,
  { level }: CurriculumProgress,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (kinds: ReturnType<typeof kindsOf>, part: number) => {
    const sum = kinds.reduce((total, { weight }) => total + weight, 0);
    for (const { text, weight } of kinds) weights.set(text, (weights.get(text) ?? 0) + (part * weight) / sum);
  };
  const before = levels.slice(0, level).flatMap(kindsOf);
  add(kindsOf(levels[level]), before.length === 0 ? 1 : 1 - review);
  if (before.length > 0 && review > 0) add(before, review);
  return weights;
}
