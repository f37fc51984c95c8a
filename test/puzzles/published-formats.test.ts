// Published files that say one thing and hold another are refused with both.
import { expect, it } from "vitest";
import { bridges } from "../../src/puzzles/bridges/index.ts";
import { galaxies } from "../../src/puzzles/galaxies/index.ts";
import { formatOf, readPublished } from "../../src/puzzles/published-formats.ts";

const non = (head: string) => `${head}\nrows\n2\n2\n\ncolumns\n2\n2\n`;

it.each([
  ["", undefined],
  ['catalogue "x"\nwidth 2\nheight 2', undefined],
  ["width 2\nheight 3", "2 columns and 3 rows, and has 2 and 2 clues"],
  ["width 1", "1 columns and 2 rows, and has 2 and 2 clues"],
])("a .non file that begins with %j: %s", (head, error) => {
  const [read] = readPublished("non", "x.non", non(head));
  if (error === undefined) expect(read).toEqual({ name: "x.non", puzzle: "pattern", id: "2x2:2/2/2/2" });
  else expect(read).toMatchObject({ error: expect.stringContaining(error) });
});

it("a blank line in a .non file is an empty line where it says that there are more than are written", () => {
  const id = (text: string) => readPublished("non", "x", text)[0];
  expect(id("width 2\nheight 3\nrows\n1\n\n1\n\ncolumns\n1,1\n\n")).toMatchObject({ id: "2x3:1.1//1//1" });
  expect(id("columns 2\nrows 2\nrows\n1\n\n0\n\ncolumns\n1\n0\n")).toMatchObject({ id: "2x2:1//1/" });
  expect(id("height 3\nrows\n1\n\ncolumns\n1\n")).toMatchObject({ error: expect.stringContaining("3 rows") });
});

const webpbn = (columns: string, rows = "<line><count>1</count></line>", attributes = "") =>
  readPublished(
    "webpbn",
    "x",
    `<puzzle ${attributes}><clues type="columns">${columns}</clues><clues type='rows'>${rows}</clues></puzzle>`,
  )[0];

it("webpbn's XML may be written in any way that XML may", () => {
  expect(webpbn("<line><!-- <count>3</count> --><count >1</count ></line><line/>")).toMatchObject({ id: "2x1:1//1" });
  const attributes = `<puzzle><clues id="1" type = 'columns'><line></line></clues><clues type="rows"><line/></clues></puzzle>`;
  expect(readPublished("webpbn", "x", attributes)).toMatchObject([{ id: "1x1:/" }]);
});

it.each([
  [webpbn("<line><count>1</count><count>x</count></line>"), 'expected numbers, found "x"'],
  [webpbn("<line><count></count></line>"), "expected a number"],
  [webpbn("<line><count>1 1</count></line>"), "expected a number"],
  [webpbn("<line><count>1</count></line>", '<line><count color="red">1</count></line>'), "2 colors"],
  [webpbn("<line><count>1</count></line>", undefined, 'type="triddler"'), "is a triddler"],
  [readPublished("webpbn", "x", '<puzzle><clues type="rows"></clues></puzzle>')[0], 'no <clues type="columns">'],
  [readPublished("has", "x", "2 2\n1 x\n1 1")[0], 'unexpected "x"'],
  [readPublished("has", "x", "2 2\n1 -1\n1 1")[0], 'unexpected "-1"'],
  [readPublished("has", "x", "3 3\n9 0 1\n0 0 0\n1 0 1")[0], 'unexpected "9"'],
  [readPublished("has", "x", "2 2\n1 1\n1 1\n1 1")[0], "2 lines of 2 cells"],
])("what cannot be part of a puzzle is said, never left out: %j", (read, error) => {
  expect(read).toMatchObject({ name: "x", error: expect.stringContaining(error) });
});

it("a .json file is puzzlekit's, also one that is cut off", () => {
  expect(formatOf("x.json", "[")).toBe("puzzlekit");
});

it.each([
  ["puzzlekit", "[", "not JSON"],
  ["puzzlekit", "null", '"name" and "data"'],
  ["webpbn", "<html></html>", "no <puzzle>"],
  ["has", "here", "expected numbers"],
  ["non", non("").replace("2", "-2"), 'expected numbers, found "-2"'],
  ["non", non("").replace("2", "1.1"), 'expected numbers, found "1.1"'],
] as const)("a file of %s that cannot be read is one mistake under its name: %j", (format, text, error) => {
  expect(readPublished(format, "x", text)).toEqual([{ name: "x", error: expect.stringContaining(error) }]);
});

const puzzlekit = (name: string, problem: string) =>
  readPublished("puzzlekit", "x.json", JSON.stringify({ name, data: { one: { problem } } }))[0];

it("a nonogram of puzzlekit has its columns first, and as many lines as it says", () => {
  expect(puzzlekit("Nonogram", "1 2\n1\n0\n1")).toMatchObject({ puzzle: "pattern", id: "2x1:1//1" });
  for (const lines of ["1\n1", "1\n1\n1\n1"])
    expect(puzzlekit("Nonogram", `1 2\n${lines}`)).toMatchObject({
      error: expect.stringContaining("2 columns and 1 rows"),
    });
});

it("Hashi keeps its grid, unless islands touch: then each is two cells from the next", () => {
  const clues = (problem: string) => bridges.readId((puzzlekit("Hashi", problem) as { id: string }).id).clues.join("");
  expect(clues("3 3\n1 - 1\n- - -\n1 - 1")).toBe("101000101");
  expect(clues("2 2\n1 1\n1 1")).toBe("101000101");
  expect(clues("2 2\n1 -\n1 -")).toBe("100000100");
});

it("dots of Galaxies lie in the middle, on the right edge, on the lower edge or on the corner of their cell", () => {
  const dots = (rows: string) =>
    galaxies.readId((puzzlekit("Galaxies", `3 3\n${rows}`) as { id: string }).id).dots.map(({ x, y }) => [x, y]);
  expect(dots("0 - -\n- - -\n- - -")).toEqual([[1, 1]]);
  expect(dots("1 - -\n- - -\n- - -")).toEqual([[2, 1]]);
  expect(dots("2 - -\n- - -\n- - -")).toEqual([[1, 2]]);
  expect(dots("3 - -\n- - -\n- - -")).toEqual([[2, 2]]);
  expect(dots("- - -\n- - -\n- - 0")).toEqual([[5, 5]]);
});
