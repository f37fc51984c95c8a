// The solver of Pattern is complete: it agrees with listing where listing is possible, and with itself beyond.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type PatternInstance, pattern } from "../../src/puzzles/pattern/index.ts";
import { instanceOf } from "../../src/puzzles/pattern/instance.ts";
import { difficultyByListing, idOf, picturesById } from "./pattern-brute-force.ts";

/** Checks a verdict against the pictures that are known to fit. */
function expectVerdict(instance: PatternInstance, fitting: readonly string[]): void {
  const solved = pattern.solve(instance);
  if (fitting.length === 0) expect(solved).toEqual({ status: "none" });
  else if (fitting.length === 1) expect(solved).toEqual({ status: "unique", solution: { cells: fitting[0] } });
  else {
    if (solved.status !== "multiple") throw new Error(`${pattern.writeId(instance)}: ${solved.status}`);
    const [first, second] = solved.solutions;
    expect(first.cells).not.toBe(second.cells);
    expect(fitting).toContain(first.cells);
    expect(fitting).toContain(second.cells);
  }
}

const randomPicture = (width: number, height: number, share: number, random: Random) =>
  Array.from({ length: width * height }, () => (random.chance(share) ? "#" : ".")).join("");

/** Solves the clues of a picture and checks that whatever comes back has these clues. */
function solvedPicture(cells: string, width: number, height: number) {
  const solved = pattern.solve(instanceOf(cells, width, height));
  const id = idOf(cells, width, height);
  if (solved.status === "unique") expect(solved.solution.cells).toBe(cells);
  if (solved.status === "multiple") {
    expect(solved.solutions[0].cells).not.toBe(solved.solutions[1].cells);
    for (const solution of solved.solutions) expect(idOf(solution.cells, width, height)).toBe(id);
  }
  return solved.status;
}

