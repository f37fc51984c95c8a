// What other trainers leave behind: verl's rollout dumps and TRL's completion logs. Neither names its problems, so the
// prompt does.
import type { Trace } from "../trace.ts";
import { stepName } from "./own-rollouts.ts";
import { type Row, type RowContext, type RowFormat, unusable } from "./row-format.ts";
import { completionText, numberOf, promptName, promptText, solvedOf } from "./row-values.ts";

function checkpointOf({ source, named }: RowContext, step: number | undefined): string {
  return step === undefined ? source : stepName(named ? source : undefined, step);
}

/** `<step>.jsonl` in `trainer.rollout_data_dir`: input, output, gts, score, step, and what the reward function returned. */
export const verlDump: RowFormat = {
  name: "verl",
  recognises: (row) => ("input" in row && "output" in row && "score" in row && "step" in row ? 0.9 : 0),
  traces(row, context) {
    const response = completionText(row.output);
    const prompt = promptText(row.input);
    if (response === undefined) return unusable("no text in output");
    if (prompt === undefined) return unusable("no text in input");
    const step = numberOf(row.step);
    const trace: Trace = {
      checkpoint: checkpointOf(context, step),
      step,
      problem: promptName(prompt),
      set: typeof row.data_source === "string" ? row.data_source : undefined,
      // `score` may hold partial credit; `acc` says whether the answer was right where a reward function returns it.
      correct: solvedOf(row.acc) ?? solvedOf(row.score),
      score: numberOf(row.score),
      prompt,
      response,
    };
    return [trace];
  },
};

/** `completions_00010.parquet`: step, prompt, completion, a column for each reward function, advantage. */
export const trlCompletions: RowFormat = {
  name: "trl",
  recognises: (row) => ("prompt" in row && "completion" in row && ("step" in row || "advantage" in row) ? 0.9 : 0),
  traces(row, context) {
    const response = completionText(row.completion);
    const prompt = promptText(row.prompt);
    if (response === undefined) return unusable("no text in completion");
    if (prompt === undefined) return unusable("no text in prompt");
    const step = numberOf(row.step);
    const reward = rewardOf(row, context);
    return [
      {
        checkpoint: checkpointOf(context, step),
        step,
        problem: promptName(prompt),
        correct: solvedOf(reward),
        score: numberOf(reward),
        prompt,
        response,
      },
    ];
  },
};

const notRewards = new Set(["step", "prompt", "completion", "advantage", "image", "images"]);

/** The reward function that says right or wrong: the column that was named, else the only one, else one named for it. */
function rewardOf(row: Row, { columns }: RowContext): unknown {
  if (columns?.correct !== undefined) return row[columns.correct];
  const rewards = Object.keys(row).filter((key) => !notRewards.has(key) && numberOf(row[key]) !== undefined);
  if (rewards.length === 1) return row[rewards[0]];
  const named = rewards.find((key) => /accuracy|correct|exact|solved|verif/i.test(key));
  return named === undefined ? undefined : row[named];
}
