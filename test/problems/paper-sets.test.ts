// The paper's puzzles: the mix of every step, sets that share nothing up to symmetry, and how many there are.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paperPuzzles } from "../../src/problems/paper-sets.ts";
import type { PuzzleProblem } from "../../src/problems/problem.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { canonicalId } from "../../src/puzzles/puzzle.ts";
import { recipeSchema } from "../../src/recipes/settings.ts";
import { exportedSets } from "../../src/serving/export-rows.ts";

const form = ({ puzzle, instance }: PuzzleProblem) =>
  `${puzzle} ${canonicalId(puzzleNamed(puzzle), puzzleNamed(puzzle).readId(instance))}`;
const forms = (problems: readonly PuzzleProblem[]) => new Set(problems.map(form));
const counts = (problems: readonly PuzzleProblem[]) => {
  const found: Record<string, number> = {};
  for (const { set = "" } of problems) found[set] = (found[set] ?? 0) + 1;
  return found;
};

const worlds = ["galaxies=3x3dn", "galaxies=3x3", "pattern=4x4", "undead=4x4de", "bridges=5x5d0"];
const settings = fc.record({
  seed: fc.integer({ min: 0, max: 1000 }),
  puzzles: fc.record({
    training: fc.uniqueArray(fc.constantFrom(...worlds), { minLength: 1, maxLength: 3 }),
    teaching: fc.option(fc.uniqueArray(fc.constantFrom(...worlds), { minLength: 1, maxLength: 2 }), { nil: undefined }),
    larger: fc.constant(["pattern=4x4"]),
  }),
  corpus: fc.record({ puzzles: fc.integer({ min: 1, max: 8 }) }),
  sft: fc.record({ validationPerPuzzle: fc.integer({ min: 1, max: 3 }) }),
  rl: fc.record({ steps: fc.integer({ min: 1, max: 6 }), problemsPerStep: fc.integer({ min: 1, max: 24 }) }),
  evaluation: fc.record({
    heldOutPerPuzzle: fc.integer({ min: 1, max: 6 }),
    largerPerPuzzle: fc.integer({ min: 1, max: 3 }),
  }),
});

describe("the paper's puzzles", () => {
  it("every step has the same mix, sets share no puzzle up to symmetry, and nobody gets more than was asked for", () => {
    fc.assert(
      fc.property(settings, (given) => {
        const sets = paperPuzzles(given);
        const { steps, problemsPerStep } = given.rl;
        expect(sets.training).toHaveLength(steps * problemsPerStep);
        const kinds = given.puzzles.training.map((world) => world.replace("=", " "));
        for (let step = 0; step < steps; step++) {
          const mix = counts(sets.training.slice(step * problemsPerStep, (step + 1) * problemsPerStep));
          const share = kinds.map((kind) => mix[kind] ?? 0);
          expect(Math.max(...share) - Math.min(...share)).toBeLessThanOrEqual(problemsPerStep % kinds.length ? 1 : 0);
        }
        // A kind is repeated only as a whole: no puzzle is asked twice more often than another.
        for (const kind of kinds) {
          const times = new Map<string, number>();
          for (const one of sets.training) if (one.set === kind) times.set(form(one), (times.get(form(one)) ?? 0) + 1);
          expect(Math.max(0, ...times.values()) - Math.min(...times.values(), Infinity)).toBeLessThanOrEqual(1);
        }
        expect(sets.teaching).toHaveLength(given.corpus.puzzles);
        const once = [sets.teaching, sets.validation, sets.heldOut, sets.larger];
        for (const set of once) expect(forms(set).size).toBe(set.length);
        const all = [...once, sets.training].map(forms);
        expect(new Set(all.flatMap((set) => [...set])).size).toBe(all.reduce((sum, set) => sum + set.size, 0));
        for (const most of Object.values(counts(sets.validation)))
          expect(most).toBeLessThanOrEqual(given.sft.validationPerPuzzle);
        for (const most of Object.values(counts(sets.larger)))
          expect(most).toBeLessThanOrEqual(given.evaluation.largerPerPuzzle + given.evaluation.heldOutPerPuzzle);
      }),
      { numRuns: 6 },
    );
  });

  it("a small world is divided and repeated: Galaxies 3x3 has 31 train puzzles and 5 held out", () => {
    const sets = paperPuzzles(
      recipeSchema.parse({
        puzzles: { training: ["galaxies=3x3dn", "undead=4x4de"], larger: ["pattern=5x5"] },
        corpus: { puzzles: 60 },
        rl: { steps: 4, problemsPerStep: 64 },
        sft: { validationPerPuzzle: 8 },
        evaluation: { heldOutPerPuzzle: 30, largerPerPuzzle: 3 },
      }),
    );
    for (let step = 0; step < 4; step++)
      expect(counts(sets.training.slice(64 * step, 64 * step + 64))).toEqual({
        "galaxies 3x3dn": 32,
        "undead 4x4de": 32,
      });
    const galaxies = (problems: readonly PuzzleProblem[]) => problems.filter(({ puzzle }) => puzzle === "galaxies");
    expect(forms(galaxies(sets.training)).size + galaxies(sets.teaching).length).toBe(31);
    expect(counts(sets.validation)).toEqual({ "galaxies 3x3dn": 1, "undead 4x4de": 8 });
    expect(counts(sets.heldOut)).toEqual({ "galaxies 3x3dn": 4, "undead 4x4de": 30 });
    expect([sets.teaching.length, sets.larger.length]).toEqual([60, 3]);
  });

  it("says how many there are where SFT asks for too many", () => {
    const given = { puzzles: { training: ["galaxies=3x3dn"] }, rl: { steps: 1 }, corpus: { puzzles: 31 } };
    expect(() => paperPuzzles(recipeSchema.parse(given))).toThrow(
      /galaxies=3x3dn hold \d+ different train puzzles for SFT and 31 are needed \(corpus.puzzles\)/,
    );
  });

  it("SFT and evaluation change nothing of RL's problems nor of those that choose, and an export has the same", () => {
    const puzzles = { training: ["undead=4x4de", "galaxies=3x3dn"], larger: ["pattern=4x4"] };
    const rl = { steps: 5, problemsPerStep: 30 };
    const few = paperPuzzles(recipeSchema.parse({ puzzles, rl, corpus: { puzzles: 4 } }));
    const many = paperPuzzles(
      recipeSchema.parse({ puzzles, rl, corpus: { puzzles: 40 }, evaluation: { heldOutPerPuzzle: 3 } }),
    );
    expect(many.training).toEqual(few.training);
    expect(many.validation).toEqual(few.validation);
    const exported = exportedSets({ seed: 1, puzzles: puzzles.training, trainRows: 150, testRows: 20 });
    expect(exported.train).toEqual(few.training);
    expect(exported.test.every(({ id }) => few.heldOut.some((problem) => problem.id === id))).toBe(true);
  });
});
