// Math-Verify's own test cases, where the folder beside the project holds them. What we decide differently on purpose is
// listed here with its reason, and nothing else may differ.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { gradeMath, type MathOptionsInput } from "../../../src/grading/math/index.ts";
import { publicFile } from "../../fixtures/public-data.ts";

const file = publicFile("mathverify/cases.jsonl");

type Case = {
  readonly file: string;
  readonly test: string;
  readonly idx: number;
  readonly kind: string;
  readonly gold: string;
  readonly pred: string;
  readonly expected: number;
  readonly extraction_config: Readonly<Record<string, unknown>>;
};

/** By file, test and index: why ours is right. */
const deliberate: Readonly<Record<string, string>> = {
  "test_yujianll:test_string_extraction:9": "1 - 1/e is not 1 + 1/e",
  "test_all:test_math_extraction_additional_cases:17": "where boxes are asked for first, nothing goes before them",
  "test_strict:test_strict_variable_comparison:1": "f(y) is not f(x), and nobody may choose that it is",
};

const cases: readonly Case[] = !file.missing
  ? readFileSync(file.path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  : [];

const nameOf = (item: Case): string => `${item.file}:${item.test}:${item.idx}`;

/** Math-Verify's settings in our words. Its rounding asks for no share of the size, so neither do we here. */
function optionsOf({ extraction_config: config }: Case): MathOptionsInput {
  const places = (config.float_rounding as number | undefined) ?? 6;
  return {
    decimalPlaces: places,
    ...(places < 6 ? { decimalShare: Number.POSITIVE_INFINITY } : {}),
    allowSetRelation: (config.allow_set_relation_comp as boolean | undefined) ?? false,
    extraction: {
      strings: (config.strings as readonly string[] | undefined) ?? [],
      boxPriority: (config.boxed_match_priority as number | undefined) ?? 50,
    },
  };
}

describe.skipIf(file.missing)(`Math-Verify's cases${file.reason}`, () => {
  const verify = cases.filter((item) => item.kind === "verify");

  it.each(verify.filter((item) => !(nameOf(item) in deliberate)).map((item) => [nameOf(item), item] as const))(
    "%s",
    (_, item) => {
      const { verdict, because } = gradeMath(item.gold, item.pred, optionsOf(item));
      expect({ equal: verdict === "equal", because }).toMatchObject({ equal: item.expected === 1 });
    },
  );

  it.each(verify.filter((item) => nameOf(item) in deliberate).map((item) => [deliberate[nameOf(item)], item] as const))(
    "deliberately different: %s",
    (_, item) => {
      expect(gradeMath(item.gold, item.pred, optionsOf(item)).verdict === "equal").toBe(item.expected !== 1);
    },
  );

  it("says equal to nothing that Math-Verify calls different, also with our own defaults", () => {
    const accepted = verify.filter(
      (item) => item.expected === 0 && gradeMath(item.gold, item.pred, { allowSetRelation: false }).verdict === "equal",
    );
    expect(accepted.map(nameOf)).toEqual([]);
  });
});
