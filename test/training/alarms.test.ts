// Each alarm fires on a run made to have what it warns of, and all of them are silent on a healthy one.
import { describe, expect, it } from "vitest";
import type { Trace } from "../../src/imports/trace.ts";
import { hasLoop, isGarbled, mixesScripts } from "../../src/traces/garbled.ts";
import { signsOfTrace, stepSigns } from "../../src/traces/step-signs.ts";
import type { TraceRecord } from "../../src/traces/trace-record.ts";
import { alarmsOf, type StepSigns } from "../../src/training/alarms.ts";

const recover = ["hypothesize", "backtrack"];
const wave = (step: number) => Math.sin(step) / 20;

/** Learns: entropy falls some, traces grow some, and everything wobbles. */
const healthy = (step: number): StepSigns => ({
  step,
  recovery: 1 + wave(step),
  entropy: 0.6 - 0.01 * step + wave(step),
  tokens: 800 + 15 * step,
  truncated: 0.04 + wave(step) / 4,
  allRight: 0.2 + 0.01 * step,
  allWrong: 0.2 - 0.005 * step,
  garbled: 0.01,
  disagreeing: 0.01,
  unboxed: 0.05,
  identical: 0.02,
});
const run = (change: (step: number) => Partial<StepSigns> = () => ({})): StepSigns[] =>
  Array.from({ length: 20 }, (_, step) => ({ ...healthy(step), ...change(step) }));
/** From step 12 on. */
const later = (about: Partial<StepSigns>) => (step: number) => (step < 12 ? {} : about);

it("a healthy run raises none, nor does one of which nothing is known, nor one that has only begun", () => {
  expect(alarmsOf(run(), recover)).toEqual([]);
  expect(
    alarmsOf(
      Array.from({ length: 20 }, (_, step) => ({ step })),
      recover,
    ),
  ).toEqual([]);
  expect(alarmsOf(run(() => ({ garbled: 1, disagreeing: 1 })).slice(0, 3), recover)).toEqual([]);
  expect(alarmsOf([], recover)).toEqual([]);
});

it.each([
  ["recovery", { recovery: 0.2 }, /hypothesize and backtrack fell to 0.20/],
  ["entropy", { entropy: 0.05 }, /collapsing: 0.0\d of its start/],
  ["entropy", { entropy: 3 }, /blowing up/],
  ["tokens", { tokens: 2400 }, /2400 tokens, 2.9 times/],
  ["tokens", { tokens: 200 }, /collapsing/],
  ["truncated", { truncated: 0.4 }, /40% of rollouts end at their budget/],
  ["groups", { allRight: 0.9, allWrong: 0.05 }, /95% of groups .* too easy/],
  ["groups", { allRight: 0, allWrong: 0.9 }, /too hard/],
  ["garbled", { garbled: 0.2 }, /20% of rollouts are garbled/],
  ["disagreeing", { disagreeing: 0.3 }, /disagree on 30% of rollouts/],
  ["unboxed", { unboxed: 0.5 }, /50% of rollouts have no final answer/],
  ["identical", { identical: 0.5 }, /word for word/],
] as const)("%s is told of, and nothing else is", (about, signs, words) => {
  const found = alarmsOf(run(later(signs)), recover);
  expect(found.map((alarm) => alarm.about)).toEqual([about]);
  expect(found[0].words).toMatch(words);
  expect(found[0].step).toBe(19);
});

describe("signs of rollouts", () => {
  const trace = (about: Partial<Trace>): Trace => ({ checkpoint: "a", problem: "p", response: "Six.", ...about });
  const sums = Array.from({ length: 120 }, (_, i) => `Then ${i} plus ${i * i} is ${i + i * i}, which I write down.`);

  it("a loop is garbled, wherever it is; long work of one kind is not", () => {
    expect(hasLoop(`${sums.join("\n")}\n${"I think I think ".repeat(30)}`)).toBe(true);
    expect(hasLoop(`so ${"!".repeat(300)}`)).toBe(true);
    expect(hasLoop(sums.join("\n"))).toBe(false);
    expect(hasLoop(`<think>${"the same thing again ".repeat(40)}</think>\n${sums.join("\n")}`)).toBe(true);
    expect(
      hasLoop(
        `${sums
          .slice(0, 40)
          .map((line) => `${line} Wait.`)
          .join(" ".repeat(3))}`,
      ),
    ).toBe(false);
    expect(hasLoop(`a table\n${"-".repeat(300)}\n${sums.join("\n")}`)).toBe(false);
    expect(hasLoop("0, 0, 0, 0, 0, 0")).toBe(false);
    expect(hasLoop("")).toBe(false);
  });

  it("a change of script is garbled; one language with formulas is not", () => {
    expect(mixesScripts(`${sums.slice(0, 4).join(" ")} 因此我们可以得出结论这个问题的答案是六而不是七或者八九十`)).toBe(
      true,
    );
    expect(
      mixesScripts(`${sums.slice(0, 30).join(" ")} 所以我们需要先把这两个数字相加再检查一遍结果是否正确然后继续`),
    ).toBe(true);
    expect(mixesScripts("因此 x + y = 6，答案是 6，因为 x = 2 而 y = 4。")).toBe(false);
    expect(mixesScripts("Let α and β be angles with α + β = π; then sin α = sin β.")).toBe(false);
    expect(isGarbled(sums.join(" "))).toBe(false);
  });

  it("a step counts groups without a gradient, twins, boxes, cut ends and verdicts that differ", () => {
    const of = (problem: string, about: Partial<Trace>): TraceRecord =>
      ({ ...trace(about), problem, ...signsOfTrace(trace(about)) }) as unknown as TraceRecord;
    const signs = stepSigns([
      of("p", { response: "\\boxed{6}", correct: true, recorded: true }),
      of("p", { response: "\\boxed{6} ", correct: true, recorded: false }),
      of("q", { response: "<think>and so", correct: false }),
      of("q", { response: "<answer>7</answer>", correct: true, truncated: true }),
    ]);
    expect(signs).toEqual({
      ...{ allRight: 0.5, allWrong: 0, garbled: 0, truncated: 0.5, unboxed: 0.25, disagreeing: 0.5, identical: 0.5 },
    });
  });
});
