// Replies of models as their own interfaces return them: OpenAI's Responses (bare, in batch results, and in NeMo-Gym's
// rollouts), Anthropic's messages (bare and in batch results), and conversations as ShareGPT wrote them.

import { checkpointAt, usualValue } from "./columns.ts";
import { goldOf } from "./gold-grading.ts";
import { type Row, type RowContext, type RowFormat, unusable } from "./row-format.ts";
import {
  conversationOf,
  gradeOf,
  listOf,
  messageText,
  numberIn,
  numberOf,
  objectOf,
  promptName,
  promptText,
  scoreOf,
  speakers,
  textOf,
  turnsText,
  upToAnswer,
} from "./row-values.ts";
import type { Trace } from "./trace.ts";

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

/** A reply has an id of its own, which names the attempt: attempts at one prompt are told by the prompt. */
function named(row: Row, reply: Row, prompt: string | undefined, ...ids: readonly unknown[]): string | undefined {
  const nameOf = (id: unknown) => textOf(id) ?? numberOf(id)?.toString();
  for (const id of [row.problem, row.problem_id, ...ids]) {
    const name = nameOf(id);
    if (name !== undefined) return name;
  }
  // An id of a row, a request or a reply names an attempt.
  if (prompt !== undefined && prompt !== "") return promptName(prompt);
  return nameOf(row.custom_id) ?? nameOf(row.id) ?? textOf(reply.id);
}

const checkpointOf = ({ source, named }: RowContext, model: unknown) => (named ? source : (textOf(model) ?? source));

export const responsesReplies: RowFormat = {
  name: "responses",
  recognizes: (row) => (responsesBody(row) !== undefined ? 0.95 : 0),
  traces(row, context) {
    const body = responsesBody(row);
    const response = responsesText(listOf(body?.output) ?? []);
    if (body === undefined || response === undefined) return unusable("no message in the response's output");
    const asked = objectOf(row.responses_create_params) ?? objectOf(row.body) ?? objectOf(row.request) ?? row;
    const prompt = promptText(asked.input) ?? promptText(row.prompt);
    const problem = named(row, body, prompt, row._ng_task_index);
    if (problem === undefined) return unusable("neither an id nor a prompt to tell the problem by");
    const verdict = objectOf(row.verdict);
    const gold = row.ground_truth ?? objectOf(row.verifier_metadata)?.ground_truth;
    const trace: Trace = {
      checkpoint: checkpointOf(context, body.model),
      step: numberOf(row.step),
      problem,
      attempt: numberOf(row._ng_rollout_index),
      gold: goldOf(gold),
      // NeMo-Gym's reward is whatever its environment says; only our own verdict, or a column that says so, is a grade.
      correct: gradeOf(verdict?.verdict) ?? gradeOf(row.correct ?? row.is_correct),
      score: scoreOf(row.reward ?? row.score),
      prompt,
      response,
    };
    return [trace];
  },
};

function anthropicMessage(row: Row): Row | undefined {
  const candidates = [row, objectOf(objectOf(row.result)?.message), objectOf(row.response), objectOf(row.message)];
  return candidates.find(
    (candidate) => candidate?.type === "message" && candidate.role === "assistant" && "content" in candidate,
  );
}

export const anthropicMessages: RowFormat = {
  name: "anthropic",
  recognizes: (row) => (anthropicMessage(row) !== undefined ? 0.95 : "result" in row && "custom_id" in row ? 0.5 : 0),
  traces(row, context) {
    const message = anthropicMessage(row);
    if (message === undefined)
      return unusable(`no message (the result is ${textOf(objectOf(row.result)?.type) ?? "unknown"})`);
    const response = messageText(message);
    if (response === undefined) return unusable("no text in the message");
    const request = objectOf(row.request) ?? objectOf(row.params) ?? row;
    const prompt = promptText(objectOf(request.params)?.messages ?? request.messages) ?? promptText(row.prompt);
    const problem = named(row, message, prompt);
    if (problem === undefined) return unusable("neither an id nor a prompt to tell the problem by");
    return [
      {
        checkpoint: checkpointOf(context, message.model),
        problem,
        correct: gradeOf(row.correct ?? row.is_correct),
        score: scoreOf(row.score ?? row.reward),
        prompt,
        response,
      },
    ];
  },
};

/** Under whichever name: ShareGPT's own dump has `items`, LMSYS and WildChat `conversation`; `messages` with `role` are OpenAI's. */
function turnsOf(row: Row): readonly unknown[] | undefined {
  const messages = listOf(row.messages);
  const named = listOf(row.conversations) ?? listOf(row.conversation) ?? listOf(row.items);
  return named ?? (objectOf(messages?.[0])?.from === undefined ? undefined : messages);
}

/** `conversations: [{ from, value }]`, or `{ role, content }` under the same name. */
export const shareGpt: RowFormat = {
  name: "sharegpt",
  recognizes: (row) => {
    const first = objectOf(turnsOf(row)?.[0]);
    const speaks = first !== undefined && ("from" in first || "role" in first);
    return speaks && ("value" in first || "content" in first) ? 0.9 : 0;
  },
  traces(row, context) {
    const said = (turnsOf(row) ?? []).map((value) => objectOf(value) ?? {});
    const speaker = (turn: Row) => textOf(turn.from) ?? textOf(turn.role) ?? "";
    const stranger = said.find((turn) => !speakers.has(speaker(turn).toLowerCase()));
    if (stranger !== undefined) return unusable(`a speaker that is not known: ${JSON.stringify(speaker(stranger))}`);
    const turns = said.map((turn) => ({
      ...turn,
      role: speakers.get(speaker(turn).toLowerCase()),
      content: turn.value ?? turn.content,
    }));
    const system = textOf(row.system) ? [{ role: "system", content: row.system }] : [];
    const { prompt, response } = conversationOf([...system, ...upToAnswer(turns)]);
    if (response === undefined) return unusable("nobody answers in conversations");
    const problem = named(row, {}, prompt, row.conversation_id);
    const step = numberIn(row.step);
    if (problem === undefined) return unusable("neither an id nor a prompt to tell the problem by");
    return [
      {
        checkpoint: checkpointAt(context.named ? context.source : textOf(row.model), step) ?? context.source,
        step,
        problem,
        correct: gradeOf(usualValue(row, "correct")),
        score: scoreOf(usualValue(row, "score")),
        prompt,
        response,
      },
    ];
  },
};