describe("small worlds", () => {
  it.each([
    [2, 2, 14],
    [3, 3, 384],
    [4, 4, 52_362],
  ])("%ix%i: agrees with listing on every picture; %i have clues of their own", (width, height, uniqueCount) => {
    const byId = picturesById(width, height);
    let unique = 0;
    for (const [id, pictures] of byId) {
      if (pictures.length === 1) unique++;
      const instance = pattern.readId(id);
      const solved = pattern.solve(instance);
      if (pictures.length === 1) expect(solved.status === "unique" && solved.solution.cells).toBe(pictures[0]);
      else expectVerdict(instance, pictures);
    }
    expect(unique).toBe(uniqueCount);
  });

  it.each(["1x7", "2x5", "3x3", "4x3"])("%s: lists exactly the uniquely solvable instances", (size) => {
    const params = pattern.readParams(size);
    const expected = [...picturesById(params.width, params.height)].flatMap(([id, { length }]) =>
      length === 1 ? [id] : [],
    );
    const listed = [...pattern.enumerate(params)!].map(pattern.writeId);
    expect(listed.length).toBe(expected.length);
    expect(new Set(listed)).toEqual(new Set(expected));
  });

  it("lists one difficulty where it is named, and nothing of a world too large", () => {
    const count = (text: string) => [...(pattern.enumerate(pattern.readParams(text)) ?? [])].length;
    expect([count("3x4"), count("3x4de"), count("3x4dn"), count("3x4dt"), count("3x4du")]).toEqual([
      3152, 3096, 20, 36, 0,
    ]);
    expect(pattern.enumerate(pattern.readParams("5x5"))).toBeUndefined();
  });

  it("agrees with listing on clues that need not belong together, and on given cells", () => {
    const [width, height] = [4, 3];
    const byId = picturesById(width, height);
    const pictures = [...byId.values()].flat();
    fc.assert(
      fc.property(
        fc.nat(pictures.length - 1),
        fc.nat(pictures.length - 1),
        fc.array(fc.constantFrom("?", "?", "?", "#", "."), { minLength: 12, maxLength: 12 }),
        (one, other, givens) => {
          const columns = instanceOf(pictures[one], width, height).columns;
          const rows = instanceOf(pictures[other], width, height).rows;
          const mixed = { width, height, columns, rows };
          expectVerdict(mixed, byId.get(pattern.writeId(mixed)) ?? []);
          const given = { ...instanceOf(pictures[one], width, height), prefilled: givens.join("") };
          const fitting = byId
            .get(idOf(pictures[one], width, height))!
            .filter((cells) => givens.every((symbol, cell) => symbol === "?" || symbol === cells[cell]));
          expectVerdict(given, fitting);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("beyond line logic", () => {
  it("solves what lines alone cannot", () => {
    const instance = pattern.readId("4x4:2/1/2/1/1.1/2/1/1");
    expect(pattern.solve(instance)).toMatchObject({ status: "unique" });
    expect(pattern.difficulty(instance)).toBe("tricky");
  });

  it("gives back a random picture where it is the only one with its clues", () => {
    const statuses = Array.from({ length: 20 }, (_, draw) =>
      solvedPicture(randomPicture(10, 10, 0.6, Random.from("one picture").child(draw)), 10, 10),
    );
    expect(statuses.filter((status) => status === "unique").length).toBeGreaterThan(10);
  });

  it.each([
    [30, 30, 0.5],
    [25, 40, 0.25],
    [60, 60, 0.6],
  ])("decides random dots %ix%i, %f of them full", (width, height, share) => {
    for (let draw = 0; draw < 2; draw++) {
      const random = Random.from(`dots ${width} ${height} ${share}`).child(draw);
      expect(solvedPicture(randomPicture(width, height, share, random), width, height)).not.toBe("gave-up");
    }
  });

  /** Blocks along the diagonal with every other cell given as empty, so that they do not concern each other. */
  function independentBlocks(block: string, size: number, count: number, last = block): PatternInstance {
    const side = count * (size + 1);
    const cells = new Array(side * side).fill(".");
    const givens = new Array(side * side).fill(".");
    for (let index = 0; index < count; index++) {
      for (let cell = 0; cell < size * size; cell++) {
        const [row, column] = [Math.floor(cell / size) + index * (size + 1), (cell % size) + index * (size + 1)];
        cells[row * side + column] = (index === count - 1 ? last : block)[cell];
        givens[row * side + column] = "?";
      }
    }
    return { ...instanceOf(cells.join(""), side, side), prefilled: givens.join("") };
  }

  it("is not led astray by many small difficulties that do not concern each other", () => {
    // Unreasonable by itself: no single supposition settles a cell.
    const hard = "..#.#.#..#..#....#.#.##.#....##..#....##...#.....";
    expect(pattern.difficulty(instanceOf(hard, 7, 7))).toBe("unreasonable");
    expect(pattern.solve(independentBlocks(hard, 7, 8), { searchSteps: 2000 }).status).toBe("unique");

    const loose = `#.......#${".".repeat(40)}`;
    expect(pattern.solve(independentBlocks(hard, 7, 8, loose), { searchSteps: 2000 }).status).toBe("multiple");
  });

  it("gives up after the stated budget, and says which", () => {
    const cells = randomPicture(40, 40, 0.4, Random.from("hard"));
    const budget = { searchSteps: 50 };
    expect(pattern.solve(instanceOf(cells, 40, 40), budget)).toEqual({ status: "gave-up", budget });
  });
});

describe("difficulty", () => {
  it("is what reasoning over listed placements says, on every picture of 3x4 and on samples of larger ones", () => {
    for (const instance of pattern.enumerate({ width: 3, height: 4 })!) {
      expect(pattern.difficulty(instance), pattern.writeId(instance)).toBe(difficultyByListing(instance));
    }
    const random = Random.from("difficulty");
    const seen = new Set<string>();
    for (let draw = 0; draw < 1500; draw++) {
      const [width, height] = [3 + random.below(5), 3 + random.below(5)];
      const instance = instanceOf(randomPicture(width, height, 0.35 + 0.2 * random.uniform(), random), width, height);
      const difficulty = pattern.difficulty(instance);
      if (difficulty === undefined) {
        expect(pattern.solve(instance).status).toBe("multiple");
      } else {
        seen.add(difficulty);
        expect(difficulty, pattern.writeId(instance)).toBe(difficultyByListing(instance));
      }
    }
    expect(seen).toEqual(new Set(["easy", "normal", "tricky"]));
    const unreasonable = instanceOf("..#.#.#..#..#....#.#.##.#....##..#....##...#.....", 7, 7);
    expect(difficultyByListing(unreasonable)).toBe("unreasonable");
  });

  it("is undefined without a single solution", () => {
    expect(pattern.difficulty(pattern.readId("2x2:1/1/1/1"))).toBeUndefined();
    expect(pattern.difficulty(pattern.readId("2x2:2/2/1/1"))).toBeUndefined();
    expect(pattern.difficulty(pattern.readId("2x2:1/1/1/1,Ad"))).toBe("easy");
    // Sliding fills this one without a contradiction, but the rows it makes are not the rows that are asked for.
    expect(pattern.difficulty(pattern.readId("3x3:1.1//1.1/2//2"))).toBeUndefined();
  });
});
