// The recipe of the shipped base model: what it reads, how long it learns.
import { Random } from "../../base/random.ts";
import type { Lesson } from "../../teaching/pretraining.ts";
import type { PretrainOptions } from "./base-model.ts";
import { type BarePuzzles, lessons } from "./lessons.ts";
import { type WorldSize, worlds } from "./world.ts";

export const pretraining = {
  steps: 4_000,
  lessonsPerStep: 512,
  /** How often every lesson is read: a small model remembers none of a million. */
  readings: 2,
  learningRate: 1e-3,
  schedule: { shape: "cosine", warmupSteps: 100, floor: 0.05 },
  weightDecay: 0.01,
  maxGradientNorm: 1,
  beta2: 0.98,
} as const satisfies Omit<PretrainOptions, "contextLength"> & { readonly readings: number };

/** Shards differ in nothing but their part of the random tree. */
export function baseLessons(
  { seed, size, barePuzzles }: { readonly seed: number; readonly size: WorldSize; readonly barePuzzles: BarePuzzles },
  shard: number,
): Generator<Lesson> {
  const random = Random.from(seed).child("base", shard);
  return lessons({ world: worlds[size], barePuzzles, random, usesPerPuzzle: 4 });
}
