// Ids, parameters and moves of every puzzle: what is legal survives, what is not says what is wrong and where.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type BridgesInstance, bridges } from "../../src/puzzles/bridges/index.ts";
import { type PuzzleName, puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { galaxies } from "../../src/puzzles/galaxies/index.ts";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { instanceOf as patternOf } from "../../src/puzzles/pattern/instance.ts";
import { type AnyPuzzle, canonicalId, PuzzleFormatError } from "../../src/puzzles/puzzle.ts";
import { slitherlink } from "../../src/puzzles/slitherlink/index.ts";
import { undead } from "../../src/puzzles/undead/index.ts";
import { everyLoop } from "./slitherlink-brute-force.ts";
import { randomCells, someCells, instanceOf as undeadOf } from "./undead-brute-force.ts";

type Notation = {
  /** Written as they were read; and texts that are read as another is written. */
  readonly params: readonly string[];
  readonly paramsToo: readonly (readonly [text: string, written: string])[];
  readonly wrongParams: readonly (readonly [text: string, message: string])[];
  readonly ids: readonly string[];
  readonly idsToo?: readonly (readonly [text: string, written: string])[];
  readonly wrongIds: readonly (readonly [text: string, message: string])[];
  /** Of the puzzle's example; its solution first. */
  readonly move?: string;
  readonly wrongMoves?: readonly (readonly [text: string, message: string])[];
  /** Instances that no generator makes. */
  readonly instance?: (random: Random) => unknown;
};

const undeadExample = "4x4:2,3,4,RLRaRaLRaRf,0,0,0,2,2,1,2,4,2,3,2,4,4,2,1,0";
const side = (random: Random, least = 3, most = 12) => least + random.below(most - least + 1);

const notations: Readonly<Record<PuzzleName, Notation>> = {
  bridges: {
    params: ["7x7i30e10m2d0", "7x9i1e0m4Ld2", "50x50i30e100m1d1", "10x10i20e10m3d3", "10x10i20e10m3da"],
    paramsToo: [
      ["7", "7x7i30e10m2d0"],
      ["9x4e50L", "9x4i30e50m2Ld0"],
    ],
    wrongParams: [
      ["", "character 1: expected the width"],
      ["2x7", "character 1: width and height must be at least 3"],
      ["2000x2000", "character 1: 2000x2000 is more than 1000000 cells"],
      ["7x7i31", "character 5: the percentage of islands must be 1 to 30"],
      ["7x7e101", "character 5: the expansion percentage must be 0 to 100"],
      ["7x7m5", "character 5: the most bridges between two islands must be 1 to 4"],
      ["7x7d4", "character 5: unknown difficulty"],
      ["7x7d2e5", 'character 6: unexpected "e"'],
      ["7x7m99999999999", "character 5: the most bridges between two islands is too large"],
    ],
    ids: [
      "7x7m2:a4a5a3h2u2c1a3b3b1",
      "10x10m4L:2b4a5c3b3j3c7a9d3a9a2c4j5bDa4x2a1b2a3a3c6b5",
      "12x5m3:d3d6a63a2b4b3a4n2a3a5d2a4e4d5",
      "6x6m2:1zh1",
    ],
    idsToo: [
      ["7x7i99e10m2d7:a4a5a3h2u2c1a3b3b1", "7x7m2:a4a5a3h2u2c1a3b3b1"],
      ["7:a4a5a3h2u2c1a3b3b1", "7x7m2:a4a5a3h2u2c1a3b3b1"],
    ],
    wrongIds: [
      ["7x7m2", "character 6: expected a colon"],
      ["3x3m2:1a1e", "character 11: the description ends after 8 of 9 cells"],
      ["3x3m2:1a1g", "character 10: the board has 9 cells and this run of water leaves it"],
      ["3x3m2:1a1f1", "character 11: the board has 9 cells and the description goes on"],
      ["3x3m2:1a0f", 'character 9: expected an island 1-9 or A-G, or water a-z, found "0"'],
      ["3x3m2:11g", "character 8: this island touches the one to its left"],
      ["3x3m2:1b1e", "character 9: this island touches the one above it"],
      ["3x3m2:1h", "character 9: a board needs at least 2 islands, found 1"],
      ["3x3m9:1a1f", "character 5: the most bridges"],
    ],
    // With the marks that his program writes, which are no part of a solution.
    move: "S;L1,0,6,0,2;M1,0;L6,0,6,2,1;M6,0;L0,2,6,2,2;M0,2;L6,2,6,4,1;M6,2;L1,4,6,4,1;L1,4,1,6,1;M1,4;L6,4,6,6,1;M6,4;M1,6;L3,6,6,6,1;M3,6;M6,6",
    wrongMoves: [
      ["X", "character 1: expected L, N or M"],
      ["S;L1,0", "character 7: expected a comma"],
      ["S;L1,0,6,0,3", "character 3: 3 bridges, but at most 2"],
      ["S;L1,0,9,0,1", "character 3: outside the 7x7 board"],
      ["S;L1,0,6,2,1", "character 3: a bridge joins two islands in one row or one column"],
      ["S;L1,0,5,0,1", "character 3: a bridge must start and end at an island"],
      ["S;L6,0,6,4,1", "character 3: another island lies between the two"],
      ["S;L1,0,1,4,1;L0,2,6,2,1", "character 14: crosses a bridge placed earlier"],
      ["S;L1,0,6,0,1 ", "expected a semicolon"],
    ],
    instance(random): BridgesInstance {
      const [width, height] = [side(random), side(random)];
      const clues: number[] = new Array(width * height).fill(0);
      clues[0] = 1 + random.below(16);
      for (let cell = 1; cell < clues.length; cell++) {
        const touches = (cell % width > 0 && clues[cell - 1] > 0) || (cell >= width && clues[cell - width] > 0);
        if (!touches && random.chance(0.3)) clues[cell] = 1 + random.below(16);
      }
      return { width, height, maxBridges: 1 + random.below(4), loops: random.pick(["allowed", "forbidden"]), clues };
    },
  },
  flowfree: {
    params: ["5x5de", "7x5dt", "6x6c4du"],
    paramsToo: [["5", "5x5de"]],
    wrongParams: [["5x5c27", "1 to 26 colors"]],
    ids: ["5x5c3:fABdCcAfBC", "5x3c4:ABaBCaAaDaDbCa"],
    wrongIds: [
      ["5x5c3", 'no ":"'],
      ["3x3c1:AgA!", "character 4"],
    ],
  },
  galaxies: {
    params: ["3x3dn", "7x5du", "25x25dn"],
    paramsToo: [["7", "7x7dn"]],
    wrongParams: [
      ["5y5", "expected WIDTHxHEIGHT and then dn or du, as in 7x7dn"],
      ["2x9", "width and height must both be at least 3"],
      ["5x5dz", 'unknown difficulty "z" after "d"'],
      ["99999x99999", "more than 1000000 cells"],
    ],
    ids: ["3x3:", "3x3:m", "3x3:M", "7x7:iecqcbzbqfpefpeepj", "25x4:zza", "3x3:x", "5x5:kcbkzddl"],
    idsToo: ["3:m", "3x3dn:m", "3x3du:m", "3x3:mz", "03x3:mzzz"].map((id) => [id, "3x3:m"] as const),
    wrongIds: [
      ["5x5", 'no ":" between parameters and dots'],
      ["5x5:a!", 'unexpected "!" at character 6; expected a … z or A … Y'],
      ["5x5:aZ", 'unexpected "Z" at character 6'],
      ["3x3:zm", "the dot at character 6 lies beyond the grid"],
      ["5x5:jbaa", "the dot at character 7 is too close to the one at character 6"],
    ],
    wrongMoves: [
      ["E1,2", 'a solve move starts with "S"'],
      ["S;E1", 'unexpected "E1" at character 3; expected Ex,y as in E3,4'],
      ["S;E1,2;E2,2", "E2,2 at character 8 is not a line between two cells"],
      ["S;E0,1", "E0,1 at character 3 is not a line between two cells"],
    ],
    instance(random) {
      const made = galaxies.generate({ width: side(random), height: side(random) }, random).instance;
      return { ...made, dots: made.dots.map((dot) => (random.chance(0.3) ? { ...dot, black: true as const } : dot)) };
    },
  },
  hitori: {
    params: ["5x5de", "7x4dt"],
    paramsToo: [["5", "5x5de"]],
    wrongParams: [
      ["62x3", "no side may be over 61"],
      ["1x3", "too small"],
    ],
    ids: ["5x5:2315211342112325251332522"],
    wrongIds: [
      ["5x5", 'no ":"'],
      ["3x3:12312312", "8 numbers"],
      ["3x3:123123124", "expected a number from 1 to 3 at character 9"],
    ],
  },
  nurikabe: {
    params: ["5x5de", "7x4dt"],
    paramsToo: [["5", "5x5de"]],
    wrongParams: [
      ["37x3", "no side may be over 36"],
      ["2x3", "too small"],
    ],
    ids: ["5x5:.1.....4...........1.2...", "3x3:*...z...."],
    wrongIds: [
      ["5x5", 'no ":"'],
      ["3x3:1.......", "8 cells"],
      ["3x3:1...!....", "a number, a dot or a star at character 5"],
      ["3x3:0........", "a number, a dot or a star at character 1"],
      ["3x3:111111111", "every cell has a number"],
    ],
  },
  pattern: {
    params: ["10x10", "7x3", "10x10dt", "10x10f40", "10x10f40du", "1x1de"],
    paramsToo: [["12", "12x12"]],
    wrongParams: [
      ["", "expected a size"],
      ["10x", "expected a size"],
      ["10x10dx", "unknown difficulty dx; expected one of: e (easy), n (normal)"],
      ["10x10f0", "1 to 99, not 0"],
      ["0x10", "at least 1"],
      ["5000x5000", "more than 1000000 cells"],
    ],
    ids: [
      "5x5:1/1/3/4/3/1.3/3/3/1/1",
      "1x1:/",
      "3x1://1/1",
      "2x2:/2/1/1,abA",
      "2x2:1/1/1/1,Ac",
      "6x6:1/1/1/1/1/1/1/1/1/1/1/1,zAj",
      `30x1:${"1".padEnd(31, "/")}1,ze`,
    ],
    idsToo: ["2:/2/1/1", "2x2:/2/01/1", "2x2dt:/2/1/1", " 2x2:/2/1/1\n", "2x2:/2/1/1,e"].map(
      (id) => [id, "2x2:/2/1/1"] as const,
    ),
    wrongIds: [
      ["5x5#123", "seed"],
      ["0x5:", "at least 1"],
      ["99999x99999:1", "more than 1000000 cells"],
      ["2x2:1/1/1", "clues for 3 lines; 2 columns and 2 rows need 4"],
      ["2x2:1/1/1/1/1", "character 12 of 13: more than 2 columns and 2 rows"],
      ["2x2:1/1/0/1", "character 9 of 11: row 1: a run of 0 cells"],
      ["2x2:1/1.1/1/1", "character 9 of 13: column 2: its runs need 3 cells"],
      ["2x2:1/1/1;/1", 'character 10 of 12: row 1: unexpected ";"'],
      ["2x2:1/1/x/1", 'character 9 of 11: row 1: expected the length of a run, found "x"'],
      ["2x2:1/1./1/1", 'character 8 of 12: column 2: "." is not followed'],
      ["2x2:1/1/1/1,A", "end after 1 of 4"],
      ["2x2:1/1/1/1,f", "beyond the 4"],
      ["2x2:1/1/1/1,aaaaa", 'character 17 of 17: "a" comes after the last'],
      // The Kelvin sign is no k, whatever its lower case says.
      ["4x4:///////,\u212a", "expected a letter"],
    ],
    wrongMoves: [
      ["0101", 'begins with "S"'],
      ["S010", "expected 25 cells for 5x5, found 3"],
      ["S01012", '0 or 1 at character 6, found "2"'],
    ],
    instance(random) {
      const [width, height] = [side(random, 1), side(random, 1)];
      const cells = Array.from({ length: width * height }, () => random.pick(["#", "."]));
      const prefilled = cells.map((symbol) => (random.chance(0.3) ? symbol : "?")).join("");
      const instance = patternOf(cells.join(""), width, height);
      return /[#.]/.test(prefilled) ? { ...instance, prefilled } : instance;
    },
  },
  slitherlink: {
    params: ["3x3t0de", "5x5t0dn", "7x10t0dt", "12x5t0dh", "7x7t0du"],
    paramsToo: [
      ["5x6", "5x6t0de"],
      ["5x6dh", "5x6t0dh"],
    ],
    wrongParams: [
      ["x4", "character 1"],
      ["2x4t0de", "at least 3"],
      ["7x7t2dh", "t2; only squares, t0"],
      ["4x4t0q", 'character 6, found "q"'],
      ["4x", "expected a size such as 7x7"],
      ["100000x100000", "more than 1000000 cells"],
      ["4x4t0den", 'unexpected "n" at character 8'],
    ],
    ids: ["5x5t0:3a321b1a232c30d222a", "9x9t0:zzzc"],
    idsToo: [["5x5t0de:3a321b1a232c30d222a", "5x5t0:3a321b1a232c30d222a"]],
    wrongIds: [
      ["5x5t0", 'no ":"'],
      ["5x5t0de#123", "random seed"],
      ["3x3:i", "does not say its grid"],
      ["3x3t1:i", "only squares"],
      ["3x3t0:h", "8 cells where 3x3 has 9, at character 8"],
      ["3x3t0:j", "more than 9 cells for 3x3, at character 7"],
      ["3x3t0:3a5f", '0 to 4 or a letter for cells without one at character 9, found "5"'],
    ],
    wrongMoves: [
      ["S0", "numbers of lines"],
      ["0y", "numbers of lines"],
      ["S999y", "line 999"],
      ["S0y1y", "do not close"],
    ],
    instance(random) {
      const [width, height] = [side(random), side(random)];
      const clues = Array.from({ length: width * height }, () => random.pick([...".......................01234"]));
      return { width, height, clues: clues.join("") };
    },
  },
  undead: {
    params: ["3x3de", "4x4dn", "7x7dt", "12x5de"],
    paramsToo: [["5x6", "5x6dn"]],
    wrongParams: [
      ["", "character 1"],
      ["2x4de", "at least 3"],
      ["4x4q", 'character 4, found "q"'],
      ["4x4dx", 'expected de (easy), dn (normal) or dt (tricky) at character 4, found "dx"'],
      ["100000x100000", "more than 1000000 cells"],
    ],
    ids: [
      undeadExample,
      "8x5:12,12,0,LaRbLaRaLaRLbRaVaVaGRaRaRaLbLaRbRLb,0,2,0,2,2,1,2,1,3,1,0,1,8,4,3,0,0,2,3,2,7,2,1,6,2,1",
    ],
    idsToo: ["3x3dt:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3", "3:,,09,abcc,3,3,3,3,3,3,3,3,3,3,3,3"].map(
      (id) => [id, "3x3:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3"] as const,
    ),
    wrongIds: [
      ["4x4#1234", "random seed"],
      ["4x2:1,1,1,a", "too small"],
      ["4x4:2,3,4", 'expected "," after the number of zombies at character 10, found the end'],
      ["4x4:2,3,4,RLa?RaLRaRf,0", 'expected a to z, L, R, G, V or Z in the grid at character 14, found "?"'],
      ["4x4:2,3,4,RLRaRaLRaRe,0", "describes 15 of 16 cells; the grid ends at character 22"],
      ["4x4:2,3,4,RLRaRaLRaRz,0", "more than 16 cells at character 21"],
      [undeadExample.replace("2,3,4", "2,3,5"), "9 cells for monsters but counts 2 + 3 + 5"],
      [undeadExample.slice(0, -2), "after sighting 15 of 16 at character"],
      [`${undeadExample},1`, "nothing after the 16 sightings at character"],
      ["3x3:0,0,9,i,99999999999,0,0,0,0,0,0,0,0,0,0,0", "sighting 1 of 12 is too large at character 13"],
    ],
    move: "S;Z0;G1;V2;G3;V4;Z5;Z6;V7;Z8",
    wrongMoves: [
      ["Z0", 'does not start with "S"'],
      ["S;Z0;", 'at character 6, found ""'],
      ["S;Z9", "no monster cell 9 at character 3; they go from 0 to 8"],
      ["S;Z1;G1", "cell 1 a second time at character 6"],
    ],
    instance(random) {
      const width = side(random);
      const cells = randomCells(width, side(random), random, random.pick([0, 0.1, 0.4, 1]));
      return undeadOf(cells, width, someCells(cells, random, 0.1));
    },
  },
};

describe.each(puzzleNames)("%s", (name) => {
  const puzzle: AnyPuzzle = puzzleNamed(name);
  const {
    params,
    paramsToo,
    wrongParams,
    ids,
    idsToo = [],
    wrongIds,
    move,
    wrongMoves = [],
    instance,
  } = notations[name];
  const example = puzzle.readId(puzzle.example);
  const refuses = (read: () => unknown, message: string) => {
    expect(read).toThrow(PuzzleFormatError);
    expect(read).toThrow(message);
  };

  it("parameters and ids are written as they were read", () => {
    for (const text of params) expect(puzzle.writeParams(puzzle.readParams(text))).toBe(text);
    for (const [text, written] of paramsToo) expect(puzzle.writeParams(puzzle.readParams(text))).toBe(written);
    for (const text of ids) expect(puzzle.writeId(puzzle.readId(text))).toBe(text);
    for (const [text, written] of idsToo) expect(puzzle.writeId(puzzle.readId(text))).toBe(written);
  });

  it.each(wrongParams)("parameters %j are refused: %s", (text, message) =>
    refuses(() => puzzle.readParams(text), message),
  );
  it.each(wrongIds)("the id %j is refused: %s", (id, message) => refuses(() => puzzle.readId(id), message));
  it.each(wrongMoves)("the move %j is refused: %s", (text, message) =>
    refuses(() => puzzle.readMove(example, text), message),
  );

  it("any text is read or is a format error, nothing worse", () => {
    const spoiled = fc
      .tuple(fc.constantFrom(puzzle.example, ...ids), fc.nat(120), fc.string({ maxLength: 3 }), fc.nat(3))
      .map(([id, at, text, cut]) => id.slice(0, at) + text + id.slice(at + cut));
    const binary = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.oneof(fc.string(), binary, spoiled), (text) => {
        for (const read of [puzzle.readId, puzzle.readParams, (move: string) => puzzle.readMove(example, move)])
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PuzzleFormatError);
          }
        const answer = puzzle.readAnswer(example, text);
        if ("unreadable" in answer) expect(answer.unreadable).not.toBe("");
      }),
      { numRuns: 1000 },
    );
    expect(() => puzzle.readId(`3x3:${"z".repeat(1_000_000)}a`)).toThrow(PuzzleFormatError);
  });

  it("instances, solutions, moves and answers survive; images are eight or four and have one canonical form", () => {
    for (let draw = 0; draw < 40; draw++) {
      const random = Random.from("notation").child(name, draw);
      const made = puzzle.generate(puzzle.readParams(puzzle.usual.small), random);
      expect(JSON.parse(JSON.stringify(made))).toEqual(made);
      const { solution } = made;
      expect(puzzle.readMove(made.instance, puzzle.writeMove(made.instance, solution))).toEqual(solution);
      expect(puzzle.readAnswer(made.instance, puzzle.renderAnswer(made.instance, solution))).toEqual({
        board: solution,
      });
      for (const one of [made.instance, ...(instance === undefined ? [] : [instance(random)])]) {
        expect(puzzle.readId(puzzle.writeId(one))).toEqual(one);
        const images = puzzle.images(one);
        const { width, height } = puzzle.size(one);
        expect(images).toHaveLength(width === height ? 8 : 4);
        // The colors of Galaxies are no part of an image.
        expect(puzzle.writeId(images[0]).toLowerCase()).toBe(puzzle.writeId(one).toLowerCase());
        const canonical = canonicalId(puzzle, one);
        for (const image of images) {
          expect(canonicalId(puzzle, image)).toBe(canonical);
          expect(puzzle.readId(puzzle.writeId(image))).toEqual(image);
        }
      }
    }
  });

  it("the same stream gives the same puzzle, others others", () => {
    const params = puzzle.readParams(puzzle.usual.play);
    const made = (seed: number) => puzzle.writeId(puzzle.generate(params, Random.from(seed)).instance);
    const first = made(0);
    expect(new Set(Array.from({ length: 10 }, (_, seed) => made(seed))).size).toBe(10);
    expect(made(0)).toBe(first);
  });

  it("his move of the example is its solution", () => {
    const solved = puzzle.solve(example);
    if (solved.status !== "unique") throw new Error(solved.status);
    const written = puzzle.writeMove(example, solved.solution);
    if (move !== undefined) expect(written).toBe(move.replaceAll(/;M[\d,]+/g, ""));
    expect(puzzle.readMove(example, move ?? written)).toEqual(solved.solution);
  });
});

