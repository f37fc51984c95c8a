// Beside Simon Tatham's programs, where they are installed: same ids, same solutions, same levels.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type PuzzleName, puzzleNamed } from "../../src/puzzles/catalog.ts";
import { pattern } from "../../src/puzzles/pattern/index.ts";
import { originalProgram } from "./original-program.ts";

type Beside = {
  /** What his program makes, how often, and the levels that we may find there; any unless said. */
  readonly his: readonly (readonly [params: string, count: number, levels?: readonly string[]])[];
  /** What ours makes: a size from 3 up to this, at these levels. */
  readonly ours: { readonly longest: number; readonly levels: readonly string[] };
  /** Ids that may be malformed, often by little. */
  readonly ids: (random: Random, made: () => string) => string;
};

/** One place of an id's description has something else. */
const changed = (id: string, others: readonly string[], random: Random): string => {
  const at = id.indexOf(":") + 1 + random.below(id.length - id.indexOf(":") - 1);
  return id.slice(0, at) + random.pick(others) + id.slice(at + random.below(2));
};

const levelled = (sizes: Readonly<Record<string, readonly [level: string, count: number][]>>): Beside["his"] =>
  Object.entries(sizes).flatMap(([size, levels]) =>
    levels.map(([level, count]) => [`${size}d${level[0]}`, count, [level]] as const),
  );

const kinds: Partial<Record<PuzzleName, Beside>> = {
  bridges: {
    his: ["7x7i30e10m2d0", "7x7i30e10m2d1", "10x10i30e10m2d2", "6x9i20e10m3Ld1"].map((params) => [params, 30] as const),
    ours: { longest: 8, levels: ["easy"] },
    ids: (random, made) => changed(made(), ["", "1", "8", "a", "!", "G"], random),
  },
  galaxies: {
    his: [
      ...["3x3dn", "4x6dn", "7x7dn", "10x10dn", "15x15dn"].map((params) => [params, 20, ["normal"]] as const),
      // After 50 tries it settles for an easier puzzle.
      ["10x10du", 40],
    ],
    ours: { longest: 10, levels: ["normal"] },
    ids: (random) => {
      const letters = Array.from({ length: random.below(6) }, () => random.pick([..."abcdefgjklmnopqxyzABGMYZ!1"]));
      return `${3 + random.below(2)}x${3 + random.below(2)}:${letters.join("")}`;
    },
  },
  hitori: {
    his: [
      ["5x5de", 60],
      ["6x4dk", 40],
      ["8x8dk", 30],
      ["12x12de", 8],
    ],
    ours: { longest: 7, levels: ["easy", "tricky"] },
    ids: (random, made) => changed(made(), ["", "1", "8", "a", "!"], random),
  },
  pattern: {
    his: ["1x1", "1x6", "2x2", "4x4", "5x5", "7x4", "10x10", "30x30", "32x20"].map((params) => [
      params,
      30,
      ["easy", "normal"],
    ]),
    ours: { longest: 20, levels: ["easy", "normal"] },
    ids: (random) => {
      const wrong = random.chance(0.3) ? ["1.1", "3", "0", "1.", ";"] : [];
      const count = random.chance(0.2) ? 3 + random.below(3) : 4;
      const lines = Array.from({ length: count }, () => random.pick(["", "1", "1", "2", "02", ...wrong]));
      const givens = random.pick(["", "", "", ",e", ",Ad", ",aaaa", ",aAaAa", ",f", ",", ",c", ",Z", ",cA", ",b?"]);
      return `2x2:${lines.join("/")}${givens}`;
    },
  },
  slitherlink: {
    his: [
      ...levelled({
        "3x3t0": [
          ["easy", 40],
          ["normal", 10],
          ["tricky", 40],
          ["hard", 40],
        ],
        "5x5t0": [
          ["easy", 60],
          ["normal", 60],
          ["tricky", 60],
          ["hard", 60],
        ],
        "7x7t0": [
          ["tricky", 40],
          ["hard", 40],
        ],
        "6x9t0": [["hard", 20]],
        "10x10t0": [
          ["easy", 20],
          ["hard", 10],
        ],
      }),
    ],
    ours: { longest: 7, levels: ["easy", "normal", "tricky", "hard"] },
    ids: (random, made) => changed(made(), ["", "1", "4", "a", "!", "b0"], random),
  },
  undead: {
    his: [
      ...levelled({
        "3x3": [
          ["easy", 30],
          ["normal", 3],
          ["tricky", 30],
        ],
        "4x4": [
          ["easy", 60],
          ["normal", 60],
          ["tricky", 60],
        ],
        "5x5": [
          ["normal", 60],
          ["tricky", 60],
        ],
        "6x4": [["tricky", 30]],
        "7x7": [
          ["easy", 60],
          ["normal", 3],
          ["tricky", 3],
        ],
      }),
    ],
    ours: { longest: 5, levels: ["easy", "normal", "tricky"] },
    ids: (random, made) => changed(made(), ["", "1", ",", "a", "L", "G", "!", ",0"], random),
  },
};

