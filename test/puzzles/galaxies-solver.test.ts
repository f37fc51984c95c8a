// The Galaxies solver against brute force: on every board that can be listed, it must count as counting does.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { partitions } from "../../src/puzzles/galaxies/enumeration.ts";
import { Growth } from "../../src/puzzles/galaxies/growth.ts";
import { type Dot, type GalaxiesInstance, galaxies } from "../../src/puzzles/galaxies/index.ts";

type Size = { readonly width: number; readonly height: number };

function cellsOf({ width }: Size, dot: Dot): number[] {
  const columns = new Set([Math.floor((dot.x - 1) / 2), Math.floor(dot.x / 2)]);
  const rows = new Set([Math.floor((dot.y - 1) / 2), Math.floor(dot.y / 2)]);
  return [...rows].flatMap((row) => [...columns].map((column) => row * width + column));
}

/** All sets of dots on a board of which no two share a cell, drawn in the order of an id. */
function* placements(size: Size, from = 0, taken: ReadonlySet<number> = new Set()): Generator<Dot[]> {
  yield [];
  const columns = 2 * size.width - 1;
  for (let place = from; place < columns * (2 * size.height - 1); place++) {
    const dot = { x: (place % columns) + 1, y: Math.floor(place / columns) + 1 };
    const cells = cellsOf(size, dot);
    if (cells.some((cell) => taken.has(cell))) continue;
    for (const rest of placements(size, place + 1, new Set([...taken, ...cells]))) yield [dot, ...rest];
  }
}

/** Solutions counted the simplest way: give the first cell that has none a dot, and its mirror cell with it. Stops at two. */
function countSolutions({ width, height, dots }: GalaxiesInstance): number {
  const owner = new Array<number>(width * height).fill(-1);
  for (const [index, dot] of dots.entries()) for (const cell of cellsOf({ width, height }, dot)) owner[cell] = index;
  const besides = (cell: number) =>
    [
      cell % width > 0 ? cell - 1 : -1,
      cell % width < width - 1 ? cell + 1 : -1,
      cell - width,
      cell + width < width * height ? cell + width : -1,
    ].filter((other) => other >= 0);
  const connected = () =>
    dots.every((dot, index) => {
      const reached = [cellsOf({ width, height }, dot)[0]];
      for (const cell of reached)
        for (const other of besides(cell)) if (owner[other] === index && !reached.includes(other)) reached.push(other);
      return reached.length === owner.filter((mine) => mine === index).length;
    });
  const count = (): number => {
    const cell = owner.indexOf(-1);
    if (cell < 0) return connected() ? 1 : 0;
    let total = 0;
    for (const [index, dot] of dots.entries()) {
      const column = dot.x - 1 - (cell % width);
      const row = dot.y - 1 - Math.floor(cell / width);
      if (column < 0 || column >= width || row < 0 || row >= height) continue;
      const opposite = row * width + column;
      if (owner[opposite] !== -1) continue;
      owner[cell] = owner[opposite] = index;
      total += count();
      owner[cell] = owner[opposite] = -1;
      if (total > 1) break;
    }
    return total;
  };
  return count();
}

const statusOf = ["none", "unique", "multiple"];

function expectAgreement(instance: GalaxiesInstance): void {
  const solved = galaxies.solve(instance);
  expect([galaxies.writeId(instance), solved.status]).toEqual([
    galaxies.writeId(instance),
    statusOf[Math.min(2, countSolutions(instance))],
  ]);
  if (solved.status === "unique") expect(galaxies.judge(instance, solved.solution)).toEqual({ correct: true });
  if (solved.status !== "multiple") return;
  for (const board of solved.solutions) expect(galaxies.judge(instance, board)).toEqual({ correct: true });
  expect(solved.solutions[0]).not.toEqual(solved.solutions[1]);
}

