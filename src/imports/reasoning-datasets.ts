// Published datasets of reasoning whose columns would be misread: the reference solution stands beside the model's own
// words, or several generations stand in one row.

import { type RowFormat, type Unusable, unusable } from "./row-format.ts";
import { gradeOf, listOf, promptName, textOf, thinkingAndText } from "./row-values.ts";
import type { Trace } from "./trace.ts";

/** s1K and s1K-1.1: `solution` is the reference; what models wrote is in `<model>_thinking_trajectory` and `<model>_attempt`. */
export const s1k: RowFormat = {
  name: "s1k",
  recognizes: (row) =>
    "question" in row && Object.keys(row).some((name) => /^thinking_trajectories$|_thinking_trajectory$/.test(name))
      ? 1
      : 0,
  traces(row, { source, named }) {
    const prompt = textOf(row.question);
    if (prompt === undefined) return unusable("no text in question");
    const found: Trace[] = [];
    const add = (model: string | undefined, thinking: unknown, attempt: unknown, grade: unknown) => {
      const thought = textOf(thinking);
      if (thought === undefined) return;
      const checkpoint = model === undefined ? source : named ? `${source} ${model}` : model;
      const response = thinkingAndText(thought, textOf(attempt) ?? "");
      found.push({ checkpoint, problem: promptName(prompt), correct: gradeOf(grade), prompt, response });
    };
    for (const thought of listOf(row.thinking_trajectories) ?? [row.thinking_trajectories])
      add(undefined, thought, row.attempt, undefined);
    for (const name of Object.keys(row).sort()) {
      const model = /^(.+)_thinking_trajectory$/.exec(name)?.[1];
      if (model !== undefined)
        add(model, row[`${model}_thinking_trajectory`], row[`${model}_attempt`], row[`${model}_grade`]);
    }
    return found.length === 0 ? unusable("no thinking trajectory") : found;
  },
};

/** OpenR1-Math: a list of generations, each checked by math-verify; where that found none right, a language model was asked again. */
export const openR1: RowFormat = {
  name: "openr1",
  recognizes: (row) =>
    listOf(row.generations) !== undefined &&
    "problem" in row &&
    ("uuid" in row || "correctness_math_verify" in row || "correctness_llama" in row)
      ? 1
      : 0,
  traces(row, { source }) {
    const prompt = textOf(row.problem);
    const generations = (listOf(row.generations) ?? []).map(textOf);
    if (generations.every((text) => text === undefined)) return unusable("no text in generations");
    const problem = textOf(row.uuid) ?? (prompt === undefined ? undefined : promptName(prompt));
    if (problem === undefined) return unusable("neither a uuid nor a problem");
    const verified = listOf(row.correctness_math_verify) ?? listOf(row.correctness);
    const judged = listOf(row.correctness_llama);
    return generations.map((response, attempt): Trace | Unusable => {
      if (response === undefined) return unusable("a generation that is not text");
      const grades = [gradeOf(verified?.[attempt]), gradeOf(judged?.[attempt])];
      const correct = grades.includes(true) || (grades.includes(false) ? false : undefined);
      return { checkpoint: source, problem, attempt, correct, prompt, response };
    });
  },
};
