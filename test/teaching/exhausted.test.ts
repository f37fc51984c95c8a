// A world that is used up is told apart from a mistake in a program.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import type { AnyPuzzle } from "../../src/puzzles/puzzle.ts";
import { narratedTraces } from "../../src/teaching/narrated-corpus.ts";

const narration = { style: "plain", guessing: 0, errorRate: 0, repertoire: "full", maxSteps: 400 } as const;
const tracesOf = (puzzle: AnyPuzzle, params: string) =>
  narratedTraces({
    sets: [{ puzzle, params: puzzle.readParams(params), weight: 1 }],
    narration,
    maxTokens: 1e6,
    countTokens: (text) => text.length,
    random: Random.from(1),
    tracesPerPuzzle: 1,
  });
const some = (attempts: Generator<unknown>, count: number) => {
  for (let i = 0; i < count; i++) attempts.next();
};

describe("narrated traces", () => {
  it("go on with what there is when a small world is used up", () => {
    expect(() => some(tracesOf(puzzleNamed("galaxies"), "3x3dn"), 80)).not.toThrow();
  });

  it("end with a mistake of the generator, also after its first puzzles", () => {
    const undead = puzzleNamed("undead");
    let draws = 0;
    const broken: AnyPuzzle = {
      ...undead,
      generate: (params, random) => {
        if (++draws > 10) throw new TypeError("clues of undefined");
        return undead.generate(params, random);
      },
    };
    expect(() => some(tracesOf(broken, "4x4de"), 80)).toThrow(TypeError);
  });
});
