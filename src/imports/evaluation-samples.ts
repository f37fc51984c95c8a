// What evaluation harnesses leave behind: samples of lm-evaluation-harness, details of lighteval, samples of Inspect.
import { gradeMath } from "../grading/math/grade.ts";
import { type Row, type RowFormat, unusable } from "./row-format.ts";
import {
  conversationOf,
  gradeAmong,
  gradeOf,
  listOf,
  messageText,
  numberOf,
  objectOf,
  promptText,
  scoreOf,
  textOf,
  valueAt,
} from "./row-values.ts";
import type { Trace } from "./trace.ts";

/** Metrics that say right or wrong, in the order in which they are believed. */
const accuracyMetrics = [
  "exact_match",
  "acc",
  "math_verify",
  "accuracy",
  "pass@1",
  "extractive_match",
  "qem",
  "em",
  "correct",
];

/** One metric of several may be called `pass@k:k=1&n=16` or `extractive_match`; a list is one value an attempt. */
export function metricValue(metrics: Row): unknown {
  for (const wanted of accuracyMetrics) {
    const name = Object.keys(metrics).find(
      (key) => key === wanted || key.startsWith(`${wanted},`) || key.startsWith(`${wanted}:`),
    );
    if (name !== undefined) return metrics[name];
  }
  return metrics[Object.keys(metrics).find((key) => isShare.test(key)) ?? ""];
}

/** `avg@n:n=16`, `pass@k:k=1&n=16`, `math_pass@1:16_samples`: the share of attempts that were right. */
const isShare = /(?:^|_)(?:avg@(?:n|\d+)|pass@(?:1|k:k=1))(?:[:,&]|$)/;
/** lighteval gives the best of several attempts one value. */
const isBest = /^(?:extractive_match|exact_match|q?em|pem)(?:[:,]|$)/;

/**
 * A value of a list is an attempt's, and so is one value of one attempt. One value of several is the share that was right, whether
 * any was, or, of lm-eval, whether the one was that its filter chose.
 */
function gradesOf(
  metrics: Row,
  texts: readonly string[],
  gold: string | undefined,
  chosen?: string,
): Pick<Trace, "correct" | "score">[] {
  const value = metricValue(metrics);
  const list = listOf(value) ?? [value];
  if (list.length === texts.length) return list.map((own) => ({ correct: gradeOf(own), score: scoreOf(own) }));
  const right = gold === undefined ? undefined : confirmedGrades(metrics, texts, gold, chosen);
  return texts.map((_, i) => ({ correct: right?.[i] }));
}

/**
 * One value says of each attempt only that none was right, or all. Else our own grades do, where they come to that value. Without a
 * gold answer nobody is graded: the rows that are all right or all wrong alone would say less than nothing.
 */
function confirmedGrades(
  metrics: Row,
  texts: readonly string[],
  gold: string,
  chosen: string | undefined,
): boolean[] | undefined {
  const ofAll = (key: string) => Number(/\bn=(\d+)|:(\d+)_samples/.exec(key)?.slice(1).find(Boolean) ?? texts.length);
  const named = (pattern: RegExp) =>
    Object.keys(metrics).find((key) => pattern.test(key) && ofAll(key) === texts.length);
  const share = named(isShare);
  const value = numberOf(metrics[share ?? named(isBest) ?? ""]);
  if (value === undefined || value < 0 || value > 1) return undefined;
  const isRight = (text: string) => gradeMath(gold, text).verdict === "equal";
  if (share === undefined && chosen !== undefined)
    return isRight(chosen) === (value === 1) ? texts.map(isRight) : undefined;
  if (value === 0 || (value === 1 && share !== undefined)) return texts.map(() => value === 1);
  const grades = texts.map(isRight);
  const count = grades.filter(Boolean).length;
  const same = share === undefined ? count > 0 : Math.abs(count - value * texts.length) < 1e-6;
  return same ? grades : undefined;
}

/** `samples_<task>_<time>.jsonl` of `--log_samples`: doc_id, doc, arguments, resps, filtered_resps, and a column a metric. */
export const lmEvaluationSamples: RowFormat = {
  name: "lm-eval",
  recognizes: (row) => ("doc_id" in row && "resps" in row ? 1 : 0),
  // With several filters the harness writes a line for each; they repeat problem and attempt, and the first one counts.
  traces(row, { source, file }) {
    const responses = (listOf(row.resps) ?? []).flatMap((request) => listOf(request) ?? [request]);
    if (responses.length === 0) return unusable("resps is empty");
    const texts = responses.map((response) => textOf(response) ?? textOf(listOf(response)?.[0]));
    if (texts.some((text) => text === undefined))
      return unusable("resps holds no generated text (a loglikelihood task?)");
    const [chosen] = (listOf(row.filtered_resps) ?? []).map((kept) => textOf(kept) ?? textOf(listOf(kept)?.[0]));
    const grades = gradesOf(
      row,
      texts.map((text) => text ?? ""),
      // GSM8K's target is a whole solution.
      (textOf(row.target) ?? numberOf(row.target)?.toString())?.split("####").at(-1),
      chosen ?? "",
    );
    const task = textOf(row.task_name) ?? file.match(/samples_(.+)_\d{4}-\d\d-\d\d/)?.[1];
    return texts.map((response, attempt) => ({
      checkpoint: source,
      problem: `${task ?? "doc"} ${numberOf(row.doc_id) ?? textOf(row.doc_id)}`,
      attempt,
      set: task,
      ...grades[attempt],
      prompt: textOf(listOf(listOf(row.arguments)?.[0])?.[0]) ?? textOf(valueAt(row, "arguments.gen_args_0.arg_0")),
      response: response ?? "",
    }));
  },
};

