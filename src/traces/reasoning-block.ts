// Where a response thinks: the block between reasoning tags, or all of it where there are none.

export type ReasoningBlock = {
  readonly start: number;
  readonly end: number;
  /** `unclosed` and `unopened` name broken tags, so that they can be counted; the text is read all the same. */
  readonly tags: "closed" | "unclosed" | "unopened" | "absent";
};

/** The paper's own tag first; the others are what reasoning models write by themselves. */
const pairs = [
  ["<reasoning>", "</reasoning>"],
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["◁think▷", "◁/think▷"],
] as const;

export function reasoningBlock(response: string): ReasoningBlock {
  const lowered = mayHoldCapitalTags(response) ? response.toLowerCase() : response;
  for (const [opening, closing] of pairs) {
    const opened = lowered.indexOf(opening);
    if (opened !== -1) {
      const start = opened + opening.length;
      const closed = lowered.indexOf(closing, start);
      return closed === -1 ? { start, end: response.length, tags: "unclosed" } : { start, end: closed, tags: "closed" };
    }
    // Some servers open the block in the prompt, so that only its end is in the response.
    const closed = lowered.indexOf(closing);
    if (closed !== -1) return { start: 0, end: closed, tags: "unopened" };
  }
  return { start: 0, end: response.length, tags: "absent" };
}

const capitalTag = /<\/?(?=[A-Z]|.[A-Z])(?:reasoning|think)/i;

/** Lowering megabytes costs more than finding a tag; characters whose lower case is longer would shift offsets too. */
function mayHoldCapitalTags(response: string): boolean {
  return capitalTag.test(response) && response.toLowerCase().length === response.length;
}
