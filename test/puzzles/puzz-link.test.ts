// Addresses of puzz.link. The ones of pzpr's own tests are here with the boards that those tests draw, written down by hand.
import { expect, it } from "vitest";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { addressesIn, readAddress } from "../../src/puzzles/puzz-link.ts";

const at = (path: string) => `https://puzz.link/p?${path}`;

it.each([
  ["hashikake/5/5/4g2i3h23k3g1g3g4g3", "bridges", "4 . 2 . .\n. 3 . . 2\n3 . . . .\n. 3 . 1 .\n3 . 4 . 3"],
  ["slither/5/5/cbcbcddad", "slitherlink", "2 . . 1 .\n. 2 . . 1\n. . 2 . .\n3 . . 3 .\n. 0 . . 3"],
  [
    "nonogram/6/6/12g1111h11112j12g11g21j11g3h",
    "pattern",
    "Columns: 2 1 | 1 1 1 | 1 | 1 1 1 | 2 1 | 0\nRows: 2 1 | 1 1 | 1 2 | 0 | 1 1 | 3",
  ],
  ["nurikabe/6/6/m8n8i9u", "nurikabe", ". . . . . .\n. 8 . . . .\n. . . . 8 .\n. . 9 . . .\n. . . . . .\n. . . . . ."],
])("%s is read as its editor draws it", (path, name, givens) => {
  const { puzzle, id } = readAddress(at(path));
  expect(puzzle).toBe(name);
  expect(puzzleNamed(puzzle).renderGivens(puzzleNamed(puzzle).readId(id))).toBe(givens);
  expect(puzzleNamed(puzzle).solve(puzzleNamed(puzzle).readId(id)).status).not.toBe("none");
});

it.each([
  "http://pzv.jp/p.html?slither/5/5/cbcbcddad",
  "puzz.link/p?slither/5/5/cbcbcddad",
  "https://puzz.link/p?slitherlink/5/5/cbcbcddad/",
  "https://puzz.link/p?slither%2F5%2F5%2Fcbcbcddad",
  "https://puzz.link/p.html?slither_edit/5/5/cbcbcddad",
  "https://puzz.link/p?type=editor&slither/5/5/cbcbcddad&from=x=",
  "https://puzz.link/p?slither//5/5/cbcbcddad#top",
  "https://www.kanpen.net/slitherlink.html?pzpr=/5/5/cbcbcddad",
  "https://puzz.link/p?pzprv3/slither/5/5/2 . . 1 . /. 2 . . 1 /. . 2 . . /3 . . 3 . /. 0 . . 3 /0 0 1 0 0 /",
  "https://puzz.link/p?pzprv3.1/slither/5/5/2_._._1_./._2_._._1/._._2_._./3_._._3_./._0_._._3/",
])("%s is the same puzzle, however it is written", (address) => {
  expect(readAddress(address)).toEqual({ puzzle: "slitherlink", id: "5x5t0:2b1b2b1b2b3b3b0b3" });
});

it("files in an address: rows come before columns, clues stand around the grid, dots in half cells", () => {
  expect(readAddress(at("pzprv3/nurikabe/3/4/. %23 3 . /- + . . /. . . . /"))).toEqual({
    puzzle: "nurikabe",
    id: "4x3:..3.*.......",
  });
  expect(readAddress(at("pzprv3/hashikake/3/3/1 . 2 /. . . /. . 1 /"))).toEqual({
    puzzle: "bridges",
    id: "3x3m2:1a2e1",
  });
  expect(readAddress(at("pzprv3/hitori/2/2/1 2 /2 1 /"))).toEqual({ puzzle: "hitori", id: "2x2:1221" });
  expect(readAddress(at("pzprv3/tentaisho/3/3/1...2/...../.1.../...../.....")).id).toBe("3x3:aDg");
  expect(readAddress(at("pzprv3/nonogram/2/3/. . 1 . c2 /. 1 . . . /1 1 . . . /"))).toEqual({
    puzzle: "pattern",
    id: "3x2:1//2/1/1.1",
  });
});

