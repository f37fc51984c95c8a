// Tatham's notation for Undead: what is legal round-trips, what is not says what is wrong and where.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { PuzzleFormatError } from "../../src/puzzles/puzzle.ts";
import { undead } from "../../src/puzzles/undead/index.ts";
import { instanceOf, randomCells, someCells } from "./undead-brute-force.ts";

const example = "4x4:2,3,4,RLRaRaLRaRf,0,0,0,2,2,1,2,4,2,3,2,4,4,2,1,0";
/** Made by `sgt-undead`'s author from puzzle 14 of a collection with given monsters. */
const withGivens =
  "8x5:12,12,0,LaRbLaRaLaRLbRaVaVaGRaRaRaLbLaRbRLb,0,2,0,2,2,1,2,1,3,1,0,1,8,4,3,0,0,2,3,2,7,2,1,6,2,1";

describe("undead parameters", () => {
  it.each(["3x3de", "4x4dn", "7x7dt", "12x5de"])("%s is written as it was read", (text) => {
    expect(undead.writeParams(undead.readParams(text))).toBe(text);
  });

  it("fills in his defaults: a square, and normal", () => {
    expect(undead.readParams("5")).toEqual({ width: 5, height: 5, difficulty: "normal" });
    expect(undead.readParams("5x6")).toEqual({ width: 5, height: 6, difficulty: "normal" });
  });

  it.each([
    ["", /character 1/],
    ["x4", /character 1/],
    ["2x4de", /at least 3/],
    ["4x4q", /character 4, found "q"/],
    ["4x4dx", /expected de \(easy\), dn \(normal\) or dt \(tricky\) at character 4, found "dx"/],
    ["100000x100000", /more than 1000000 cells/],
    ["5x", /a size such as 7x7/],
    ["4x4den", /unexpected "n" at character 6/],
  ])("%j is refused", (text, message) => {
    expect(() => undead.readParams(text)).toThrow(PuzzleFormatError);
    expect(() => undead.readParams(text)).toThrow(message);
  });
});

describe("undead ids", () => {
  it("reads sightings clockwise, bottom and left reversed", () => {
    expect(undead.readId(example)).toEqual({
      width: 4,
      height: 4,
      totals: { ghosts: 2, vampires: 3, zombies: 4 },
      cells: "/\\/./.\\/./......",
      sightings: { top: [0, 0, 0, 2], right: [2, 1, 2, 4], bottom: [4, 2, 3, 2], left: [0, 1, 2, 4] },
    });
  });

  it.each([example, withGivens])("%s is written as it was read", (id) => {
    expect(undead.writeId(undead.readId(id))).toBe(id);
  });

  it("reads the forms that he writes differently but accepts", () => {
    const written = "3x3:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3";
    for (const id of ["3x3dt:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3", "3:,,09,abcc,3,3,3,3,3,3,3,3,3,3,3,3"]) {
      expect(undead.writeId(undead.readId(id))).toBe(written);
    }
    expect(undead.readId("3x3:,,9,i,,,,,,,,,,,,").sightings.top).toEqual([0, 0, 0]);
  });

  it("round-trips every instance, with givens, at sizes beyond his", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 14 }),
        fc.integer({ min: 3, max: 14 }),
        fc.integer(),
        fc.constantFrom(0, 0.1, 0.4, 1),
        (width, height, seed, mirrors) => {
          const random = Random.from(seed);
          const cells = randomCells(width, height, random, mirrors);
          const given = someCells(cells, random, 0.1);
          const instance = instanceOf(cells, width, given);
          const id = undead.writeId(instance);
          expect(undead.readId(id)).toEqual(instance);
          expect(undead.writeId(undead.readId(id))).toBe(id);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ["4x4", /no ":"/],
    ["4x4#1234", /random seed/],
    ["4x2:1,1,1,a", /too small/],
    ["4x4:2,3,4", /expected "," after the number of zombies at character 10, found the end/],
    ["4x4:2;3,4,a", /expected "," after the number of ghosts at character 6, found ";"/],
    ["4x4:2,3,4,RLa?RaLRaRf,0", /expected a to z, L, R, G, V or Z in the grid at character 14, found "\?"/],
    ["4x4:2,3,4,RLRaRaLRaRe,0", /describes 15 of 16 cells; the grid ends at character 22/],
    ["4x4:2,3,4,RLRaRaLRaRz,0", /more than 16 cells at character 21/],
    ["4x4:2,3,5,RLRaRaLRaRf,0,0,0,2,2,1,2,4,2,3,2,4,4,2,1,0", /9 cells for monsters but counts 2 \+ 3 \+ 5/],
    ["4x4:2,3,4,RLRaRaLRaRf,0,0,0,2,2,1,2,4,2,3,2,4,4,2,1", /after sighting 15 of 16 at character \d+, found the end/],
    [`${example},1`, /nothing after the 16 sightings at character \d+, found ","/],
    [example.replace("RLR", "RLＲ"), /at character 13, found "Ｒ"/],
    ["3x3:0,0,9,i,99999999999,0,0,0,0,0,0,0,0,0,0,0", /sighting 1 of 12 is too large at character 13/],
  ])("%j is refused", (id, message) => {
    expect(() => undead.readId(id)).toThrow(PuzzleFormatError);
    expect(() => undead.readId(id)).toThrow(message);
  });

  it("refuses whatever else is written with a format error and nothing worse", () => {
    const spoiled = fc
      .tuple(fc.constantFrom(example, withGivens), fc.nat(120), fc.string({ maxLength: 3 }), fc.nat(3))
      .map(([id, at, text, cut]) => id.slice(0, at) + text + id.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(fc.string(), spoiled), (id) => {
        try {
          undead.readId(id);
        } catch (error) {
          expect(error).toBeInstanceOf(PuzzleFormatError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("undead moves", () => {
  const instance = undead.readId(example);

  it("number the monster cells row by row", () => {
    const board = { cells: "/\\/Z/G\\/V/GVZZVZ" };
    const move = "S;Z0;G1;V2;G3;V4;Z5;Z6;V7;Z8";
    expect(undead.writeMove(instance, board)).toBe(move);
    expect(undead.readMove(instance, move)).toEqual(board);
  });

  it("leave open what they do not mention, and givens in place", () => {
    expect(undead.readMove(instance, "S;Z0").cells).toBe("/\\/Z/.\\/./......");
    expect(undead.readMove(undead.readId(withGivens), "S").cells).toBe(undead.readId(withGivens).cells);
  });

  it.each([
    ["", /does not start with "S"/],
    ["Z0", /does not start with "S"/],
    ["S;Z0;", /at character 6, found ""/],
    ["S;Z0;X1", /at character 6, found "X1"/],
    ["S;Z9", /no monster cell 9 at character 3; they go from 0 to 8/],
    ["S;Z1;G1", /cell 1 a second time at character 6/],
  ])("%j is refused", (move, message) => {
    expect(() => undead.readMove(instance, move)).toThrow(PuzzleFormatError);
    expect(() => undead.readMove(instance, move)).toThrow(message);
  });
});
