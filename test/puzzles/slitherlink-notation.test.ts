// Tatham's notation for Slitherlink: what is legal round-trips, what is not says what is wrong and where.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { puzzleOfId } from "../../src/puzzles/catalog.ts";
import { PuzzleFormatError } from "../../src/puzzles/puzzle.ts";
import { slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { everyLoop } from "./slitherlink-brute-force.ts";

describe("slitherlink parameters", () => {
  it.each(["3x3t0de", "5x5t0dn", "7x10t0dt", "12x5t0dh", "7x7t0du"])("%s is written as it was read", (text) => {
    expect(slitherlink.writeParams(slitherlink.readParams(text))).toBe(text);
  });

  it("fills in his defaults: a square, squares, and easy", () => {
    expect(slitherlink.readParams("5")).toEqual({ width: 5, height: 5, difficulty: "easy" });
    expect(slitherlink.readParams("5x6")).toEqual({ width: 5, height: 6, difficulty: "easy" });
    expect(slitherlink.readParams("5x6t0")).toEqual({ width: 5, height: 6, difficulty: "easy" });
    expect(slitherlink.readParams("5x6dh")).toEqual({ width: 5, height: 6, difficulty: "hard" });
  });

  it.each([
    ["", /character 1/],
    ["x4", /character 1/],
    ["2x4t0de", /at least 3/],
    ["7x7t2dh", /t2; only squares, t0/],
    ["4x4t0q", /character 6, found "q"/],
    ["4x4t0dx", /expected de \(easy\), dn .* or du \(unreasonable\) at character 6, found "dx"/],
    ["4x", /expected a size such as 7x7/],
    ["1000000x1", /slitherlink size 1000000x1 is too small/],
    ["100000x100000", /more than 1000000 cells/],
    ["4x4t0den", /unexpected "n" at character 8/],
  ])("%j is refused", (text, message) => {
    expect(() => slitherlink.readParams(text)).toThrow(PuzzleFormatError);
    expect(() => slitherlink.readParams(text)).toThrow(message);
  });
});

describe("slitherlink ids", () => {
  it("reads one that sgt-loopy wrote", () => {
    const id = "5x5t0:3a321b1a232c30d222a";
    expect(slitherlink.readId(id)).toEqual({ width: 5, height: 5, clues: "3.321..1.232...30....222." });
    expect(slitherlink.writeId(slitherlink.readId(id))).toBe(id);
    expect(puzzleOfId(id)).toBe(slitherlink);
  });

  it("an id with its difficulty is the same puzzle", () => {
    expect(slitherlink.readId("5x5t0de:3a321b1a232c30d222a")).toEqual(slitherlink.readId("5x5t0:3a321b1a232c30d222a"));
  });

  it("any clues survive, with runs of any length", () => {
    const clue = fc.constantFrom(...".......................01234");
    const boards = fc
      .record({ width: fc.integer({ min: 3, max: 12 }), height: fc.integer({ min: 3, max: 12 }) })
      .chain(({ width, height }) =>
        fc.array(clue, { minLength: width * height, maxLength: width * height }).map((clues) => ({
          width,
          height,
          clues: clues.join(""),
        })),
      );
    fc.assert(
      fc.property(boards, (instance) => {
        const id = slitherlink.writeId(instance);
        expect(id).toMatch(/^\d+x\d+t0:[a-z0-4]*$/);
        expect(slitherlink.readId(id)).toEqual(instance);
      }),
    );
    expect(slitherlink.writeId({ width: 9, height: 9, clues: ".".repeat(81) })).toBe("9x9t0:zzzc");
  });

  it.each([
    ["5x5t0", /no ":"/],
    ["5x5t0de#123", /random seed/],
    ["3x3:i", /does not say its grid/],
    ["3x3t1:i", /only squares/],
    ["3x3t0:h", /8 cells where 3x3 has 9, at character 8/],
    ["3x3t0:j", /more than 9 cells for 3x3, at character 7/],
    ["3x3t0:3a5f", /0 to 4 or a letter for cells without one at character 9, found "5"/],
    ["3x3t0:h!", /character 8, found "!"/],
  ])("%j is refused", (id, message) => {
    expect(() => slitherlink.readId(id)).toThrow(PuzzleFormatError);
    expect(() => slitherlink.readId(id)).toThrow(message);
  });
});

describe("slitherlink moves", () => {
  const instance = { width: 3, height: 4, clues: ".".repeat(12) };

  it("every loop survives", () => {
    for (const { cells } of everyLoop(3, 4)) {
      const move = slitherlink.writeMove(instance, { cells });
      expect(slitherlink.readMove(instance, move)).toEqual({ cells });
    }
  });

  it.each([
    ["S0", /numbers of lines/],
    ["0y", /numbers of lines/],
    ["S999y", /line 999/],
    ["S0y1y", /do not close/],
  ])("%j is refused", (move, message) => {
    expect(() => slitherlink.readMove(instance, move)).toThrow(PuzzleFormatError);
    expect(() => slitherlink.readMove(instance, move)).toThrow(message);
  });
});
