// Which part of a response may hold its answer: what was said, not what was thought, and of that what stands in the answer tags.

export type Scope =
  | { readonly text: string; readonly start: number; readonly tagged: boolean }
  /** Why there is no answer to look for. */
  | { readonly none: string };

const thinkingTag =
  /<(\/?)(think|thinking|thought|reasoning)>|(◁\/?think▷)|<\|(begin|end)_of_thought\|>|<(\/?)answer>/gi;
const answerTag = /<(\/?)(answer|final_answer|ans)>/gi;

export function scopeOf(response: string): Scope {
  const said = saidPart(response);
  return "none" in said ? said : taggedPart(said);
}

type Part = { readonly text: string; readonly start: number };

/** What follows the last thinking that ended; what stands before any thinking when nothing follows it. */
function saidPart(response: string): Part | { readonly none: string } {
  let closedAt = 0;
  let firstOpen: number | undefined;
  let open: { readonly at: number; readonly name: string } | undefined;
  for (const found of response.matchAll(thinkingTag)) {
    const end = found.index + found[0].length;
    const [tag, slash, name = "", other, edge, answerSlash] = found;
    if (/answer/i.test(tag)) {
      // An answer tag ends a reasoning block that was left open, as in the format of the puzzles.
      if (answerSlash === "" && open?.name === "reasoning") {
        closedAt = found.index;
        open = undefined;
      }
      continue;
    }
    const closes = slash === "/" || edge === "end" || other?.startsWith("◁/");
    if (closes) {
      closedAt = end;
      open = undefined;
    } else {
      firstOpen ??= found.index;
      open ??= { at: found.index, name: name.toLowerCase() };
    }
  }
  const until = open?.at ?? response.length;
  const after = response.slice(closedAt, until);
  if (after.trim() !== "") return { text: after, start: closedAt };
  const before = response.slice(0, firstOpen ?? 0);
  if (before.trim() !== "") return { text: before, start: 0 };
  if (open !== undefined) return { none: "the thinking never ended" };
  return { none: closedAt > 0 ? "nothing was said after the thinking" : "the response is empty" };
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
