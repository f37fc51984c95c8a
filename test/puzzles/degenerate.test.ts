// What answers without thought earn under the balanced reward: little, unless they are right.
import { expect, it } from "vitest";
import { degenerateAnswers } from "../../scripts/degenerate-answers.ts";
import { Random } from "../../src/base/random.ts";
import { balancedReward } from "../../src/grading/reward.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { gradeAnswer, gradingKey } from "../../src/puzzles/verification.ts";

it.each([
  ["bridges", "7x7d0"],
  ["bridges", "10x10i5d0"],
  ["galaxies", "3x3dn"],
  ["galaxies", "4x4dn"],
  ["galaxies", "7x7dn"],
  ["slitherlink", "5x5t0de"],
  ["slitherlink", "10x10t0dn"],
  ["pattern", "4x4"],
  ["pattern", "10x10f5"],
  ["pattern", "10x10f80"],
  ["undead", "4x4de"],
  ["undead", "7x7dn"],
])("%s %s: wrong ones earn no more than 0.3 on average", (name, params) => {
  const puzzle = puzzleNamed(name);
  const rewards = new Map<string, number[]>();
  for (let board = 0; board < 20; board++) {
    const { instance, solution } = puzzle.generate(
      puzzle.readParams(params),
      Random.from("degenerate").child(name, params, board),
    );
    const key = gradingKey(puzzle, instance, solution);
    for (const [what, answer] of Object.entries(degenerateAnswers(puzzle, instance, solution))) {
      const { exact, reward } = gradeAnswer(key, answer, balancedReward).parts;
      if (exact === 0) rewards.set(what, [...(rewards.get(what) ?? []), reward]);
    }
  }
  for (const [what, earned] of rewards)
    expect([what, earned.reduce((sum, reward) => sum + reward, 0) / earned.length <= 0.3]).toEqual([what, true]);
});

it.each([
  ["bridges", "7x7d0"],
  ["bridges", "10x10i5d0"],
  ["galaxies", "3x3dn"],
  ["galaxies", "4x4dn"],
  ["galaxies", "7x7dn"],
])("%s %s: a lazy answer that is wrong earns its format alone", (name, params) => {
  const puzzle = puzzleNamed(name);
  let wrong = 0;
  for (let board = 0; board < 15; board++) {
    const random = Random.from("lazy").child(name, params, board);
    const { instance, solution } = puzzle.generate(puzzle.readParams(params), random);
    const key = gradingKey(puzzle, instance, solution);
    for (const answer of Object.values(puzzle.lazyAnswers(instance) ?? {})) {
      const { exact, reward } = gradeAnswer(key, answer, balancedReward).parts;
      if (exact === 0) wrong++;
      expect(reward).toBe(exact === 0 ? 0.1 : 2.1);
    }
  }
  expect(wrong).toBeGreaterThan(0);
});
