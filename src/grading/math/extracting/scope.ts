// Which part of a response may hold its answer: what was said, not what was thought, and of that what stands in the answer tags.
// Where a response thinks is said in reasoning.ts, for all readers alike.
import { reasoningBlocks } from "../../reasoning.ts";

export type ScopeOfAnswer = {
  readonly text: string;
  readonly start: number;
  /** Where the answer tags stand in what was said around them, and why they leave it open which is the answer. */
  readonly tags?: { readonly said: string; readonly at: readonly [start: number, end: number]; readonly open?: string };
  /** Whether thinking begins behind it that never ends. */
  readonly unfinished?: boolean;
};
type Scope =
  | ScopeOfAnswer
  /** Why there is no answer to look for. */
  | { readonly none: string };

const answerTag = /<(\/?)(answer|final_answer|ans)>/gi;

export function scopeOf(response: string): Scope {
  const said = saidPart(response);
  return "none" in said ? said : { ...taggedPart(said), ...(said.unfinished && { unfinished: true }) };
}

type Part = { readonly text: string; readonly start: number; readonly unfinished?: boolean };

/** What follows the last thinking that ended; what stands before the thinking when nothing follows it. */
function saidPart(response: string): Part | { readonly none: string } {
  const blocks = reasoningBlocks(response);
  const last = blocks.at(-1);
  if (last === undefined)
    return response.trim() === "" ? { none: "the response is empty" } : { text: response, start: 0 };
  const unfinished = last.tags === "unclosed" && last.after === response.length;
  const places = [
    [last.after, response.length],
    [unfinished ? (blocks.at(-2)?.after ?? 0) : 0, unfinished ? last.from : 0],
    [0, blocks[0].from],
  ];
  for (const [start, end] of places) {
    const text = response.slice(start, end);
    if (text.trim() !== "") return { text, start, unfinished };
  }
  return { none: unfinished ? "the thinking never ended" : "nothing was said after the thinking" };
}

/** The content of the last answer tags, where there are any. */
function taggedPart(part: Part): Scope {
  const tags = [...part.text.matchAll(answerTag)].map(({ 0: tag, 1: slash, 2: name, index }) => ({
    closing: slash !== "",
    name: name.toLowerCase(),
    start: index,
    end: index + tag.length,
  }));
  const closing = tags.findLastIndex((tag, index) => tag.closing && tags.slice(0, index).some((one) => !one.closing));
  const opening = tags.findLastIndex((tag, index) => !tag.closing && index < closing);
  const unclosed = tags.findLast((tag, index) => !tag.closing && index > closing);
  if (unclosed !== undefined && part.text.slice(unclosed.end).trim() !== "")
    return { none: "the last answer tag is not closed" };
  if (closing === -1) return { text: part.text, start: part.start };
  const [from, to] = [tags[opening], tags[closing]];
  const text = part.text.slice(from.end, to.start);
  if (text.trim() === "") return { none: "the answer tags are empty" };
  const open = tags.length > 2 || from.name !== to.name ? "there are several answer tags" : undefined;
  return {
    text,
    start: part.start + from.end,
    tags: { said: part.text, at: [from.start, to.end], ...(open && { open }) },
  };
}