describe.each(Object.entries(kinds) as [PuzzleName, Beside][])("%s", (name, { his, ours, ids }) => {
  const puzzle = puzzleNamed(name);
  const original = originalProgram(puzzle.original ?? name);

  describe.skipIf(!original.installed)(original.title, () => {
    const asked = his.map(([params, count, levels]) => ({ params, count, levels }));
    it.each(asked)("solves its $params as it does, at the same level", ({ params, count, levels }) => {
      const { saved } = original.run(["--generate", String(count), `${params}#5`]);
      expect(saved).toHaveLength(count);
      for (const { id, move } of saved) {
        const instance = puzzle.readId(id);
        expect(puzzle.writeId(instance)).toBe(id);
        const solved = puzzle.solve(instance);
        if (solved.status !== "unique") throw new Error(`${id}: ${solved.status}`);
        expect(puzzle.writeMove(instance, solved.solution)).toBe(move);
        expect(puzzle.readMove(instance, move)).toEqual(solved.solution);
        expect(puzzle.judge(instance, solved.solution)).toEqual({ correct: true });
        if (levels !== undefined) expect(levels, id).toContain(puzzle.difficulty(instance));
      }
    });

    const side = (random: Random, longest: number) => 3 + random.below(longest - 2);

    it("has its own ids accepted and solved the same way", () => {
      const random = Random.from("beside the original").child(name);
      let solved = 0;
      for (let draw = 0; draw < 12; draw++) {
        const size = `${side(random, ours.longest)}x${side(random, ours.longest)}`;
        const params = { ...puzzle.readParams(size), difficulty: ours.levels[draw % ours.levels.length] };
        const { instance, solution } = puzzle.generate(params, random);
        const id = puzzle.writeId(instance);
        expect(original.refuses(id), id).toBe(false);
        // Some of his solvers do not guess: what they solve, they solve as we do.
        for (const { move } of original.run([], `${id}\n`).saved) {
          expect(move).toBe(puzzle.writeMove(instance, solution));
          solved++;
        }
      }
      expect(solved).toBeGreaterThan(5);
    });

    it("accepts and refuses the same ids", () => {
      const random = Random.from("ids").child(name);
      const made = () => puzzle.writeId(puzzle.generate(puzzle.readParams(puzzle.usual.small), random).instance);
      const refused = Array.from({ length: 30 }, () => {
        const id = ids(random, made);
        const refuses = original.refuses(id);
        if (refuses) expect(() => puzzle.readId(id), id).toThrow();
        else expect(() => puzzle.readId(id), id).not.toThrow();
        return refuses;
      });
      expect(new Set(refused).size).toBe(2);
    });
  });
});

const original = originalProgram("pattern");

describe.skipIf(!original.installed)(original.title, () => {
  it("has tricky ids accepted, which it cannot solve", () => {
    for (const params of ["4x4dt", "10x10dt", "12x12du"]) {
      const { instance } = pattern.generate(pattern.readParams(params), Random.from(1));
      const { complaint } = original.run([], `${pattern.writeId(instance)}\n`);
      expect(complaint).toContain("Solving algorithm cannot complete this puzzle");
    }
  });

  // Where the clues leave a choice, only the given cells can tell it which solution is meant.
  it.each([
    ["2x2:1/1/1/1,Ad", "S1001"],
    ["2x2:1/1/1/1,Bc", "S0110"],
    ["2x2:1/1/1/1,D", "S1001"],
  ])("has the given cells of %s read alike", (id, move) => {
    expect(original.run([], `${id}\n`).saved).toEqual([{ id, move }]);
    const instance = pattern.readId(id);
    const solved = pattern.solve(instance);
    expect(solved.status === "unique" && pattern.writeMove(instance, solved.solution)).toBe(move);
  });
});
