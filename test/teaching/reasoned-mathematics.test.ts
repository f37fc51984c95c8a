// Mathematics in the terse language: what is said is true, every candidate that is given up was said to be bad, and the
// answer follows from the last thing that was found to hold.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { families, levels } from "../../src/problems/synthetic/index.ts";
import { type MathematicsStyle, reasonedMathematics } from "../../src/teaching/reasoned-mathematics.ts";
import { terseLabels } from "../../src/teaching/terse-language.ts";

const told = (family: (typeof families)[number], style: MathematicsStyle, i: number) => {
  const problem = family.make(1 + (i % levels), Random.from(i).child(family.name));
  return { problem, lines: reasonedMathematics(problem, style, Random.from(i)) };
};

describe.each(families)("$name", (family) => {
  it("opens as puzzles do, and every line is one step", () => {
    for (const style of ["scan", "guess"] as const)
      for (let i = 0; i < 100; i++) {
        const { lines } = told(family, style, i);
        expect(lines[0]).toBe(`plan ${style}`);
        expect(terseLabels(lines.join("\n"))).toHaveLength(lines.length);
      }
  });

  it("ends with a candidate that holds; only guessing tries and gives up, and it gives up all but the last", () => {
    for (let i = 0; i < 100; i++) {
      const scan = terseLabels(told(family, "scan", i).lines.join("\n"));
      expect(scan).not.toContain("hypothesize");
      expect(scan).not.toContain("backtrack");
      const { lines } = told(family, "guess", i);
      const tries = lines.filter((line) => line.startsWith("hyp "));
      const givenUp = lines.filter((line) => line.startsWith("back "));
      expect(givenUp.map((line) => line.slice(5))).toEqual(tries.slice(0, -1).map((line) => line.slice(4)));
      expect(tries.length > 0).toBe(family.nature === "search");
      expect(new Set(tries).size).toBe(tries.length);
      expect(lines.filter((line) => line.endsWith(" bad")).length).toBeLessThanOrEqual(givenUp.length);
      expect(lines.findLast((line) => line.startsWith("check "))).toMatch(/ ok$/);
    }
  });
});

it("begins anywhere: the first candidate is not always the same, nor always the right one", () => {
  const search = families.find(({ name }) => name === "congruences")!;
  const problem = search.make(3, Random.from(4));
  const first = new Set(Array.from({ length: 60 }, (_, i) => reasonedMathematics(problem, "guess", Random.from(i))[1]));
  const trials = "trials" in problem.solution ? problem.solution.trials.length : 0;
  expect(first.size).toBe(trials);
});
