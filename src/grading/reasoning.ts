// Where a response thinks: the one reader of reasoning tags, for grading, endpoints and traces alike.
//
// - `<reasoning>` is what our prompts ask for; `<think>` and its kin are what models write by themselves. Case is forgiven.
// - A block goes from its opening tag to the next closing tag of its kind. What is inside is thought, not said.
// - Chat templates open `<think>` in the prompt, so a `</think>` before any `<think>` ends thinking that began with the text,
//   unless a whole `<reasoning>` stands before it: then it is a stray, and hides no answer.
//   `<reasoning>` is never opened for anybody: a stray `</reasoning>` ends nothing, and what stands before it was said.
// - A block that is never closed ends at the one whole answer after it, or with the text if there is none.
// One pass, no backtracking: a megabyte of broken tags costs a megabyte of reading.

export type ReasoningBlock = {
  /** Where the opening tag begins, or the text where there is none. */
  readonly from: number;
  /** The text between the tags. */
  readonly start: number;
  readonly end: number;
  /** Where the text goes on after the closing tag. */
  readonly after: number;
  readonly tags: "closed" | "unclosed" | "unopened";
  /** The prompt's tag, or one that a model writes by itself. */
  readonly kind: "asked" | "native";
};

export type Tag = { readonly name: TagName; readonly closing: boolean; readonly start: number; readonly end: number };
type TagName = "reasoning" | "think" | "thinking" | "thought" | "seed:think" | "answer";

/** Besides the usual ones those of Kimi, Seed, Magistral, OpenThinker and Command A. */
const tagPattern =
  /<(\/?)(reasoning|think|thinking|thought|seed:think|answer)>|◁(\/?)(think)▷|\[(\/?)(think)\]|<\|(begin_of|end_of|start|end)_(thought|thinking)\|>/gi;

export function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  tagPattern.lastIndex = 0;
  for (let match = tagPattern.exec(text); match !== null; match = tagPattern.exec(text)) {
    // In prose [think] is a word in brackets; the tag is in capitals.
    if (match[6] === "think") continue;
    const name = (match[2] ?? match[4] ?? match[6] ?? match[8]).toLowerCase() as TagName;
    tags.push({
      name,
      closing: (match[1] ?? match[3] ?? match[5]) === "/" || /^end/i.test(match[7] ?? ""),
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return tags;
}

/** Every block, in order; none overlaps another. */
export function reasoningBlocks(text: string, tags: readonly Tag[] = tagsOf(text)): ReasoningBlock[] {
  const blocks: ReasoningBlock[] = [];
  let next = 0;
  const first = tags.findIndex(({ name }) => isNative(name));
  if (first >= 0 && tags[first].closing && !holdsBlock(tags, first)) {
    blocks.push({
      from: 0,
      start: 0,
      end: tags[first].start,
      after: tags[first].end,
      tags: "unopened",
      kind: "native",
    });
    next = first + 1;
  }
  let open: Tag | undefined;
  for (; next < tags.length; next++) {
    const tag = tags[next];
    if (tag.name === "answer") continue;
    if (open === undefined) {
      if (!tag.closing) open = tag;
    } else if (tag.closing && tag.name === open.name) {
      const [start, end] = [open.end, tag.start];
      blocks.push({ from: open.start, start, end, after: tag.end, tags: "closed", kind: kindOf(open) });
      open = undefined;
    }
  }
  if (open !== undefined) {
    const end = wholeAnswerAfter(open.end, tags) ?? text.length;
    blocks.push({ from: open.start, start: open.end, end, after: end, tags: "unclosed", kind: kindOf(open) });
  }
  return blocks;
}

/** Whether the response has opened and closed a reasoning of its own among the first tags: then nobody opened one for it. */
function holdsBlock(tags: readonly Tag[], count: number): boolean {
  let opened = false;
  for (let index = 0; index < count; index++) {
    if (tags[index].name !== "reasoning") continue;
    if (opened && tags[index].closing) return true;
    opened ||= !tags[index].closing;
  }
  return false;
}

const isNative = (name: TagName) => name !== "reasoning" && name !== "answer";
const kindOf = ({ name }: Tag) => (isNative(name) ? ("native" as const) : ("asked" as const));

function wholeAnswerAfter(place: number, tags: readonly Tag[]): number | undefined {
  const after = tags.filter(({ name, start }) => name === "answer" && start >= place);
  const whole = after.length === 2 && !after[0].closing && after[1].closing;
  return whole ? after[0].start : undefined;
}

export type ReasoningPart = {
  readonly start: number;
  readonly end: number;
  /** `unclosed` and `unopened` name broken tags, so that they can be counted; the text is read all the same. */
  readonly tags: ReasoningBlock["tags"] | "absent";
};

/** The part to read as reasoning: the block that was asked for, else what the model thought by itself, else all before the answer. */
export function reasoningPart(text: string): ReasoningPart {
  const tags = tagsOf(text);
  const blocks = reasoningBlocks(text, tags);
  const block = blocks.find(({ kind }) => kind === "asked") ?? blocks[0];
  if (block !== undefined) return { start: block.start, end: block.end, tags: block.tags };
  const stray = tags.find(({ name }) => name === "reasoning");
  if (stray !== undefined) return { start: 0, end: stray.start, tags: "unopened" };
  const answer = tags.find(({ name, closing }) => name === "answer" && !closing);
  return { start: 0, end: answer?.start ?? text.length, tags: "absent" };
}

/** Whether its reasoning was opened and closed as it should be. */
export const tagOddity = (response: string): "unclosed" | "unopened" | undefined => {
  const { tags } = reasoningPart(response);
  return tags === "unclosed" || tags === "unopened" ? tags : undefined;
};
