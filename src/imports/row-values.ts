// Reading loosely typed records: what other programs write differs in small ways, and each way is settled here once.
import { createHash } from "node:crypto";
import { parsedJson } from "./json-values.ts";
import type { Row } from "./row-format.ts";

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** A number, or the text of one, which tables that went through CSV hold. */
export function numberIn(value: unknown): number | undefined {
  return numberOf(typeof value === "string" && decimal.test(value) ? Number(value) : value);
}

export function objectOf(value: unknown): Row | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : undefined;
}

/** A record or a list that a table's cell holds as the text of its JSON; anything else as it is. */
export function valueIn(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parsedJson(value);
  } catch {
    return value;
  }
}

/** A conversation or a message, also where a cell holds the text of it; a response that is JSON of another kind stays a text. */
export function messagesIn(value: unknown): unknown {
  const inner = valueIn(value);
  if (inner === value) return value;
  const speaks = (item: unknown) => ["role", "from"].some((key) => key in (objectOf(item) ?? {}));
  const list = listOf(inner);
  return (list === undefined ? speaks(inner) : list.length > 0 && list.every(speaks)) ? inner : value;
}

/** `a.b.0.c`; through a list of records (`samples.text`) it is the list of what each holds. */
export function valueAt(row: Row, path: string): unknown {
  return path in row ? row[path] : within(row, path.split("."));
}

function within(written: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return written;
  const value = valueIn(written);
  const list = listOf(value);
  if (list === undefined) return within(objectOf(value)?.[key], rest);
  if (/^\d+$/.test(key)) return within(list[Number(key)], rest);
  const found = list.map((item) => within(item, [key, ...rest]));
  return found.every((item) => item === undefined) ? undefined : found;
}

const right = new Set(["c", "correct", "true", "yes", "1", "pass", "passed", "equal"]);
const wrong = new Set([
  "i",
  "n",
  "p",
  "incorrect",
  "wrong",
  "false",
  "no",
  "0",
  "fail",
  "failed",
  "different",
  "unreadable",
]);

/** A score, a verdict or a truth value as solved or not. A partial score is not solved. Undefined when it says neither. */
export function solvedOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const number = numberIn(value);
  if (number !== undefined) return number >= 1;
  const word = textOf(value)?.trim().toLowerCase();
  if (word === undefined) return undefined;
  return right.has(word) ? true : wrong.has(word) ? false : undefined;
}

/** A verdict or a truth value; a number that a column named for a grade holds is a mark, of which all of them tell what it means. */
export function gradeOf(value: unknown): boolean | number | undefined {
  return numberIn(value) ?? solvedOf(value);
}

export function zeroOrOne(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const number = numberIn(value);
  return number === 1 ? true : number === 0 ? false : undefined;
}

export function scoreOf(value: unknown): number | undefined {
  return typeof value === "boolean" ? Number(value) : numberIn(value);
}

/** What says right or wrong, by its whole name, in the order in which it is believed: `incorrect_answer` and `correct_format` do not. */
const gradeNames = [
  ...["correct", "is_correct", "correctness", "correct_answer", "answer_correct", "exact_match", "exact"],
  ...["accuracy", "mathaccuracy", "acc", "solved", "is_solved", "verified", "math_verify"],
];

/** As trainers call their functions: `accuracy_reward`, `rewards/correctness_reward_func`. */
const bareName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^(?:rewards?|metrics?)[/.]/, "")
    .replace(/(?:_reward)?(?:_func(?:tion)?|_fn)?$/, "");

/** The grade or mark among columns, rubrics or metrics. */
export function gradeAmong(numbers: Row): boolean | number | undefined {
  const named = new Map(Object.keys(numbers).map((key) => [bareName(key), key]));
  const found = gradeNames.map((name) => named.get(name)).find((key) => key !== undefined && numbers[key] !== null);
  if (found === undefined) return undefined;
  const value = numbers[found];
  return typeof value === "boolean" ? value : numberIn(value);
}

export const thinkingAndText = (thinking: string, text: string): string =>
  thinking === "" ? text : `<think>${thinking}</think>${text}`;

