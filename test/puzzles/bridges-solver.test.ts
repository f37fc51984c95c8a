import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type BridgesInstance, bridges } from "../../src/puzzles/bridges/index.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";
import { bruteForceSolutions } from "./bridges-brute-force.ts";

/** Checks the solver, the grading and the judge against every solution there is. */
function agreesWithBruteForce(instance: BridgesInstance): string {
  const all = bruteForceSolutions(instance);
  const solved = bridges.solve(instance);
  const boards = solved.status === "unique" ? [solved.solution] : solved.status === "multiple" ? solved.solutions : [];
  const found = new Set(boards.map((board) => board.cells.join("")));
  const right =
    solved.status === (all.length === 0 ? "none" : all.length === 1 ? "unique" : "multiple") &&
    found.size === Math.min(2, all.length) &&
    [...found].every((board) => all.includes(board)) &&
    boards.every((board) => bridges.judge(instance, board).correct) &&
    (bridges.difficulty(instance) !== undefined) === (all.length === 1);
  // One assertion only: there are tens of thousands of boards, and they cost more than the puzzle.
  if (!right) expect.fail(`${bridges.writeId(instance)}: ${solved.status}, but ${all.length} solutions`);
  return solved.status;
}

/** Every placing of islands that do not touch. */
function* islandPlacings(width: number, height: number): Generator<number[]> {
  for (let bits = 0; bits < 2 ** (width * height); bits++) {
    const islands = Array.from({ length: width * height }, (_, cell) => cell).filter((cell) => (bits >> cell) & 1);
    const touching = islands.some(
      (cell) => (cell % width > 0 && islands.includes(cell - 1)) || islands.includes(cell - width),
    );
    if (!touching && islands.length >= 2) yield islands;
  }
}

function* clueAssignments(islands: readonly number[], cells: number, most: number): Generator<number[]> {
  for (let code = 0; code < most ** islands.length; code++) {
    const clues: number[] = new Array(cells).fill(0);
    let rest = code;
    for (const cell of islands) {
      clues[cell] = 1 + (rest % most);
      rest = Math.floor(rest / most);
    }
    yield clues;
  }
}

/** A board whose clues come from random bridges that do not cross, connected or not; so that many have solutions. */
const plausibleInstance = fc
  .record({
    width: fc.integer({ min: 3, max: 7 }),
    height: fc.integer({ min: 3, max: 6 }),
    maxBridges: fc.integer({ min: 1, max: 4 }),
    loops: fc.constantFrom("allowed" as const, "allowed" as const, "forbidden" as const),
    seed: fc.string(),
  })
  .map(({ width, height, maxBridges, loops, seed }): BridgesInstance => {
    const random = Random.from(seed);
    const islands: number[] = [];
    const order = random.shuffle(Array.from({ length: width * height }, (_, cell) => cell));
    for (const cell of order) {
      if (islands.length >= 11) break;
      const x = cell % width;
      const near = [x > 0 ? cell - 1 : -1, x < width - 1 ? cell + 1 : -1, cell - width, cell + width];
      if (!near.some((other) => islands.includes(other)) && random.chance(0.5)) islands.push(cell);
    }
    const clues: number[] = new Array(width * height).fill(0);
    const used = new Set<number>();
    for (const from of [...islands].sort((a, b) => a - b)) {
      for (const step of [1, width]) {
        const path: number[] = [];
        let at = from + step;
        const end = step === 1 ? (Math.floor(from / width) + 1) * width : width * height;
        while (at < end && !islands.includes(at)) {
          path.push(at);
          at += step;
        }
        if (at >= end || path.length === 0 || path.some((cell) => used.has(cell)) || random.chance(0.2)) continue;
        const count = 1 + random.below(maxBridges);
        clues[from] += count;
        clues[at] += count;
        for (const cell of path) used.add(cell);
      }
    }
    return { width, height, maxBridges, loops, clues };
  })
  .filter(({ clues }) => clues.filter((clue) => clue > 0).length >= 2);

describe("against brute force", () => {
  test.each([
    [1, "allowed", 4],
    [2, "allowed", 6],
    [2, "forbidden", 6],
    [3, "forbidden", 5],
  ] as const)("every 3x3 board with at most %i bridges, loops %s, clues up to %i", (maxBridges, loops, most) => {
    const seen: Record<string, number> = {};
    for (const islands of islandPlacings(3, 3)) {
      for (const clues of clueAssignments(islands, 9, most)) {
        const instance: BridgesInstance = { width: 3, height: 3, maxBridges, loops, clues };
        const status = agreesWithBruteForce(instance);
        seen[status] = (seen[status] ?? 0) + 1;
      }
    }
    expect(seen.unique).toBeGreaterThan(10);
    expect(seen.none).toBeGreaterThan(100);
  });

  test("random boards up to 7x6, with one solution, with several and with none", () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(plausibleInstance, (instance) => {
        const status = agreesWithBruteForce(instance);
        seen[status] = (seen[status] ?? 0) + 1;
      }),
      { numRuns: 3000 },
    );
    for (const status of ["unique", "multiple", "none"]) expect(seen[status]).toBeGreaterThan(30);
  });

  test.each(["3x3m1", "3x3m2", "3x3m2L"])("the listed world of %s is exactly the unique boards", (text) => {
    const params = { ...bridges.readParams(text), difficulty: undefined };
    const { width, height, maxBridges, loops } = params;
    const listed = new Set([...bridges.enumerate(params)!].map(bridges.writeId));
    const unique = new Set<string>();
    for (const islands of islandPlacings(width, height)) {
      const rows = new Set(islands.map((cell) => Math.floor(cell / width)));
      const columns = new Set(islands.map((cell) => cell % width));
      if (!rows.has(0) || !rows.has(height - 1) || !columns.has(0) || !columns.has(width - 1)) continue;
      for (const clues of clueAssignments(islands, width * height, 3 * maxBridges)) {
        const instance: BridgesInstance = { width, height, maxBridges, loops, clues };
        if (bruteForceSolutions(instance).length === 1) unique.add(bridges.writeId(instance));
      }
    }
    expect(listed).toEqual(unique);
  });

  test("worlds too large to list are not listed", () => {
    expect(bridges.enumerate(bridges.readParams("5x5"))).toBeUndefined();
  });
});

