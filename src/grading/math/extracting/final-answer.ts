// The answer of a response and of a gold text, found and read. The first statement that is found is the answer: when it cannot
// be read, nothing else takes its place.
import { contradicts } from "../comparing/resolve.ts";
import { isConstantExpression } from "../expressions/identity.ts";
import { expressionValue, textValue, type Value } from "../expressions/value.ts";
import type { MathOptions } from "../options.ts";
import { wordsAround } from "../reading/clause.ts";
import { longestAnswer } from "../reading/lexer.ts";
import { labeledChoice, readAnswer, readProse } from "../reading/read-answer.ts";
import { spokenMathematics } from "../reading/spoken.ts";
import { measureOf } from "../reading/units.ts";
import { type Candidate, candidatesIn } from "./candidates.ts";
import { choiceLetter } from "./choices.ts";
import { uncovered } from "./covered.ts";
import { boxesIn, formulasIn } from "./environments.ts";
import { looksLikeProse, plainMatches } from "./prose.ts";
import { type ScopeOfAnswer, scopeOf } from "./scope.ts";
import { surroundings } from "./surroundings.ts";

export type AnswerSource = Candidate["source"];

type Written = {
  readonly text: string;
  readonly at: readonly [start: number, end: number] | undefined;
  /** Where a gold answer in words and formulas may stand whole: the box, what follows "answer", a short response, its last line. */
  readonly said?: readonly string[];
};
export type ReadAnswer = Written & {
  readonly values: readonly Value[];
  /** The same text in another reading that is as likely to be meant. */
  readonly doubt?: readonly Value[];
  readonly source: AnswerSource;
  /** The letter of a choice that stood before it. */
  readonly label?: string;
};
/** `withdrawn`: there was an answer, and the response takes it back or changes it. `stated`: in a box, or said to be the answer. */
export type Answer = { readonly stated?: boolean } & (
  | ReadAnswer
  | (Written & { readonly missing: string; readonly source?: AnswerSource; readonly withdrawn?: true })
);

const longestWords = 200;
const mostReadings = 40;

/** What the response says its answer is, or why there is none. */
export function finalAnswer(response: string, options: MathOptions): Answer {
  const scope = scopeOf(response);
  if ("none" in scope) return { missing: scope.none, text: "", at: undefined };
  const read = answerIn(scope.text, options);
  const found = options.mode === "reward" ? rewarded(scope, read) : read;
  const at = found.at && ([found.at[0] + scope.start, found.at[1] + scope.start] as const);
  return { ...found, at, said: saidIn(scope.text, found) };
}

/** Of an answer that was found, whether a reward may be paid for it: for what nobody can take for something else. */
function rewarded({ text, tags, unfinished }: ScopeOfAnswer, read: Answer): Answer {
  if (read.at === undefined || "withdrawn" in read) return read;
  const { at } = read;
  const [start, end] = at;
  const because = (): string | undefined => {
    if (unfinished) return "the thinking never ended";
    if ("values" in read && contradictsLead(text.slice(0, start), read))
      return "the sides of the equation are different numbers";
    const around = tags && (tags.open ?? uncovered(tags.said, tags.at, true));
    if (around !== undefined) return around;
    if (tags && /^[\s$*.\\()[\]]*$/.test(text.slice(0, start) + text.slice(end))) return undefined;
    return read.stated
      ? uncovered(text, at, read.source === "box")
      : "a reward is paid for what stands in a box, in answer tags, or is said to be the answer";
  };
  const missing = because();
  if (missing === undefined) return { ...read, stated: true };
  return { missing, withdrawn: true, source: read.source, text: read.text, at };
}

