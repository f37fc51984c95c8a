// Pairs of attempts by brute force, and which problems are reached.
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerDiversity, support } from "../../src/evaluation/diversity.ts";
import type { ProblemTally } from "../../src/evaluation/tally.ts";

/** `right`, a wrong answer, or nothing that can be read. */
type Attempt = "right" | "a" | "b" | "c" | undefined;

function tallyOf(attempts: readonly Attempt[]): ProblemTally {
  const wrongAnswers = new Map<string, number>();
  for (const answer of attempts)
    if (answer !== undefined && answer !== "right") wrongAnswers.set(answer, (wrongAnswers.get(answer) ?? 0) + 1);
  const correct = attempts.filter((answer) => answer === "right").length;
  const unreadable = attempts.filter((answer) => answer === undefined).length;
  return {
    ...{ problem: "p", set: "s", ungraded: 0, responseTokens: [], wrongAnswers },
    states: { complete: attempts.length, truncated: 0, failed: 0 },
    verdicts: { correct, unreadable, undecided: 0, wrong: attempts.length - correct - unreadable },
  };
}

test("chances of pairs are those of going through all pairs", () => {
  const attempt = fc.constantFrom<Attempt>("right", "a", "b", "c", undefined);
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 2, maxLength: 9 }), (attempts) => {
      const found = answerDiversity(tallyOf(attempts))!;
      const pairs = attempts.flatMap((one, i) => attempts.slice(i + 1).map((other) => [one, other]));
      const share = (holds: (pair: readonly Attempt[]) => boolean) => pairs.filter(holds).length / pairs.length;
      expect(found.mixed).toBeCloseTo(
        share(([one, other]) => (one === "right") !== (other === "right")),
        12,
      );
      expect(found.wrong).toBeCloseTo(
        share(([one, other]) => one !== "right" && other !== "right" && one !== other),
        12,
      );
      expect(found.distinct).toBe(new Set(attempts.filter((one) => one !== undefined)).size);
    }),
  );
  expect(answerDiversity(tallyOf(["right", "right", "a", "b"]))!.entropy).toBe(1.5);
  expect(answerDiversity(tallyOf(["right"]))).toBeUndefined();
});

test("what nobody lost or gained is bounded, not excluded", () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
  const { kept, lost, gained } = support({ both: names(20), onlyFirst: [], onlySecond: names(10), neither: names(10) });
  expect([kept.value, lost.value, gained.value]).toEqual([0.5, 0, 0.25]);
  expect(lost.high).toBeGreaterThan(0.05);
  expect(gained.low).toBeLessThan(0.25);
});