describe("galaxies solver", () => {
  it("agrees with brute force on every set of dots that 3x3 can hold", () => {
    let instances = 0;
    for (const dots of placements({ width: 3, height: 3 })) {
      expectAgreement({ width: 3, height: 3, dots });
      instances++;
    }
    expect(instances).toBe(4220);
  });

  it("agrees with counting partitions on all of 4x4, of which 109,768 are puzzles", () => {
    const boards = new Map<string, { instance: GalaxiesInstance; count: number }>();
    for (const dots of partitions(4, 4)) {
      const instance = { width: 4, height: 4, dots };
      const id = galaxies.writeId(instance);
      boards.set(id, { instance, count: (boards.get(id)?.count ?? 0) + 1 });
    }
    let unique = 0;
    const disagreeing: string[] = [];
    for (const [id, { instance, count }] of boards) {
      if (galaxies.solve(instance).status !== statusOf[Math.min(2, count)]) disagreeing.push(id);
      if (count === 1 && instance.dots.length > 1) unique++;
    }
    expect(disagreeing).toEqual([]);
    expect(unique).toBe(109_768);
  });

  it("agrees with brute force on grown boards that lost, gained or moved a dot", () => {
    const random = Random.from("moved dots");
    for (let draw = 0; draw < 1500; draw++) {
      const [width, height] = [3 + random.below(3), 3 + random.below(3)];
      const { instance } = galaxies.generate({ width, height }, random);
      const dots = instance.dots.filter(() => random.chance(0.85));
      const extra = { x: 1 + random.below(2 * width - 1), y: 1 + random.below(2 * height - 1) };
      const near = new Set(cellsOf({ width, height }, extra));
      if (random.chance(0.5) && !dots.some((dot) => cellsOf({ width, height }, dot).some((cell) => near.has(cell))))
        dots.push(extra);
      if (dots.length < 3) continue;
      expectAgreement({ width, height, dots: dots.sort((one, other) => one.y - other.y || one.x - other.x) });
    }
  });

  it("lists exactly the 221 puzzles of 3x3, the 36 that symmetry leaves, and nothing where the world is too large", () => {
    // 384 sets of dots have one solution. 163 of them have a dot on every cell, one for each way to tile 3x3 with single
    // cells, pairs and squares of four (131 without a square; 4 places for one, and 8 ways to tile the five cells around it).
    const all = [...galaxies.enumerate({ width: 3, height: 3 })!];
    expect(all).toHaveLength(384 - 131 - 4 * 8);
    expect(new Set(all.map(galaxies.writeId)).size).toBe(221);
    expect(new Set(all.map((instance) => galaxies.images(instance).map(galaxies.writeId).sort()[0])).size).toBe(36);
    expect(new Set(all.map(galaxies.difficulty))).toEqual(new Set(["normal"]));
    expect(galaxies.enumerate({ width: 5, height: 5 })).toBeUndefined();
  });

  it("gives up only when its budget is spent, and says so", () => {
    const { instance } = galaxies.generate({ width: 15, height: 15, difficulty: "unreasonable" }, Random.from(3));
    expect(galaxies.solve(instance, { searchSteps: 0 })).toEqual({ status: "gave-up", budget: { searchSteps: 0 } });
    expect(galaxies.solve(instance).status).toBe("unique");
  });

  it("finds a solution of every grown board, and two different ones where there are several", () => {
    const random = Random.from("grown");
    const growth = new Growth();
    const met = new Set<string>();
    for (let draw = 0; draw < 60; draw++) {
      const [width, height] = [15 + random.below(11), 15 + random.below(11)];
      growth.clear(width, height);
      growth.fill(random);
      const dots = Array.from({ length: growth.regionCount }, (_, at) => ({ x: growth.x[at], y: growth.y[at] }));
      const instance = { width, height, dots };
      const solved = galaxies.solve(instance);
      met.add(solved.status);
      const boards =
        solved.status === "unique" ? [solved.solution] : solved.status === "multiple" ? solved.solutions : [];
      for (const board of boards) expect(galaxies.judge(instance, board)).toEqual({ correct: true });
      expect(new Set(boards.map((board) => galaxies.writeMove(instance, board))).size).toBe(boards.length);
    }
    expect(met).toEqual(new Set(["unique", "multiple"]));
  });
});
