import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import {
  families,
  isHeldOut,
  largestNumber,
  levels,
  syntheticAnswerEquals,
  syntheticTestSet,
} from "../../src/problems/synthetic/index.ts";

const numbersIn = (text: string) => [...text.matchAll(/-?\d+/g)].map(([number]) => Number(number));

/** Evaluates `a ∘ b = c` and `( a ∘ b ) ∘ c = d` with a calculator of its own. */
function holds(line: string): boolean {
  const [left, right] = line.split(" = ");
  const words = left.replaceAll(/[()]/g, "").trim().split(/\s+/);
  const operate = (a: number, sign: string, b: number) =>
    sign === "+" ? a + b : sign === "-" ? a - b : sign === "*" ? a * b : sign === "/" ? a / b : a % b;
  let value = Number(words[0]);
  for (let i = 1; i < words.length; i += 2) value = operate(value, words[i], Number(words[i + 1]));
  return value === Number(right);
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
  it("answers are right, every line of the work holds, and no number is too large", () => {
    for (let i = 0; i < 600; i++) {
      const level = 1 + (i % levels);
      const { question, answer, work } = family.make(level, Random.from(i).child(family.name));
      expect(solves(family.name, question, answer), `${question} → ${answer}`).toBe(true);
      for (const line of work) expect(holds(line), `${question}: ${line}`).toBe(true);
      for (const number of numbersIn(`${question} ${answer} ${work.join(" ")}`))
        expect(Math.abs(number)).toBeLessThanOrEqual(largestNumber);
    }
  });

  it("is the same problem for the same random stream", () => {
    expect(family.make(2, Random.from(5))).toEqual(family.make(2, Random.from(5)));
  });
});

describe("test set", () => {
  it("holds distinct problems of the held-out side from every family", () => {
    const set = syntheticTestSet(140, Random.from(1));
    expect(new Set(set.map(({ id }) => id)).size).toBe(140);
    expect(set.every(({ id }) => isHeldOut(id))).toBe(true);
    expect(new Set(set.map(({ subject }) => subject)).size).toBe(families.length);
  });
});

it("answers are compared by their words", () => {
  expect(syntheticAnswerEquals("4 , 5", "4,5")).toBe(true);
  expect(syntheticAnswerEquals("4 , 5", "5 , 4")).toBe(false);
  expect(syntheticAnswerEquals("12", "1 2")).toBe(false);
  expect(syntheticAnswerEquals("12", "12 13")).toBe(false);
});
