// Generated Slitherlinks: unique, of the level asked for, without a clue too many, the same for the same stream.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type LoopyDifficulty, loopy } from "../../src/puzzles/loopy/index.ts";
import { GenerationError } from "../../src/puzzles/puzzle.ts";
import { loopsWith } from "./loopy-brute-force.ts";

const random = Random.from("loopy generator");

describe.each([
  ["3x3t0de", 30],
  ["3x3t0dh", 10],
  ["4x4t0dn", 30],
  ["5x5t0dt", 20],
  ["5x5t0dh", 10],
  ["4x4t0du", 10],
  ["7x7t0de", 10],
  ["9x5t0dn", 10],
  ["10x10t0dh", 2],
  ["7x7t0du", 5],
])("%s", (text, count) => {
  const params = loopy.readParams(text);
  const made = Array.from({ length: count }, (_, i) => loopy.generate(params, random.child(text, i)));

  it("each has the one solution it comes with, and the level that was asked for", () => {
    for (const { instance, solution, difficulty } of made) {
      expect(instance).toMatchObject({ width: params.width, height: params.height });
      expect(loopy.solve(instance)).toEqual({ status: "unique", solution });
      expect(loopy.judge(instance, solution)).toEqual({ correct: true });
      expect(difficulty).toBe(params.difficulty);
      expect(loopy.difficulty(instance)).toBe(difficulty);
    }
  });

  it("without any one of its clues the rules of its level no longer suffice", () => {
    // Taking a second clue that only search can do without would need no further proof.
    if (params.difficulty === "unreasonable") return;
    const levels: readonly string[] = loopy.difficulties;
    for (const { instance } of made.slice(0, 5))
      for (let cell = 0; cell < instance.clues.length; cell++) {
        if (instance.clues[cell] === ".") continue;
        const clues = `${instance.clues.slice(0, cell)}.${instance.clues.slice(cell + 1)}`;
        const level = loopy.difficulty({ ...instance, clues });
        if (level !== undefined) expect(levels.indexOf(level)).toBeGreaterThan(levels.indexOf(params.difficulty!));
      }
  });

  it("the same stream makes the same puzzle, another one others", () => {
    expect(loopy.generate(params, random.child(text, 0))).toEqual(made[0]);
    if (count > 4) expect(new Set(made.map(({ instance }) => instance.clues)).size).toBeGreaterThan(count / 2);
  });
});

describe("what is asked for", () => {
  it("without a difficulty any that rules solve may come, and is named", () => {
    const found = new Set<string>();
    for (let draw = 0; draw < 60; draw++) {
      const { instance, difficulty } = loopy.generate({ width: 5, height: 5 }, random.child("any", draw));
      expect(loopy.difficulty(instance)).toBe(difficulty);
      found.add(difficulty);
    }
    expect(found.size).toBeGreaterThan(1);
  });

  it("small boards are unique by brute force", () => {
    for (let draw = 0; draw < 40; draw++) {
      const { instance, solution } = loopy.generate({ width: 4, height: 3 }, random.child("small", draw));
      expect(loopsWith(4, 3, instance.clues).map(({ cells }) => cells)).toEqual([solution.cells]);
    }
  });

  it.each([
    [{ width: 2, height: 5 }, /at least 3/],
    [{ width: 4.5, height: 5 }, /at least 3/],
    [{ width: 1000, height: 1000 }, /at most 10000 cells/],
    [{ width: 5, height: 5, difficulty: "fiendish" as LoopyDifficulty }, /expected one of: easy, normal/],
  ])("%j is refused", (params, message) => {
    expect(() => loopy.generate(params, random)).toThrow(GenerationError);
    expect(() => loopy.generate(params, random)).toThrow(message);
  });
});
