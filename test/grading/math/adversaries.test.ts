// What must be paid for and what must not be, over tables of more than three thousand pairs.
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { table as order } from "./adversaries/order.ts";
import { table as responses } from "./adversaries/responses.ts";
import { table as round } from "./adversaries/round.ts";
import { table as setsAndMarks } from "./adversaries/sets-and-marks.ts";
import { table as wordsAndUnits } from "./adversaries/words-and-units.ts";

// One test a table: three thousand titles would say less than the list of what failed.
describe.each(Object.entries({ ...wordsAndUnits, ...order, ...setsAndMarks, ...responses, ...round }))(
  "%s",
  (_, { paid, unpaid }) => {
    const wrong = (pairs: readonly (readonly [string, string])[], isWrong: (verdict: string) => boolean) =>
      pairs.flatMap(([gold, response]) => {
        const { verdict, because } = gradeMath(gold, response);
        return isWrong(verdict) ? [`${gold} ¦ ${response}: ${verdict}, ${because}`] : [];
      });

    it(`pays for ${paid.length} right answers`, () => {
      expect(wrong(paid, (verdict) => verdict !== "equal")).toEqual([]);
    });

    it(`does not pay for ${unpaid.length} wrong or doubtful ones`, () => {
      expect(wrong(unpaid, (verdict) => verdict === "equal")).toEqual([]);
    });

    it(`rewards none of them`, () => {
      const rewarded = unpaid.filter(
        ([gold, response]) => gradeMath(gold, response, { mode: "reward" }).verdict === "equal",
      );
      expect(rewarded).toEqual([]);
    });
  },
);
