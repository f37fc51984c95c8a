// What OpenCompass and EvalScope leave behind: predictions, and EvalScope's reviews of them.
import { metricValue } from "./evaluation-samples.ts";
import { type RowContext, type RowFormat, unusable } from "./row-format.ts";
import {
  conversationOf,
  listOf,
  messageText,
  numberOf,
  objectOf,
  promptName,
  scoreOf,
  textOf,
  zeroOrOne,
} from "./row-values.ts";

/** The model, which both harnesses write into the path: `predictions/<model>/` or `reviews/<model>/`. */
function modelOf({ source, named, folders }: RowContext): string {
  return !named && /^(predictions|reviews)$/.test(folders[1] ?? "") ? folders[0] : source;
}

/** `predictions/<model>/<dataset>.json`: one record a question, under its number; grades are in another file. */
export const opencompassPredictions: RowFormat = {
  name: "opencompass",
  recognizes: (row) => ("origin_prompt" in row && "prediction" in row ? 1 : 0),
  traces(row, context) {
    const answers = (listOf(row.prediction) ?? [row.prediction]).map(textOf);
    const prompts = listOf(row.origin_prompt)?.map((turn) => textOf(objectOf(turn)?.prompt) ?? messageText(turn) ?? "");
    const prompt = prompts?.join("\n") ?? textOf(row.origin_prompt);
    if (prompt === undefined) return unusable("no text in origin_prompt");
    const found = answers.flatMap((response) => (response === undefined ? [] : [response]));
    if (found.length === 0) return unusable("no text in prediction");
    const set = context.file.replace(/(_\d+)?\.json$/, "");
    const checkpoint = modelOf(context);
    return found.map((response) => ({ checkpoint, problem: promptName(prompt), set, prompt, response }));
  },
};

/** `predictions/<model>/<dataset>.jsonl`. The message has the reasoning; `messages`, the request, has the answer alone. */
export const evalscopePredictions: RowFormat = {
  name: "evalscope",
  recognizes: (row) => ("model_output" in row && "messages" in row ? 1 : 0),
  traces(row, context) {
    const output = objectOf(row.model_output);
    const choices = (listOf(output?.choices) ?? []).map((choice) => messageText(objectOf(choice)?.message));
    const responses = choices.filter((response) => response !== undefined);
    if (responses.length === 0) return unusable("no message in model_output");
    const { prompt } = conversationOf(listOf(row.messages) ?? []);
    const index = numberOf(row.index);
    const set = context.file.replace(/\.jsonl$/, "");
    const problem = prompt ? promptName(prompt) : `${set} ${index}`;
    const said = textOf(row.model) ?? textOf(output?.model);
    const checkpoint = context.named ? context.source : (said ?? modelOf(context));
    return responses.map((response) => ({ checkpoint, problem, set, prompt, response }));
  },
};

/** `reviews/<model>/<dataset>.jsonl`: the same rollouts with their scores. */
export const evalscopeReviews: RowFormat = {
  name: "evalscope-reviews",
  recognizes: (row) => ("sample_score" in row ? 1 : 0),
  traces(row, context) {
    const sample = objectOf(row.sample_score);
    const score = objectOf(sample?.score);
    const conversation = conversationOf(listOf(row.messages) ?? []);
    const response = conversation.response ?? textOf(score?.prediction);
    if (response === undefined) return unusable("neither an assistant message nor a prediction");
    const { prompt } = conversation;
    const value = metricValue(objectOf(score?.value) ?? {});
    const set = context.file.replace(/\.jsonl$/, "");
    return [
      {
        checkpoint: modelOf(context),
        problem: prompt ? promptName(prompt) : `${set} ${numberOf(row.index)}`,
        attempt: numberOf(sample?.generation_index),
        set,
        correct: zeroOrOne(value),
        score: scoreOf(value),
        prompt,
        response,
      },
    ];
  },
};
