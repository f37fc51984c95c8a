// From the text of an answer to the values it may stand for. Most texts have one reading; "1/2x" and "12,5" have two.

import { symbol } from "../expressions/expression.ts";
import { expressionValue, textValue, type Value } from "../expressions/value.ts";
import { plainMatches } from "../extracting/prose.ts";
import { wordsAround } from "./clause.ts";
import { longestAnswer, tokensOf } from "./lexer.ts";
import { Parser } from "./parser.ts";
import { type Token, Unreadable } from "./tokens.ts";

type Reading =
  /** `doubt`: what the text says in another reading, where the one is as likely to be meant as the other. */
  | { readonly values: readonly Value[]; readonly doubt?: readonly Value[] }
  /** Why the text makes no sense as mathematics. */
  | { readonly unreadable: string };

/** The values a text may stand for; the first is the one that is shown. A bare "12,5" may be twelve and a half; in mathematics it is a list. */
export function readAnswer(source: string, bare = false): Reading {
  if (source.length > longestAnswer) return { unreadable: `an answer of ${source.length} characters` };
  const text = cleaned(source);
  const read = readStatement(text, bare);
  const equation = "values" in read ? undefined : behindLastEquals(text);
  if (equation === undefined) return read;
  const reading = readStatement(equation.right, bare);
  if (!("values" in reading)) return read;
  // What cannot be read is still a name of its own, so that it is never taken for another.
  const left = expressionValue(symbol(equation.left));
  const named = (right: Value): Value => ({ kind: "relation", sides: [left, right], operators: ["="] });
  return { values: reading.values.map(named), ...(reading.doubt && { doubt: reading.doubt.map(named) }) };
}

/** One comma between digits may be a decimal one; of several, only where something else separates them. */
const hasDecimalComma = (text: string): boolean =>
  /^[^,]*\d,\d[^,]*$/.test(text) ||
  (/\d,\d/.test(text) && !/,(?!\d)/.test(text) && /;|\band\b|\bor\b|\d\.\d{3},/.test(text));

/** Between vectors a cross is no product of numbers: it has an order. */
const crossProduct =
  /\\(?:vec|overrightarrow|mathbf|boldsymbol|bm|hat)\s*(?:\{[^{}]*\}|[a-zA-Z])\s*\\times\s*\\(?:vec|overrightarrow|mathbf|boldsymbol|bm|hat)/;

function readStatement(text: string, bare: boolean): Reading {
  if (crossProduct.test(text)) return { unreadable: "a cross product" };
  const first = readWith(text, bare, "digit");
  if (!first.ambiguousScript) return first.reading;
  const whole = readWith(text, bare, "whole").reading;
  if (!("values" in first.reading)) return whole;
  return "values" in whole ? { values: first.reading.values, doubt: whole.values } : first.reading;
}

function readWith(
  text: string,
  bare: boolean,
  scripts: "digit" | "whole",
): { readonly reading: Reading; readonly ambiguousScript: boolean } {
  const values: Value[] = [];
  let unreadable = "";
  let ambiguousScript = false;
  for (const decimalComma of bare && hasDecimalComma(text) ? [true, false] : [false]) {
    for (const tightSlash of [false, true]) {
      try {
        const tokens = settledSpacing(tokensOf(text, decimalComma));
        const parser = new Parser(tokens, { tightSlash, scripts });
        const value = parser.answer();
        ambiguousScript ||= parser.ambiguousScript;
        values.push(shallow(value));
        if (!parser.ambiguousSlash) break;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable ||= error.message;
        break;
      }
    }
  }
  return { reading: values.length > 0 ? { values } : { unreadable }, ambiguousScript };
}

const deepest = 300;

/** Brackets are bounded while reading; rows of slashes, primes and unions nest without any, and are bounded here. */
function shallow(value: Value): Value {
  const open: { readonly part: object; readonly depth: number }[] = [{ part: value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > 2 * deepest) throw new Unreadable(`nested more than ${deepest} deep`);
    for (const child of Object.values(next.part))
      if (typeof child === "object" && child !== null) open.push({ part: child, depth: next.depth + 1 });
  }
  return value;
}

/** A choice with its letter: "(D) Alina", \textbf{(C)} 12, "C. 12". */
export function labeledChoice(text: string): { readonly letter: string; readonly rest: string } | undefined {
  const found = choicePattern.exec(text);
  // "(A) and (C)" are two choices.
  if (found === null || /^(?:,|and|or|&|、|和|或|nor)?\s*\(?[A-J]\)?(?![a-zA-Z])|^(?:and|or|nor)\b/.test(found[3]))
    return undefined;
  return { letter: found[1] ?? found[2], rest: found[3].trim() };
}

