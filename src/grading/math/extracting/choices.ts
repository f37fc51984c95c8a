// Letters of a multiple choice: a value that is nothing but one.
import type { Value } from "../expressions/value.ts";

/** Looked for where the gold answer is one of them; a lone capital elsewhere in a sentence is often something else. */
export const choiceLetters: readonly string[] = [..."ABCDEFGHIJ"];

export function choiceLetter(value: Value): string | undefined {
  const text =
    value.kind === "text"
      ? value.text
      : value.kind === "expression" && value.unit === undefined && value.expression.kind === "symbol"
        ? value.expression.name
        : "";
  return /^\(?([A-J])\)?\.?$/.exec(text.trim())?.[1];
}
