// The recipe of the shipped base model: what it reads, how long it learns.
import { Random } from "../../base/random.ts";
import type { Lesson } from "../../teaching/pretraining.ts";
import type { PretrainOptions } from "./base-model.ts";
import { type LessonMix, lessons } from "./lessons.ts";
import { miniContextLength } from "./new-model.ts";
import { trainingSizes } from "./world.ts";

/** Half of what it reads are whole puzzles solved by deduction: a base that had seen none would need hours of SFT. */
export const baseMix: LessonMix = { mathematics: 0.3, drills: 0.2, direct: 0.5 };

export const pretraining: PretrainOptions = {
  steps: 4_000,
  lessonsPerStep: 256,
  learningRate: 1e-3,
  schedule: { shape: "cosine", warmupSteps: 100, floor: 0.05 },
  weightDecay: 0.01,
  maxGradientNorm: 1,
  contextLength: miniContextLength,
};

/** Shards differ in nothing but their part of the random tree. */
export function baseLessons(seed: number, shard: number): Generator<Lesson> {
  const sizes = Object.fromEntries(Object.entries(trainingSizes).map(([name, params]) => [name, [params]]));
  return lessons({
    mix: baseMix,
    sizes,
    random: Random.from(seed).child("base", shard),
    usesPerPuzzle: 4,
  });
}
