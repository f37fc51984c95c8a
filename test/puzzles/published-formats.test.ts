// Published files that say one thing and hold another are refused with both.
import { expect, it } from "vitest";
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

it("a .json file is puzzlekit's, also one that is cut off", () => {
  expect(formatOf("x.json", "[")).toBe("puzzlekit");
  expect(() => readPublished("puzzlekit", "x.json", "[")).toThrow("not JSON");
  expect(() => readPublished("puzzlekit", "x.json", "null")).toThrow('"name" and "data"');
});
