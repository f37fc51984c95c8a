// Thinking that a server left inside the answer. Servers that know a model's tags return its reasoning apart; others
// leave the tags in, and some have already taken the opening one, because it was part of the prompt.

const tags = [
  { open: "<think>", close: "</think>" },
  { open: "◁think▷", close: "◁/think▷" },
] as const;

export type Thought = { readonly reasoning?: string; readonly answer: string };

export function splitThinking(text: string): Thought {
  for (const { open, close } of tags) {
    const start = text.trimStart();
    const opened = start.startsWith(open);
    const end = text.indexOf(close);
    if (end !== -1) {
      const from = opened ? text.indexOf(open) + open.length : 0;
      // A closing tag before its opening one is text about tags, not thinking.
      if (!opened && text.slice(0, end).includes(open)) continue;
      return { reasoning: text.slice(from, end).trim(), answer: text.slice(end + close.length).trimStart() };
    }
    // Never closed: the budget ended inside the thinking, and there is no answer.
    if (opened) return { reasoning: start.slice(open.length).trimStart(), answer: "" };
  }
  return { answer: text };
}
