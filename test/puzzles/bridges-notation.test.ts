import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type BridgesInstance, bridges } from "../../src/puzzles/bridges/index.ts";
import { canonicalId, PuzzleFormatError } from "../../src/puzzles/puzzle.ts";

/** `sgt-bridges --generate 4 7x7i30e10m2d0#golden` and the like (Debian sgt-puzzles 20230122.806ae71-2). */
const tathamIds = [
  "7x7m2:a4a5a3h2u2c1a3b3b1",
  "7x7m2:2c1a1g5e5g6d3g22a1b2a",
  "7x7m2:d1a22b3a1c1a3a5g2a2h1b2b4b3",
  "10x10m4L:2b4a5c3b3j3c7a9d3a9a2c4j5bDa4x2a1b2a3a3c6b5",
  "12x5m3:d3d6a63a2b4b3a4n2a3a5d2a4e4d5",
];

const anyInstance = fc
  .record({
    width: fc.integer({ min: 3, max: 12 }),
    height: fc.integer({ min: 3, max: 12 }),
    maxBridges: fc.integer({ min: 1, max: 4 }),
    loops: fc.constantFrom("allowed" as const, "forbidden" as const),
    seed: fc.string(),
    density: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
  })
  .map(({ width, height, maxBridges, loops, seed, density }): BridgesInstance => {
    const random = Random.from(seed);
    const clues: number[] = new Array(width * height).fill(0);
    clues[0] = 1 + random.below(16);
    clues[clues.length - 1] = 1 + random.below(16);
    for (let cell = 1; cell < clues.length - 1; cell++) {
      const [x, last] = [cell % width, cell + width >= clues.length];
      const touches =
        (x > 0 && clues[cell - 1] > 0) ||
        (cell >= width && clues[cell - width] > 0) ||
        (last && cell === clues.length - 2) ||
        cell + width === clues.length - 1;
      if (!touches && random.chance(density)) clues[cell] = 1 + random.below(16);
    }
    return { width, height, maxBridges, loops, clues };
  });

describe("parameters", () => {
  test("what is left out takes Tatham's defaults", () => {
    const full = bridges.readParams("7x7i30e10m2d0");
    expect(bridges.readParams("7")).toEqual(full);
    expect(bridges.readParams("7x7m2")).toEqual(full);
    expect(bridges.readParams("9x4e50L")).toEqual({
      width: 9,
      height: 4,
      islandPercent: 30,
      expansionPercent: 50,
      maxBridges: 2,
      loops: "forbidden",
      difficulty: "easy",
    });
  });

  test.each(["7x7i30e10m2d0", "7x9i1e0m4Ld2", "50x50i30e100m1d1", "10x10i20e10m3d3", "10x10i20e10m3da"])(
    "%s reads and writes as itself",
    (text) => expect(bridges.writeParams(bridges.readParams(text))).toBe(text),
  );

  test("any difficulty is no difficulty", () => {
    expect(bridges.readParams("7x7da")).not.toHaveProperty("difficulty");
  });

  test.each([
    ["", "character 1: expected the width"],
    ["7x", "character 3: expected the height"],
    ["2x7", "character 1: width and height must be at least 3"],
    ["2000x2000", "character 1: 2000x2000 is more than 1000000 cells"],
    ["7x7i0", "character 5: the percentage of islands must be 1 to 30, not 0"],
    ["7x7i31", "character 5: the percentage of islands must be 1 to 30"],
    ["7x7e101", "character 5: the expansion percentage must be 0 to 100"],
    ["7x7m5", "character 5: the most bridges between two islands must be 1 to 4"],
    ["7x7d4", "character 5: unknown difficulty"],
    ["7x7d2e5", 'character 6: unexpected "e"'],
    ["7x7m99999999999", "character 5: the most bridges between two islands is too large"],
  ])("%j is refused: %s", (text, message) => {
    expect(() => bridges.readParams(text)).toThrow(PuzzleFormatError);
    expect(() => bridges.readParams(text)).toThrow(message);
  });
});

