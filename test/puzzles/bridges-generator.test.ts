import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type BridgesDifficulty, type BridgesParams, bridges } from "../../src/puzzles/bridges/index.ts";
import { PuzzleFormatError } from "../../src/puzzles/puzzle.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";

/** Sizes and rules at which every difficulty that may be drawn exists. */
const anyParams = fc
  .record({
    width: fc.integer({ min: 6, max: 14 }),
    height: fc.integer({ min: 6, max: 14 }),
    islandPercent: fc.integer({ min: 15, max: 30 }),
    expansionPercent: fc.integer({ min: 0, max: 40 }),
    maxBridges: fc.integer({ min: 1, max: 4 }),
    loops: fc.constantFrom("allowed" as const, "forbidden" as const),
    difficulty: fc.constantFrom<BridgesDifficulty | undefined>("easy", "medium", "hard", "unreasonable", undefined),
  })
  .filter(({ maxBridges, difficulty }) => maxBridges > 1 || difficulty === "easy" || difficulty === undefined)
  .filter(
    ({ width, height, islandPercent, difficulty }) =>
      difficulty !== "unreasonable" || (width > 8 && height > 8 && islandPercent > 20),
  );

describe("generator", () => {
  test("boards are unique, labeled as graded, sized and filled as asked, and the solution is accepted", () => {
    fc.assert(
      fc.property(anyParams, fc.string(), (drawn, seed) => {
        const { difficulty, ...shape } = drawn;
        const params: BridgesParams = difficulty === undefined ? shape : { ...shape, difficulty };
        const made = bridges.generate(params, Random.from(seed));
        const { width, height, maxBridges, loops, clues } = made.instance;
        expect([width, height, maxBridges, loops]).toEqual([
          params.width,
          params.height,
          params.maxBridges,
          params.loops,
        ]);
        if (difficulty !== undefined) expect(made.difficulty).toBe(difficulty);
        expect(bridges.difficulty(made.instance)).toBe(made.difficulty);
        expect(bridges.solve(made.instance)).toEqual({ status: "unique", solution: made.solution });
        expect(bridges.judge(made.instance, made.solution)).toEqual({ correct: true });

        const islands = clues.flatMap((clue, cell) => (clue > 0 ? [cell] : []));
        expect(islands.length).toBeLessThanOrEqual(Math.max(3, (params.islandPercent * width * height) / 100));
        expect(islands.some((cell) => cell < width)).toBe(true);
        expect(islands.some((cell) => cell >= clues.length - width)).toBe(true);
        expect(islands.some((cell) => cell % width === 0)).toBe(true);
        expect(islands.some((cell) => cell % width === width - 1)).toBe(true);
        expect(bridges.readId(bridges.writeId(made.instance))).toEqual(made.instance);
      }),
      { numRuns: 150 },
    );
  });

  test.each(["50x50d0", "50x50d1", "50x50d2", "50x50m4d3", "50x50m1d2", "50x50i1d0", "40x60Ld1", "3x50d2"])(
    "makes %s",
    (text) => {
      const params = bridges.readParams(text);
      const made = bridges.generate(params, Random.from("big").child(text));
      expect(made.difficulty).toBe(params.difficulty);
      expect(bridges.judge(made.instance, made.solution)).toEqual({ correct: true });
    },
  );

  test("islands fill more than half of the share asked for on an ordinary board", () => {
    let islands = 0;
    for (let i = 0; i < 20; i++) {
      const { instance } = bridges.generate(bridges.readParams("10x10i20"), Random.from("share").child(i));
      islands += instance.clues.filter((clue) => clue > 0).length;
    }
    expect(islands / 20).toBeGreaterThan(15);
  });

  test("expansion makes long bridges", () => {
    const meanIslands = (text: string) => {
      let islands = 0;
      for (let i = 0; i < 20; i++) {
        const { instance } = bridges.generate(bridges.readParams(text), Random.from("expansion").child(i));
        islands += instance.clues.filter((clue) => clue > 0).length;
      }
      return islands / 20;
    };
    expect(meanIslands("15x15e100")).toBeLessThan(0.6 * meanIslands("15x15e0"));
  });

  test.each([
    ["7x7i30e10m1d1", "no medium Bridges board exists with single bridges"],
    ["3x3d1", "no medium Bridges board found for 3x3i30e10m2d1"],
    ["3x3d3", "no unreasonable Bridges board found"],
    ["4x4d1", "no medium Bridges board found"],
    ["10x10i1d2", "no hard Bridges board found"],
  ])("what cannot exist is refused in time: %s", (text, message) => {
    const attempt = () => bridges.generate(bridges.readParams(text), Random.from(1));
    const { seconds } = processorTime(() =>
      expect(attempt).toThrow(
        expect.objectContaining({ name: "GenerationError", message: expect.stringContaining(message) }),
      ),
    );
    expect(seconds).toBeLessThan(moment);
  });

  test("no 4x4 board is medium, which is why none is found", () => {
    const found = new Set<string | undefined>();
    for (const instance of bridges.enumerate({ ...bridges.readParams("4x4"), difficulty: undefined })!)
      found.add(bridges.difficulty(instance));
    expect([...found].sort()).toEqual(["easy", "hard"]);
  });

  test("parameters made in code are checked like written ones", () => {
    const params = { ...bridges.readParams("7x7"), islandPercent: 90 };
    expect(() => bridges.generate(params, Random.from(1))).toThrow(PuzzleFormatError);
  });
});
