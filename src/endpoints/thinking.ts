// Thinking that a server left inside the answer. Servers that know a model's tags return its reasoning apart; others
// leave the tags in, and some have already taken the opening one, because it was part of the prompt.
import { reasoningBlocks } from "../grading/reasoning.ts";

type SplitReply = { readonly reasoning?: string; readonly answer: string };

export function splitThinking(text: string): SplitReply {
  const block = reasoningBlocks(text).find(({ kind }) => kind === "native");
  if (block === undefined) return { answer: text };
  // A tag after other words is text about tags, not thinking.
  const opening = text.slice(0, block.start).trimStart();
  if (block.tags !== "unopened" && !/^(?:<think(?:ing)?>|◁think▷)$/i.test(opening)) return { answer: text };
  return { reasoning: text.slice(block.start, block.end).trim(), answer: text.slice(block.after).trimStart() };
}