/** Of a list, a chain or an inequality the last part is not the whole. */
const severalParts = /[,;<>&]|\\(?:ne|neq|le|leq|ge|geq|lt|gt|quad|qquad)(?![a-zA-Z])|\b(?:and|or)\b/;

/** What an equation comes to, when its left side is beyond us: the text behind the last equals sign outside all brackets. */
function behindLastEquals(text: string): { readonly left: string; readonly right: string } | undefined {
  let level = 0;
  let last: number | undefined;
  let outside = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (/[({[]/.test(character)) level++;
    else if (/[)}\]]/.test(character)) level--;
    else if (level === 0) outside += character;
    if (character === "=" && level === 0 && !/[<>!=:~]/.test(text[i - 1] ?? "")) last = i;
  }
  if (last === undefined || severalParts.test(outside.replace(/\\[,;:! ]/g, " "))) return undefined;
  const [left, right] = [text.slice(0, last).trim(), text.slice(last + 1).trim()];
  return left === "" || right === "" ? undefined : { left, right };
}

/** Words: the text itself, and the number it states when it is the only one and no word makes another value of it. */
export function readProse(source: string): Reading {
  const values: Value[] = [textValue(source.trim())];
  const numbers = [...plainMatches(source, 0, source.length)];
  const last = numbers[numbers.length - 1];
  const stated = last !== undefined && /(?:\b(?:is|are|equals)|[=:])\s*$/i.test(source.slice(0, last.start));
  const only = numbers.length === 1 || (stated && /^[\s.!]*$/.test(source.slice(last.end)));
  if (!only) return { values };
  const spoken = source.replace(/\\(?:text|textbf|textrm|mathrm|mbox)\s*\{|[{}]|\\[,;:! ]/g, (part) =>
    " ".repeat(part.length),
  );
  const [before, behind] = [spoken.slice(0, last.start), spoken.slice(last.end)];
  // Other signs of mathematics around the number mean that it is not all there is.
  const around = /[\^_<>+*|\\]/.test(before + behind) ? undefined : wordsAround(before, behind);
  if (around === undefined || "changed" in around) return { values };
  const reading = readAnswer(last.content, true);
  if (!("values" in reading)) return { values };
  for (const value of reading.values)
    values.push(value.kind === "expression" && value.unit === undefined ? { ...value, unit: around.unit } : value);
  return { values };
}

const choicePattern =
  /^(?:\s|\\[,;! ])*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{\s*)?(?:\(([A-J])\)|([A-J])[.)])(?:\s*\})?(?:\\[ ,;~]|[\s~:.])*(.*)$/s;

function cleaned(source: string): string {
  return (
    source
      .trim()
      // 3:45 p.m.
      .replace(
        /(\d)(?:\{:\}|:)([0-5]\d)(?:\s|~|\\[ ,;])*(?:\\(?:text|textrm|mathrm)\s*\{\s*([ap])\.?\s?m\.?\s*\}|([ap])\.?\s?m\b\.?)/gi,
        (_, hour: string, minutes: string, set?: string, bare?: string) =>
          `${hour}:${minutes} ${(set ?? bare ?? "").toUpperCase()}M`,
      )
      // Markdown emphasis around the whole, and the full stop of the sentence.
      .replace(/^\*\*(.*)\*\*$/s, "$1")
      // ₅C₂ with its first number in front.
      .replace(
        /(?:\{\s*\})?[_^]\s*(?:\{(\w+)\}|(\w))\s*(?:\\mathrm\s*\{\s*C\s*\}|C)\s*_\s*(?:\{(\w+)\}|(\w))/g,
        (_, a, b, c, d) => `\\binom{${a ?? b}}{${c ?? d}}`,
      )
      .replace(/(?:\\\\)?\s*[.,;:。，]+\s*(\$*)$/, (found, dollars: string, at: number, whole: string) =>
        // The dots of a decimal that goes on stay.
        found.startsWith("...") && /\.\d+$/.test(whole.slice(0, at)) ? `...${dollars}` : dollars,
      )
  );
}

/** Wide spaces and line ends separate answers only where they stand between two complete ones. */
function settledSpacing(tokens: readonly Token[]): Token[] {
  let environments = 0;
  return tokens.filter((token, index) => {
    if (token.type === "command" && token.text.startsWith("begin:")) environments++;
    if (token.type === "command" && token.text.startsWith("end:")) environments--;
    if (token.type !== "separator" || !(token.text === "quad" || (token.text === "row" && environments === 0)))
      return true;
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (before === undefined || after === undefined) return false;
    return (
      !/^(?:separator|relation|operator|open|set-operator|arrow)$/.test(before.type) &&
      !/^(?:separator|relation|operator|close|set-operator|arrow|end|text)$/.test(after.type)
    );
  });
}
