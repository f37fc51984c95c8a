// Where a response's answer is found: the ranks, what ends last in a rank, and each switch alone.
import { describe, expect, it } from "vitest";
import { extractAnswer, gradeMath, type MathOptionsInput } from "../../../src/grading/math/index.ts";
import type { ExtractionOptions } from "../../../src/grading/math/options.ts";

const answer = (response: string, extraction: Partial<ExtractionOptions> = {}, rest: MathOptionsInput = {}) =>
  extractAnswer(response, { ...rest, extraction })?.value;

describe("the ranks of an answer", () => {
  it.each([
    ["of a final answer and a box the later one counts", "the final answer is $1$, that is \\boxed{2}", "2"],
    ["a later announcement corrects a box", "\\boxed{1}. Answer: 2", "2"],
    ["a mere mention does not", "\\boxed{1}. An answer such as 2 is too large.", "1"],
    ["announced with a colon beats announced without", "Answer: 1. The answer would be 2", "1"],
    ["announced beats unannounced", "The answer is 1. We used $2$ and 3", "1"],
    ["later mathematics beats earlier mathematics", "first $1$ then $2$", "2"],
    ["a later number beats earlier mathematics", "first $1$ then 2", "2"],
    ["later mathematics beats an earlier number", "first 1 then $2$", "2"],
    ["the last box counts", "\\boxed{1} is a draft. Much later we find that the value must be \\boxed{2}", "2"],
    ["inside an answer tag nothing else counts", "\\boxed{1} <answer>2</answer> 3", "2"],
    ["what was thought comes after what was said", "<think>\\boxed{1}</think> It is 2.", "2"],
    ["what was thought is no answer", "<think>\\boxed{1}</think>", undefined],
  ])("%s", (_, response, expected) => {
    expect(answer(response)).toBe(expected);
  });

  it("moves boxes as asked", () => {
    const response = "final answer is $9999$, \\boxed{1}";
    expect(answer(response, { boxPriority: 100 })).toBe("9999");
    expect(answer(response, { boxPriority: 0 })).toBe("1");
  });
});

describe("boxes", () => {
  it.each([
    ["neighbors make a list", "\\boxed{1} and \\boxed{2}", "{1, 2}"],
    ["and so do close ones with a connective", "\\boxed{1} apples and \\boxed{2} pears", "{1, 2}"],
    ["the same box twice is one", "\\boxed{756}, so \\boxed{756}", "756"],
    ["far ones do not", "\\boxed{1} which gives the next value \\boxed{2}", "2"],
    ["nor does a change of mind", "\\boxed{1}, no wait, \\boxed{2}", "2"],
    ["percent behind a box belongs to it", "$\\boxed{28}$ percent", "28%"],
    ["braces inside are matched", "\\boxed{\\frac{\\sqrt{2}}{\\sqrt{3}}}", "√(2)/√(3)"],
    ["an inner box is part of the outer", "\\boxed{1+\\boxed{2}}", "1 + 2"],
    ["an fbox is a box", "\\fbox{7}", "7"],
    ["a box without braces", "\\boxed 7", "7"],
    ["dollars inside do no harm", "\\boxed{12 $ and $ 13}", "{12, 13}"],
  ])("%s", (_, response, expected) => {
    expect(answer(response)).toBe(expected);
  });

  it("a last box that was never closed is no answer, unless asked", () => {
    expect(gradeMath("1", "\\boxed{1}, or rather \\boxed{2")).toMatchObject({
      verdict: "different",
      because: "the last box is not closed",
    });
    expect(answer("\\boxed{1}, or rather \\boxed{2", { unclosedBox: "earlier-box" })).toBe("1");
    expect(gradeMath("1", "\\boxed{1} \\boxed{}")).toMatchObject({ because: "the last box is empty" });
  });
});

describe("formulas in text", () => {
  it.each([
    ["inline", "so $x+1$.", "x + 1"],
    ["display", "so \\[ x+1 \\]", "x + 1"],
    ["display over lines", "so $$\nx+1\n$$", "x + 1"],
    ["inline parentheses", "so \\(x+1\\)", "x + 1"],
    ["joined by words", "so $1$, $2$ and $3$", "{1, 2, 3}"],
    ["with an escaped dollar", "so $\\$5$", "5 [$]"],
    ["a dollar behind a digit opens nothing", "it costs 5$, then 6$", "6"],
    ["percent outside", "that is $28$ %", "28%"],
  ])("%s", (_, response, expected) => {
    expect(answer(response)).toBe(expected);
  });

  it("inline formulas do not run over lines", () => {
    expect(answer("Answer $ \n 9 \n $")).not.toBe("9");
    expect(answer("Answer \\( \n 9 \n \\)")).not.toBe("9");
  });
});

