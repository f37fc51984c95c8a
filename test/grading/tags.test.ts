import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerText, formatReward, reasoningText } from "../../src/grading/tags.ts";
import { moment, processorTime } from "../fixtures/processor-time.ts";

const whole = "<reasoning>think</reasoning>\n<answer>\n# .\n</answer>";

describe("answer", () => {
  it.each([
    [whole, { text: "\n# .\n" }],
    ["<ANSWER>x</Answer>", { text: "x" }],
    ["<reasoning>I could say <answer>a</answer> but no</reasoning><answer>b</answer>", { text: "b" }],
    ["<answer></answer>", { text: "" }],
    // Thinking of every kind may speak of answers, whoever opened it.
    ["<think>I write <answer>a</answer> or <answer>c</answer></think><answer>b</answer>", { text: "b" }],
    ["so <answer>a</answer>, no.</think><answer>b</answer>", { text: "b" }],
    ["so <reasoning> comes first.</think><reasoning>r</reasoning><answer>b</answer>", { text: "b" }],
    ["◁think▷<answer>◁/think▷<answer>b</answer>", { text: "b" }],
    ["<thinking><answer>a</answer></thinking><answer>b</answer>", { text: "b" }],
    ["<think>a</think><reasoning><answer>c</answer></reasoning><answer>b</answer>", { text: "b" }],
    // Out of order costs format, not the answer; so does a block that is never closed.
    ["<answer>b</answer><reasoning>r</reasoning>", { text: "b" }],
    ["<reasoning>r <answer>b</answer>", { text: "b" }],
    ["<think>r <answer>b</answer>", { text: "b" }],
    ["<answer>1 2\n3 4</answer> that is <answer>\n1 2 \n3 4\n</answer>", { text: "1 2\n3 4" }],
  ])("%j is read", (response, expected) => {
    expect(answerText(response)).toEqual(expected);
  });

  it.each([
    ["no tags at all", "no <answer> tag"],
    ["<answer>a</answer><answer>b</answer>", "2 <answer> tags"],
    // Whatever stands between them, two answers are a hedge.
    ["<answer>a</answer></reasoning><answer>b</answer>", "2 <answer> tags"],
    ["<reasoning>r</reasoning><answer>a</answer></reasoning><answer>b</answer>", "2 <answer> tags"],
    ["<reasoning>r</reasoning><answer>a</answer></reasoning></reasoning><answer>b</answer>", "2 <answer> tags"],
    ["<think>r</think><answer>a</answer></think><answer>b</answer>", "2 <answer> tags"],
    ["<reasoning>r</reasoning><answer>a</answer></think><answer>b</answer>", "2 <answer> tags"],
    ["<think>r</think><answer>a</answer></reasoning><answer>b</answer>", "2 <answer> tags"],
    ["<reasoning>r<answer>a</answer><answer>b</answer>", "2 <answer> tags"],
    ["<answer>a<answer>a</answer></answer>", "2 <answer> tags"],
    ["<answer>a</answer><answer>a", "2 <answer> tags"],
    ["<answer>a", "not closed"],
    ["</answer>a<answer>", "before"],
    ["<answer>a</answer></answer>", "2 </answer> tags"],
    ["<reasoning><answer>a</answer></reasoning>", "no <answer> tag"],
    ["< answer>a</ answer>", "no <answer> tag"],
    ["<answer >a</answer>", "no <answer> tag"],
    ["＜answer＞a＜/answer＞", "no <answer> tag"],
  ])("%j has no answer", (response, why) => {
    expect(answerText(response)).toEqual({ missing: expect.stringContaining(why) });
  });
});

describe("format reward", () => {
  it.each([
    [whole, 1],
    ["", 0],
    ["plain text", 0],
    ["<answer>a</answer>", 0.5], // one answer, no duplicates
    ["<reasoning>a</reasoning>", 0.5],
    ["<answer>a</answer><reasoning>r</reasoning>", 0.75], // out of order
    ["<reasoning>r</reasoning><answer>a</answer><answer>b</answer>", 0.5], // two answers: only reasoning and order
    ["<reasoning>r<answer>a</answer>", 0.5],
    ["<reasoning><reasoning>r</reasoning><answer>a</answer>", 0.5],
  ])("%j pays %d", (response, reward) => {
    expect(formatReward(response)).toBe(reward);
  });

  it("is a multiple of a quarter for any text", () => {
    const piece = fc.constantFrom("<reasoning>", "</reasoning>", "<answer>", "</answer>", "x", "\n");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const reward = formatReward(pieces.join(""));
        expect([0, 0.25, 0.5, 0.75, 1]).toContain(reward);
      }),
    );
  });
});

describe("reasoning", () => {
  it.each([
    [whole, "think"],
    ["just thinking<answer>a</answer>", "just thinking"],
    ["<reasoning>cut off", "cut off"],
    ["nothing marked", "nothing marked"],
    ["<think>first</think><reasoning>second</reasoning>", "second"],
    ["first</think>second", "first"],
    ["<think>first<answer>a</answer>", "first"],
  ])("of %j", (response, reasoning) => {
    expect(reasoningText(response)).toBe(reasoning);
  });

  it("a megabyte of tags is read in linear time", () => {
    const hostile = "<answer><reasoning></answer>".repeat(40_000);
    const { seconds } = processorTime(() => {
      answerText(hostile);
      formatReward(hostile);
      reasoningText(hostile);
    });
    expect(seconds).toBeLessThan(moment);
  });
});