it("addresses are found in a text, whatever stands around them", () => {
  expect(
    addressesIn(
      "1. [one](https://puzz.link/p?a/1/2/x) <http://pzv.jp/p.html?b/3/4/y>\nand pzv.jp/p.html?c/5/6/z or e.g. no?",
    ),
  ).toEqual(["https://puzz.link/p?a/1/2/x", "http://pzv.jp/p.html?b/3/4/y", "pzv.jp/p.html?c/5/6/z"]);
});

it("a star map: dots in cells, on lines and on corners, white and black", () => {
  // Rows of the lattice, by hand: o, -, x as white, none, black.
  const lattice = ["o---x", "-----", "-o---", "-----", "---o-"];
  const body = [...lattice.join("")].reduce<{ text: string; gap: number; last?: number }>(
    ({ text, gap, last }, symbol) => {
      if (symbol === "-") return { text, gap: gap + 1, last };
      // A dot says how far the next one is; up to seven places.
      const before =
        last === undefined
          ? ""
          : (2 * Math.min(gap, 7) + last).toString(16) + (gap > 7 ? (gap - 7 + 15).toString(36) : "");
      return { text: text + before, gap: 0, last: symbol === "x" ? 1 : 0 };
    },
    { text: "", gap: 0 },
  );
  const { id } = readAddress(at(`tentaisho/3/3/${body.text}${((body.last ?? 0) + 2).toString(16)}`));
  const { dots } = puzzleNamed("galaxies").readId(id) as { dots: { x: number; y: number; black?: true }[] };
  expect(dots).toEqual([
    { x: 1, y: 1 },
    { x: 5, y: 1, black: true },
    { x: 2, y: 3 },
    { x: 4, y: 5 },
  ]);
});

it.each([
  ["https://puzz.link/p?lits/5/5/g5k2o1k3g", "lits is no puzzle here"],
  [at("slither/v:/5/5/cbcbcddad"), "a rule of its own (v:)"],
  [at("nurikabe/v:/6/6/4j4p6h4p6j6"), "a rule of its own (v:)"],
  [at("nurikabe/3/3/0"), "an island of 0 cells"],
  [at("nurikabe/3/3/+100"), "an island of 256 cells"],
  [at("hashi/3/3/%"), "unexpected"],
  [at("pzprv3/slither/2/3/. . ./. ./"), "2 lines of 3 cells"],
  ["https://puzz.link/", "not the address of a puzzle"],
  [at("slither/5/5"), "not the address of a puzzle"],
  [at("slither/f/2/3/aaa"), "a rule of its own"],
  [at("slither/2/2/aaaaaaaaaa"), "more cells"],
  [at("hashi/3/3/.zzz"), "places"],
  [at("slither/100000/100000/a"), "more than 1000000 cells"],
  [at("tentaisho/5/5/6fl94fi65en8dbf10000"), "no part of the board"],
  [at("nonogram/2/2/A"), "unexpected"],
  [at("hitori/2/2/12@1"), "without its number"],
  [at("hitori/2/2/1212121212"), "more than 4 cells"],
  [at("constructor/5/5/abc"), "constructor is no puzzle here"],
  [at("__proto__/5/5/abc"), "__proto__ is no puzzle here"],
])("%s says what is wrong", (address, problem) => {
  expect(() => readAddress(address)).toThrow(problem);
});

it("an island of Nurikabe may have a number that is not told, and one of two or three digits", () => {
  expect(readAddress(at("nurikabe/4/4/.i-11p+024")).id).toBe(`4x4:*...h${".".repeat(10)}A`);
});

it("a Hitori has a number of 36 digits in every cell, or a longer one", () => {
  const numbers = [...Array.from({ length: 35 }, (_, at) => (at + 1).toString(36)), "-10", "-11"];
  const { puzzle, id } = readAddress(at(`hitori/37/2/${numbers.join("")}${numbers.join("")}`));
  expect(puzzle).toBe("hitori");
  const { numbers: read } = puzzleNamed("hitori").readId(id) as { numbers: number[] };
  expect(read.slice(0, 37)).toEqual(Array.from({ length: 37 }, (_, at) => at + 1));
});
