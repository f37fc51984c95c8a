// Addresses of puzz.link. The ones of pzpr's own tests are here with the boards that those tests draw, written down by hand.
import { expect, it } from "vitest";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { readAddress } from "../../src/puzzles/puzz-link.ts";

const at = (path: string) => `https://puzz.link/p?${path}`;

it.each([
  ["hashikake/5/5/4g2i3h23k3g1g3g4g3", "bridges", "4 . 2 . .\n. 3 . . 2\n3 . . . .\n. 3 . 1 .\n3 . 4 . 3"],
  ["slither/5/5/cbcbcddad", "slitherlink", "2 . . 1 .\n. 2 . . 1\n. . 2 . .\n3 . . 3 .\n. 0 . . 3"],
  [
    "nonogram/6/6/12g1111h11112j12g11g21j11g3h",
    "pattern",
    "Columns: 2 1 | 1 1 1 | 1 | 1 1 1 | 2 1 | 0\nRows: 2 1 | 1 1 | 1 2 | 0 | 1 1 | 3",
  ],
])("%s is read as its editor draws it", (path, name, givens) => {
  const { puzzle, id } = readAddress(at(path));
  expect(puzzle).toBe(name);
  expect(puzzleNamed(puzzle).renderGivens(puzzleNamed(puzzle).readId(id))).toBe(givens);
  expect(puzzleNamed(puzzle).solve(puzzleNamed(puzzle).readId(id)).status).not.toBe("none");
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
  ["https://puzz.link/p?nurikabe/5/5/g5k2o1k3g", "nurikabe is no puzzle here"],
  ["https://puzz.link/", "not the address of a puzzle"],
  [at("slither/5/5"), "not the address of a puzzle"],
  [at("slither/f/2/3/aaa"), "a rule of its own"],
  [at("slither/2/2/aaaaaaaaaa"), "more cells"],
  [at("hashi/3/3/.zzz"), "places"],
  [at("slither/100000/100000/a"), "more than 1000000 cells"],
  [at("tentaisho/5/5/6fl94fi65en8dbf10000"), "no part of the board"],
  [at("nonogram/2/2/A"), "unexpected"],
  [at("hitori/2/2/12@1"), "without its number"],
  [at("hitori/2/2/1212121212"), "10 numbers"],
  [at("constructor/5/5/abc"), "constructor is no puzzle here"],
  [at("__proto__/5/5/abc"), "__proto__ is no puzzle here"],
])("%s says what is wrong", (address, problem) => {
  expect(() => readAddress(address)).toThrow(problem);
});

it("a Hitori has a number of 36 digits in every cell, or a longer one", () => {
  const numbers = [...Array.from({ length: 35 }, (_, at) => (at + 1).toString(36)), "-10", "-11"];
  const { puzzle, id } = readAddress(at(`hitori/37/2/${numbers.join("")}${numbers.join("")}`));
  expect(puzzle).toBe("hitori");
  const { numbers: read } = puzzleNamed("hitori").readId(id) as { numbers: number[] };
  expect(read.slice(0, 37)).toEqual(Array.from({ length: 37 }, (_, at) => at + 1));
});
