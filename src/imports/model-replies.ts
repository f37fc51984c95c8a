// Replies of models as their own interfaces return them: OpenAI's chat completions and Responses (bare, in batch results, and in
// NeMo-Gym's rollouts) and Anthropic's messages (bare and in batch results).
import { modelInPath } from "./harness-rows.ts";
import { usualColumns } from "./read-row.ts";
import { type Row, type RowContext, type RowFormat, type Unusable, unusable } from "./row-format.ts";
import { conversationOf, listOf, messageText, objectOf, promptText, textOf, turnsText, valueIn } from "./row-values.ts";

/** Rows of a request and its reply: what they say besides stands under the usual names, and their ids name attempts. */
const columns = {
  ...usualColumns,
  ...{
    messages: undefined,
    response: "the reply",
    prompt: "the request|prompt|question",
    checkpoint: "the model|model",
  },
  ...{ problem: "problem|problem_id|_ng_task_index", attempt: "attempt|_ng_rollout_index" },
  gold: `verifier_metadata.ground_truth|verifier_metadata.expected_answer|${usualColumns.gold}`,
  id: "custom_id|id|the id",
  state: `the state|${usualColumns.state}`,
} as const;

const requestOf = (row: Row): Row =>
  objectOf(row.responses_create_params) ?? objectOf(row.body) ?? objectOf(row.request) ?? objectOf(row.params) ?? row;

const itemTypes = new Set(["message", "reasoning", "function_call", "function_call_output"]);

/** The record whose `output` is a list of Responses items. */
function responsesBody(row: Row): Row | undefined {
  const reply = objectOf(row.response);
  return [row, reply, objectOf(reply?.body)].find((candidate) => {
    const items = listOf(candidate?.output);
    return items?.some((item) => itemTypes.has(textOf(objectOf(item)?.type) ?? ""));
  });
}

/** The last message answers; reasoning, and messages between calls of tools, are thinking. */
function responsesText(output: readonly unknown[]): string | undefined {
  const items = output.map(objectOf).filter((item) => item?.role === undefined || item.role === "assistant");
  const answer = items.findLastIndex((item) => item?.type === "message");
  const thoughts = items.flatMap((item, i) => {
    if (item?.type === "message") return i === answer ? [] : [messageText(item)];
    if (item?.type !== "reasoning") return [];
    const parts = listOf(item.content)?.length ? listOf(item.content) : listOf(item.summary);
    return (parts ?? []).map((part) => textOf(objectOf(part)?.text));
  });
  if (thoughts.every((thought) => !thought) && answer < 0) return undefined;
  return turnsText([...thoughts, messageText(items[answer]) ?? ""]);
}

export const responsesReplies: RowFormat = {
  name: "responses",
  has: [],
  looks: (row) => responsesBody(row) !== undefined,
  columns: { ...columns, correct: `verdict.verdict|${columns.correct}` },
  unfold(row) {
    const body = responsesBody(row) ?? {};
    const reply = responsesText(listOf(body.output) ?? []);
    if (reply === undefined) return unusable("no message in the response's output");
    return [
      {
        ...{ ...row, ...asked(row, requestOf(row).input), "the reply": reply },
        ...{ "the model": body.model, "the id": body.id, "the state": body.status },
      },
    ];
  },
};

const asked = (row: Row, request: unknown): Row => ({ "the request": promptText(request) ?? promptText(row.prompt) });

function anthropicMessage(row: Row): Row | undefined {
  const candidates = [row, objectOf(objectOf(row.result)?.message), objectOf(row.response), objectOf(row.message)];
  return candidates.find(
    (candidate) => candidate?.type === "message" && candidate.role === "assistant" && "content" in candidate,
  );
}

export const anthropicMessages: RowFormat = {
  name: "anthropic",
  has: [],
  looks: (row) => anthropicMessage(row) !== undefined || ("result" in row && "custom_id" in row),
  columns,
  unfold(row) {
    const message = anthropicMessage(row);
    if (message === undefined)
      return unusable(`no message (the result is ${textOf(objectOf(row.result)?.type) ?? "unknown"})`);
    const request = requestOf(row);
    const messages = objectOf(request.params)?.messages ?? request.messages;
    return [
      {
        ...{ ...row, ...asked(row, messages), "the reply": messageText(message) },
        ...{ "the model": message.model, "the id": message.id, "the state": message.stop_reason },
      },
    ];
  },
};

/** The body of a chat completion: bare, in a batch result (`response.body`), or beside its request. */
function completionBody(row: Row): Row | undefined {
  const candidates = [row, objectOf(row.response), objectOf(objectOf(row.response)?.body), objectOf(row.completion)];
  // What a question can be answered by is called so too.
  return candidates.find((candidate) => objectOf(listOf(candidate?.choices)?.[0]) !== undefined);
}

const choiceTexts = (body: Row): (string | undefined)[] =>
  (listOf(body.choices) ?? [])
    .map(objectOf)
    .map((choice) => messageText(choice?.message) ?? textOf(choice?.text) ?? undefined);

/** Chat completions and batch results, and conversations (`messages`), which have no other response beside them. */
export const chatReplies: RowFormat = {
  name: "openai",
  has: [],
  looks: (row) => completionBody(row) !== undefined || listOf(valueIn(row.messages)) !== undefined,
  columns: {
    ...columns,
    messages: "the talk|request.messages|body.messages",
    response: "the reply|response|completion|output",
  },
  unfold(row) {
    const body = completionBody(row);
    if (body === undefined) {
      // Atropos writes a group a line.
      const talks = listOf(row.messages) ?? [];
      const several = talks.length > 0 && talks.every((talk) => listOf(talk) !== undefined);
      if (!several) return [{ ...row, "the talk": row.messages }];
      return talks.map((talk, i) => ({ ...row, "the talk": talk, score: listOf(row.scores)?.[i], scores: undefined }));
    }
    const texts = choiceTexts(body);
    if (texts.every((text) => text === undefined)) return unusable("no assistant message");
    const reply = texts.length === 1 ? texts[0] : texts.map((text) => text ?? null);
    const states = (listOf(body.choices) ?? []).map((choice) => objectOf(choice)?.finish_reason ?? null);
    return [
      {
        ...{ ...row, "the talk": row.messages, "the reply": reply },
        ...{ "the model": body.model, "the id": body.id, "the state": texts.length === 1 ? states[0] : states },
      },
    ];
  },
};

/** A request beside its reply, as EvalScope writes it: the task is the file, the model its folder. */
export const turnsBeside = {
  columns: { ...columns, prompt: "the request", id: "index" },
  place: (context: RowContext): Row => ({ set: context.file.replace(/\.jsonl$/, ""), folder: modelInPath(context) }),
  unfold(row: Row, reply: string, context: RowContext): Row[] | Unusable {
    const texts = choiceTexts(objectOf(row[reply]) ?? {}).filter((text) => text !== undefined);
    if (texts.length === 0) return unusable(`no message in ${reply}`);
    const { prompt } = conversationOf(listOf(row.messages) ?? []);
    return [{ ...row, ...turnsBeside.place(context), "the request": prompt, "the reply": texts }];
  },
};
