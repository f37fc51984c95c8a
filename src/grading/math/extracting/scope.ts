// Which part of a response may hold its answer: what was said, not what was thought, and of that what stands in the answer tags.
// Where a response thinks is said in reasoning.ts, for all readers alike.
import { reasoningBlocks } from "../../reasoning.ts";

type Scope =
  | { readonly text: string; readonly start: number; readonly tagged: boolean }
  /** Why there is no answer to look for. */
  | { readonly none: string };

const answerTag = /<(\/?)(answer|final_answer|ans)>/gi;

export function scopeOf(response: string): Scope {
  const said = saidPart(response);
  return "none" in said ? said : taggedPart(said);
}

type Part = { readonly text: string; readonly start: number };

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
    if (text.trim() !== "") return { text, start };
  }
  return { none: unfinished ? "the thinking never ended" : "nothing was said after the thinking" };
}

/** The content of the last answer tags, where there are any. */
function taggedPart(part: Part): Scope {
  let open: number | undefined;
  let last: Part | undefined;
  for (const found of part.text.matchAll(answerTag)) {
    const end = found.index + found[0].length;
    if (found[1] === "") open = end;
    else if (open !== undefined) {
      last = { text: part.text.slice(open, found.index), start: part.start + open };
      open = undefined;
    }
  }
  if (open !== undefined && part.text.slice(open).trim() !== "") return { none: "the last answer tag is not closed" };
  if (last === undefined) return { ...part, tagged: false };
  return last.text.trim() === "" ? { none: "the answer tags are empty" } : { ...last, tagged: true };
}
