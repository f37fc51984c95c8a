// Generated Slitherlinks: unique, of the level asked for, without a clue too many, the same for the same stream.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { GenerationError } from "../../src/puzzles/puzzle.ts";
import { type SlitherlinkDifficulty, slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { loopsWith } from "./slitherlink-brute-force.ts";

const random = Random.from("slitherlink generator");

describe.each([
  ["3x3t0de", 5],
  ["3x3t0dh", 5],
  ["4x4t0dn", 5],
  ["5x5t0dt", 5],
  ["5x5t0dh", 5],
  ["7x7t0de", 5],
  ["9x5t0dn", 5],
  ["10x10t0dh", 2],
])("%s", (text, count) => {
  const params = slitherlink.readParams(text);
  const made = Array.from({ length: count }, (_, i) => slitherlink.generate(params, random.child(text, i)));

  it("without any one of its clues the rules of its level no longer suffice", () => {
    const levels: readonly string[] = slitherlink.difficulties;
    for (const { instance } of made)
      for (let cell = 0; cell < instance.clues.length; cell++) {
        if (instance.clues[cell] === ".") continue;
        const clues = `${instance.clues.slice(0, cell)}.${instance.clues.slice(cell + 1)}`;
        const level = slitherlink.difficulty({ ...instance, clues });
        if (level !== undefined) expect(levels.indexOf(level)).toBeGreaterThan(levels.indexOf(params.difficulty!));
      }
  });
});

describe("what is asked for", () => {
  it("without a difficulty any that rules solve may come, and is named", () => {
    const found = new Set<string>();
    for (let draw = 0; draw < 60; draw++) {
      const { instance, difficulty } = slitherlink.generate({ width: 5, height: 5 }, random.child("any", draw));
      expect(slitherlink.difficulty(instance)).toBe(difficulty);
      found.add(difficulty);
    }
    expect(found.size).toBeGreaterThan(1);
  });

  it("small boards are unique by brute force", () => {
    for (let draw = 0; draw < 40; draw++) {
      const { instance, solution } = slitherlink.generate({ width: 4, height: 3 }, random.child("small", draw));
      expect(loopsWith(4, 3, instance.clues).map(({ cells }) => cells)).toEqual([solution.cells]);
    }
  });

  it.each([
    [{ width: 2, height: 5 }, /at least 3/],
    [{ width: 4.5, height: 5 }, /at least 3/],
    [{ width: 1000, height: 1000 }, /more than 10000 cells/],
    [{ width: 5, height: 5, difficulty: "fiendish" as SlitherlinkDifficulty }, /expected one of: easy, normal/],
  ])("%j is refused", (params, message) => {
    expect(() => slitherlink.generate(params, random)).toThrow(GenerationError);
    expect(() => slitherlink.generate(params, random)).toThrow(message);
  });
});
