// Records that no single program owns: OpenAI-style requests and replies, and any record with a column mapping.

import { type Column, checkpointAt, ofEachResponse, roles, usualColumns, usualValue } from "./columns.ts";
import { type ColumnMapping, type Row, type RowFormat, type Unusable, unusable } from "./row-format.ts";
import {
  completionText,
  conversationOf,
  gradeAmong,
  gradeOf,
  listOf,
  messageText,
  numberIn,
  objectOf,
  promptName,
  promptText,
  scoreOf,
  textOf,
  thinkingAndText,
  upToAnswer,
  valueAt,
} from "./row-values.ts";
import type { Trace } from "./trace.ts";

/** The body of a chat completion: bare, in a batch result (`response.body`), or beside its request. */
function completionBody(row: Row): Row | undefined {
  const candidates = [row, objectOf(row.response), objectOf(objectOf(row.response)?.body), objectOf(row.completion)];
  return candidates.find((candidate) => listOf(candidate?.choices) !== undefined);
}

/** Chat completions and batch results, conversations (`messages`), and plain prompt/response pairs. */
export const openAiRecords: RowFormat = {
  name: "openai",
  recognizes: (row) => (completionBody(row) !== undefined ? 0.8 : listOf(row.messages) !== undefined ? 0.7 : 0),
  traces(row, { source, named }) {
    const body = completionBody(row);
    const messages =
      listOf(row.messages) ?? listOf(objectOf(row.request)?.messages) ?? listOf(objectOf(row.body)?.messages);
    // Messages beside a reply are its request, in which answers are examples.
    const told = textOf(row.response) ?? textOf(row.completion) ?? textOf(row.output);
    const whole = body === undefined && told === undefined;
    const conversation = conversationOf(whole ? upToAnswer(messages ?? []) : (messages ?? []));
    const prompt = conversation.prompt ?? promptText(row.prompt ?? row.question);
    const problem =
      textOf(row.problem) ??
      textOf(row.problem_id) ??
      // An id of a row or a request names an attempt: what was asked tells attempts at one problem better.
      ((prompt && promptName(prompt)) || (textOf(row.custom_id) ?? textOf(row.id)));
    if (problem === undefined) return unusable("neither an id nor a prompt to tell the problem by");
    const responses =
      body === undefined
        ? [conversation.response ?? told]
        : (listOf(body.choices) ?? []).map(
            (choice) => messageText(objectOf(choice)?.message) ?? textOf(objectOf(choice)?.text),
          );
    if (responses.length === 0 || responses.every((response) => response === undefined))
      return unusable("no assistant message");
    const model = textOf(body?.model) ?? textOf(row.model);
    const step = numberIn(usualValue(row, "step"));
    const ofOne = (what: "correct" | "score", i: number): unknown => {
      const value = usualValue(row, what);
      const list = listOf(value);
      return list?.length === responses.length ? list[i] : responses.length === 1 ? value : undefined;
    };
    return responses.map((response, i): Trace | Unusable =>
      response === undefined
        ? unusable("a choice without a message")
        : {
            checkpoint: checkpointAt(named ? source : model, step) ?? source,
            step,
            problem,
            correct: gradeOf(ofOne("correct", i)),
            score: scoreOf(ofOne("score", i)),
            prompt,
            response,
          },
    );
  },
};

export const mappedRecords: RowFormat = {
  name: "records",
  recognizes: (row) => (usualColumns.response.some((column) => column in row) ? 0.3 : 0),
  traces(row, { source, named, columns = {} }) {
    const value = (what: Column): unknown => {
      const mapped = columns[what];
      return mapped === undefined ? usualValue(row, what) : valueAt(row, mapped);
    };
    const said = value("response");
    const several = severalResponses(said);
    if (several === undefined) return [oneTrace(value, { row, source, named, columns })];
    const lists = new Map<Column, readonly unknown[] | undefined>(
      ofEachResponse.map((what) => [what, listOf(value(what))]),
    );
    for (const [what, list] of lists)
      if (list !== undefined && list.length !== several.length)
        return unusable(`${what} has ${list.length} entries for ${several.length} responses`);
    if (several.length === 0) return unusable("the list of responses is empty");
    return several.flatMap((response, i) => {
      const record = objectOf(response);
      const ofThis = (what: Column): unknown => {
        const own = record === undefined ? undefined : usualValue(record, what);
        if (own !== undefined) return own;
        if (what === "response") return response;
        const list = lists.get(what);
        if (list !== undefined) return list[i];
        // One grade or score for several responses is nobody's in particular, and a number of the row is no attempt of each.
        const shared = several.length === 1 || !(whoseOwn as readonly string[]).includes(what);
        return shared ? value(what) : undefined;
      };
      return oneTrace(ofThis, { row, source, named, columns });
    });
  },
};

const whoseOwn = ["correct", "score", "reasoning", "attempt"] as const satisfies readonly Column[];

/** A list of texts, of conversations or of records is a response each; a list of messages is one conversation. */
function severalResponses(said: unknown): readonly unknown[] | undefined {
  const list = listOf(said);
  if (list === undefined) return undefined;
  const apart = list.every(
    (item) => item === null || typeof item === "string" || listOf(item) !== undefined || isRecord(item),
  );
  return apart ? list : undefined;
}

/** With a response of its own, and no speaker. */
const isRecord = (item: unknown): boolean => {
  const record = objectOf(item);
  return record !== undefined && !("role" in record) && typeof usualValue(record, "response") === "string";
};

function oneTrace(
  value: (what: Column) => unknown,
  {
    row,
    source,
    named,
    columns,
  }: { readonly row: Row; readonly source: string; readonly named: boolean; readonly columns: ColumnMapping },
): Trace | Unusable {
  const said = value("response");
  const response = completionText(said);
  if (response === undefined) {
    if (said !== undefined) return unusable(`the response is ${said === null ? "null" : typeof said}, not text`);
    const looked = columns.response ?? usualColumns.response.join(", ");
    return unusable(`no response (looked for ${looked}; the record has ${Object.keys(row).slice(0, 12).join(", ")})`);
  }
  const told: Partial<Trace> = Object.assign(
    {},
    ...(Object.keys(roles) as (keyof typeof roles)[]).map((what) =>
      roles[what](value(what), columns[what] !== undefined),
    ),
  );
  // Alpaca's input is what its instruction is about.
  const about = columns.prompt === undefined && "input" in row ? textOf(row.instruction) : undefined;
  const asked = about === undefined ? told.prompt : `${about}\n${textOf(row.input) ?? ""}`.trim();
  // Where nothing else is asked, a problem in words is its own text.
  const prompt = asked ?? (/\s/.test(told.problem ?? "") ? told.problem : undefined);
  const isText = told.problem !== undefined && told.problem === prompt && told.problem.length > longestName;
  // A task may be one problem, or the name of a set of them: what was asked tells better.
  const problem = (isText ? undefined : told.problem) ?? ((prompt && promptName(prompt)) || textOf(row.task));
  if (!problem) return unusable("neither a problem nor a prompt to tell attempts at one problem by");
  const thinking = textOf(value("reasoning"));
  const checkpoint = checkpointAt(named ? source : told.checkpoint, told.step) ?? source;
  return {
    ...told,
    checkpoint,
    problem,
    // A reward may be a record of its parts, one of which is the grade.
    correct: told.correct ?? gradeAmong(objectOf(value("score")) ?? {}),
    prompt,
    response: thinking && thinking !== response ? thinkingAndText(thinking, response) : response,
  };
}

/** A longer one is a text. */
const longestName = 80;
