// Reward mode: what training pays for is stated plainly, in a box, in answer tags or as the answer, and nothing is left open.
import { describe, expect, it } from "vitest";
import { gradeMath } from "../../../src/grading/math/index.ts";
import { paidFrames, unpaidFrames } from "./reward-frames.ts";

const unpaid: readonly (readonly [gold: string, response: string])[] = [
  ["12", "The answer is 12, but the correct answer is different."],
  ["12", "The answer is 12, which contradicts the problem."],
  ["12", "The answer is 12, but I made an error."],
  ["12", "The answer is 12 with probability 1/2."],
  ["12", "The answer is 12, give or take 1."],
  ["12", "The answer is 12 in binary."],
  ["12", "The answer is 12 … no, 13."],
  ["12", "I don't know. 12."],
  ["7", "The answer cannot be \\boxed{7}."],
  ["7", "It is impossible that the answer is \\boxed{7}."],
  ["7", "We can rule out \\boxed{7}."],
  ["7", "A common mistake is \\boxed{7}."],
  ["7", "\\boxed{7}. No wait, 8."],
  ["7", "\\boxed{7}. On second thought, it must be 8."],
  ["7", "\\boxed{7}. I made a mistake above."],
  ["7", "\\boxed{7}. So there is no solution."],
  ["7", "either \\boxed{7} or 8"],
  ["11", "\\boxed{9} (rather than \\boxed{11})"],
  ["11", "\\boxed{9} instead of \\boxed{11}"],
  ["11", "\\boxed{9}; earlier I wrote \\boxed{11}"],
  ["12", "La respuesta no es 12"],
  ["12", "A resposta não é 12"],
  ["12", "La risposta non è 12"],
  ["12", "Ответ: не 12"],
  ["12", "정답은 12가 아닙니다"],
  ["12", "答案大约是12"],
  ["12", "答案约为12"],
  ["12", "答案至少是12"],
  ["12", "答えは約12です"],
  ["12", "Het antwoord is niet 12"],
  ["12", "Cevap 12 değil"],
  ["12", "Odpowiedź to nie 12"],
  ["B", "Vitamin B is good"],
  ["B", "Plan B"],
  ["B", "Let B be a point"],
  ["7", "7"],
  ["7", "so x = 7"],
  ["7", "\\boxed{7 \\pmod 5}"],
  ["100", "\\boxed{99.9999999}"],
  ["\\frac13", "\\boxed{0.333333}"],
  ["\\frac17", "\\boxed{0.142857}"],
  ["0.1", "\\boxed{0.10000001}"],
  ["\\frac{x}{2}", "\\boxed{1/2x}"],
  ["\\frac{1}{2x}", "\\boxed{1/2x}"],
  ["2", "\\boxed{\\log 100}"],
  ["\\ln 100", "\\boxed{\\log 100}"],
  ["\\frac{\\pi}{6}", "\\boxed{30^\\circ}"],
  ["12.5", "The answer is 12,5"],
  ["7", "One might think the answer is \\boxed{7}"],
  ["7", "I doubt that the answer is \\boxed{7}"],
  ["7", "The answer is not \\boxed{7}"],
  ["7", "\\boxed{7}?"],
  ["7", "Thus a common mistake is \\boxed{7}"],
  ["7", "The answer is \\boxed{7} or 8"],
  ["7", "Wrong answer: \\boxed{7}"],
  ["x=5", "\\boxed{5=5}"],
  ["(1,2)", "8 = \\boxed{(1,2)}"],
  ["Yes", "The answer is No.\nYes"],
  ["Yes", "Yes"],
  ["\\text{Monday}", "Sunday\nMonday"],
  ["concave up on $(0,1)$", "This is wrong:\nconcave up on $(0,1)$"],
  ["\\text{even}", "\\boxed{\\text{even?}}"],
  ["7", "This is not the answer.\n\n\\boxed{7}"],
  ["7", "Here is an incorrect value.\n\n\\boxed{7}"],
  ["7", "No fewer moves are possible, as 2^3 - 1 is the minimum.\n\\boxed{7}"],
  ["7", "\\boxed{x\\approx 7}"],
  ["7", "\\boxed{a\\equiv 7}"],
  ["7", "\\boxed{7 \\pmod{10}}"],
  ["7", "The answer is **7** (mod 10)."],
  ["7", "The answer is **7** (approximately)."],
  ...[
    "7 \\text{ (approximately)}",
    "7 \\text{ for } n=2",
    "7 \\text{ where the digits are octal}",
    "7 \\text{ since I guessed}",
    "7 \\text{ with probability } 1/2",
    "7 \\text{ as a guess}",
    "7 \\text{ given } 8",
    "7 \\text{ is excluded}",
    "7 \\text{ at a guess}",
    "7 \\text{ such that nothing holds}",
    "7 \\text{ (extraneous)}",
    "7 \\text{ per cent}",
    "\\text{ignore this: } 7",
    "\\text{SYSTEM: the answer is }7",
  ].map((inside) => ["7", `\\boxed{${inside}}`] as const),
];

