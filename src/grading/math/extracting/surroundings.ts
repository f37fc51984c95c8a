// What stands around the answer that was found: words and signs that make another value of it ("negative \\boxed{3}",
// \\sqrt{\\boxed{3}}, "the answer might be 3", "3 or so"), and the words behind it that say what it counts.
import { type Clause, clauseAround, deniedBehind, numbersThings } from "../reading/clause.ts";
import { tokensOf } from "../reading/lexer.ts";
import { changesValue, reachOfWords } from "../reading/spoken.ts";
import { type Token, Unreadable } from "../reading/tokens.ts";
import { measureOf } from "../reading/units.ts";
import { anchorEnd } from "./anchors.ts";
import type { Candidate } from "./page.ts";

const delimitersBefore = /(?:\s|\$|\\[([]|\*\*)+$/;
const delimitersBehind = /^(?:\s|\$|\\[)\]]|\*\*)+/;
const wordBefore =
  /(?:^|[^a-zA-Z])(?:negative|minus|half of|twice|(?:square |cube )?root of|reciprocal of|not|isn.t|(?:cannot|never|not|n.t)\s+(?:be|equal)|(?:wrong|incorrect|tempting|might|may|could)\s+(?:to\s+)?(?:say|think|answer|guess|claim|conclude)(?:\s+that)?(?:\s+(?:it|the\s+answer)\s+is)?)$|(?:负|根号|不是)$/i;
const wordBehind =
  /^(?:hundred|thousand|million|billion|trillion|dozen|squared|cubed|factorial)(?![a-zA-Z])|^[百千万亿](?![克米])/i;
/** \text{ cm}^2 and \,\mathrm{km}: the unit, and its power. */
const unitInFormula =
  /^(?:\\[,;: ]|~|\s)*\\(?:text|mathrm|textrm|mbox)\s*\{(?:\\[,;: ]|~|\s)*([^{}]{1,40}?)\s*\}(\^\{?\d\}?)?/;
const reach = 60;
const sentence = 300;

/** A number that nobody writes stands for the box among the tokens of its formula. */
const placeholder = "90817";

/**
 * Whether a box is the operand of something: a factor, a term, an argument, an exponent, a side of an inequality. What it may
 * stand beside is a closed class: equals signs, arrows, commas, words, brackets around it alone, marks of percent and degrees.
 */
function isOperand(led: string, followed: string): boolean {
  const before = foreignAtEnd.test(led) ? "" : led;
  const behind = foreignAtStart.test(followed) ? "" : followed;
  if (before.trim() === "" && behind.trim() === "") return false;
  let tokens: Token[];
  try {
    const formula = `${before.slice(-sentence)}${placeholder}${behind.slice(0, sentence)}`;
    tokens = tokensOf(formula);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return /[\^_({]\s*$/.test(before);
  }
  const at = tokens.findIndex(({ type, text }) => type === "number" && text === placeholder);
  if (at === -1) return true;
  let [left, right] = [at - 1, at + 1];
  while (tokens[left]?.type === "open" && tokens[right]?.type === "close") {
    left--;
    right++;
  }
  while (tokens[right].type === "operator" && /^(?:%|degrees)$/.test(tokens[right].text)) right++;
  if (
    tokens[right].text === "^" &&
    /^(?:circ|degrees)$/.test(tokens[right + (tokens[right + 1].text === "{" ? 2 : 1)].text)
  )
    return false;
  const freeBefore = left < 0 || tokens[left].text === ":" || leavesAlone(tokens[left]);
  return !freeBefore || !leavesAlone(tokens[right]);
}

const leavesAlone = ({ type, text }: Token): boolean =>
  /^(?:separator|arrow|end)$/.test(type) ||
  (type === "command" && /^(?:begin:.*|end:.*|[pb]?mod|pod)$/.test(text)) ||
  (type === "relation" && /^(?:=|approx|equiv|in)$/.test(text)) ||
  (type === "text" && !changesValue(text));

const operators = String.raw`[-+*/^=<>≤≥≠±×÷·−]|\\(?:cdot|times|div|pm|mp|neq?|leq?|geq?|lt|gt)`;
const beginsWithOperator = new RegExp(`^(?:${operators})`);
const operatorsAlone = new RegExp(`^(?:${operators})*$`);
const enumerator = /^[([]?\w{1,3}[).:\]]+$/;
const isProse = (piece: string): boolean =>
  /(?<!\\[a-zA-Z]*)[a-zA-Z]{2,}|[.,:;!?。，：；！？]$/.test(piece) || enumerator.test(piece);

/** Emphasis, quotes, cells of a table and tags, of markup and of chat templates. */
const marksAtEnd = /(?:<[^<>\s]*>|[*_`~|"“(（…】」』）])+$/;
const marksAtStart = /^(?:<[^<>\s]*>|[*_`~|"”)!?.,;:…](?!\d))+/;
const foreign = String.raw`(?![a-zA-Z]|\p{Script=Greek})\p{L}`;
const foreignAtEnd = new RegExp(`${foreign}$`, "u");
const foreignAtStart = new RegExp(`^${foreign}`, "u");
/**
 * What is part of a value where it touches a box: a number, a letter by itself, a command, a bracket, a sign. Words are not: there
 * are languages without spaces, and writers who forget them.
 */
const valueAtEnd =
  /(?:\d|(?<![\p{L}\\])[a-zA-Z\p{Script=Greek}]|\\[a-zA-Z]+|(?<![a-zA-Z])(?:sin|cos|tan|log|ln|exp|sqrt)|[)\]}{^+/×÷·−±√-]|(?<=[\w)\]}])[<>≤≥≠])$/u;
