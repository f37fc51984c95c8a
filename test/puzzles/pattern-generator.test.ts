// Generated Patterns: one solution, the difficulty they say, the same from the same seed; and clear words where none exist.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { patternDifficulties } from "../../src/puzzles/pattern/instance.ts";
import { GenerationError } from "../../src/puzzles/puzzle.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";
import { idOf } from "./pattern-brute-force.ts";

/** Generates and checks all that a generated puzzle promises. */
function made(text: string, seed: number | string) {
  const params = pattern.readParams(text);
  const generated = pattern.generate(params, Random.from(seed));
  const { instance, solution, difficulty } = generated;
  expect(pattern.size(instance)).toEqual({ width: params.width, height: params.height });
  expect(pattern.writeId(instance)).toBe(idOf(solution.cells, params.width, params.height));
  expect(pattern.solve(instance)).toEqual({ status: "unique", solution });
  expect(pattern.difficulty(instance)).toBe(difficulty);
  if (params.difficulty !== undefined) expect(difficulty).toBe(params.difficulty);
  expect(pattern.generate(params, Random.from(seed))).toEqual(generated);
  return generated;
}

describe("generated puzzles", () => {
  it("have one solution, the difficulty they say, and come again from the same seed, at every size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 16 }), fc.nat(), (width, height, seed) => {
        made(`${width}x${height}`, seed);
      }),
      { numRuns: 60 },
    );
  });

  it.each(["4x4de", "4x4dn", "4x4dt", "2x4dt", "2x7dn", "3x4dt", "5x9dt", "10x10de", "10x10dn", "10x10dt", "12x12du"])(
    "%s is what it says",
    (params) => {
      for (const seed of ["a", "b", "c"]) made(params, seed);
    },
  );

  it.each(["30x30", "30x30de", "30x30dt", "40x40", "25x45dn", "15x15du"])("%s is found, too", (params) => {
    made(params, 1);
  });

  it("are neither blank nor full in any line that could be otherwise, as Tatham makes them", () => {
    for (let seed = 0; seed < 40; seed++) {
      for (const size of ["3x3", "4x4", "5x3", "10x10"]) {
        const { instance } = made(size, seed);
        const { width, height, columns, rows } = instance;
        for (const runs of columns) expect(runs).not.toEqual([height]);
        for (const runs of rows) expect(runs).not.toEqual([width]);
        expect([...columns, ...rows]).not.toContainEqual([]);
      }
    }
  });

  it("are half full unless told otherwise", () => {
    const share = (text: string) => {
      const { cells } = made(text, 1).solution;
      return [...cells].filter((symbol) => symbol === "#").length / cells.length;
    };
    expect(share("10x10")).toBe(0.5);
    expect(share("10x10f70")).toBeCloseTo(0.7);
    expect(share("12x12f62")).toBeCloseTo(0.62, 1);
    const odd = Array.from({ length: 60 }, (_, seed) => made("5x5", seed).solution.cells.match(/#/g)!.length);
    expect(new Set(odd)).toEqual(new Set([12, 13]));
  });
});

describe("what cannot exist", () => {
  const impossible = ["1x1dn", "1x9dt", "3x3dt", "3x3dn", "2x3dt", "2x6dn", "4x4du", "2x2du", "5x5du", "2x12du"];
  it.each(impossible)("%s is refused at once", (text) => {
    const { seconds } = processorTime(() =>
      expect(() => pattern.generate(pattern.readParams(text), Random.from(1))).toThrow(GenerationError),
    );
    expect(seconds).toBeLessThan(moment);
  });

  it("is known by listing: the levels that exist at small sizes are those that are made", () => {
    const sizes: number[][] = [];
    for (let width = 1; width <= 3; width++) {
      for (let height = width; width * height <= 10; height++) sizes.push([width, height]);
    }
    for (const [width, height] of sizes) {
      const existing = new Set([...pattern.enumerate({ width, height })!].map(pattern.difficulty));
      for (const difficulty of patternDifficulties) {
        const attempt = () => pattern.generate({ width, height, difficulty }, Random.from(1));
        if (existing.has(difficulty)) expect(attempt().difficulty, `${width}x${height}`).toBe(difficulty);
        else expect(attempt, `${width}x${height} ${difficulty}`).toThrow(/exists/);
      }
    }
  });

  it("is said of parameters that no notation could have held", () => {
    const generate = (params: object) => () => pattern.generate(params as never, Random.from(1));
    expect(generate({ width: 0, height: 3 })).toThrow(/at least 1/);
    expect(generate({ width: 2.5, height: 3 })).toThrow(/whole numbers/);
    expect(generate({ width: 4, height: 4, difficulty: "fiendish" })).toThrow(/unknown difficulty "fiendish"/);
    expect(generate({ width: 4, height: 4, fullPercent: 0 })).toThrow(/1 to 99/);
  });

  it("is not waited for where nobody knows: effort is bounded and the error says so", () => {
    expect(() => pattern.generate(pattern.readParams("5x6du"), Random.from(1))).toThrow(
      /none found in \d+ looks at a line/,
    );
  });
});
