// Gold answers of real benchmarks, where the folder beside the project holds them: each equals itself however it is spelled,
// no other answer, and not itself with a digit changed.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { publicFile } from "../../fixtures/public-data.ts";

const benchmarks = publicFile("benchmarks");

const files = !benchmarks.missing ? readdirSync(benchmarks.path).filter((name) => name.endsWith(".jsonl")) : [];

const goldsOf = (file: string): string[] =>
  readFileSync(resolve(benchmarks.path, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .map((row) => String(row.answer ?? row.expected_answer));

/** Other ways to write the same answer. */
const spellings: Readonly<Record<string, (gold: string) => string>> = {
  "in a box": (gold) => `Therefore \\[\\boxed{${gold}}\\]`,
  "between dollars": (gold) => `so we are left with $${gold}$.`,
  "with display fractions": (gold) => `\\boxed{${gold.replaceAll("\\frac", "\\dfrac")}}`,
  "with text fractions": (gold) =>
    `The final answer is $${gold.replaceAll("\\frac", "\\tfrac")}$. I hope it is correct.`,
  "with spaces": (gold) => `\\boxed{\\, ${gold.replaceAll(",", ", ").replaceAll("{", "{ ").replaceAll("}", " }")} }`,
  "without sizing": (gold) => `$$${gold.replaceAll("\\left", "").replaceAll("\\right", "")}$$`,
  "with braces": (gold) => `\\boxed{{${gold}}}`,
  "as an equation": (gold) => (/^[[(]|,/.test(gold.replace("\\left", "")) ? `$${gold}$` : `Hence $x = ${gold}$.`),
  "with a full stop": (gold) => `\\boxed{${gold}.}`,
  "with doubled backslashes": (gold) => `\\\\boxed{${gold.replaceAll("\\", "\\\\")}}`,
  "in sentences": (gold) => `We tried 17 first.\nThat fails.\n\n**Final Answer**\n\\boxed{${gold}}`,
  "as a product with one": (gold) =>
    /^[[(\\]l?|,/.test(gold) && /,/.test(gold) ? `$${gold}$` : `\\boxed{1 \\cdot \\left(${gold}\\right)}`,
};

/** Every answer with one of its digits replaced by another; a digit more or less in a lone zero would not change it. */
function withDigitChanged(gold: string): string[] {
  const changed: string[] = [];
  for (let i = 0; i < gold.length; i++) {
    if (!/\d/.test(gold[i])) continue;
    const digit = String((Number(gold[i]) + 1 + (i % 7)) % 10);
    if (digit !== gold[i]) changed.push(gold.slice(0, i) + digit + gold.slice(i + 1));
  }
  return changed;
}

describe.skipIf(benchmarks.missing)(`gold answers of benchmarks${benchmarks.reason}`, () => {
  it("are there", () => expect(files.length).toBeGreaterThan(0));

  describe.each(files)("%s", (file) => {
    const golds = goldsOf(file);

    it.each(Object.entries(spellings))("equal themselves %s", (_, respell) => {
      const missed = golds.filter((gold) => gradeMath(gold, respell(gold)).verdict !== "equal");
      expect(missed.map((gold) => [gold, respell(gold), gradeMath(gold, respell(gold)).because])).toEqual([]);
    });

    it("differ from themselves with one digit changed", () => {
      const accepted = golds.flatMap((gold) =>
        withDigitChanged(gold)
          .filter((other) => gradeMath(gold, `\\boxed{${other}}`).verdict === "equal")
          .map((other) => [gold, other]),
      );
      expect(accepted).toEqual([]);
    });
  });

  it("differ from every other answer", () => {
    const golds = [...new Set(files.flatMap(goldsOf))];
    const met = golds.flatMap((gold, index) =>
      golds
        .slice(index + 1)
        .filter((other) => gradeMath(gold, `\\boxed{${other}}`).verdict !== "different")
        .map((other) => [gold, other].sort().join(" = ")),
    );
    // True equalities: an angle is its number and its radians.
    expect(met.sort()).toEqual(["15 = 15^{\\circ}", "15^{\\circ} = \\frac{\\pi}{12}", "126 = 126^{\\circ}"].sort());
  });
});
