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
      ["2x7", "both sides must be whole numbers of at least 3"],
      ["7x7i31", "percentage of islands must be 1 to 30, not 31 at character 5"],
      ["7x7e101", "0 to 100, not 101 at character 5"],
      ["7x7m5", "1 to 4, not 5 at character 5"],
      ["7x7d4", 'd3 (unreasonable) or da (any), found "d4" at character 4'],
      ["7x7d2e5", 'unexpected "e" at character 6'],
      ["7x7m99999999999", "is too large at character 5"],
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
      ["3x3m2:1a1e", "8 of 9 cells at character 11"],
      ["3x3m2:1a1g", "more than 9 cells at character 10"],
      ["3x3m2:1a1f1", "more than 9 cells at character 11"],
      ["3x3m2:1a0f", 'expected an island 1-9 or A-G or a letter for cells without one, found "0" at character 9'],
      ["3x3m2:11g", "row 1, column 2 touches the one to its left"],
      ["3x3m2:1b1e", "row 2, column 1 touches the one above it"],
      ["3x3m2:1h", "at least 2 islands, found 1"],
      ["3x3m9:1a1f", "1 to 4, not 9 at character 5"],
    ],
    // With the marks that his program writes, which are no part of a solution.
    move: "S;L1,0,6,0,2;M1,0;L6,0,6,2,1;M6,0;L0,2,6,2,2;M0,2;L6,2,6,4,1;M6,2;L1,4,6,4,1;L1,4,1,6,1;M1,4;L6,4,6,6,1;M6,4;M1,6;L3,6,6,6,1;M3,6;M6,6",
    wrongMoves: [
      ["X", 'starts with "S"'],
      ["S;L1,0", 'found "L1,0" at character 3'],
      ["S;L1,0,6,0,3", "3 bridges, but at most 2 may join two islands at character 3"],
      ["S;L1,0,9,0,1", "outside the 7x7 board"],
      ["S;L1,0,6,2,1", "neighbors in a row or a column"],
      ["S;L1,0,5,0,1", "neighbors in a row or a column"],
      ["S;L6,0,6,4,1", "neighbors in a row or a column"],
      ["S;L1,0,1,4,1;L0,2,6,2,1", "crosses a bridge placed earlier at character 14"],
      ["S;L1,0,6,0,1 ", "expected Lx,y,x,y,n"],
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
    wrongParams: [
      ["5x5c27", "colors must be 1 to 26, not 27 at character 5"],
      ["2x5", "at least 3"],
      ["25x5", "no side may be over 24"],
    ],
    ids: ["5x5c3:fABdCcAfBC", "5x3c4:ABaBCaAaDaDbCa"],
    wrongIds: [
      ["3x3c1:AgA!", 'found "!" at character 10'],
      ["3x3c1:AgB", "the letter A does not stand in two cells"],
      ["3x3c2:AgA", "has 1 colors"],
      ["3x3:AgA", "as in 3x3c1:"],
    ],
  },
  galaxies: {
    params: ["3x3dn", "7x5du", "25x25dn"],
    paramsToo: [["7", "7x7dn"]],
    wrongParams: [
      ["5y5", 'dn (normal) or du (unreasonable), found "y5" at character 2'],
      ["2x9", "at least 3"],
      ["5x5dz", 'found "dz" at character 4'],
    ],
    ids: ["3x3:", "3x3:m", "3x3:M", "7x7:iecqcbzbqfpefpeepj", "25x4:zza", "3x3:x", "5x5:kcbkzddl"],
    idsToo: ["3:m", "3x3dn:m", "3x3du:m", "3x3:mz", "03x3:mzzz"].map((id) => [id, "3x3:m"] as const),
    wrongIds: [
      ["5x5:a!", 'expected a … z or A … Y, found "!" at character 6'],
      ["5x5:aZ", 'found "Z" at character 6'],
      ["3x3:zm", "the dot lies beyond the grid at character 6"],
      ["5x5:jbaa", "too close to the one at character 6 at character 7"],
    ],
    wrongMoves: [
      ["E1,2", 'starts with "S"'],
      ["S;E1", 'expected Ex,y as in E3,4, found "E1" at character 3'],
      ["S;E1,2;E2,2", "E2,2 is not a line between two cells at character 8"],
      ["S;E0,1", "E0,1 is not a line"],
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
      ["3x3:12312312", "8 of 9 cells"],
      ["3x3:123123124", 'expected a number from 1 to 3, found "4" at character 13'],
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
      ["3x3:1.......", "8 of 9 cells"],
      ["3x3:1...!....", 'a number, a dot or a star, found "!" at character 9'],
      ["3x3:0........", "at character 5"],
      ["3x3:111111111", "every cell has a number"],
    ],
  },
  pattern: {
    params: ["10x10", "7x3", "10x10dt", "10x10f40", "10x10f40du", "1x1de"],
    paramsToo: [["12", "12x12"]],
    wrongParams: [
      ["10x10dx", 'found "dx" at character 6'],
      ["10x10f0", "1 to 99, not 0 at character 7"],
      ["0x10", "at least 1"],
      ["1001x2", "no side may be over 1000"],
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
      ["0x5:", "at least 1"],
      ["2x2:1/1/1", 'expected "/" after the clue before that of row 2, found the end at character 10'],
      ["2x2:1/1/1/1/1", 'nothing after 2 columns and 2 rows, found "/" at character 12'],
      ["2x2:1/1/0/1", "row 1 has a run of 0 cells; the clue of a blank line is left empty, at character 9"],
      ["2x2:1/1.1/1/1", "the runs of column 2 need 3 cells or more and there are 2, at character 9"],
      ["2x2:1/1/1;/1", 'found ";" at character 10'],
      ["2x2:1/1/x/1", 'expected the length of a run in row 1, found "x" at character 9'],
      ["2x2:1/1./1/1", 'expected the length of a run in column 2, found "/" at character 9'],
      ["2x2:1/1/1/1,A", "1 of 4 so far"],
      ["2x2:1/1/1/1,f", "beyond the 4"],
      ["2x2:1/1/1/1,aaaaa", 'found "a" at character 17'],
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
      ["2x4t0de", "at least 3"],
      ["7x7t2dh", "the grid (only squares, t0, are known here) must be 0, not 2"],
      ["4x4t0q", 'found "q" at character 6'],
      ["4x4t0den", 'unexpected "n" at character 8'],
    ],
    ids: ["5x5t0:3a321b1a232c30d222a", "9x9t0:zzzc"],
    idsToo: [["5x5t0de:3a321b1a232c30d222a", "5x5t0:3a321b1a232c30d222a"]],
    wrongIds: [
      ["3x3:i", "does not say its grid"],
      ["3x3t1:i", "only squares"],
      ["3x3t0:h", "8 of 9 cells at character 8"],
      ["3x3t0:j", "more than 9 cells at character 7"],
      ["3x3t0:3a5f", 'a clue from 0 to 4 or a letter for cells without one, found "5" at character 9'],
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
      ["2x4de", "at least 3"],
      ["4x4q", 'found "q" at character 4'],
      ["4x4dx", 'expected de (easy), dn (normal) or dt (tricky), found "dx" at character 4'],
    ],
    ids: [
      undeadExample,
      "8x5:12,12,0,LaRbLaRaLaRLbRaVaVaGRaRaRaLbLaRbRLb,0,2,0,2,2,1,2,1,3,1,0,1,8,4,3,0,0,2,3,2,7,2,1,6,2,1",
    ],
    idsToo: ["3x3dt:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3", "3:,,09,abcc,3,3,3,3,3,3,3,3,3,3,3,3"].map(
      (id) => [id, "3x3:0,0,9,i,3,3,3,3,3,3,3,3,3,3,3,3"] as const,
    ),
    wrongIds: [
      ["4x2:1,1,1,a", "too small"],
      ["4x4:2,3,4", 'expected "," after the number of zombies, found the end at character 10'],
      ["4x4:2,3,4,RLa?RaLRaRf,0", 'L, R, G, V or Z or a letter for cells without one, found "?" at character 14'],
      ["4x4:2,3,4,RLRaRaLRaRe,0", "15 of 16 cells at character 22"],
      ["4x4:2,3,4,RLRaRaLRaRz,0", "more than 16 cells at character 21"],
      [undeadExample.replace("2,3,4", "2,3,5"), "9 cells for monsters, but the counts are 2 + 3 + 5"],
      [undeadExample.slice(0, -2), "after sighting 15 of 16, found the end at character"],
      [`${undeadExample},1`, 'nothing after the 16 sightings, found "," at character'],
      ["3x3:0,0,9,i,99999999999,0,0,0,0,0,0,0,0,0,0,0", "sighting 1 of 12 is too large at character 13"],
    ],
    move: "S;Z0;G1;V2;G3;V4;Z5;Z6;V7;Z8",
    wrongMoves: [
      ["Z0", 'starts with "S"'],
      ["S;Z0;", 'found "" at character 6'],
      ["S;Z9", "no monster cell 9, they go from 0 to 8, at character 3"],
      ["S;Z1;G1", "cell 1 is filled a second time at character 6"],
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

  it("what is no size, too large a board and an id in one piece are refused", () => {
    for (const text of ["", "x4", "4x"]) refuses(() => puzzle.readParams(text), "expected a size such as 7x7");
    refuses(() => puzzle.readParams("100000x100000"), "more than 1000000 cells");
    refuses(() => puzzle.readId("5x5"), 'no ":"');
    refuses(() => puzzle.readId("5x5#123"), "random seed");
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
      { numRuns: 300 },
    );
    expect(() => puzzle.readId(`3x3:${"z".repeat(1_000_000)}a`)).toThrow(PuzzleFormatError);
  });

  it("instances, solutions, moves and answers survive; images are eight or four and have one canonical form", () => {
    for (let draw = 0; draw < 15; draw++) {
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
  expect(() => bridges.writeMove(instance, { cells: broken })).toThrow("must run unbroken");
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
