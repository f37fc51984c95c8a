import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { puzzleIdentity, puzzleProblemId } from "../../src/problems/problem-id.ts";
import { puzzleNames } from "../../src/puzzles/catalog.ts";

const size = fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 })).map(([w, h]) => `${w}x${h}`);
const rest = fc.string({ minLength: 1, maxLength: 40 });

describe("the identity of a puzzle problem", () => {
  it("is read back as it was written, whatever the board", () => {
    fc.assert(
      fc.property(fc.constantFrom(...puzzleNames), size, rest, (puzzle, board, desc) => {
        const instance = `${board}:${desc}`;
        expect(puzzleIdentity(puzzleProblemId(puzzle, instance))).toEqual({ puzzle, instance, size: board });
      }),
    );
  });

  it("is read as version 0.1 wrote it", () => {
    expect(puzzleIdentity("bridges 7x7m2:a2d3")).toEqual({ puzzle: "bridges", instance: "7x7m2:a2d3", size: "7x7" });
  });

  it.each(["olymmath-en-hard/12", "bridges", "bridges/", "bridges 7x7", "chess/8x8:abc", "a bridges/7x7:1", "7x7:1"])(
    "is not found in %j",
    (id) => expect(puzzleIdentity(id)).toBeUndefined(),
  );
});
