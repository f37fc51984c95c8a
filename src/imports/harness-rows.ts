// How evaluation harnesses lay out their samples: lm-evaluation-harness, lighteval, Inspect.
import { type Row, type RowContext, type Unusable, unusable } from "./row-format.ts";
import {
  conversationOf,
  gradeAmong,
  gradeOf,
  listOf,
  messageText,
  numberOf,
  objectOf,
  textOf,
  valueAt,
} from "./row-values.ts";

/** Metrics that say right or wrong, in the order in which they are believed. */
// biome-ignore format: a list
const accuracyMetrics = ["math_verify", "exact_match", "acc", "accuracy", "pass@1", "extractive_match", "qem", "em", "correct", "prompt_level_strict_acc"];
/** `avg@n:n=16`, `pass@k:k=1&n=16`, `math_pass@1:16_samples`: the share of attempts that were right. */
const isShare = /(?:^|_)(?:avg@(?:n|\d+)|pass@(?:1|k:k=1))(?:[:,&]|$)/;

/** The metric that is believed, which may be called `pass@k:k=1&n=16` or `exact_match,strict-match`. */
function metric(metrics: Row): readonly [name: string, value: unknown] {
  const names = Object.keys(metrics);
  const isCalled = (wanted: string) => names.find((name) => name.split(/[,:]/)[0] === wanted);
  const name = accuracyMetrics.flatMap((wanted) => isCalled(wanted) ?? [])[0] ?? names.find((key) => isShare.test(key));
  return [name ?? "", metrics[name ?? ""]];
}

/**
 * A value of a list is an attempt's, and so is one value of one attempt. One value of several says of each only that none was right,
 * or all; and nothing where there is no gold answer for the others: rows of one kind alone would say less than nothing.
 */
function metricsOf(metrics: Row, attempts: number, gold: unknown): readonly unknown[] {
  const [name, value] = metric(metrics);
  const list = listOf(value) ?? [value];
  if (list.length === attempts) return list;
  const ofAll = gold !== undefined && (value === 0 || (value === 1 && isShare.test(name)));
  return Array(attempts).fill(ofAll ? value : undefined);
}

/** How likely a choice is, and whether it was the likeliest text. */
const isLikelihood = (response: unknown): boolean => /^(?:true|false)$/i.test(String(listOf(response)?.[1]));

/** `samples_<task>_<time>.jsonl`: of several filters a line each, which repeat problem and attempt: the first one counts. */
export function lmEvaluationSamples(row: Row, { file }: RowContext): Row[] | Unusable {
  const responses = (listOf(row.resps) ?? []).flatMap((request) => listOf(request) ?? [request]);
  if (responses.length === 0) return unusable("resps is empty");
  const texts = responses.map((response) => textOf(response) ?? textOf(listOf(response)?.[0]));
  if (texts.some((text) => text === undefined) || responses.every(isLikelihood))
    return unusable("resps holds no generated text (a loglikelihood task?)");
  const set = textOf(row.task_name) ?? file.match(/samples_(.+)_\d{4}-\d\d-\d\d/)?.[1] ?? "doc";
  const asked = textOf(listOf(listOf(row.arguments)?.[0])?.[0]) ?? textOf(valueAt(row, "arguments.gen_args_0.arg_0"));
  // The target of a choice is its number among them, and of instructions to follow (IFEval) a number in its place.
  const isNumber = valueAt(row, "doc.choices") !== undefined || "prompt_level_strict_acc" in row;
  const gold = isNumber ? undefined : row.target;
  const grades = metricsOf(row, texts.length, gold);
  return texts.map((response, attempt) => ({
    ...{ response, attempt, set, gold, problem: row.doc_id, prompt: asked },
    ...{ correct: grades[attempt], score: grades[attempt] },
  }));
}

/** `details_<task>_<time>.parquet`: doc, model_response, metric; up to version 0.12 between double underscores. */
export function lightevalDetails(row: Row): Row[] | Unusable {
  const doc = objectOf(row.doc ?? row.__doc__) ?? {};
  const reply = objectOf(row.model_response ?? row.__model_response__);
  const texts = listOf(reply?.text ?? reply?.text_post_processed) ?? [];
  if (texts.length === 0) return unusable("no text in model_response");
  const gold = listOf(doc.choices)?.[numberOf(doc.gold_index) ?? numberOf(listOf(doc.gold_index)?.[0]) ?? 0];
  const grades = metricsOf(objectOf(row.metric ?? row.__metric__) ?? {}, texts.length, gold);
  return texts.map((text, attempt) => ({
    ...{ response: text, reasoning: listOf(reply?.reasonings)?.[attempt], attempt, gold, prompt: doc.query },
    ...{ set: textOf(doc.task_name) ?? "doc", problem: doc.id ?? textOf(doc.query)?.slice(0, 80) },
    ...{ correct: grades[attempt], score: grades[attempt] },
  }));
}

/** Letters and truth values are verdicts. A number is a mark where scorers gave no other, or nothing but 0 and 1. */
function inspectGrade(scores: readonly unknown[]): boolean | number | undefined {
  const grades = scores.map(gradeOf).filter((grade) => grade !== undefined);
  const marks = grades.filter((grade) => typeof grade === "number");
  const verdict = grades.find((grade) => typeof grade === "boolean");
  return verdict ?? (marks.length === 1 || marks.every((mark) => mark === 0 || mark === 1) ? marks[0] : undefined);
}

/** One `samples/<id>_epoch_<n>.json` of an `.eval` archive, or an entry of `samples` in a `.json` log. */
export function inspectSamples(row: Row): Row[] {
  const output = objectOf(row.output);
  const messages = listOf(row.messages) ?? [];
  const choice = objectOf(listOf(output?.choices)?.[0]);
  const said = messageText(choice?.message);
  // The output is the last turn alone; a solver may have made another one than the conversation has.
  const told = said === undefined || messageText(messages.at(-1)) === said;
  const values = Object.values(objectOf(row.scores) ?? {}).map((score) => objectOf(score)?.value);
  // A scorer may give several values under names of their own.
  const scores = values.filter((value) => objectOf(value) === undefined);
  const parts: Row = Object.assign({}, ...values.map(objectOf));
  return [
    {
      response: (told ? conversationOf(messages).response : said) ?? output?.completion,
      ...{ checkpoint: output?.model, problem: row.id, set: row.task, prompt: row.input, failure: row.error },
      state: choice?.stop_reason,
      // Epochs count from 1.
      attempt: (numberOf(row.epoch) ?? 1) - 1,
      gold: row.target,
      correct: inspectGrade(scores) ?? gradeAmong(parts) ?? inspectGrade(Object.values(parts)),
      score: [...scores, ...Object.values(parts)].find((score) => numberOf(score) !== undefined),
    },
  ];
}

/** The model, which OpenCompass and EvalScope write into the path: `predictions/<model>/` or `reviews/<model>/`. */
export const modelInPath = ({ folders }: RowContext): string | undefined =>
  /^(predictions|reviews)$/.test(folders[1] ?? "") ? folders[0] : undefined;
