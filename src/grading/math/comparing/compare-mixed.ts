// Answers in words and formulas, such as "concave up on $(0, 1)$" or "center $(1, 2)$, radius $3$": the same words in the same
// order with equal formulas between them say the same. Anything else about them is not known here.
import { formulasIn } from "../extracting/environments.ts";
import { readAnswer } from "../reading/read-answer.ts";
import type { Terms } from "./compare-expressions.ts";
import { compareValues } from "./compare-values.ts";
import { anyOf } from "./comparison.ts";

type Parts = { readonly words: string; readonly formulas: readonly string[] };

const longest = 400;
const mark = "□";
/** Words that only hold a sentence together; "not" and "or" are none. */
const fillers = /(?<![\p{L}])(?:the|a|an|is|are|and|has|have|its|with)(?![\p{L}])/giu;
const wordGroup = /\\(?:text|textbf|textit|textrm|mbox)\s*\{([^{}]*)\}/g;
const opening =
  /^\s*(?:\*\*)?(?:(?:so|thus|hence|therefore),?\s+)?(?:the\s+)?(?:final\s+)?answer\s*(?:is|:)\s*(?:\*\*)?/i;

/** The words with a mark for every formula, and the formulas. */
function partsOf(source: string): Parts | undefined {
  if (source.length > longest || source.includes(mark)) return undefined;
  const formulas: string[] = [];
  const taken = (formula: string): string => {
    if (formula.trim() === "") return " ";
    formulas.push(formula.trim());
    return ` ${mark} `;
  };
  let words = "";
  let at = 0;
  const plain = (text: string) => text.replace(/[([{]?-?\d[^\p{L}]*(?<![\s.,;:])/gu, taken);
  const { spans } = formulasIn(source);
  if (spans.length > 0) {
    for (const { start, end, content } of spans) {
      words += plain(source.slice(at, start)) + taken(content);
      at = end;
    }
    words += plain(source.slice(at));
  } else if (source.search(wordGroup) >= 0) {
    for (const found of source.matchAll(wordGroup)) {
      words += taken(source.slice(at, found.index).replace(/^[\s,;:.]+|[\s,;:.]+$/g, "")) + plain(found[1]);
      at = found.index + found[0].length;
    }
    words += taken(source.slice(at).replace(/^[\s,;:.]+|[\s,;:.]+$/g, ""));
  } else words = plain(source);
  if (/[\\^_<>=+*|]/.test(words)) return undefined;
  return {
    words: words
      .toLowerCase()
      .replace(fillers, " ")
      .replace(/[\s.,;:()*"'-]+/g, " ")
      .trim(),
    formulas,
  };
}

/** Whether some part of what was said is the gold text, formula for formula. */
export function sameMixed(gold: string, said: readonly string[], terms: Terms): boolean {
  const wanted = partsOf(gold);
  if (wanted === undefined || !/\p{L}/u.test(wanted.words)) return false;
  return said.some((text) => {
    const parts = partsOf(text.replace(opening, ""));
    if (parts === undefined || parts.words !== wanted.words) return false;
    return wanted.formulas.every((formula, index) => {
      const [a, b] = [formula, parts.formulas[index]].map((written) => readAnswer(written));
      if (!("values" in a) || !("values" in b) || a.doubt !== undefined || b.doubt !== undefined)
        return formula === parts.formulas[index];
      const pairs = a.values.flatMap((x) => b.values.map((y) => () => compareValues(x, y, terms)));
      return anyOf(pairs).outcome === "equal";
    });
  });
}
