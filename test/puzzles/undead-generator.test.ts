// What the generator promises, at any size and seed; and how instances look in a mirror.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { canonicalId, GenerationError } from "../../src/puzzles/puzzle.ts";
import { type UndeadParams, undead } from "../../src/puzzles/undead/index.ts";
import { instanceOf, solutionsOf } from "./undead-brute-force.ts";

const levels = fc.constantFrom<UndeadParams["difficulty"]>("easy", "normal", "tricky");
const sides = fc.integer({ min: 3, max: 8 });

describe("generating undead", () => {
  it("gives one solution and the level that was asked for", () => {
    fc.assert(
      fc.property(sides, sides, levels, fc.integer(), (width, height, difficulty, seed) => {
        const generated = undead.generate({ width, height, difficulty }, Random.from(seed));
        const { instance, solution } = generated;
        expect(generated.difficulty).toBe(difficulty);
        expect(undead.difficulty(instance)).toBe(difficulty);
        expect(undead.judge(instance, solution)).toEqual({ correct: true });
        expect(undead.solve(instance)).toEqual({ status: "unique", solution });
        expect(undead.size(instance)).toEqual({ width, height });
        expect(undead.readId(undead.writeId(instance))).toEqual(instance);
        expect(undead.readMove(instance, undead.writeMove(instance, solution))).toEqual(solution);
        expect(instanceOf([...solution.cells], width)).toEqual(instance);
      }),
      { numRuns: 80 },
    );
  });

  it("makes no puzzle that brute force finds ambiguous", () => {
    fc.assert(
      fc.property(levels, fc.integer(), (difficulty, seed) => {
        const { instance, solution } = undead.generate({ width: 3, height: 3, difficulty }, Random.from(seed));
        expect(solutionsOf(instance)).toEqual([solution.cells]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [10, 10, "tricky"],
    [10, 10, "easy"],
    [3, 20, "normal"],
  ] as const)("goes beyond his 54 cells: %ix%i %s", (width, height, difficulty) => {
    const { instance, solution } = undead.generate({ width, height, difficulty }, Random.from("beyond"));
    expect(undead.difficulty(instance)).toBe(difficulty);
    expect(undead.solve(instance)).toEqual({ status: "unique", solution });
  });

  it("has mirrors and monsters in his proportions, every monster in sight, and no monster everywhere", () => {
    let mostShare = 0;
    for (let draw = 0; draw < 100; draw++) {
      const { instance } = undead.generate({ width: 7, height: 7, difficulty: "normal" }, Random.from(draw));
      const { ghosts, vampires, zombies } = instance.totals;
      const monsters = ghosts + vampires + zombies;
      expect(monsters / 49).toBeGreaterThanOrEqual(0.48);
      expect(monsters / 49).toBeLessThanOrEqual(0.78);
      mostShare += Math.max(ghosts, vampires, zombies) / monsters / 100;
    }
    expect(mostShare).toBeLessThan(0.45);
  });

  it.each([
    [{ width: 2, height: 5 }, /both sides must be whole numbers of at least 3/],
    [{ width: 4.5, height: 5 }, /both sides/],
    [{ width: 4, height: Number.NaN }, /both sides/],
    [{ width: 4, height: 4, difficulty: "unreasonable" }, /expected one of: easy, normal, tricky/],
  ])("refuses %j at once", (params, message) => {
    const attempt = () => undead.generate(params as UndeadParams, Random.from(1));
    expect(attempt).toThrow(GenerationError);
    expect(attempt).toThrow(message);
  });
});

describe("the world of 3x3 undead", () => {
  // Listed whole once: 1,067,284 mazes (1,043,055 easy, 13,849 normal, 10,380 tricky), 135,301 up to symmetry.
  it("starts with mazes that have one solution, each listed once", () => {
    const ids = new Set<string>();
    for (const instance of undead.enumerate({ width: 3, height: 3 })!) {
      if (ids.size % 25 === 0) expect(solutionsOf(instance)).toHaveLength(1);
      const id = undead.writeId(instance);
      expect(ids.has(id)).toBe(false);
      if (ids.add(id).size === 1000) break;
    }
    expect(ids.size).toBe(1000);
  });

  it.each(["easy", "normal", "tricky"] as const)("lists %s mazes alone when asked", (difficulty) => {
    let listed = 0;
    for (const instance of undead.enumerate({ width: 3, height: 3, difficulty })!) {
      expect(undead.difficulty(instance)).toBe(difficulty);
      if (++listed === 20) break;
    }
    expect(listed).toBe(20);
  });

  it("is too large to list at any other size", () => {
    expect(undead.enumerate({ width: 3, height: 4 })).toBeUndefined();
  });
});

describe("the symmetries of undead", () => {
  it("do not swap monsters: a maze of ghosts is not a maze of vampires", () => {
    const cells = [..."G/VVG\\/ZV"];
    const swapped = cells.map((cell) => (cell === "G" ? "V" : cell === "V" ? "G" : cell));
    expect(canonicalId(undead, instanceOf(cells, 3))).not.toBe(canonicalId(undead, instanceOf(swapped, 3)));
  });
});

it("more cells than sightings could determine are refused", () => {
  const { instance } = undead.generate(undead.readParams("10x10dt"), Random.from("sight"));
  expect(instance.cells).not.toMatch(/[GVZ]/);
  expect(() => undead.generate(undead.readParams("11x10dt"), Random.from("sight"))).toThrow("more than 100 cells");
});