describe("ids", () => {
  test.each(tathamIds)("%s reads and writes as itself", (id) => expect(bridges.writeId(bridges.readId(id))).toBe(id));

  test("every instance reads back from its id", () => {
    fc.assert(
      fc.property(anyInstance, (instance) => {
        expect(bridges.readId(bridges.writeId(instance))).toEqual(instance);
      }),
      { numRuns: 200 },
    );
  });

  test("full parameters before the colon are accepted, as his programs accept them", () => {
    const board = bridges.readId("7x7m2:a4a5a3h2u2c1a3b3b1");
    expect(bridges.readId("7x7i99e10m2d7:a4a5a3h2u2c1a3b3b1")).toEqual(board);
    expect(bridges.readId("7:a4a5a3h2u2c1a3b3b1")).toEqual(board);
  });

  test("water longer than 26 cells is split", () => {
    const id = "6x6m2:1zh1";
    expect(bridges.readId(id).clues.filter((clue) => clue > 0)).toHaveLength(2);
    expect(bridges.writeId(bridges.readId(id))).toBe(id);
  });

  test.each([
    ["7x7m2", "character 6: expected a colon"],
    ["3x3m2:1a1e", "character 11: the description ends after 8 of 9 cells"],
    ["3x3m2:1a1g", "character 10: the board has 9 cells and this run of water leaves it"],
    ["3x3m2:1a1f1", "character 11: the board has 9 cells and the description goes on"],
    ["3x3m2:1a0f", 'character 9: expected an island 1-9 or A-G, or water a-z, found "0"'],
    ["3x3m2:Ha1f", 'character 7: expected an island 1-9 or A-G, or water a-z, found "H"'],
    ["3x3m2:11g", "character 8: this island touches the one to its left"],
    ["3x3m2:1b1e", "character 9: this island touches the one above it"],
    ["3x3m2:1h", "character 9: a board needs at least 2 islands, found 1"],
    ["3x3m2:i", "at least 2 islands, found 0"],
    ["3x3m9:1a1f", "character 5: the most bridges"],
  ])("%j is refused: %s", (id, message) => {
    expect(() => bridges.readId(id)).toThrow(PuzzleFormatError);
    expect(() => bridges.readId(id)).toThrow(message);
  });

  test("any string is an instance or a format error", () => {
    const characters = fc.constantFrom(..."0123456789xmLied:abcgzAGHK,;\n é");
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: characters })), (text) => {
        for (const read of [bridges.readId, bridges.readParams])
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PuzzleFormatError);
          }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("moves", () => {
  const instance = bridges.readId("7x7m2:a2d3g2e4h2d3h1a1b2");
  /** The SOLVE line of `sgt-bridges --save … --with-solutions` for this id. */
  const tathamMove =
    "S;L1,0,6,0,2;M1,0;L6,0,6,2,1;M6,0;L0,2,6,2,2;M0,2;L6,2,6,4,1;M6,2;L1,4,6,4,1;L1,4,1,6,1;M1,4;L6,4,6,6,1;M6,4;M1,6;L3,6,6,6,1;M3,6;M6,6";

  test("his move is the solution, and is written again without its marks", () => {
    const board = bridges.readMove(instance, tathamMove);
    expect(bridges.judge(instance, board)).toEqual({ correct: true });
    const withoutMarks = tathamMove.split(";").filter((part) => !part.startsWith("M"));
    expect(bridges.writeMove(instance, board)).toBe(withoutMarks.join(";"));
  });

  test("solutions survive being written as moves", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("5x5m3da", "7x7m4Lda", "8x6m2da", "6x9m1da"), (seed, params) => {
        const made = bridges.generate(bridges.readParams(params), Random.from(seed));
        const move = bridges.writeMove(made.instance, made.solution);
        expect(bridges.readMove(made.instance, move)).toEqual(made.solution);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ["X", "character 1: expected L, N or M"],
    ["S;L1,0", "character 7: expected a comma"],
    ["S;L1,0,6,0,3", "character 3: 3 bridges, but at most 2"],
    ["S;L1,0,9,0,1", "character 3: outside the 7x7 board"],
    ["S;L1,0,6,2,1", "character 3: a bridge joins two islands in one row or one column"],
    ["S;L1,0,5,0,1", "character 3: a bridge must start and end at an island"],
    ["S;L6,0,6,4,1", "character 3: another island lies between the two"],
    ["S;L1,0,1,4,1;L0,2,6,2,1", "character 14: crosses a bridge placed earlier"],
    ["S;L1,0,6,0,1 ", "expected a semicolon"],
  ])("%j is refused: %s", (move, message) => {
    expect(() => bridges.readMove(instance, move)).toThrow(PuzzleFormatError);
    expect(() => bridges.readMove(instance, move)).toThrow(message);
  });

  test("a board with a broken bridge is no move", () => {
    const { cells } = bridges.readMove(instance, tathamMove);
    const broken = cells.map((symbol, cell) => (cell === 3 ? "." : symbol));
    expect(() => bridges.writeMove(instance, { cells: broken })).toThrow("is broken off");
    const dangling = bridges.initialCells(instance).map((symbol, cell) => (cell === 15 ? "-" : symbol));
    expect(() => bridges.writeMove(instance, { cells: dangling })).toThrow("is broken off");
  });
});

describe("symmetry", () => {
  test("the canonical form is the same from every image, and images come in eights or fours", () => {
    fc.assert(
      fc.property(anyInstance, (instance) => {
        const images = bridges.images(instance);
        expect(images).toHaveLength(instance.width === instance.height ? 8 : 4);
        expect(images[0]).toEqual(instance);
        const canonical = canonicalId(bridges, instance);
        for (const image of images) {
          expect(canonicalId(bridges, image)).toBe(canonical);
          expect(bridges.readId(bridges.writeId(image))).toEqual(image);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("the eight images of a board without symmetry all differ", () => {
    const images = bridges.images(bridges.readId("7x7m2:a2d3g2e4h2d3h1a1b2"));
    expect(new Set(images.map(bridges.writeId)).size).toBe(8);
  });
});