const equated = /(?:^|[\n=$]|\\[([])([^=\n$<>≤≥]*[\d)}])\s*=(?:\s|\$|\\\()*$/;

/** "8 = \\boxed{7}": what stands before the box is another number. */
function contradictsLead(lead: string, { values: [value], source }: ReadAnswer): boolean {
  const side = source === "box" ? equated.exec(lead.slice(-300))?.[1] : undefined;
  if (side === undefined || looksLikeProse(side)) return false;
  const read = readAnswer(side);
  if (!("values" in read)) return false;
  const [number] = read.values;
  // "8 = \\boxed{B}": a number is no letter and no point either.
  const known = number.kind === "expression" && isConstantExpression(number.expression);
  if (known && (value.kind !== "expression" || !isConstantExpression(value.expression))) return true;
  const bare = value.kind === "expression" ? expressionValue(value.expression) : value;
  return contradicts({ kind: "relation", sides: [number, bare], operators: ["="] });
}

function saidIn(scope: string, found: Answer): readonly string[] {
  if ("withdrawn" in found && takenBackAt(scope, found)) return [];
  if (found.stated) return [found.text];
  const text = scope.trim();
  const last = text.slice(text.lastIndexOf("\n") + 1);
  return [...new Set([text, last])].filter((part) => part.length <= longestWords);
}

const takenBackAt = (scope: string, { at }: Answer): boolean =>
  at !== undefined && retraction.test(scope.slice(at[1], at[1] + 4_000));

function answerIn(text: string, options: MathOptions): Answer {
  const candidates = candidatesIn(text, options.extraction);
  if ("none" in candidates) return { missing: candidates.none, text: "", at: undefined };
  let first: Candidate | undefined;
  let unreadable = "";
  let tried = 0;
  for (const candidate of candidates.found) {
    // Several readings of one statement may be tried; another statement is another answer.
    if (first !== undefined && candidate.statement !== first.statement) break;
    if (++tried > mostReadings) break;
    const read = readCandidate(candidate, options);
    if ("values" in read) {
      const around = surroundings(text, candidate);
      const stated = isStated(candidate);
      if ("changed" in around)
        return { ...withdrawn(text, candidate, `"${around.changed}" beside the answer leaves it open`), stated };
      return { ...(takenBack(text, candidate) ?? counting(read, around.unit, options)), stated };
    }
    // Words between dollars are two prices, not a formula.
    if (candidate.source === "mathematics" && looksLikeProse(candidate.text)) continue;
    first ??= candidate;
    unreadable ||= read.unreadable;
  }
  if (first !== undefined)
    return {
      missing: unreadable,
      source: first.source,
      text: first.text,
      at: [first.start, first.end],
      stated: isStated(first),
    };
  const words = text.trim();
  // A short response without any mathematics is its own answer: "Saturday", "No solution."
  if (words === "" || words.length > longestWords || !options.extraction.unanchored)
    return { missing: "the response holds no answer", text: "", at: undefined };
  const start = text.indexOf(words);
  const denied = /\b(?:not|cannot|never)\b|n't\b|不/i.test(words);
  const said = denied ? [words] : [words, words.replace(/^.*(?:\b(?:is|are|was|be)\b:?|答案[是为：])/s, "")];
  const values = said.flatMap((part) => wordValues(part));
  return { values, text: words, source: "whole text", at: [start, start + words.length] };
}

const isStated = ({ source, statement, start }: Candidate): boolean =>
  source === "box" || (statement >= 0 && statement < start);

/** The words behind a number say what it counts; where units are asked for, only a unit does. */
function counting(answer: ReadAnswer, unit: string | undefined, { units }: MathOptions): ReadAnswer {
  if (unit === undefined || (units === "required" && measureOf(unit) === undefined)) return answer;
  const values = answer.values.map((value) =>
    value.kind === "expression" && value.unit === undefined && isConstantExpression(value.expression)
      ? { ...value, unit }
      : value,
  );
  return { ...answer, values };
}

/** "It is Saturday.", "The answer is seven.": the words, and what they spell. */
function wordValues(words: string): Value[] {
  const spoken = spokenMathematics(words.trim().replace(/\.$/, ""));
  const reading = looksLikeProse(spoken) ? undefined : readAnswer(spoken, true);
  return [textValue(words), ...(reading !== undefined && "values" in reading ? reading.values : [])];
}

const retraction =
  /(?:^|[.!?。！？\n]|\*\*)\s*(?:wait|actually|oops|correction|hold on|no,|sorry|hmm|等等|不对|更正|等一下)/i;
const refusal =
  /(?:\bdo(?:n't| not) know|\bcannot (?:determine|find|say)|\bno idea\b)[^.]{0,30}\banswer|\banswer\s+(?:is|remains)\s+["“]?(?:unknown|unclear|uncertain|none|not\s+(?:known|clear)|undetermined|impossible)|答案(?:未知|不明|不确定)/i;
const confirmation = /\b(?:correct|confirmed?|verified|checks? out|consistent|holds|right|yes)\b|正确|成立|无误/i;

/** "… \boxed{17}. Wait, that is wrong": an answer that is taken back, with no other stated, is nobody's answer. */
function takenBack(text: string, candidate: Candidate): Answer | undefined {
  const { end, source } = candidate;
  if ((source === "plain" || source === "mathematics") && refusal.test(text.slice(end, end + 400)))
    return withdrawn(text, candidate, "the response says that it has no answer");
  if (source !== "box" && source !== "answer") return undefined;
  const behind = text.slice(end, end + 4_000);
  const found = retraction.exec(behind);
  if (found === null || confirmation.test(behind.slice(found.index).replace(/\b(?:not|in)\s?correct\b/gi, "")))
    return undefined;
  return withdrawn(text, candidate, "the response takes its answer back");
}

const withdrawn = (text: string, { start, end, source }: Candidate, missing: string): Answer => ({
  missing,
  withdrawn: true,
  source,
  text: text.slice(start, end),
  at: [start, end],
});

type CandidateReading = ReadAnswer | { readonly unreadable: string };

function readCandidate({ text, source, bare, start, end }: Candidate, options: MathOptions): CandidateReading {
  return readText(text, source, bare, options, [start, end]);
}

function readText(
  written: string,
  source: AnswerSource,
  bare: boolean,
  options: MathOptions,
  at: Written["at"],
): CandidateReading {
  if (written.length > longestAnswer) return { unreadable: `an answer of ${written.length} characters` };
  const text = withoutBox(written.trim());
  if (text !== written.trim() && source !== "box") return readText(text, "box", false, options, at);
  if (source === "string") return { values: wordValues(text), text, source, at };
  const choice = labeledChoice(text);
  if (choice !== undefined && !(source === "mathematics" || source === "plain"))
    return { ...readChoice(choice, bare, options), text, source, at };
  const reading = readValues(text, source, bare, options);
  return "values" in reading ? { ...reading, text, source, at } : reading;
}

function readValues(text: string, source: AnswerSource, bare: boolean, options: MathOptions) {
  const spoken = spokenMathematics(text);
  if (!looksLikeProse(spoken)) return readAnswer(spoken, bare);
  // Words in a box are the answer; words behind "answer" are a sentence, and between dollars a price.
  const sentence = source === "mathematics" || source === "answer";
  if (sentence && !(source === "mathematics" && options.extraction.words))
    return { unreadable: `the words "${text.slice(0, 60)}"` };
  return readProse(text);
}

/** "(D) Alina": the letter, the text behind it and both together are ways to say it. */
function readChoice({ letter, rest }: { letter: string; rest: string }, bare: boolean, options: MathOptions) {
  // The brace that closes \textbf{(C) 12} may be left over; those of a box or a fraction are its own.
  const open = (rest.match(/\{/g)?.length ?? 0) < (rest.match(/\}/g)?.length ?? 0);
  const text = withoutBox(open ? rest.replace(/\}\s*$/, "").trim() : rest);
  const reading = text === "" ? undefined : readValues(text, "box", bare, options);
  const behind = reading !== undefined && "values" in reading ? reading.values : [];
  return { values: [...behind, textValue(letter)], label: letter };
}

/** A formula that is nothing but a box is what the box holds. */
function withoutBox(text: string): string {
  if (!/^\\(?:boxed|fbox)\b/.test(text)) return text;
  const { closed } = boxesIn(text);
  const outer = closed[closed.length - 1];
  return outer !== undefined && outer.start === 0 && /^[\s.,]*$/.test(text.slice(outer.end))
    ? outer.content.trim()
    : text;
}

// ---- the gold answer -----------------------------------------------------------------------------------------------

/** A gold answer is all answer: every part of it counts. Only a box in it says that the rest is explanation. */
export function goldAnswer(gold: string, options: MathOptions): Answer {
  // GSM8K keeps its solutions: the answer stands behind four hashes.
  const text = gold
    .slice(gold.lastIndexOf("####") + 1)
    .replace(/^###/, "")
    .trim();
  if (text === "") return { missing: "it is empty", text, at: undefined };
  const boxes = boxesIn(text);
  const lastClosed = boxes.closed[boxes.closed.length - 1];
  if (boxes.unclosed !== undefined && boxes.unclosed.start > (lastClosed?.end ?? -1))
    return readGold(boxes.unclosed.content, "box", false, options);
  const { spans } = formulasIn(text);
  if (boxes.closed.length > 0) return withChoice(boxedGold(text, options), options);
  const bare = spans.length === 0;
  const plain = bare ? text : text.replace(/(?<!\\)\$+|\\[()[\]]/g, " ").trim();
  const choice = bare ? labeledGold(text, options) : undefined;
  if (choice !== undefined) return withChoice(choice, options);
  const whole = readGold(plain, "whole text", bare, options);
  if (bare || ("values" in whole && whole.values[0].kind !== "text")) return withChoice({ ...whole, text }, options);
  const stated = statedFormula(text, spans);
  if (stated !== undefined) {
    const read = readGold(stated.content, "mathematics", false, options);
    const counted = "values" in read ? counting(read, stated.unit, options) : read;
    return withChoice({ ...counted, text }, options);
  }
  const announced = answerIn(text, relaxed(options, { unanchored: false }));
  const read = "values" in announced ? announced : { missing: "it mixes words and formulas", text, at: undefined };
  return withChoice({ ...read, text }, options);
}

/** "C Cecile", "the answer is (C) Cecile": a choice with its text and no mathematics. */
function labeledGold(text: string, options: MathOptions): Answer | undefined {
  const named = /^([A-J])[ \t]+(\p{Lu}\p{Ll}+.*)$/su.exec(text);
  if (named !== null)
    return {
      values: [textValue(named[2]), textValue(named[1])],
      label: named[1],
      text,
      source: "whole text",
      at: undefined,
    };
  const said = /\b(?:answer|option|choice)\s+is\s*:?\s*\(?([A-J])\)?(?=[\s.]|$)/.exec(text);
  if (said === null || !looksLikeProse(text)) return undefined;
  return {
    ...readChoice({ letter: said[1], rest: text.slice(said.index + said[0].length).trim() }, true, options),
    text,
    source: "answer",
    at: undefined,
  };
}

function readGold(text: string, source: AnswerSource, bare: boolean, options: MathOptions): Answer {
  const read = readText(text, source, bare, options, undefined);
  return "values" in read ? read : { missing: read.unreadable, text, at: undefined };
}

function boxedGold(text: string, options: MathOptions): Answer {
  const found = answerIn(text, relaxed(options, { boxPriority: 0 }));
  return "values" in found || found.text !== "" ? found : { ...found, text: text.slice(0, 1_000) };
}

/** However responses are searched, a gold answer is found wherever it stands. */
const relaxed = (options: MathOptions, extraction: Partial<MathOptions["extraction"]>): MathOptions => ({
  ...options,
  extraction: { ...options.extraction, unclosedBox: "earlier-box", ...extraction },
});

/** The one formula of a sentence that states it, "The answer is $5$": no other number, and no word that makes another value of it. */
function statedFormula(
  text: string,
  spans: readonly { start: number; end: number; content: string }[],
): { readonly content: string; readonly unit: string | undefined } | undefined {
  const [only, ...more] = spans;
  if (more.length > 0) return undefined;
  const [before, behind] = [text.slice(0, only.start), text.slice(only.end)];
  if (!plainMatches(`${before} ${behind}`, 0, text.length + 1).next().done) return undefined;
  const around = wordsAround(before, behind);
  // Only a number counts something.
  if (
    "changed" in around ||
    (around.unit !== undefined && /(?<!\\)[a-zA-Z]/.test(only.content.replace(/\\[a-zA-Z]+/g, "")))
  )
    return undefined;
  return { content: only.content, unit: around.unit };
}

/** The choices that the caller knows: a gold letter stands for its text, and a gold text for its letter. */
function withChoice(answer: Answer, { choices, ...options }: MathOptions): Answer {
  if (choices === undefined || !("values" in answer)) return answer;
  const letter = answer.label ?? answer.values.map(choiceLetter).find((found) => found !== undefined);
  const label =
    letter ?? Object.keys(choices).find((name) => choices[name].trim() === answer.text.trim().replace(/^\$|\$$/g, ""));
  if (label === undefined || choices[label] === undefined) return answer;
  const text = choices[label];
  const behind = goldAnswer(text, { ...options, choices: undefined });
  const values = "values" in behind ? behind.values : [];
  return { ...answer, label, values: [...answer.values, textValue(label), textValue(text), ...values] };
}
