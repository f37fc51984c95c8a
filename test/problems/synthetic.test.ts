import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import {
  families,
  isHeldOut,
  isSyntheticSet,
  largestNumber,
  levels,
  noNumber,
  syntheticAnswerEquals,
  syntheticSets,
  syntheticTestSet,
} from "../../src/problems/synthetic/index.ts";

const numbersIn = (text: string) => [...text.matchAll(/-?\d+/g)].map(([number]) => Number(number));

/** Evaluates `a ∘ b = c`, `a ∘ b ∘ c = d` and `a = b` with a calculator of its own; "no" is anything outside 0 to 99. */
function holds(line: string): boolean {
  const [left, right] = line.split(" = ");
  const words = left.trim().split(/\s+/);
  const operate = (a: number, sign: string, b: number) =>
    sign === "+" ? a + b : sign === "-" ? a - b : sign === "*" ? a * b : sign === "/" ? a / b : a % b;
  let value = Number(words[0]);
  for (let i = 1; i < words.length; i += 2) value = operate(value, words[i], Number(words[i + 1]));
  return right === noNumber ? value < 0 || value > largestNumber : value === Number(right);
}

/** Whether an answer solves a question, by what the question says and not by how it was made. */
function solves(family: string, question: string, answer: string): boolean {
  const n = numbersIn(question);
  const a = numbersIn(answer);
  switch (family) {
    case "arithmetic": {
      const products = question.replaceAll(/(\d+) \* (\d+)/g, (_, x, y) => String(Number(x) * Number(y)));
      const [, left, sign, right] = /(\d+) ([+-]) (\d+)/.exec(products)!;
      return a[0] === (sign === "+" ? Number(left) + Number(right) : Number(left) - Number(right));
    }
    case "linear":
      return n[0] * a[0] + n[1] === n[2];
    case "remainder":
      return a[0] === n[0] % n[1];
    case "sum and product":
      return a[0] + a[1] === n[0] && a[0] * a[1] === n[1] && a[0] <= a[1];
    case "congruences":
      return [...Array(a[0] + 1).keys()].find((x) => x % n[0] === n[1] && x % n[2] === n[3]) === a[0];
    case "diophantine": {
      const smallest = [...Array(100).keys()].find(
        (x) => x > 0 && (n[2] - n[0] * x) % n[1] === 0 && n[2] - n[0] * x > 0,
      );
      return a[0] === smallest && n[0] * a[0] + n[1] * a[1] === n[2];
    }
    case "missing signs": {
      const values = ["+", "-", "*"].flatMap((x) =>
        ["+", "-", "*"].map((y) => [`${x} ${y}`, holds(`${n[0]} ${x} ${n[1]} ${y} ${n[2]} = ${n[3]}`)] as const),
      );
      return values.filter(([, right]) => right).length === 1 && values.find(([, right]) => right)![0] === answer;
    }
    default:
      throw new Error(family);
  }
}

describe.each(families)("$name", (family) => {
  const made = (i: number) => family.make(1 + (i % levels), Random.from(i).child(family.name));

  it("answers are right and no number is too large", () => {
    // One assertion for all: it costs more than what it looks at.
    const wrong = Array.from({ length: 600 }, (_, i) => made(i)).filter(
      (problem) =>
        !solves(family.name, problem.question, problem.answer) ||
        numbersIn(JSON.stringify(problem)).some((number) => Math.abs(number) > largestNumber),
    );
    expect(wrong).toEqual([]);
  });

  it("every calculation holds, a check holds where it says so, and one candidate alone does", () => {
    for (let i = 0; i < 200; i++) {
      const { question, solution } = made(i);
      if ("steps" in solution) {
        expect(family.nature).toBe("direct");
        for (const { compute, check } of solution.steps)
          for (const line of [compute, check ?? "1 = 1"]) expect(holds(line), `${question}: ${line}`).toBe(true);
        continue;
      }
      expect(family.nature).toBe("search");
      for (const { work, check, holds: works, rest } of solution.trials) {
        for (const line of [...work, ...(works ? rest : [])]) expect(holds(line), `${question}: ${line}`).toBe(true);
        // Without a check the work has left the numbers; with one, the check itself says whether the candidate holds.
        expect(check === undefined ? work.at(-1)!.endsWith(noNumber) : holds(check) === works, question).toBe(true);
      }
      expect(solution.trials.filter((trial) => trial.holds)).toHaveLength(1);
    }
  });

  it("is the same problem for the same random stream", () => {
    expect(family.make(2, Random.from(5))).toEqual(family.make(2, Random.from(5)));
  });
});

describe("test set", () => {
  it("holds distinct problems of the held-out side, about as many of every family", () => {
    const set = syntheticTestSet(210, Random.from(1));
    expect(set.every((one) => isSyntheticSet(one.set))).toBe(true);
    expect(new Set(set.map(({ id }) => id)).size).toBe(210);
    expect(set.every(({ id }) => isHeldOut(id))).toBe(true);
    for (const { name } of families) {
      const own = set.filter(({ subject }) => subject === name).length;
      expect(own, name).toBeGreaterThanOrEqual(20);
      expect(own, name).toBeLessThanOrEqual(40);
    }
  });
});

it("whether a question needs search is read off its first candidate, which alone does not hold", () => {
  const set = syntheticTestSet(400, Random.from(2));
  const smallest = (prompt: string): string | undefined => {
    const [a, b, c, d] = numbersIn(prompt);
    if (prompt.startsWith("two numbers")) return `1 , ${b}`;
    if (prompt.startsWith("n mod")) return String(d);
    if (prompt.includes("above 0")) return `1 , ${Math.floor((c - a) / b)}`;
    return prompt.includes("_") ? "+ +" : undefined;
  };
  for (const { prompt, answer, set: name } of set) {
    const first = smallest(prompt);
    expect(name, prompt).toBe(
      first === undefined || first === answer ? syntheticSets.usual : syntheticSets.needsSearch,
    );
  }
  const needing = set.filter((one) => one.set === syntheticSets.needsSearch).length;
  expect(needing).toBeGreaterThan(100);
  expect(needing).toBeLessThan(240);
});

it("answers are compared by their words", () => {
  expect(syntheticAnswerEquals("4 , 5", "4,5")).toBe(true);
  expect(syntheticAnswerEquals("4 , 5", "5 , 4")).toBe(false);
  expect(syntheticAnswerEquals("12", "1 2")).toBe(false);
  expect(syntheticAnswerEquals("12", "12 13")).toBe(false);
});
