// Tatham's notation for Pattern: what is read, what is written, and what is said about what cannot be read.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { instanceOf } from "../../src/puzzles/pattern/instance.ts";
import { canonicalId, PuzzleFormatError } from "../../src/puzzles/puzzle.ts";

/** A picture of any small size, with some of its cells given or none. */
const instances = fc
  .record({ width: fc.integer({ min: 1, max: 13 }), height: fc.integer({ min: 1, max: 13 }) })
  .chain(({ width, height }) => {
    const cells = fc.array(fc.boolean(), { minLength: width * height, maxLength: width * height });
    return fc.record({ width: fc.constant(width), height: fc.constant(height), cells, given: fc.option(cells) });
  })
  .map(({ width, height, cells, given }) => {
    const picture = cells.map((cell) => (cell ? "#" : ".")).join("");
    const instance = instanceOf(picture, width, height);
    if (given === null || !given.includes(true)) return { instance, picture };
    const prefilled = [...picture].map((symbol, cell) => (given[cell] ? symbol : "?")).join("");
    return { instance: { ...instance, prefilled }, picture };
  });

describe("ids", () => {
  it("are read as columns before rows", () => {
    expect(pattern.readId("3x2:1/2//2/1")).toEqual({
      width: 3,
      height: 2,
      columns: [[1], [2], []],
      rows: [[2], [1]],
    });
  });

  it.each([
    "5x5:1/1/3/4/3/1.3/3/3/1/1",
    "1x1:/",
    "1x1:1/1",
    "3x1://1/1",
    "2x2:/2/1/1,abA",
    "2x2:1/1/1/1,Ac",
    "6x6:1/1/1/1/1/1/1/1/1/1/1/1,zAj",
    `30x1:${"1".padEnd(31, "/")}1,ze`,
  ])("%s round-trips exactly", (id) => {
    expect(pattern.writeId(pattern.readId(id))).toBe(id);
  });

  it("round-trip, with and without given cells", () => {
    fc.assert(
      fc.property(instances, ({ instance }) => {
        expect(pattern.readId(pattern.writeId(instance))).toEqual(instance);
      }),
    );
  });

  it("may give one number for a square, zeros before numbers, full parameters, and given cells that give nothing", () => {
    const plain = pattern.readId("2x2:/2/1/1");
    for (const id of ["2:/2/1/1", "2x2:/2/01/1", "2x2dt:/2/1/1", " 2x2:/2/1/1\n", "2x2:/2/1/1,e"]) {
      expect(pattern.readId(id)).toEqual(plain);
    }
    expect(pattern.readId("2x2:/2/1/1,aBa").prefilled).toBe(".?#.");
    expect(pattern.readId("2x2:/2/1/1,D").prefilled).toBe("???#");
  });

  it.each([
    ["5x5", /no ":"/],
    ["5x5#123", /no ":".*seed/],
    ["0x5:", /at least 1/],
    ["99999x99999:1", /more than 1000000 cells/],
    ["5y5:1", /expected a size/],
    ["2x2:1/1/1", /at its end .*clues for 3 lines; 2 columns and 2 rows need 4/],
    ["2x2:1/1/1/1/1", /character 12 of 13: more than 2 columns and 2 rows/],
    ["2x2:1/1/0/1", /character 9 of 11: row 1: a run of 0 cells/],
    ["2x2:1/1.1/1/1", /character 9 of 13: column 2: its runs need 3 cells/],
    ["2x2:1/3/1/1", /character 7 of 11: column 2: its runs need 3 cells/],
    ["2x2:1/1/1;/1", /character 10 of 12: row 1: unexpected ";"/],
    ["2x2:1/1/x/1", /character 9 of 11: row 1: expected the length of a run, found "x"/],
    ["2x2:1/1./1/1", /character 8 of 12: column 2: "\." is not followed/],
    ["2x2:1/1/1/1,", /at its end .*end after 0 of 4/],
    ["2x2:1/1/1/1,A", /at its end .*end after 1 of 4/],
    ["2x2:1/1/1/1,f", /character 13 of 13: .*beyond the 4/],
    ["2x2:1/1/1/1,aaaaa", /character 17 of 17: "a" comes after the last/],
    ["2x2:1/1/1/1,a1", /character 14 of 14: .*expected a letter, found "1"/],
    // The Kelvin sign is no k, whatever its lower case says.
    ["4x4:///////,\u212a", /expected a letter/],
  ])("%s is refused with a reason and a place", (id, message) => {
    expect(() => pattern.readId(id)).toThrow(PuzzleFormatError);
    expect(() => pattern.readId(id)).toThrow(message);
  });

  it("never fail but with a PuzzleFormatError", () => {
    const side = fc.integer({ min: 0, max: 6 });
    const description = fc.string({ unit: fc.constantFrom(..."/////11123.,aAbBzZ0"), maxLength: 30 });
    const idLike = fc.tuple(side, side, description).map(([width, height, rest]) => `${width}x${height}:${rest}`);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), idLike), (text) => {
        try {
          const instance = pattern.readId(text);
          expect(pattern.readId(pattern.writeId(instance))).toEqual(instance);
        } catch (error) {
          expect(error).toBeInstanceOf(PuzzleFormatError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("parameters", () => {
  it.each(["10x10", "7x3", "10x10dt", "10x10f40", "10x10f40du", "1x1de"])("%s round-trip", (text) => {
    expect(pattern.writeParams(pattern.readParams(text))).toBe(text);
  });

  it("say what they mean", () => {
    expect(pattern.readParams("12")).toEqual({ width: 12, height: 12 });
    expect(pattern.readParams("12x9f35dn")).toEqual({ width: 12, height: 9, fullPercent: 35, difficulty: "normal" });
  });

  it.each([
    ["", /expected a size/],
    ["10x", /expected a size/],
    ["10x10dx", /unknown difficulty dx; expected one of: e \(easy\), n \(normal\)/],
    ["10x10f0", /1 to 99, not 0/],
    ["0x10", /at least 1/],
    ["5000x5000", /more than 1000000 cells/],
  ])("%j are refused", (text, message) => {
    expect(() => pattern.readParams(text)).toThrow(PuzzleFormatError);
    expect(() => pattern.readParams(text)).toThrow(message);
  });
});

describe("moves", () => {
  it("round-trip", () => {
    fc.assert(
      fc.property(instances, ({ instance, picture }) => {
        const move = pattern.writeMove(instance, { cells: picture });
        expect(move).toBe(`S${[...picture].map((symbol) => (symbol === "#" ? 1 : 0)).join("")}`);
        expect(pattern.readMove(instance, move)).toEqual({ cells: picture });
      }),
    );
  });

  it.each([
    ["0101", /begins with "S"/],
    ["S010", /expected 4 cells for 2x2, found 3/],
    ["S01012", /0 or 1 at character 6, found "2"/],
  ])("%s is refused", (move, message) => {
    const instance = pattern.readId("2x2:1/1/1/1");
    expect(() => pattern.readMove(instance, move)).toThrow(PuzzleFormatError);
    expect(() => pattern.readMove(instance, move)).toThrow(message);
  });
});

describe("symmetries", () => {
  it("have eight images of a square and four of a rectangle, all with the same canonical id", () => {
    fc.assert(
      fc.property(instances, ({ instance }) => {
        const images = pattern.images(instance);
        expect(images).toHaveLength(instance.width === instance.height ? 8 : 4);
        expect(images[0]).toEqual(instance);
        const canonical = canonicalId(pattern, instance);
        for (const image of images) expect(canonicalId(pattern, image)).toBe(canonical);
      }),
    );
  });

  it("move clues and given cells as they move the picture", () => {
    fc.assert(
      fc.property(instances, ({ instance, picture }) => {
        // An image of the clues is the clues of an image: give every cell, and the given cells are the picture.
        for (const image of pattern.images({ ...instance, prefilled: picture })) {
          const { prefilled, ...clues } = image;
          expect(instanceOf(prefilled!, image.width, image.height)).toEqual(clues);
        }
      }),
    );
    const images = pattern.images(pattern.readId("2x2:1/1/2/,Ad")).map(pattern.writeId);
    expect(images[0]).toBe("2x2:1/1/2/,Ad");
    expect(images.toSorted()).toEqual(
      [
        "2x2:1/1/2/,Ad",
        "2x2:1/1/2/,Bc",
        "2x2:1/1//2,Cb",
        "2x2:1/1//2,D",
        "2x2:/2/1/1,Bc",
        "2x2:/2/1/1,D",
        "2x2:2//1/1,Ad",
        "2x2:2//1/1,Cb",
      ].toSorted(),
    );
  });
});
