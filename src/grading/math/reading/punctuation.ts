// The tokens that characters other than letters and digits stand for.
import type { Mark, TokenType } from "./tokens.ts";

const mark = (type: TokenType, text: string): Mark => ({ type, text });

/** Longest first: "<=>" before "<=" before "<". */
const marks: readonly (readonly [written: string, mark: Mark | "skip"])[] = [
  ["+/-", mark("operator", "±")],
  ["<=>", mark("arrow", "then")],
  ["==>", mark("arrow", "then")],
  ["<=", mark("relation", "<=")],
  [">=", mark("relation", ">=")],
  ["=<", mark("relation", "<=")],
  ["!=", mark("relation", "!=")],
  ["==", mark("relation", "=")],
  [":=", mark("relation", "=")],
  ["~=", mark("relation", "approx")],
  ["=>", mark("arrow", "then")],
  ["->", mark("arrow", "to")],
  ["**", mark("operator", "^")],
  ["(", mark("open", "(")],
  [")", mark("close", ")")],
  ["[", mark("open", "[")],
  ["]", mark("close", "]")],
  ["{", mark("open", "{")],
  ["}", mark("close", "}")],
  ["|", mark("bar", "|")],
  ...[..."+-*/^_!'%:"].map((character) => [character, mark("operator", character)] as const),
  ...[..."=<>"].map((character) => [character, mark("relation", character)] as const),
  ...[...",;&."].map((character) => [character, mark("separator", character)] as const),
  ...[..."€£¥₹¢"].map((character) => [character, mark("text", character)] as const),
  ...[...'~$"`'].map((character) => [character, "skip"] as const),
];

const byFirst = new Map<string, (readonly [string, Mark | "skip"])[]>();
for (const entry of marks) {
  const first = entry[0][0];
  byFirst.set(first, [...(byFirst.get(first) ?? []), entry]);
}

type Punctuation = { readonly mark: Mark | "skip"; readonly width: number };

export function punctuationAt(text: string, at: number): Punctuation | undefined {
  if (text.startsWith("...", at)) {
    let width = 3;
    while (text[at + width] === ".") width++;
    return { mark: mark("name", "…"), width };
  }
  for (const [written, found] of byFirst.get(text[at]) ?? [])
    if (text.startsWith(written, at)) return { mark: found, width: written.length };
  return undefined;
}