/** A message's text, its thinking in front of it in tags; content may be text, parts, or absent. */
export function messageText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const message = objectOf(value);
  if (message === undefined) return undefined;
  let thinking = [message.reasoning_content, message.reasoning, message.thinking].map(textOf).find(Boolean) ?? "";
  // OpenRouter's own list, where nothing else says it.
  if (thinking === "")
    for (const detail of (listOf(message.reasoning_details) ?? []).map(objectOf))
      thinking += textOf(detail?.text) ?? textOf(detail?.summary) ?? "";
  let text = textOf(message.content) ?? "";
  for (const part of listOf(message.content) ?? []) {
    const piece = objectOf(part);
    if (typeof part === "string") text += part;
    else if (piece?.type === "reasoning")
      // What is redacted is a cipher; Inspect and EvalScope write the summary beside it.
      thinking += textOf(piece.redacted === true ? piece.summary : (piece.reasoning ?? piece.text)) ?? "";
    else if (piece?.type === "thinking") thinking += textOf(piece.thinking) ?? "";
    else text += textOf(piece?.text) ?? textOf(piece?.refusal) ?? "";
  }
  if (thinking === "" && text === "" && message.content === undefined) return undefined;
  return thinkingAndText(thinking, text);
}

/** A prompt as one text: as it is, or the contents of its messages. */
export function promptText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const messages = listOf(value);
  if (messages !== undefined) return messages.map((message) => messageText(message) ?? "").join("\n");
  return listOf(objectOf(value)?.messages) === undefined ? messageText(value) : promptText(objectOf(value)?.messages);
}

/** A completion: text, one message, or the turns of one, between which tools and environments speak. */
export function completionText(value: unknown): string | undefined {
  const messages = listOf(value);
  if (messages === undefined) return messageText(value);
  const others = new Set<unknown>(["user", "system", "developer", "tool"]);
  return turnsText(messages.filter((message) => !others.has(speakerOf(message))).map(messageText));
}

/** The turns of one rollout as one text: the last turn answers; what was thought and said before led there, and is thinking. */
export function turnsText(turns: readonly (string | undefined)[]): string | undefined {
  const said = turns.filter((turn) => turn !== undefined);
  const last = said.at(-1);
  const before = said.slice(0, -1).map((turn) => turn.replace(/<\/?(?:think|reasoning|answer)>/g, "\n").trim());
  if (last === undefined || before.every((turn) => turn === "")) return last;
  const close = last.indexOf("</think>");
  const open = close < 0 && last.trimStart().startsWith("<think>");
  const thought = (open ? last : last.slice(0, Math.max(close, 0))).replace("<think>", "").trim();
  const thinking = [...before, thought].filter((part) => part !== "").join("\n\n");
  if (open) return `<think>${thinking}`;
  return thinkingAndText(thinking, close < 0 ? last : last.slice(close + "</think>".length));
}

/** By what programs and datasets call them: who asks, who answers, and what speaks between. */
export const speakers = new Map(
  Object.entries({
    user: ["user", "human", "instruction", "prompter"],
    assistant: ["assistant", "gpt", "model", "chatgpt", "bot", "ai", "bing", "bard", "output", "function_call"],
    system: ["system", "developer"],
    tool: ["tool", "observation", "function", "environment", "ipython", "grader"],
  }).flatMap(([role, names]) => names.map((name) => [name, role])),
);

/** Anthropic gives results of tools to the model in a user's turn. */
function speakerOf(message: unknown): string | undefined {
  const { role, content } = objectOf(message) ?? {};
  const parts = listOf(content) ?? [];
  const results = parts.length > 0 && parts.every((part) => objectOf(part)?.type === "tool_result");
  const named = textOf(role)?.toLowerCase();
  return results ? "tool" : (speakers.get(named ?? "") ?? named);
}

/** The contents of a conversation: `from` and `value` are ShareGPT's words for `role` and `content`. */
export function turnsOf(messages: readonly unknown[]): readonly Row[] {
  return messages.map((message) => {
    const turn = objectOf(message) ?? {};
    return { ...turn, role: turn.role ?? turn.from, content: turn.content ?? turn.value };
  });
}

/** A conversation may end with words that nobody answered. */
export function upToAnswer(messages: readonly unknown[]): readonly unknown[] {
  const answer = messages.findLastIndex((message) => speakerOf(message) === "assistant");
  return answer < 0 ? messages : messages.slice(0, answer + 1);
}

/** A conversation asks up to its last user's words and answers after them; other answers before them are nobody's thinking. */
export function conversationOf(messages: readonly unknown[]): {
  readonly prompt: string | undefined;
  readonly response: string | undefined;
} {
  const roles = messages.map(speakerOf);
  const asked = 1 + roles.findLastIndex((role) => role !== "assistant" && role !== "tool");
  const prompts = messages.slice(0, asked).filter((_, i) => roles[i] !== "assistant" && roles[i] !== "tool");
  return {
    prompt: prompts.length === 0 ? undefined : promptText(prompts),
    response: completionText(messages.slice(asked)),
  };
}

/** A name for a problem that is known by its prompt alone. */
export function promptName(prompt: string): string {
  return `prompt ${createHash("sha256").update(prompt).digest("hex").slice(0, 12)}`;
}
