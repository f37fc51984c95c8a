// What other trainers leave behind: verl's rollout dumps, TRL's completion logs (and ms-swift's), slime's samples, NeMo-RL's
// batches. None names its problems, so the prompt does.

import { goldOf } from "./gold-grading.ts";
import { type Row, type RowContext, type RowFormat, unusable } from "./row-format.ts";
import {
  completionText,
  conversationOf,
  gradeAmong,
  gradeOf,
  listOf,
  numberIn,
  numberOf,
  objectOf,
  promptName,
  promptText,
  scoreOf,
  upToAnswer,
} from "./row-values.ts";
import { stepName } from "./step-name.ts";
import type { Trace } from "./trace.ts";

function checkpointOf({ source, named }: RowContext, step: number | undefined): string {
  return step === undefined ? source : stepName(named ? source : undefined, step);
}

/** `<step>.jsonl` in `trainer.rollout_data_dir`: input, output, gts, score, step, and what the reward function returned. */
export const verlDump: RowFormat = {
  name: "verl",
  recognizes: (row) => ("input" in row && "output" in row && "score" in row && "step" in row ? 0.9 : 0),
  traces(row, context) {
    const response = completionText(row.output);
    const prompt = promptText(row.input);
    if (response === undefined) return unusable("no text in output");
    if (prompt === undefined) return unusable("no text in input");
    const step = numberIn(row.step);
    // `score` holds partial credit, and a bonus where there is one: our own reward of a wrong board reaches 1.08. `acc`
    // says whether the answer was right, where a reward function returns it and the trainer writes it down.
    const trace: Trace = {
      checkpoint: checkpointOf(context, step),
      step,
      problem: promptName(prompt),
      set: typeof row.data_source === "string" ? row.data_source : undefined,
      gold: goldOf(row.gts),
      correct: gradeOf(row.acc),
      score: scoreOf(row.score),
      prompt,
      response,
    };
    return [trace];
  },
};

/** `completions_00010.parquet`: step, prompt, completion, a column for each reward function, advantage. */
export const trlCompletions: RowFormat = {
  name: "trl",
  recognizes: (row) => ("prompt" in row && "completion" in row && ("step" in row || "advantage" in row) ? 0.9 : 0),
  traces(row, context) {
    const response = completionText(row.completion);
    const prompt = promptText(row.prompt);
    if (response === undefined) return unusable("no text in completion");
    if (prompt === undefined) return unusable("no text in prompt");
    const step = numberIn(row.step);
    return [
      {
        checkpoint: checkpointOf(context, step),
        step,
        problem: promptName(prompt),
        correct: gradeAmong(row),
        score: weightedReward(row, context),
        prompt,
        response,
      },
    ];
  },
};

/** The reward that was trained on: the weighted sum over functions, where they and their weights are known. */
function weightedReward(row: Row, { rewards = [] }: RowContext): number | undefined {
  const parts = rewards.flatMap(({ column, weight }) => {
    const reward = numberOf(row[column]);
    return reward === undefined ? [] : [weight * reward];
  });
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}

/**
 * slime's `Sample`s, from `--save-debug-rollout-data …_{rollout_id}.pt` or written out as JSON lines: group_index, prompt,
 * response, label, reward (a number, or a record of them), status, response_length.
 */
export const slimeSamples: RowFormat = {
  name: "slime",
  recognizes: (row) =>
    "prompt" in row &&
    "response" in row &&
    "reward" in row &&
    "status" in row &&
    ("group_index" in row || "label" in row)
      ? 0.95
      : 0,
  traces(row, context) {
    const response = completionText(row.response);
    const prompt = promptText(row.prompt);
    if (row.status === "aborted") return unusable("the rollout was aborted");
    if (response === undefined) return unusable("no text in response");
    if (prompt === undefined) return unusable("no text in prompt");
    const step = numberIn(row.rollout_id) ?? numberOf(Number(/(\d+)\.[a-z.]+$/i.exec(context.file)?.[1]));
    const rewards = objectOf(row.reward);
    const trace: Trace = {
      checkpoint: checkpointOf(context, step),
      step,
      problem: promptName(prompt),
      gold: goldOf(row.label),
      correct: rewards && gradeAmong(rewards),
      score: scoreOf(rewards?.score ?? rewards?.reward ?? row.reward),
      prompt,
      response,
      responseTokens: numberOf(row.response_length),
    };
    return [trace];
  },
};

/** `train_data_step3.jsonl` and `val_data_step3.jsonl`: a batch of one a line, so that everything is a list of one. */
export const nemoBatches: RowFormat = {
  name: "nemo-rl",
  recognizes: (row) => (listOf(row.content)?.length === 1 && listOf(row.rewards)?.length === 1 ? 0.9 : 0),
  traces(row, { source }) {
    const content = listOf(listOf(row.content)?.[0]) ?? [];
    // Of training there are the words alone. The environment has the last of them, and what is before it the model's.
    const bare = content.every((turn) => typeof turn === "string");
    const asked = content.length === 2 ? 1 : 2 - (content.length % 2);
    const messages = bare ? content.map((turn, i) => ({ role: roleAt(i - asked), content: turn })) : content;
    const { prompt, response } = conversationOf(upToAnswer(messages));
    if (prompt === undefined || response === undefined) return unusable("no prompt or no response in content");
    return [
      { checkpoint: source, problem: promptName(prompt), score: scoreOf(listOf(row.rewards)?.[0]), prompt, response },
    ];
  },
};

const roleAt = (turn: number) => (turn < 0 ? "user" : turn % 2 === 0 ? "assistant" : "environment");
