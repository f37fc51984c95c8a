// Mathematics in the terse language: what is said is true, every candidate that is given up was said to be bad, and there are
// two routes: a guess ends with the candidate that holds, a scan with the first one.
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { families, firstCandidateFails, largestNumber, levels } from "../../src/problems/synthetic/index.ts";
import { type MathematicsStyle, reasonedMathematics } from "../../src/teaching/reasoned-mathematics.ts";
import { terseLabels } from "../../src/teaching/terse-language.ts";

const told = (family: (typeof families)[number], style: MathematicsStyle, i: number) => {
  const problem = family.make(1 + (i % levels), Random.from(i).child(family.name));
  return { problem, ...reasonedMathematics(problem, style, Random.from(i)) };
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
      const { problem, lines, answer } = told(family, "guess", i);
      expect(answer).toBe(problem.answer);
      const tries = lines.filter((line) => line.startsWith("hyp "));
      const givenUp = lines.filter((line) => line.startsWith("back "));
      expect(givenUp.map((line) => line.slice(5))).toEqual(tries.slice(0, -1).map((line) => line.slice(4)));
      expect(tries.length > 0).toBe(family.nature === "search");
      expect(new Set(tries).size).toBe(tries.length);
      expect(lines.filter((line) => line.endsWith(" bad")).length).toBeLessThanOrEqual(givenUp.length);
      expect(lines.findLast((line) => line.startsWith("check "))).toMatch(/ ok$/);
    }
  });

  it("says nothing false: what is calculated is so, and a division gives its whole part", () => {
    for (const style of ["scan", "guess"] as const)
      for (let i = 0; i < 100; i++)
        for (const line of told(family, style, i).lines.filter((one) => one.startsWith("comp "))) {
          const [, left, sign, right, result] = /^comp (\d+) ([-+*/]|mod) (\d+) = (\d+|no)$/.exec(line)!;
          const [a, b] = [Number(left), Number(right)];
          const values = { "+": a + b, "-": a - b, "*": a * b, "/": Math.floor(a / b), mod: a % b };
          const value = values[sign as keyof typeof values];
          expect(result, line).toBe(value < 0 || value > largestNumber ? "no" : String(value));
        }
  });
});

/** Words that give an answer away as right, found by trying it in the question. */
function holds(question: string, answer: string): boolean {
  const asked = (question.match(/\d+/g) ?? []).map(Number);
  const [a, b] = answer.split(" , ").map(Number);
  if (question.startsWith("two numbers")) return a + b === asked[0] && a * b === asked[1];
  if (question.startsWith("n mod")) return a % asked[0] === asked[1] && a % asked[2] === asked[3];
  if (question.includes("a , b above 0")) return asked[0] * a + asked[1] * b === asked[2];
  const [first, second] = answer.split(" ");
  const apply = (x: number, sign: string, y: number) => (sign === "+" ? x + y : sign === "-" ? x - y : x * y);
  return apply(apply(asked[0], first, asked[1]), second, asked[2]) === asked[3];
}

it("a scan commits to the first candidate: right where that one solves the question, wrong elsewhere, and never checked", () => {
  for (const family of families.filter(({ nature }) => nature === "search")) {
    const outcomes = new Set<boolean>();
    for (let i = 0; i < 200; i++) {
      const { problem, lines, answer } = told(family, "scan", i);
      const right = holds(problem.question, answer);
      outcomes.add(right);
      expect(right, `${problem.question} ${answer}`).toBe(answer === problem.answer);
      expect(right).toBe(!firstCandidateFails(problem));
      expect(lines.some((line) => line.startsWith("check "))).toBe(false);
    }
    expect([...outcomes].sort(), family.name).toEqual([false, true]);
  }
});

it("begins anywhere: the first candidate is not always the same, nor always the right one", () => {
  const search = families.find(({ name }) => name === "congruences")!;
  const problem = search.make(3, Random.from(4));
  const first = new Set(
    Array.from({ length: 60 }, (_, i) => reasonedMathematics(problem, "guess", Random.from(i)).lines[1]),
  );
  const trials = "trials" in problem.solution ? problem.solution.trials.length : 0;
  expect(first.size).toBe(trials);
});
