// What stands around the answer that was found: words and signs that make another value of it ("negative \\boxed{3}",
// \\sqrt{\\boxed{3}}, "the answer might be 3", "3 or so"), and the words behind it that say what it counts.
import { type Clause, clauseAround } from "../reading/clause.ts";
import { reachOfWords } from "../reading/spoken.ts";
import { measureOf } from "../reading/units.ts";
import { anchorEnd } from "./anchors.ts";
import type { Candidate } from "./page.ts";

const delimitersBefore = /(?:\s|\$|\\[([]|\*\*)+$/;
const delimitersBehind = /^(?:\s|\$|\\[)\]]|\*\*)+/;
const wordBefore =
  /(?:^|[^a-zA-Z])(?:negative|minus|half of|twice|(?:square |cube )?root of|reciprocal of|not|isn.t)$|(?:负|根号|不是)$/i;
const wordBehind =
  /^(?:hundred|thousand|million|billion|trillion|dozen|squared|cubed|factorial)(?![a-zA-Z])|^[百千万亿](?![克米])/i;
/** A sign or command whose operand the box is. A tag ends in ">", and emphasis in stars. */
const signBefore =
  /(?:[-+/^]|\\(?:cdot|times|pm|mp|neq?|leq?|geq?|lt|gt|sqrt\s*\{|frac\s*\{(?:[^{}]*\}\s*\{)?)\s*|(?<!<\/?\w+)[<>]\s*)$/;
const signBehind = /^(?:\^|[+*/][\d\\(]|\\(?:cdot|times)(?![a-zA-Z])|![$\\])/;
const reach = 60;
const sentence = 300;

/** A box holds the answer whatever led up to it; only what makes another value of it counts, and a unit behind it. */
function aroundBox(text: string, { start, end }: Candidate): Clause {
  const before = text.slice(Math.max(0, start - reach), start);
  const behind = text.slice(end, end + reach);
  const [near, next] = [before.replace(delimitersBefore, ""), behind.replace(delimitersBehind, "")];
  if (wordBefore.test(near) || signBefore.test(before)) return { changed: near.slice(-20) };
  if (wordBehind.test(next) || signBehind.test(behind)) return { changed: next.slice(0, 20) };
  const unit = /^(?:\\?[a-zA-Z$€£¥]+\.?)(?:\s+per\s+[a-zA-Z]+)?/.exec(next)?.[0];
  return { unit: unit !== undefined && measureOf(unit) !== undefined ? unit : undefined };
}

export function surroundings(text: string, candidate: Candidate): Clause {
  const { source, start, end, bare, statement } = candidate;
  if (source === "box" || /\\(?:boxed|fbox)\b/.test(text.slice(start, end))) return aroundBox(text, candidate);
  if (source === "whole text") return { unit: undefined };
  const behind = text.slice(end, end + sentence);
  const announced = statement < start ? anchorEnd(text, statement) : undefined;
  const from = Math.max(0, (announced === undefined ? start : statement) - sentence);
  const around =
    announced === undefined
      ? { lead: text.slice(from, start) }
      : { head: text.slice(from, statement), lead: text.slice(announced, start) };
  // A letter is followed by whatever the sentence says next.
  if (source === "string" && /^[)*"\s]*(?:if|unless|or\b|\?)/i.test(behind)) return { changed: behind.slice(0, 20) };
  const clause = clauseAround({
    ...around,
    behind: source === "string" ? "" : behind,
    formula: !bare || /^[([]/.test(candidate.text),
  });
  if ("changed" in clause || bare || source === "string") return clause;
  const near = text.slice(Math.max(0, start - reach), start).replace(delimitersBefore, "");
  const words = `${near} 5 ${behind.slice(0, reach).replace(delimitersBehind, "")}`;
  const { start: first, end: last } = reachOfWords(words, near.length + 1, near.length + 2);
  return first < near.length + 1 || last > near.length + 2 ? { changed: words } : clause;
}
