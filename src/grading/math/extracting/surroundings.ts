// What stands around a box or a formula and makes another value of it: "negative \\boxed{3}", "$3$ million", \\sqrt{\\boxed{3}}.
import { reachOfWords } from "../reading/spoken.ts";
import type { Candidate } from "./page.ts";

const delimitersBefore = /(?:\s|\$|\\[([]|\*\*)+$/;
const delimitersBehind = /^(?:\s|\$|\\[)\]]|\*\*)+/;
const wordBefore =
  /(?:^|[^a-zA-Z])(?:negative|minus|half of|twice|(?:square |cube )?root of|reciprocal of)$|(?:负|根号)$/i;
const wordBehind =
  /^(?:hundred|thousand|million|billion|trillion|dozen|squared|cubed|factorial)(?![a-zA-Z])|^[百千万亿](?![克米])/i;
/** A sign or command whose operand the box is. A tag ends in ">", and emphasis in stars. */
const signBefore =
  /(?:[-+/^]|\\(?:cdot|times|pm|mp|neq?|leq?|geq?|lt|gt|sqrt\s*\{|frac\s*\{(?:[^{}]*\}\s*\{)?)\s*|(?<!<\/?\w+)[<>]\s*)$/;
const signBehind = /^(?:\^|[+*/][\d\\(]|\\(?:cdot|times)(?![a-zA-Z])|![$\\])/;
const reach = 60;

export function isChangedAround(text: string, { source, bare, start, end }: Candidate): boolean {
  const before = text.slice(Math.max(0, start - reach), start);
  const behind = text.slice(end, end + reach);
  const [near, next] = [before.replace(delimitersBefore, ""), behind.replace(delimitersBehind, "")];
  if (source === "box")
    return wordBefore.test(near) || wordBehind.test(next) || signBefore.test(before) || signBehind.test(behind);
  if (bare || (source !== "answer" && source !== "final answer" && source !== "mathematics")) return false;
  if (source === "mathematics") return wordBefore.test(near) || wordBehind.test(next);
  const words = `${near} 5 ${next}`;
  const at = near.length + 1;
  const { start: from, end: to } = reachOfWords(words, at, at + 1);
  return from < at || to > at + 1;
}