it("Bridges: any difficulty is no difficulty, and a board with a broken bridge is no move", () => {
  expect(bridges.readParams("7x7da")).not.toHaveProperty("difficulty");
  const instance = bridges.readId(bridges.example);
  const { cells } = bridges.readMove(instance, notations.bridges.move!);
  const broken = cells.map((symbol, cell) => (cell === 3 ? "." : symbol));
  expect(() => bridges.writeMove(instance, { cells: broken })).toThrow("is broken off");
});

it("Galaxies: a line drawn twice is gone, and so are arrows; colors are no part of the canonical form", () => {
  const instance = galaxies.readId("3x3:a");
  expect(galaxies.readMove(instance, "S;E2,1;E1,2;U3,3;E4,3;E4,3").labels.join("")).toBe("ABBBBBBBB");
  expect(galaxies.readMove(instance, "S").labels.join("")).toBe("AAAAAAAAA");
  expect(canonicalId(galaxies, galaxies.readId("3x3:gcM"))).toBe(canonicalId(galaxies, galaxies.readId("3x3:Gcm")));
});

it("Pattern: columns come before rows, and an image of the clues is the clues of an image", () => {
  expect(pattern.readId("3x2:1/2//2/1")).toMatchObject({ columns: [[1], [2], []], rows: [[2], [1]] });
  expect(pattern.readId("2x2:/2/1/1,aBa").prefilled).toBe(".?#.");
  for (let draw = 0; draw < 40; draw++) {
    const random = Random.from("images").child(draw);
    const [width, height] = [side(random, 1), side(random, 1)];
    const picture = Array.from({ length: width * height }, () => random.pick(["#", "."])).join("");
    // Give every cell, and the given cells are the picture.
    for (const image of pattern.images({ ...patternOf(picture, width, height), prefilled: picture })) {
      const { prefilled, ...clues } = image;
      expect(patternOf(prefilled!, image.width, image.height)).toEqual(clues);
    }
  }
});

it("Slitherlink: the move of every loop survives", () => {
  const instance = { width: 3, height: 4, clues: ".".repeat(12) };
  for (const { cells } of everyLoop(3, 4))
    expect(slitherlink.readMove(instance, slitherlink.writeMove(instance, { cells }))).toEqual({ cells });
});

it("Undead: sightings are read clockwise, bottom and left reversed; moves leave open what they do not mention", () => {
  const instance = undead.readId(undeadExample);
  expect(instance.totals).toEqual({ ghosts: 2, vampires: 3, zombies: 4 });
  expect(instance.cells).toBe("/\\/./.\\/./......");
  expect(instance.sightings).toEqual({
    top: [0, 0, 0, 2],
    right: [2, 1, 2, 4],
    bottom: [4, 2, 3, 2],
    left: [0, 1, 2, 4],
  });
  expect(undead.readMove(instance, "S;Z0").cells).toBe("/\\/Z/.\\/./......");
});