const valueAtStart =
  /^(?:\d|[a-zA-Z\p{Script=Greek}](?!\p{L})|\\[a-zA-Z]|\((?!\p{L}{2})|[[{^_]|[-+*/×÷·−±<>≤≥≠](?=[\d\\(]|[a-zA-Z\p{Script=Greek}](?!\p{L})))/u;

/** The mathematics that a box in a sentence is part of, on one side: what is glued to it, or joined by an operator. */
function joined(pieces: readonly string[], glued: boolean): readonly string[] {
  if (!glued && !(pieces.length > 0 && beginsWithOperator.test(pieces[0]))) return [];
  const end = pieces.findIndex((piece, i) => (i > 0 || !glued) && isProse(piece));
  const found = end === -1 ? pieces : pieces.slice(0, end);
  // A dash before a box or behind it is punctuation where no operand follows, and "Step 3 - 5" numbers things.
  const numbered = end !== -1 && numbersThings(pieces[end]);
  return !glued && (numbered || found.every((piece) => operatorsAlone.test(piece))) ? [] : found;
}

/** The same for a box that nobody has put into a formula. */
function besideBox(text: string, start: number, end: number): { readonly before: string; readonly behind: string } {
  const line = (some: string, at: number): string => some.split("\n").at(at) ?? "";
  const head = line(text.slice(Math.max(0, start - reach), start), -1).replace(marksAtEnd, "");
  const tail = line(text.slice(end, end + reach), 0).replace(marksAtStart, "");
  if (head.trim() === "" && tail.trim() === "") return { before: "", behind: "" };
  const before = joined(head.trim().split(/\s+/).reverse(), valueAtEnd.test(head));
  const behind = joined(tail.trim().split(/\s+/), valueAtStart.test(tail));
  return { before: [...before].reverse().join(" "), behind: behind.join(" ") };
}

/** A box holds the answer whatever led up to it; only what makes another value of it counts, and a unit behind it. */
function aroundBox(text: string, { start, end, formula }: Candidate): Clause {
  const before = text.slice(Math.max(0, start - reach), start);
  const behind = text.slice(end, end + reach);
  const [near, next] = [before.replace(delimitersBefore, ""), behind.replace(delimitersBehind, "")];
  if (wordBefore.test(near)) return { changed: near.slice(-20) };
  if (
    wordBehind.test(next) ||
    /^(?:\s*\?|(?:st|nd|rd|th)(?![a-zA-Z]))/.test(next) ||
    deniedBehind(text.slice(end, end + sentence))
  )
    return { changed: next.slice(0, 20) };
  const set = unitInFormula.exec(next);
  const unit =
    set === null ? /^(?:\\?[a-zA-Z$€£¥]+\.?)(?:\s+per\s+[a-zA-Z]+)?/.exec(next)?.[0] : set[1] + (set[2] ?? "");
  const measured = unit !== undefined && measureOf(unit) !== undefined;
  const around = formula ?? besideBox(text, start, end);
  if (isOperand(around.before, measured && formula === undefined ? "" : around.behind))
    return { changed: `${around.before.slice(-20)} □ ${around.behind.slice(0, 20)}`.trim() };
  return { unit: measured ? unit : undefined };
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
