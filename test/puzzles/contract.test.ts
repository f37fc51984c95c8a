// What every puzzle promises beyond making and judging: all broken rules, a rating, several solutions, prompts of its own.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { datasetRow } from "../../src/problems/puzzle-dataset.ts";
import { catalog, type PuzzleName, puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { paramsFor } from "../../src/puzzles/params.ts";
import { canonicalId } from "../../src/puzzles/puzzle.ts";
import { rated } from "../../src/puzzles/rating.ts";
import { gradeAnswer, gradingKey, violationsOf } from "../../src/puzzles/verification.ts";
import { everyLoop } from "./slitherlink-brute-force.ts";
import { instanceOf, randomCells, solutionsOf } from "./undead-brute-force.ts";

const sizes: Readonly<Record<PuzzleName, readonly string[]>> = {
  bridges: ["6x6i30e10m2d0", "7x7d2", "7x7i20m3Ld0", "7x5m4d1", "9x9d3"],
  flowfree: ["5x5de", "6x6dt", "7x5c5de"],
  galaxies: ["4x4dn", "7x7dn", "7x7du", "5x8dn"],
  hitori: ["5x5de", "6x6dt", "7x4de"],
  nurikabe: ["5x5de", "6x6dt", "7x4de"],
  slitherlink: ["3x3t0dh", "4x4t0de", "5x5t0dt", "5x5t0dh", "5x5t0du", "9x5t0dn"],
  pattern: ["4x4", "10x10dt", "10x10dn"],
  undead: ["4x4de", "5x5dn", "5x5dt", "6x4dt"],
};

describe.each(puzzleNames)("%s", (name) => {
  const puzzle = puzzleNamed(name);
  const made = sizes[name].flatMap((size) =>
    Array.from({ length: 6 }, (_, i) => {
      const params = puzzle.readParams(size);
      return { params, ...puzzle.generate(params, Random.from("contract").child(name, size, i)) };
    }),
  );

  it("lists violations exactly where an answer is wrong, and the first verdict is among them", () => {
    const random = Random.from("violations").child(name);
    for (const { instance, solution } of made) {
      expect(puzzle.violations(instance, solution)).toEqual([]);
      const symbols = puzzle.renderAnswer(instance, solution).split(/\s+/);
      for (let change = 0; change < 10; change++) {
        const rows = puzzle
          .renderAnswer(instance, solution)
          .split("\n")
          .map((row) => row.split(" "));
        for (let times = 1 + random.below(3); times > 0; times--) {
          rows[random.below(rows.length)][random.below(rows[0].length)] = random.pick(symbols);
        }
        const read = puzzle.readAnswer(instance, rows.map((row) => row.join(" ")).join("\n"));
        if (!("board" in read)) continue;
        const judgment = puzzle.judge(instance, read.board);
        const violations = puzzle.violations(instance, read.board);
        expect(violations.length === 0).toBe(judgment.correct);
        const { width, height } = puzzle.size(instance);
        const key = gradingKey(puzzle, instance, solution);
        const answer = rows.map((row) => row.join(" ")).join("\n");
        expect(violationsOf(key, gradeAnswer(key, answer))).toEqual(violations);
        for (const { because, cells } of violations) {
          expect(because).not.toBe("");
          for (const { row, column } of cells)
            expect(row < height && column < width && row >= 0 && column >= 0).toBe(true);
        }
      }
    }
  });

  it("has a rating that is the same for every image, in the band of its level", () => {
    for (const { instance, difficulty } of made) {
      const rating = rated(puzzle, instance)!;
      expect(Math.floor(rating.rating)).toBe(puzzle.difficulties.indexOf(rating.difficulty));
      // As people read it: 1.394, not 1.3940000000000001.
      expect(String(rating.rating)).toMatch(/^\d(?:\.\d{1,3})?$/);
      // Tatham counts passes over the lines of Undead in reading order, so that a mirror image may take one more or less.
      if (name !== "undead") expect(rating.difficulty).toBe(difficulty);
      for (const image of puzzle.images(instance)) expect(rated(puzzle, image)).toEqual(rating);
    }
  });

  it("makes boards of one solution, of the level and size asked for, that are accepted and survive", () => {
    for (const { instance, solution, difficulty, params } of made) {
      expect(params.difficulty ?? difficulty).toBe(difficulty);
      expect(puzzle.difficulty(instance)).toBe(difficulty);
      expect(puzzle.size(instance)).toEqual({ width: params.width, height: params.height });
      expect(puzzle.solve(instance)).toEqual({ status: "unique", solution });
      expect(puzzle.judge(instance, solution)).toEqual({ correct: true });
      expect(puzzle.readId(puzzle.writeId(instance))).toEqual(instance);
      const { boards, all } = puzzle.solutions(instance, 5);
      expect(all).toBe(true);
      expect(boards.map((board: unknown) => puzzle.answerCells(instance, board))).toEqual([
        puzzle.answerCells(instance, solution),
      ]);
    }
  });
});

describe("several solutions are counted by independent means", () => {
  it("Pattern: permutation matrices, of which there are n!", () => {
    const id = `4x4:${Array(8).fill("1").join("/")}`;
    const { boards, all } = catalog.pattern.solutions(catalog.pattern.readId(id), 100);
    expect([new Set(boards.map(({ cells }: { cells: string }) => cells)).size, all]).toEqual([24, true]);
    expect(catalog.pattern.solutions(catalog.pattern.readId(id), 10)).toMatchObject({ all: false });
    expect(catalog.pattern.solutions(catalog.pattern.readId(id), 10).boards).toHaveLength(10);
  });

  it("Bridges: a square of four islands with three bridges each has two", () => {
    // Each side has one or two bridges and neighbors add up to three: the doubles stand on one pair of sides or the other.
    const instance = catalog.bridges.readId("3x3m2:3a3c3a3");
    const { boards, all } = catalog.bridges.solutions(instance, 10);
    expect([boards.length, all]).toEqual([2, true]);
    for (const board of boards) expect(catalog.bridges.judge(instance, board).correct).toBe(true);
  });

  it("Galaxies: dots in the first and last cells of a 3x3 board", () => {
    const instance = {
      width: 3,
      height: 3,
      dots: [
        { x: 3, y: 1 },
        { x: 3, y: 3 },
        { x: 3, y: 5 },
      ],
    };
    const { boards, all } = catalog.galaxies.solutions(instance, 50);
    const brute = new Set<string>();
    for (let code = 0; code < 3 ** 9; code++) {
      const labels = Array.from({ length: 9 }, (_, cell) => "ABC"[Math.floor(code / 3 ** cell) % 3]);
      const own = labels[1] === "A" && labels[4] === "B" && labels[7] === "C";
      if (own && catalog.galaxies.judge(instance, { labels }).correct) brute.add(labels.join(""));
    }
    expect(all).toBe(true);
    expect(new Set(boards.map(({ labels }: { labels: readonly string[] }) => labels.join("")))).toEqual(brute);
  });

  it("Slitherlink without clues: every loop of the board", () => {
    for (const [width, height] of [
      [2, 2],
      [3, 3],
      [4, 3],
    ]) {
      const instance = { width, height, clues: ".".repeat(width * height) };
      const loops = everyLoop(width, height).map(({ cells }) => cells);
      const { boards, all } = catalog.slitherlink.solutions(instance, 2_000);
      expect(all).toBe(true);
      expect(boards.map(({ cells }) => cells).sort()).toEqual([...loops].sort());
      expect(catalog.slitherlink.solutions(instance, 5)).toMatchObject({ all: false });
    }
  });

  it("Undead: as many as trying every filling finds", () => {
    const random = Random.from("several");
    let several = 0;
    for (let draw = 0; draw < 40; draw++) {
      const cells = randomCells(3, 3, random);
      const instance = instanceOf(cells, 3);
      const brute = solutionsOf(instance);
      if (brute.length > 1) several++;
      const { boards, all } = catalog.undead.solutions(instance, 1 + brute.length);
      expect([boards.length, all]).toEqual([brute.length, true]);
    }
    expect(several).toBeGreaterThan(0);
  });
});

it.each(puzzleNames)("%s: a dataset row has the level that was asked for, and it is the band of its rating", (name) => {
  const puzzle = puzzleNamed(name);
  for (const level of puzzle.difficulties.slice(0, -1)) {
    const params = paramsFor(puzzle, puzzle.usual.small, level);
    for (let draw = 0; draw < 15; draw++) {
      const made = puzzle.generate(params, Random.from("levels").child(name, level, draw));
      const [id, canonical] = [puzzle.writeId(made.instance), canonicalId(puzzle, made.instance)];
      const row = datasetRow({ puzzle }, { ...made, id, canonical }, draw);
      expect(row.difficulty).toBe(level);
      expect(puzzle.difficulties[Math.floor(row.rating!)]).toBe(level);
    }
  }
});
