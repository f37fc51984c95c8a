// A row as the traces in it, by its format's line of the table and by the columns that the user named, which are believed in
// any format. What a fact's value means is settled here once for all of them.
import { goldOf } from "./gold-grading.ts";
import {
  type ColumnName,
  type Columns,
  type Fact,
  type Row,
  type RowContext,
  type RowFormat,
  type Unusable,
  unusable,
} from "./row-format.ts";
import {
  completionText,
  conversationOf,
  gradeAmong,
  gradeOf,
  listOf,
  messagesIn,
  numberIn,
  numberOf,
  objectOf,
  promptName,
  promptText,
  scoreOf,
  solvedOf,
  speakers,
  textOf,
  thinkingAndText,
  turnsOf,
  upToAnswer,
  valueAt,
  valueIn,
  zeroOrOne,
} from "./row-values.ts";
import { stepName } from "./step-name.ts";
import { domainNamed, type Trace, type TraceStage } from "./trace.ts";

const pathsOf = new Map<string, readonly string[]>();

/** `a|b` as its alternatives. */
export function alternatives(paths: string): readonly string[] {
  const known = pathsOf.get(paths);
  if (known !== undefined) return known;
  const split = paths.split("|");
  pathsOf.set(paths, split);
  return split;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** The first that holds something, or null where all that are there are empty. */
export function firstOf(row: Row, paths: string): unknown {
  let empty: null | undefined;
  for (const path of alternatives(paths)) {
    const value = valueAt(row, path);
    if (isThere(value)) return value;
    if (value === null) empty = null;
  }
  return empty;
}

/** Of paths where a fact may stand, the one that these rows use: one choice a file. */
export function chosenColumns({ columns }: RowFormat, rows: readonly Row[]): Columns | undefined {
  if (columns === undefined) return undefined;
  const chosen = Object.entries(columns).map(([fact, paths]) => {
    if (paths === undefined) return [fact, paths];
    const several = alternatives(paths);
    if (several.length === 1 || fact === "metrics") return [fact, paths] as const;
    return [fact, several.find((path) => rows.some((row) => isThere(valueAt(row, path)))) ?? paths] as const;
  });
  return Object.fromEntries(chosen);
}

/** Facts that are each response's own: a list of as many entries has one for each, and one value for several is nobody's. */
const ownFacts: readonly Fact[] = ["correct", "score", "attempt", "reasoning", "metrics", "tokens", "state"];
const listed: readonly Fact[] = [...ownFacts, "checkpoint", "step"];

/** What a row says of one of its rollouts: by fact, and whether the user named the column. */
type Told = (fact: Fact) => { readonly value: unknown; readonly byUser: boolean };

export function rowTraces(format: RowFormat, row: Row, context: RowContext): readonly (Trace | Unusable)[] | Unusable {
  if (format.traces !== undefined) return format.traces(row, context);
  const laid = format.unfold?.(row, context) ?? [row];
  if (isUnusable(laid)) return laid;
  const user = context.columns ?? {};
  const found: (Trace | Unusable)[] = [];
  for (const [i, one] of laid.entries()) {
    if (isUnusable(one)) {
      found.push(one);
      continue;
    }
    const columns = format.unfold === undefined ? (context.chosen?.get(format.name) ?? format.columns) : format.columns;
    const told = (fact: Fact) => {
      const named = user[fact as ColumnName];
      if (named !== undefined) return { value: valueAt(row, named), byUser: true };
      if (fact === "metrics") return { value: metricsOf(one, columns?.metrics), byUser: false };
      const paths = columns === undefined ? fact : columns[fact];
      return { value: paths === undefined ? undefined : firstOf(one, paths), byUser: false };
    };
    const traces = eachResponse(told, { i, of: laid.length }, (own) => traceOf(own, format, context, row));
    if (isUnusable(traces)) return traces;
    found.push(...traces);
  }
  return found;
}

const isUnusable = (value: object): value is Unusable => "unusable" in value && Object.keys(value).length === 1;

/** All of them together; `*` is the row itself. */
function metricsOf(row: Row, paths: string | undefined): Row | undefined {
  if (paths === undefined) return undefined;
  const records = alternatives(paths).map((path) => (path === "*" ? row : objectOf(valueIn(valueAt(row, path)))));
  return Object.assign({}, ...records);
}

function eachResponse(
  told: Told,
  { i, of }: { readonly i: number; readonly of: number },
  trace: (told: Told) => Trace | Unusable,
): readonly (Trace | Unusable)[] | Unusable {
  const several = of > 1 ? undefined : severalResponses(told("response").value);
  const count = several?.length ?? of;
  if (several === undefined && of === 1) return [trace(told)];
  if (count === 0) return unusable("the list of responses is empty");
  for (const fact of listed) {
    const { value, byUser } = told(fact);
    const list = several !== undefined || byUser ? listOf(value) : undefined;
    if (list !== undefined && list.length !== count)
      return unusable(`${fact} has ${list.length} entries for ${count} responses`);
  }
  const ofOne = (at: number): Told => {
    const record = objectOf(several?.[at]);
    return (fact) => {
      const { value, byUser } = told(fact);
      // A plain row of its own says its own facts.
      if (several === undefined && !byUser) return { value, byUser };
      const own = record === undefined ? undefined : firstOf(record, (usualColumns as Columns)[fact] ?? fact);
      if (own !== undefined && !byUser) return { value: own, byUser };
      if (fact === "response" && several !== undefined) return { value: several[at], byUser };
      const list = listed.includes(fact) ? listOf(value) : undefined;
      if (list !== undefined) return { value: list[at], byUser };
      return { value: count > 1 && ownFacts.includes(fact) ? undefined : value, byUser };
    };
  };
  if (several === undefined) return [trace(ofOne(i))];
  return several.map((_, at) => trace(ofOne(at)));
}

/** A list of texts, of conversations or of records is a response each; a list of messages is one conversation. */
function severalResponses(said: unknown): readonly unknown[] | undefined {
  const list = listOf(said);
  if (list === undefined) return undefined;
  const apart = list.every(
    (item) => item === null || typeof item === "string" || listOf(item) !== undefined || isResponse(item),
  );
  return apart ? list : undefined;
}

/** A record with a response of its own, and no speaker. */
const isResponse = (item: unknown): boolean => {
  const record = objectOf(item);
  return record !== undefined && !("role" in record) && typeof firstOf(record, usualColumns.response) === "string";
};

function traceOf(told: Told, format: RowFormat, context: RowContext, row: Row): Trace | Unusable {
  const say = (fact: Fact) => told(fact).value;
  const stopped = stoppedBy(say);
  if (stopped !== undefined) return unusable(stopped);

  const messages = listOf(valueIn(say("messages")));
  const said = messagesIn(say("response"));
  const reply = completionText(said);
  const turns = messages && turnsOf(messages);
  const stranger = turns?.find(({ role }) => !speakers.has(textOf(role)?.toLowerCase() ?? ""));
  if (stranger !== undefined) return unusable(`a speaker that is not known: ${JSON.stringify(stranger.role ?? "")}`);
  // Messages beside a reply are its request, in which answers are examples.
  const conversation = turns && conversationOf(reply === undefined ? upToAnswer(turns) : turns);
  const answer = reply ?? conversation?.response;
  if (answer === undefined) return unusable(withoutResponse(said, told, format, context, row));

  const step = numberIn(say("step"));
  const set = nameOf(say("set"));
  const asked = promptText(messagesIn(say("prompt"))) ?? conversation?.prompt;
  const named = problemName(say("problem"));
  // Where nothing else is asked, a problem in words is its own text.
  const prompt = asked ?? (/\s/.test(named ?? "") ? named : undefined);
  const isText = named !== undefined && named === prompt && named.length > longestName;
  const id =
    isText || named === undefined ? undefined : format.numbered && set !== undefined ? `${set} ${named}` : named;
  const problem = id ?? ((prompt && promptName(prompt)) || problemName(say("id")) || textOf(row.task));
  if (!problem) return unusable("neither a problem nor a prompt to tell attempts at one problem by");

  const whose = context.named ? context.source : nameOf(say("checkpoint"));
  const { value: verdict, byUser } = told("correct");
  const score = say("score");
  const thinking = textOf(say("reasoning"));
  const stage = textOf(say("stage")) as TraceStage | undefined;
  return {
    checkpoint: checkpointAt(whose, step) ?? context.source,
    ...(stage && { stage }),
    step,
    problem,
    attempt: numberIn(say("attempt")),
    set,
    puzzle: textOf(say("puzzle")),
    size: textOf(say("size")),
    kind: domainNamed(textOf(say("kind")) ?? ""),
    gold: goldOf(say("gold")),
    ...marked(
      (byUser ? solvedOf(verdict) : undefined) ??
        gradeIn(verdict) ??
        gradeAmong(objectOf(say("metrics")) ?? {}) ??
        // A reward may be a record of its parts, one of which is the grade.
        gradeAmong(objectOf(valueIn(score)) ?? {}) ??
        (format.rightAt1 ? solvedOf(score) : undefined),
    ),
    score: scoreIn(score),
    ...(format.scoreIsAside?.(context) && { scoreIsAside: true }),
    prompt,
    response:
      thinking && thinking !== answer && !answer.includes(thinking) ? thinkingAndText(thinking, answer) : answer,
    responseTokens: numberOf(say("tokens")),
    ...(isTruncated(say("state")) && { truncated: true }),
  };
}

/** As servers and trainers say that the budget ended first. */
const isTruncated = (state: unknown): boolean =>
  state === true ||
  /^(?:length|truncated|incomplete|model_length|max_\w*(?:length|tokens)\w*)$/i.test(textOf(state) ?? "");

/** A longer one is a text. */
const longestName = 80;
const problemName = (value: unknown): string | undefined => nameOf(value) || undefined;
const nameOf = (value: unknown): string | undefined => textOf(value) ?? numberOf(value)?.toString();

/** Why the program itself says that there is no rollout here. */
function stoppedBy(say: (fact: Fact) => unknown): string | undefined {
  const state = textOf(say("state"))?.toLowerCase();
  if (state === "aborted" || state === "failed")
    return `the rollout was ${state === "failed" ? "not finished" : state}`;
  const failure = say("failure");
  const [first] = listOf(failure) ?? [failure];
  const record = objectOf(first);
  const why = textOf(record?.type) ?? textOf(record?.message) ?? textOf(record?.error) ?? textOf(first);
  return why || (record && Object.keys(record).length > 0) ? `the rollout failed: ${why || "an error"}` : undefined;
}

function withoutResponse(said: unknown, told: Told, format: RowFormat, context: RowContext, row: Row): string {
  if (isThere(told("messages").value) && said === undefined) return "no assistant message";
  if (said !== undefined) return `the response is ${said === null ? "null" : typeof said}, not text`;
  const looked = (context.columns?.response ?? format.columns?.response ?? "response").replaceAll("|", ", ");
  return `no response (looked for ${looked}; the record has ${Object.keys(row).slice(0, 12).join(", ")})`;
}

/** What most programs mean by 0 and 1; whether these do is seen when all marks are known. */
const marked = (grade: boolean | number | undefined): Pick<Trace, "correct" | "mark"> =>
  typeof grade === "number" ? { mark: grade, correct: zeroOrOne(grade) } : { correct: grade };

/** A grade or a mark, or the first one within a record of graders. */
function gradeIn(value: unknown, depth = 0): boolean | number | undefined {
  const [only = value, another] = listOf(value) ?? [];
  if (another !== undefined) return undefined;
  const record = objectOf(valueIn(only));
  if (record === undefined) return gradeOf(only);
  const own = gradeAmong(record) ?? gradeOf(record.verdict ?? record.grade);
  if (own !== undefined || depth > 2) return own;
  for (const inner of Object.values(record)) {
    const found = objectOf(inner) === undefined ? undefined : gradeIn(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The total of a record of parts; with rewards by token, their sum. */
function scoreIn(value: unknown): number | undefined {
  const parts = listOf(value);
  if (parts !== undefined) return parts.reduce((sum: number, part) => sum + (numberOf(part) ?? 0), 0);
  const record = objectOf(valueIn(value));
  return scoreOf(record === undefined ? value : (record.total ?? record.score ?? record.reward));
}

/** A model at a step, unless its name says the step already: `run-step-8` and `run-8` do, `Qwen3-8B` does not. */
export function checkpointAt(name: string | undefined, step: number | undefined): string | undefined {
  if (step === undefined) return name;
  const says = new RegExp(`(?:step|ckpt|checkpoint|iter|iteration)[-_ ]*0*${step}(?!\\d)|(?:^|[-_ ])0*${step}$`, "i");
  return name !== undefined && says.test(name) ? name : stepName(name, step);
}

/** What columns usually are called, in records that no single program owns. Whole names, in the order in which they are believed. */
export const usualColumns = {
  messages: "messages|conversations|conversation",
  response:
    "response|output|completion|generation|model_response|model_output|generated_text|generated_solution|answer_text|" +
    "full_model_response|response_text|output_text|generated_response|generated|llm_output|llm_response|raw_response|raw_output|" +
    "assistant_response|predict|reply|resp|rollout|trace|text|model_answer|prediction|generations|responses|completions|outputs|samples|" +
    "rollouts|attempts|candidates|model_responses|model_outputs|generated_responses|content",
  problem: "problem|problem_id|problem_idx|unique_id|question_id|task_id|prompt_id|example_id|instance_id|qid",
  id: "custom_id|id|uid|uuid|sample_id|request_id",
  prompt:
    "prompt|question|input|instruction|query|problem_text|question_text|prompt_text|input_text|input_prompt|user_prompt|original_question",
  gold:
    "gold|gold_answer|gts|gt|ground_truth|groundtruth|ground_truth_answer|expected_answer|expected|reference_answer|correct_answer|" +
    "true_answer|gt_answer|answer_key|reference|reference_solution|target|final_answer|answer|label|labels|solution|reward_model.ground_truth|extra_info.answer|metadata.ground_truth|metadata.answer",
  correct:
    "correct|answers_correctness|is_correct|solved|verdict|acc|correctness|correctness_math_verify|symbolic_correct|passed|accuracy|grade|grades|verdicts|" +
    "grader|graders|answer_correct|is_right|resolved|judge_response.correct|judge.correct|evaluation.correct|metadata.correct|metadata.is_correct|extra_info.acc",
  score: "score|reward|scores|rewards|total_reward|final_reward|reward_score|metadata.reward|metadata.score",
  checkpoint: "checkpoint|model|generation_model|policy|model_name|model_id|generator",
  step: "step|global_step|training_step|train_step|gen_step|checkpoint_step|iteration|metadata.step",
  attempt:
    "attempt|sample_idx|sample_index|sample|epoch|rollout_idx|rollout_index|generation_idx|generation_index|idx_answer",
  set: "set|benchmark|dataset|data_source",
  kind: "kind|domain",
  puzzle: "puzzle",
  size: "size",
  reasoning: "reasoning|reasoning_content|thinking",
  state: "finish_reason|stop_reason|is_truncated|truncated",
} as const satisfies Columns;
