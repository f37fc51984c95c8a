// From the text of an answer to the values it may stand for. Most texts have one reading; "1/2x" and "12,5" have two.

import { textValue, type Value } from "../expressions/value.ts";
import { plainMatches } from "../extracting/prose.ts";
import type { NormalisationOptions } from "../options.ts";
import { longestAnswer, tokensOf } from "./lexer.ts";
import { Parser } from "./parser.ts";
import { type Token, Unreadable } from "./tokens.ts";

export type Reading =
  | { readonly values: readonly Value[] }
  /** Why the text makes no sense as mathematics. */
  | { readonly unreadable: string };

export type ReadingContext = {
  readonly normalisation: NormalisationOptions;
  /** A bare "12,5" may be twelve and a half; in mathematics it is a list. */
  readonly decimalComma: boolean;
};

export function readAnswer(source: string, context: ReadingContext): Reading {
  if (source.length > longestAnswer) return { unreadable: `an answer of ${source.length} characters` };
  const text = cleaned(source, context.normalisation);
  const values: Value[] = [];
  let unreadable = "";
  for (const decimalComma of context.decimalComma && /\d,\d/.test(text) ? [true, false] : [false]) {
    for (const tightSlash of [false, true]) {
      try {
        const tokens = settledSpacing(tokensOf(text, { ...context.normalisation, decimalComma }));
        const parser = new Parser(tokens, { malformedOperators: context.normalisation.malformedOperators, tightSlash });
        values.push(parser.answer());
        if (!parser.ambiguousSlash) break;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable ||= error.message;
        break;
      }
    }
  }
  if (values.length === 0) {
    const tail = behindLastEquals(text);
    const reading = tail === undefined ? undefined : readAnswer(tail, context);
    if (reading !== undefined && "values" in reading) values.push(...reading.values);
  }
  const choice = labelledChoice.exec(text);
  if (choice !== null) {
    const letter = choice[1] ?? choice[2];
    const rest = choice[3].trim();
    const behind = rest === "" ? undefined : readAnswer(rest, context);
    if (behind !== undefined && "values" in behind) values.push(...behind.values);
    values.push(textValue(letter));
  }
  return values.length > 0 ? { values } : { unreadable };
}

/** What an equation comes to, when its left side is beyond us: the text behind the last equals sign outside all brackets. */
function behindLastEquals(text: string): string | undefined {
  let level = 0;
  let last: number | undefined;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (/[({[]/.test(character)) level++;
    else if (/[)}\]]/.test(character)) level--;
    else if (character === "=" && level === 0 && !/[<>!=:~]/.test(text[i - 1] ?? "")) last = i;
  }
  const tail = last === undefined ? "" : text.slice(last + 1).trim();
  return tail === "" ? undefined : tail;
}

/** Words: the text itself, and the number it states. Of several numbers one counts only when the sentence ends in it. */
export function readProse(source: string, context: ReadingContext): Reading {
  const values: Value[] = [textValue(source.trim())];
  const numbers = [...plainMatches(source, 0, source.length)];
  const last = numbers[numbers.length - 1];
  const stated = last !== undefined && /(?:\b(?:is|are|equals)|[=:])\s*$/i.test(source.slice(0, last.start));
  if (numbers.length === 1 || (stated && /^[\s.!]*$/.test(source.slice(last.end)))) {
    const reading = readAnswer(last.content, { ...context, decimalComma: true });
    if ("values" in reading) values.push(...reading.values);
  }
  return { values };
}

/** \textbf{(C)} 12, (C) 12, \text{C. } 12: the letter is as much the answer as what stands behind it. */
const labelledChoice =
  /^\s*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{\s*)?(?:\(([A-J])\)|([A-J])[.)])(?:\s*\})?(?:\\[ ,;~]|[\s~:.])*(.*)$/s;

function cleaned(source: string, normalisation: NormalisationOptions): string {
  if (!normalisation.nits) return source;
  return (
    source
      .trim()
      // Markdown emphasis around the whole, and the full stop of the sentence.
      .replace(/^\*\*(.*)\*\*$/s, "$1")
      // ₅C₂ with its first number in front.
      .replace(
        /(?:\{\s*\})?[_^]\s*(?:\{(\w+)\}|(\w))\s*(?:\\mathrm\s*\{\s*C\s*\}|C)\s*_\s*(?:\{(\w+)\}|(\w))/g,
        (_, a, b, c, d) => `\\binom{${a ?? b}}{${c ?? d}}`,
      )
      .replace(/(?:\\\\)?\s*[.,;:。，]+\s*(\$*)$/, "$1")
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
