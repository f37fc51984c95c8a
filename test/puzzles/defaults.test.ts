// What follows from the constraint model, beside what puzzles do faster by themselves: two ways that share no code must agree.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type PuzzleName, puzzleNamed, puzzleNames } from "../../src/puzzles/catalog.ts";
import { modelSolutions } from "../../src/puzzles/defaults.ts";

/** Boards of a size, and the same with something changed, so that many have several solutions or none. */
const kinds: Partial<
  Record<PuzzleName, { readonly sizes: readonly string[]; readonly change: (id: string, random: Random) => string }>
> = {
  bridges: {
    sizes: ["5x5i30e10m2d1", "6x6i30e10m3d0", "6x6i30e10m2Ld1"],
    change: (id, random) =>
      changed(id, /[1-8](?=[^:]*$)/g, (clue) => String(Math.max(1, Number(clue) + random.pick([-1, 1]))), random),
  },
  galaxies: {
    sizes: ["4x4dn", "5x5dn", "5x5du"],
    change: (id, random) => changed(id, /(?<=:.*)[b-p]/g, (gap) => gap, random),
  },
  pattern: {
    sizes: ["4x4", "5x5", "6x4dt"],
    change: (id, random) =>
      changed(id, /(?<=:.*)\d+/g, (run) => String(Math.max(1, Number(run) + random.pick([-1, 1]))), random),
  },
  slitherlink: {
    sizes: ["4x4t0dn", "5x5t0dh"],
    change: (id, random) => changed(id, /(?<=:.*)\d/g, () => random.pick(["1", "2", "a"]), random),
  },
  undead: {
    sizes: ["4x4de", "4x4dt", "5x4dn"],
    change: (id, random) =>
      changed(id, /(?<=,)\d+/g, (seen) => String(Math.max(0, Number(seen) + random.pick([-1, 0, 1]))), random),
  },
};

function changed(id: string, what: RegExp, into: (found: string) => string, random: Random): string {
  const places = [...id.matchAll(what)];
  if (places.length === 0) return id;
  const { 0: found, index } = random.pick(places);
  return id.slice(0, index) + into(found) + id.slice(index + found.length);
}

const boards = 40;

describe.each(Object.keys(kinds) as PuzzleName[])("%s", (name) => {
  const puzzle = puzzleNamed(name);
  const { sizes, change } = kinds[name]!;

  it("its own solver and the model find the same solutions", () => {
    const counts = new Set<number>();
    for (const size of sizes)
      for (let draw = 0; draw < boards; draw++) {
        const random = Random.from("defaults").child(name, size, draw);
        const made = puzzle.writeId(puzzle.generate(puzzle.readParams(size), random).instance);
        for (const id of [made, change(made, random), change(change(made, random), random)]) {
          let instance: unknown;
          try {
            instance = puzzle.readId(id);
          } catch {
            continue;
          }
          const most = 6;
          const [own, model] = [puzzle.solutions(instance, most), modelSolutions(puzzle, instance, most)];
          const texts = (found: typeof own) => found.boards.map((board) => puzzle.renderAnswer(instance, board)).sort();
          expect([own.boards.length, own.all], id).toEqual([model.boards.length, model.all]);
          if (own.all) expect(texts(own), id).toEqual(texts(model));
          for (const board of model.boards) expect(puzzle.judge(instance, board), id).toEqual({ correct: true });
          counts.add(own.boards.length);
        }
      }
    expect([...counts]).toEqual(expect.arrayContaining([1]));
    if (name !== "galaxies") expect(counts.size).toBeGreaterThan(2);
  });
});

describe.each(puzzleNames)("%s", (name) => {
  const puzzle = puzzleNamed(name);
  it("a board made by itself has one solution by the model, at the level that was asked for", () => {
    for (const level of puzzle.difficulties.slice(0, 2)) {
      const params = { ...puzzle.readParams(puzzle.usual.small), difficulty: level };
      for (let draw = 0; draw < 10; draw++) {
        const { instance, solution } = puzzle.generate(params, Random.from("one").child(name, level, draw));
        const { boards, all } = modelSolutions(puzzle, instance, 2);
        expect(all).toBe(true);
        expect(boards.map((board) => puzzle.renderAnswer(instance, board))).toEqual([
          puzzle.renderAnswer(instance, solution),
        ]);
      }
    }
  });
});