describe("numbers in prose", () => {
  it.each([
    ["thousands", "there are 7,425,000 of them", "7425000"],
    ["thousands with spaces", "there are 1 000 of them", "1000"],
    ["a decimal comma", "about 2,74 in all", "2.74"],
    ["a leading point", "about .4 in all", "0.4"],
    ["currency", "it costs $1,000.99", "1000.99"],
    ["a unit", "an area of 1,000.99m²", "1000.99 [m²]"],
    ["a mixed number", "it takes 1 1/4 hours", "5/4 [hours]"],
    ["a fraction", "the probability is 2/3.", "2/3"],
    ["a percentage", "increases by 100%.", "100%"],
    ["a pair", "the solution is (7, 6).", "(7, 6)"],
    ["stars around it", "the answer is **73**", "73"],
    ["a negative number", "we get x=-5", "-5"],
  ])("%s", (_, response, expected) => {
    expect(answer(response)).toBe(expected);
  });

  it.each(["QWX2ZB", "the 2nd term", "x^2", "H2O"])("is not read out of %s", (response) => {
    expect(answer(`we look at ${response} again`)).not.toBe("2");
  });
});

describe("switches", () => {
  it("what is nowhere said to be the answer", () => {
    expect(answer("so $5$", { unanchored: false })).toBeUndefined();
    expect(answer("The answer is B.", { strings: ["A", "B"] })).toBe("B");
  });
});

describe("what was thought and what was said", () => {
  it.each([
    ["what follows the thinking counts", "<think>\\boxed{1}</think>The answer is \\boxed{2}.", "2"],
    ["also without the opening tag", "so \\boxed{1}</think>The answer is 2.", "2"],
    ["of several thoughts the last ends them", "<think>1</think>3<think>4</think>It is 2.", "2"],
    ["thinking that never ended has no answer", "<think>So \\boxed{1}, the answer is 1", undefined],
    ["nor has a response that only thought", "<think>\\boxed{1}</think>\n", undefined],
    ["a second thought that never ended leaves what was said before it", "The answer is 2. <think>or \\boxed{1}", "2"],
    ["other tags of thinking", "◁think▷\\boxed{1}◁/think▷ Answer: 2", "2"],
    ["reasoning left open ends at the answer", "<reasoning>maybe \\boxed{1} <answer>2</answer>", "2"],
    ["the last answer tags count", "<answer>1</answer> or <answer>2</answer>", "2"],
    ["answer tags hold sentences too", "<answer>The final answer is \\boxed{2}.</answer> 3", "2"],
    ["empty answer tags hold nothing", "\\boxed{2} <answer> </answer>", undefined],
    ["unclosed answer tags neither", "\\boxed{2} <answer>2", undefined],
    ["answers in the thinking's tags do not count", "<think><answer>1</answer></think><answer>2</answer>", "2"],
  ])("%s", (_, response, expected) => {
    expect(answer(response)).toBe(expected);
  });
});

describe("statements in English and Chinese", () => {
  it.each([
    ["The final answer is 15. (Check: 3+4 = 7 and 3+5 = 8.)", "15"],
    ["The answer is 15, because $3 \\cdot 5 = 15$ and not 8.", "15"],
    ["Answer: 15\n\nNote that 8 would be too small.", "15"],
    ["**Final Answer**\n\n\\[ 15 \\]", "15"],
    ["Hence the answer is therefore $15$. We used $8$ on the way.", "15"],
    ["\\boxed{14} was a slip. Answer: 15", "15"],
    ["The answer is 14. No, I forgot one case: \\boxed{15}", "15"],
    ["#### 15", "15"],
    ["So 14 + 1.\n#### 15", "15"],
    ["答案是15。", "15"],
    ["因此，最终答案是 $15$。检验：$3+5=8$。", "15"],
    ["答案：15（单位：厘米）", "15"],
    ["综上所述，\\boxed{15}。", "15"],
    ["所以概率为 \\frac{2}{5} 。", "2/5"],
    ["The answer is negative 15.", "-15"],
    ["The answer is 15 million.", "15·1000000"],
  ])("%s", (response, expected) => {
    expect(answer(response)).toBe(expected);
  });

  it.each([
    ["D", "The answer is D, because A, B and C fail."],
    ["D", "The correct option is (D) since A is too small."],
    ["D", "Option D is correct, A is not."],
    ["C", "故选：C"],
    ["C", "故选C，因为A、B不成立。"],
    ["B", "正确答案是B，不是A。"],
    ["B", "所以选B。"],
  ])("%s is chosen by: %s", (letter, response) => {
    expect(gradeMath(letter, response).verdict).toBe("equal");
    const other = letter === "A" ? "B" : "A";
    expect(gradeMath(other, response).verdict).not.toBe("equal");
  });

  it("says where the answer stood", () => {
    const response = "<think>\\boxed{1}</think>So the answer is $2$.";
    const { at, source, answer: text } = gradeMath("2", response);
    expect({ source, text }).toEqual({ source: "answer", text: "2" });
    expect(response.slice(...at!)).toBe("$2$");
  });

  it.each([
    ["a box that cannot be read", "7", "$t = 7$, so \\boxed{\\frac{1}{}}", "could not be read"],
    ["an unknown command", "7", "$t = 7$, so \\boxed{\\clubsuit}", "\\clubsuit"],
    ["an answer that is taken back", "7", "\\boxed{7}. Wait, that is wrong.", "takes its answer back"],
    ["a gold text with words and formulas", "$7$ unless $n=3$", "7", "mixes words and formulas"],
  ])("is undecided about %s, and says so", (_, gold, response, because) => {
    const verdict = gradeMath(gold, response);
    expect(verdict.verdict).toBe("undecided");
    expect(verdict.because).toContain(because);
  });
});