/** `details_<task>_<time>.parquet`: doc, model_response, metric; up to version 0.12 between double underscores. */
export const lightevalDetails: RowFormat = {
  name: "lighteval",
  recognizes: (row) =>
    ("model_response" in row || "__model_response__" in row) && ("doc" in row || "__doc__" in row) ? 1 : 0,
  traces(row, { source }) {
    const doc = objectOf(row.doc ?? row.__doc__) ?? {};
    const reply = objectOf(row.model_response ?? row.__model_response__);
    const texts = reply === undefined ? undefined : listOf(reply.text ?? reply.text_post_processed);
    if (texts === undefined || texts.length === 0) return unusable("no text in model_response");
    const thoughts = listOf(reply?.reasonings);
    const gold = listOf(doc.choices)?.[numberOf(doc.gold_index) ?? numberOf(listOf(doc.gold_index)?.[0]) ?? 0];
    const grades = gradesOf(
      objectOf(row.metric ?? row.__metric__) ?? {},
      texts.map((text) => textOf(text) ?? ""),
      textOf(gold),
    );
    const task = textOf(doc.task_name);
    return texts.map((text, attempt): Trace => {
      const thought = textOf(thoughts?.[attempt]);
      return {
        checkpoint: source,
        problem: `${task ?? "doc"} ${textOf(doc.id) ?? numberOf(doc.id) ?? textOf(doc.query)?.slice(0, 80)}`,
        attempt,
        set: task,
        ...grades[attempt],
        prompt: textOf(doc.query),
        response: thought ? `<think>${thought}</think>${textOf(text) ?? ""}` : (textOf(text) ?? ""),
      };
    });
  },
};

/** Letters and truth values are verdicts. A number is one where all that scorers gave are 0 or 1: 0.4 is an f1, 7 a mark of ten. */
function inspectGrade(scores: readonly unknown[]): boolean | undefined {
  const verdicts = scores.filter((score) => numberOf(score) === undefined).map(gradeOf);
  const numbers = scores.filter((score) => numberOf(score) !== undefined).map(gradeOf);
  return [...verdicts, numbers.includes(undefined) ? undefined : numbers[0]].find((grade) => grade !== undefined);
}

/** One `samples/<id>_epoch_<n>.json` of an `.eval` archive, or an entry of `samples` in a `.json` log. */
export const inspectSample: RowFormat = {
  name: "inspect",
  recognizes: (row) => ("epoch" in row && "output" in row && "input" in row ? 1 : 0),
  traces(row, { source, named }) {
    const output = objectOf(row.output);
    const choice = objectOf(listOf(output?.choices)?.[0]);
    const messages = listOf(row.messages) ?? [];
    const said = messageText(choice?.message);
    // The output is the last turn alone; a solver may have made another one than the conversation has.
    const told = said === undefined || messageText(messages.at(-1)) === said;
    const response = (told ? conversationOf(messages).response : said) ?? textOf(output?.completion);
    const failure = objectOf(row.error);
    if (failure !== undefined) return unusable(`the sample failed: ${textOf(failure.message) ?? "no message"}`);
    if (response === undefined) return unusable("no assistant message");
    const values = Object.values(objectOf(row.scores) ?? {}).map((score) => objectOf(score)?.value);
    // A scorer may give several values under names of their own.
    const scores = values.filter((value) => objectOf(value) === undefined);
    const parts = Object.assign({}, ...values.filter((value) => objectOf(value) !== undefined)) as Row;
    const model = textOf(output?.model);
    return [
      {
        checkpoint: named ? source : (model ?? source),
        problem: String(numberOf(row.id) ?? textOf(row.id)),
        // Epochs count from 1.
        attempt: (numberOf(row.epoch) ?? 1) - 1,
        correct: inspectGrade(scores) ?? gradeAmong(parts) ?? inspectGrade(Object.values(parts)),
        score: [...scores, ...Object.values(parts)].map(numberOf).find((score) => score !== undefined),
        prompt: promptText(row.input),
        response,
      },
    ];
  },
};
