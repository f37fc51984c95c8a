// `--puzzle`: a name with parameters, or a name alone for the puzzle's usual training size.
import { describe, expect, it } from "vitest";
import { namedPuzzleSets } from "../../src/cli/puzzle-sets.ts";
import { puzzles } from "../../src/puzzles/catalog.ts";

describe("puzzle sets", () => {
  it("a name alone means the puzzle's usual training size, and says so", () => {
    for (const puzzle of puzzles) {
      const { name, usual } = puzzle;
      expect(namedPuzzleSets([name])).toEqual([
        { puzzle, params: puzzle.readParams(usual.training), text: `${name}=${usual.training}` },
      ]);
    }
  });

  it("parameters are the puzzle's own", () => {
    const [set] = namedPuzzleSets(["slitherlink=7x7t0dh"]);
    expect(set).toMatchObject({ params: { width: 7, height: 7, difficulty: "hard" }, text: "slitherlink=7x7t0dh" });
  });

  it.each([
    ["slitherlink=", /expected name=params or a name/],
    ["slitherlink=5x5=6x6", /expected name=params or a name/],
    ["chess", /unknown puzzle "chess"; expected one of: /],
    ["slitherlink=banana", /expected a size such as 7x7/],
  ])("%j is refused", (text, message) => {
    expect(() => namedPuzzleSets([text])).toThrow(message);
  });
});
