// Generates a puzzle and scores three responses to it: the right one, one with a wrong cell, one without an answer.
import { Random } from "repertoire/base";
import { catalog, gradeResponse, gradingKey, puzzlePrompt } from "repertoire/puzzles";

const { pattern } = catalog;
const made = pattern.generate(pattern.readParams("5x5"), Random.from("example"));
console.log(puzzlePrompt(pattern, made.instance).split("\n")[0]);

const right = pattern.renderAnswer(made.instance, made.solution);
const wrong = right.replace("#", ".");
const responses = {
  right: `<reasoning>By elimination.</reasoning>\n<answer>\n${right}\n</answer>`,
  "one cell wrong": `<reasoning>By elimination.</reasoning>\n<answer>\n${wrong}\n</answer>`,
  "no answer": "I give up.",
};

// The key solves the puzzle once; thousands of responses can be graded with it.
const key = gradingKey(pattern, made.instance);
for (const [name, response] of Object.entries(responses)) {
  const { verdict, parts } = gradeResponse(key, response);
  const because = verdict.verdict === "correct" ? "" : ` (${verdict.because})`;
  console.log(`${name}: ${verdict.verdict}${because}, reward ${parts.reward.toFixed(3)}`);
}