describe("large boards", () => {
  test("400 islands on 40x40 with many solutions fall in a moment", () => {
    for (const seed of ["a", "b", "c"]) {
      const instance = denseInstance(40, 400, Random.from(seed));
      expect(instance.clues.filter((clue) => clue > 0)).toHaveLength(400);
      const { result: solved, seconds } = processorTime(() => bridges.solve(instance));
      expect(seconds).toBeLessThan(moment);
      expect(["unique", "multiple"]).toContain(solved.status);
      const boards =
        solved.status === "multiple" ? solved.solutions : solved.status === "unique" ? [solved.solution] : [];
      for (const board of boards) expect(bridges.judge(instance, board)).toEqual({ correct: true });
    }
  });

  test("unique boards of 50x50 that defeat all deductions are solved", () => {
    const made = bridges.generate(bridges.readParams("50x50d3"), Random.from("large"));
    const { result, seconds } = processorTime(() => bridges.solve(made.instance));
    expect(result).toEqual({ status: "unique", solution: made.solution });
    expect(seconds).toBeLessThan(moment);
  });

  test("a budget too small is reported, not exceeded in silence", () => {
    const made = bridges.generate(bridges.readParams("25x25d3"), Random.from("budget"));
    const budget = { searchSteps: 0 };
    expect(bridges.solve(made.instance, budget)).toEqual({ status: "gave-up", budget });
  });
});

/** Islands two to four cells apart, in the manner of published test sets: connected, but made for no single solution. */
function denseInstance(size: number, count: number, random: Random): BridgesInstance {
  const clues: number[] = new Array(size * size).fill(0);
  const covered = new Set<number>();
  const islands = [random.below(size * size)];
  const isIsland = (cell: number) => clues[cell] > 0 || cell === islands[0];
  while (islands.length < count) {
    const from = random.pick(islands);
    const direction = random.below(4);
    const step = [-1, 1, -size, size][direction];
    const x = from % size;
    const room = [x, size - 1 - x, Math.floor(from / size), size - 1 - Math.floor(from / size)][direction];
    const distance = 2 + random.below(3);
    if (distance > room) continue;
    const path = Array.from({ length: distance - 1 }, (_, i) => from + (i + 1) * step);
    const to = from + distance * step;
    const around = [to % size > 0 ? to - 1 : to, to % size < size - 1 ? to + 1 : to, to - size, to + size];
    if ([...path, to].some((cell) => isIsland(cell) || covered.has(cell)) || around.some(isIsland)) continue;
    const bridgeCount = 1 + random.below(2);
    clues[from] += bridgeCount;
    clues[to] += bridgeCount;
    for (const cell of path) covered.add(cell);
    islands.push(to);
  }
  return { width: size, height: size, maxBridges: 2, loops: "allowed", clues };
}

describe("difficulty", () => {
  /** First lines of `sgt-bridges --generate 4 7x7i30e10m2dN#golden` (Debian sgt-puzzles 20230122.806ae71-2). */
  test.each([
    ["7x7m2:a4a5a3h2u2c1a3b3b1", "easy"],
    ["7x7m2:2c1a1g5e5g6d3g22a1b2a", "easy"],
    ["7x7m2:1h2a1a2g2a4c4i4b2a3e3", "medium"],
    ["7x7m2:2c5a2k3a3n2c1d1c3", "medium"],
    ["7x7m2:4a3a1a2i4c4g4a6a2i1e3", "hard"],
    ["7x7m2:d1a22b3a1c1a3a5g2a2h1b2b4b3", "hard"],
    ["10x10m4L:2b4a5c3b3j3c7a9d3a9a2c4j5bDa4x2a1b2a3a3c6b5", "hard"],
    ["12x5m3:d3d6a63a2b4b3a4n2a3a5d2a4e4d5", "medium"],
  ])("%s is %s, as his generator says", (id, difficulty) => {
    expect(bridges.difficulty(bridges.readId(id))).toBe(difficulty);
  });

  const program = "/usr/games/sgt-bridges";
  test.skipIf(!existsSync(program))(
    "agrees with fresh boards of his program (skipped where it is not installed)",
    () => {
      for (const [level, difficulty] of ["easy", "medium", "hard"].entries()) {
        for (const params of [`7x7i30e10m2d${level}`, `10x10i30e10m2Ld${level}`]) {
          const made = spawnSync(program, ["--generate", "40", params], { encoding: "utf8" }).stdout.trim().split("\n");
          expect(made).toHaveLength(40);
          for (const id of made) {
            const instance = bridges.readId(id);
            expect(bridges.writeId(instance)).toBe(id);
            expect(bridges.difficulty(instance), id).toBe(difficulty);
          }
        }
      }
    },
  );
});