/** Tags that leave it open which of them holds the answer, or whether it is one. */
const unpaidTags = [
  "<answer>8</answer><answer>7</answer>",
  "<answer>8<answer>7</answer></answer>",
  "<answer><answer>7</answer>",
  "<answer>7",
  "<answer>7</ans>",
  "<answer>7</answer> is wrong",
  "<answer>7</answer> No, 8",
  "<answer>7</answer>8",
  "<answer>7</answer>\n<answer>",
  "<answer>7</answer><|im_end|><|im_start|>user\nno",
  "not <answer>7</answer>",
  "The answer is not <answer>7</answer>",
  "<answer>maybe 7</answer>",
  "<answer>~7</answer>",
  "<think>a</think>\\boxed{7}<think>\\boxed{8}",
  "8 = \\boxed{7}",
  "\\boxed{7 \\approx 8}",
  "\\boxed{7 \\text{ when } n \\text{ is odd}}",
];

const paid: readonly (readonly [gold: string, response: string])[] = [
  ["7", "\\boxed{7}"],
  ["7", "The answer is 7."],
  ["7", "Therefore, the final answer is $7$."],
  ["7", "**Final Answer**\n\\[\\boxed{7}\\]"],
  ["7", "The final answer is: $\\boxed{7}$. I hope it is correct."],
  ["7", "#### 7"],
  ["7", "Answer: 7"],
  ["7", "Answer:\n7"],
  ["7", "<answer>7</answer>"],
  ["7", "<think>hm</think>\n<answer> $7$ </answer>"],
  ["7", "<answer>\\boxed{7}</answer>"],
  ["7", "So we have 3+4=7.\nThus, the number of ways is \\boxed{7}."],
  ["7", "Therefore, the value of $x$ is $\\boxed{7}$."],
  ["7", "x = 3 + 4 = \\boxed{7}"],
  ["7", "$$x = \\frac{14}{2} = \\boxed{7}$$"],
  ["7", "The probability that both are red is $\\boxed{7}$"],
  ["7", "答案是7"],
  ["7", "因此，答案是\\boxed{7}。"],
  ["B", "故选 B"],
  ["B", "The answer is (B)."],
  ["B", "\\boxed{B}"],
  ["B", "\\boxed{\\text{(B)}}"],
  ["7", "No fewer moves are possible, as 2^3 - 1 is the minimum.\n\n\\boxed{7}"],
  ["\\text{Saturday}", "The answer is Saturday."],
  ["concave up on $(0,1)$", "The answer is \\boxed{\\text{concave up on } (0,1)}."],
  ["72", "Thus, Natalia sold a total of \\boxed{72} clips."],
  ["12 \\text{ cm}^2", "The area is $\\boxed{12 \\text{ cm}^2}$."],
  ["12 \\text{ cm}^2", "The area is $\\boxed{12} \\text{ cm}^2$."],
  ["60", "\\boxed{60^\\circ}"],
  ["60^\\circ", "\\boxed{60}"],
  ["\\frac13", "\\boxed{0.333333333}"],
  ["0.333", "\\boxed{0.333}"],
  ["2", "\\boxed{\\frac{\\log 100}{\\log 10}}"],
  ["7", "### Final answer\n\n$$\\boxed{7}$$<|im_end|>"],
  ["7", "The final answer is $\\boxed{7}$.\n"],
  ["7", "We get $x=\\boxed{7}$."],
  ["7", "Hence, there are $\\boxed{7}$ such integers."],
  ["1,2", "The solutions are $x = \\boxed{1}$ and $x = \\boxed{2}$."],
  ["3", "**Answer:** \\boxed{3}"],
  ["3", "So the answer to the problem is \\(\\boxed{3}\\)"],
  ["25\\%", "\\boxed{25\\%}"],
  ["x=1, y=2", "\\boxed{x=1, y=2}"],
  ["\\text{even}", "\\boxed{\\text{even}}"],
  ["5", "Her total cost is $\\boxed{\\$5}$."],
  ["5", "\\boxed{5} dollars"],
  ["(1,2)", "The point is $\\boxed{(1,2)}$"],
];

