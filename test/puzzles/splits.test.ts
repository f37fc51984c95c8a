import { describe, expect, expectTypeOf, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import type { BridgesInstance } from "../../src/puzzles/bridges/index.ts";
import { catalog, puzzleNamed, puzzleNames, puzzleOfId, puzzles } from "../../src/puzzles/catalog.ts";
import type { PatternParams } from "../../src/puzzles/pattern/index.ts";
import {
  type AnyPuzzle,
  canonicalId,
  GenerationError,
  ImpossibleRequestError,
  OutOfTimeError,
  PuzzleFormatError,
} from "../../src/puzzles/puzzle.ts";
import { splitOf, splitPuzzles, splitSteps } from "../../src/puzzles/splits.ts";

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

function canRead(puzzle: AnyPuzzle, id: string): boolean {
  try {
    puzzle.readId(id);
    return true;
  } catch (error) {
    if (error instanceof PuzzleFormatError) return false;
    throw error;
  }
}

describe.each(puzzleNames)("%s", (name) => {
  const puzzle = puzzleNamed(name);
  const request = { puzzle, params: puzzle.readParams(puzzle.usual.small), random: Random.from("splits") };

  it("train and test share no puzzle and no image of one", () => {
    const train = take(splitPuzzles({ ...request, split: "train" }), 120);
    const test = take(splitPuzzles({ ...request, split: "test" }), 40);
    const images = (made: typeof train) =>
      new Set(made.flatMap(({ instance }) => puzzle.images(instance).map((image) => puzzle.writeId(image))));
    const trained = images(train);
    expect([...images(test)].filter((id) => trained.has(id))).toEqual([]);
    expect(new Set(train.map(({ canonical }) => canonical)).size).toBe(120);
  });

  it("every image of a puzzle has its canonical form and falls on its side", () => {
    for (const { instance, canonical } of take(splitPuzzles(request), 20)) {
      for (const image of puzzle.images(instance)) {
        expect(canonicalId(puzzle, image)).toBe(canonical);
        expect(splitOf(canonicalId(puzzle, image))).toBe(splitOf(canonical));
      }
    }
  });

  it("an id says whose it is", () => {
    for (const { id } of take(splitPuzzles(request), 10)) {
      const readers = puzzles.filter((candidate) => canRead(candidate, id)).map((candidate) => candidate.name);
      expect(readers).toEqual([name]);
      expect(puzzleOfId(id).name).toBe(name);
    }
  });
});

describe("what is asked for is checked", () => {
  const request = { puzzle: catalog.pattern, params: catalog.pattern.readParams("4x4"), random: Random.from("q") };
  it.each([Number.NaN, -1, 2, Number.POSITIVE_INFINITY])("a test share of %d is refused", (testShare) => {
    expect(() => take(splitPuzzles({ ...request, split: "train", testShare }), 1)).toThrow("0 to 1");
    expect(() => splitOf("4x4:1", testShare)).toThrow("0 to 1");
  });
  it("a side that a share leaves empty is refused at once", () => {
    expect(() => take(splitPuzzles({ ...request, split: "test", testShare: 0 }), 1)).toThrow("no test puzzles");
    expect(() => take(splitPuzzles({ ...request, split: "train", testShare: 1 }), 1)).toThrow("no train puzzles");
  });
});

describe("draws that find nothing", () => {
  /** Fails on every draw but each third. */
  const unlucky = (): AnyPuzzle => {
    let draws = 0;
    return {
      ...catalog.pattern,
      generate: (params, random) => {
        if (++draws % 3 !== 0) throw new GenerationError("unlucky");
        return catalog.pattern.generate(params as PatternParams, random);
      },
    };
  };
  it("are counted and passed over", () => {
    const failures: string[] = [];
    const request = { puzzle: unlucky(), params: catalog.pattern.readParams("5x5"), random: Random.from("u") };
    const made = take(splitPuzzles({ ...request, onFailure: ({ message }) => failures.push(message) }), 10);
    expect(new Set(made.map(({ canonical }) => canonical)).size).toBe(10);
    expect(failures.length).toBeGreaterThanOrEqual(20);
  });
  /** Each draw finds one, or ends as `failing` says. */
  const drawnAs = (failing: (draw: number) => GenerationError | undefined, count: number) => {
    const params = catalog.pattern.readParams("5x5");
    const steps = splitSteps({ puzzle: catalog.pattern, params, random: Random.from("u") }, new Set());
    let found = 0;
    let draw = 0;
    for (let step = steps.next(); found < count && !step.done; ) {
      if ("found" in step.value) found++;
      const failure = "found" in step.value ? undefined : failing(draw++);
      step =
        "found" in step.value ? steps.next() : steps.next(failure ?? catalog.pattern.generate(params, step.value.draw));
    }
    return draw;
  };
  const unluckyDraw = new GenerationError("unlucky");
  const outOfTime = new OutOfTimeError("not done within a second");

  it("end no set of which something was found: forty in a row, then one", () => {
    expect(drawnAs((draw) => (draw % 41 === 0 ? undefined : unluckyDraw), 3)).toBe(83);
    expect(() => drawnAs((draw) => (draw < 40 ? unluckyDraw : undefined), 1)).toThrow("unlucky");
  });
  it("for want of time are passed over as well; after three of them nothing is expected", () => {
    expect(drawnAs((draw) => (draw < 2 ? outOfTime : undefined), 1)).toBe(3);
    expect(() => drawnAs(() => outOfTime, 1)).toThrow("not done within");
    expect(drawnAs((draw) => (draw === 0 || draw > 10 ? undefined : outOfTime), 2)).toBe(12);
  });
  it("end the set when there is nothing else, with the reason", () => {
    const request = {
      puzzle: catalog.pattern,
      params: { width: 3, height: 3, difficulty: "tricky" },
      random: Random.from("u"),
    };
    expect(() => take(splitPuzzles(request), 1)).toThrow("no tricky puzzle of this size exists");
  });
});

describe("the catalog", () => {
  it("every puzzle is registered under its own name, and its usual parameters and example can be read", () => {
    for (const [key, puzzle] of Object.entries(catalog) as [string, AnyPuzzle][]) {
      expect(puzzle.name).toBe(key);
      const { miniature, ...usual } = puzzle.usual;
      for (const params of [...Object.values(usual), ...Object.values(miniature ?? {})])
        expect(puzzle.readParams(puzzle.writeParams(puzzle.readParams(params)))).toEqual(puzzle.readParams(params));
      expect(puzzle.solve(puzzle.readId(puzzle.example)).status).toBe("unique");
    }
  });

  it("a name that is none says which there are; a title is a name, too", () => {
    expect(() => puzzleNamed("brigdes")).toThrow(`expected one of: ${puzzleNames.join(", ")}`);
    expect(() => puzzleNamed("toString")).toThrow("unknown puzzle");
    for (const puzzle of puzzles) expect(puzzleNamed(puzzle.title)).toBe(puzzle);
  });

  it("types are known by key and hidden by name", () => {
    expectTypeOf(catalog.bridges.readId).returns.toEqualTypeOf<BridgesInstance>();
    expectTypeOf(puzzleNamed("bridges").readId).returns.toEqualTypeOf<unknown>();
  });
});

describe("requests that no draw can meet", () => {
  it.each([
    ["slitherlink", "300x300"],
    ["galaxies", "3x3du"],
    ["pattern", "4x4du"],
    ["bridges", "7x7m1d1"],
  ] as const)("%s %s is refused once, not drawn ten times", (name, text) => {
    const puzzle = puzzleNamed(name);
    const passedOver: GenerationError[] = [];
    const request = { puzzle, params: puzzle.readParams(text), random: Random.from(1) };
    const puzzles = splitPuzzles({ ...request, onFailure: (error) => passedOver.push(error) });
    expect(() => puzzles.next()).toThrow(ImpossibleRequestError);
    expect(passedOver).toEqual([]);
  });
});

describe("worlds that end", () => {
  it("Galaxies 3x3 has 221 puzzles with something to solve; asking for more says how many there are", () => {
    const puzzle = catalog.galaxies;
    const params = puzzle.readParams("3x3");
    const all = [...(puzzle.enumerate(params) ?? [])];
    expect(all).toHaveLength(221);
    const classes = new Set(all.map((instance) => canonicalId(puzzle, instance))).size;
    expect(() => take(splitPuzzles({ puzzle, params, random: Random.from(1) }), 10_000)).toThrow(GenerationError);
    expect(() => take(splitPuzzles({ puzzle, params, random: Random.from(1) }), 10_000)).toThrow(
      `only ${classes} different puzzles`,
    );
  });

  it("a side of a small world is all of its puzzles, and none of the other's", () => {
    const puzzle = catalog.pattern;
    const params = puzzle.readParams("3x3");
    // All 384, also those that the generator never makes.
    const all = [...(puzzle.enumerate(params) ?? [])];
    expect(all).toHaveLength(384);
    const classes = new Set(all.map((instance) => canonicalId(puzzle, instance)));
    const side = (split: "train" | "test") => {
      const found: string[] = [];
      const puzzles = splitPuzzles({ puzzle, params, split, testShare: 0.5, random: Random.from(1) });
      expect(() => {
        for (const { canonical } of puzzles) found.push(canonical);
      }).toThrow(GenerationError);
      return found;
    };
    const [train, test] = [side("train"), side("test")];
    expect(train.filter((id) => test.includes(id))).toEqual([]);
    expect(new Set([...train, ...test])).toEqual(classes);
    for (const [split, ids] of [
      ["train", train],
      ["test", test],
    ] as const)
      for (const id of ids) expect(splitOf(id, 0.5)).toBe(split);
  });
});
