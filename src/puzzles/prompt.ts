// What a model is asked: the rules, the board, and the form of the answer. Small models that learn one puzzle by heart
// get the board alone.
import type { AnyPuzzle } from "./puzzle.ts";

export type PromptStyle = "full" | "board";

export function puzzlePrompt(puzzle: AnyPuzzle, instance: unknown, style: PromptStyle = "full"): string {
  const givens = puzzle.renderGivens(instance);
  if (style === "board") return `${puzzle.name}\n${givens}\n`;
  const { width, height } = puzzle.size(instance);
  return [
    `Solve this ${puzzle.title} puzzle (${width} columns, ${height} rows).`,
    puzzle.rules,
    `The puzzle:\n${givens}`,
    "Think step by step inside <reasoning> and </reasoning>. Then give the solved board, and nothing else, inside <answer> and </answer>: " +
      `plain text, ${height} lines of ${width} cells separated by spaces.`,
  ].join("\n\n");
}

/** A whole response in the form that the prompt asks for. */
export function puzzleResponse(reasoning: string, answer: string): string {
  return `<reasoning>\n${reasoning}\n</reasoning>\n<answer>\n${answer}\n</answer>`;
}