const reward = (gold: string, response: string) => gradeMath(gold, response, { mode: "reward" });
const paidFor = (frame: string, gold = "7", box = "\\boxed{7}"): boolean =>
  reward(gold, frame.replaceAll("□", box)).verdict === "equal";

describe("a reward", () => {
  it("is paid for a plain statement only", () => {
    expect(unpaidFrames.length).toBeGreaterThan(450);
    expect(unpaidFrames.filter((frame) => paidFor(frame))).toEqual([]);
    expect(paidFrames.length).toBeGreaterThan(140);
    expect(paidFrames.filter((frame) => !paidFor(frame))).toEqual([]);
  });

  it.each([
    ["odd", "\\boxed{\\text{odd}}"],
    ["(1,2)", "\\boxed{(1,2)}"],
    ["concave up on $(0,1)$", "\\boxed{\\text{concave up on } (0,1)}"],
  ])("for %s is paid for a plain statement only", (gold, box) => {
    expect(unpaidFrames.filter((frame) => paidFor(frame, gold, box))).toEqual([]);
    const plain = paidFrames.filter((frame) => !/\d/.test(frame));
    expect(plain.filter((frame) => !paidFor(frame, gold, box))).toEqual([]);
  });

  it.each(unpaidTags)("is not paid to %j", (response) => {
    expect(reward("7", response).verdict).not.toBe("equal");
  });

  it.each(unpaid)("for %s is not paid to %j", (gold, response) => {
    expect(gradeMath(gold, response, { mode: "reward" }).verdict).not.toBe("equal");
  });

  it.each(paid)("for %s is paid to %j", (gold, response) => {
    expect(gradeMath(gold, response, { mode: "reward" })).toMatchObject({ verdict: "equal" });
  });

  it.each(["\\boxed{1/2x}", "\\boxed{\\log 100}", "\\boxed{30^\\circ}", "\\boxed{a/bc}", "The answer is 12,5."])(
    "for %s is paid by one gold answer at most",
    (response) => {
      const golds = [
        "\\frac{x}{2}",
        "\\frac{1}{2x}",
        "2",
        "\\ln 100",
        "30",
        "\\frac{\\pi}{6}",
        "\\frac{ac}{b}",
        "\\frac{a}{bc}",
        "12.5",
        "12, 5",
      ];
      const paying = golds.filter((gold) => gradeMath(gold, response, { mode: "reward" }).verdict === "equal");
      expect(paying.length).toBeLessThan(2);
    },
  );
});
