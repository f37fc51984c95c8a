// Reading loosely typed records: what other programs write differs in small ways, and each way is settled here once.
import { createHash } from "node:crypto";
import type { Row } from "./row-format.ts";

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function objectOf(value: unknown): Row | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : undefined;
}

/** `a.b.0.c` */
export function valueAt(row: Row, path: string): unknown {
  if (path in row) return row[path];
  let value: unknown = row;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Row)[key];
  }
  return value;
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
  const number = numberOf(value);
  if (number !== undefined) return number >= 1;
  const word = textOf(value)?.trim().toLowerCase();
  if (word === undefined) return undefined;
  return right.has(word) ? true : wrong.has(word) ? false : undefined;
}

/** A verdict, a truth value, or a 0 or 1 that a column named for it holds. Any other number is a score, not a grade. */
export function gradeOf(value: unknown): boolean | undefined {
  return numberOf(value) === undefined ? solvedOf(value) : zeroOrOne(value);
}

export function zeroOrOne(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const number = numberOf(value);
  return number === 1 ? true : number === 0 ? false : undefined;
}

export function scoreOf(value: unknown): number | undefined {
  return typeof value === "boolean" ? Number(value) : numberOf(value);
}

export const thinkingAndText = (thinking: string, text: string): string =>
  thinking === "" ? text : `<think>${thinking}</think>${text}`;

/** A message's text, its thinking in front of it in tags; content may be text, parts, or absent. */
export function messageText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const message = objectOf(value);
  if (message === undefined) return undefined;
  let thinking = textOf(message.reasoning_content) ?? textOf(message.reasoning) ?? "";
  let text = textOf(message.content) ?? "";
  for (const part of listOf(message.content) ?? []) {
    const piece = objectOf(part);
    if (typeof part === "string") text += part;
    else if (piece?.type === "reasoning") thinking += textOf(piece.reasoning) ?? textOf(piece.text) ?? "";
    else if (piece?.type === "thinking") thinking += textOf(piece.thinking) ?? "";
    else text += textOf(piece?.text) ?? "";
  }
  if (thinking === "" && text === "" && message.content === undefined) return undefined;
  return thinkingAndText(thinking, text);
}

/** A prompt as one text: as it is, or the contents of its messages. */
export function promptText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const messages = listOf(value);
  if (messages !== undefined) return messages.map((message) => messageText(message) ?? "").join("\n");
  return messageText(value);
}

/** A completion: text, one message, or a list of messages of which the assistant's last speaks. */
export function completionText(value: unknown): string | undefined {
  const messages = listOf(value);
  if (messages === undefined) return messageText(value);
  const spoken = messages.filter((message) => objectOf(message)?.role !== "user" && objectOf(message)?.role !== "tool");
  const last = spoken[spoken.length - 1];
  return last === undefined ? undefined : messageText(last);
}

/** A name for a problem that is known by its prompt alone. */
export function promptName(prompt: string): string {
  return `prompt ${createHash("sha256").update(prompt).digest("hex").slice(0, 12)}`;
}
