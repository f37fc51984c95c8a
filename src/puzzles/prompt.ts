// What a model is asked: the rules, the board, and the form of the answer. Small models that learn one puzzle by heart
// get the board alone. What may be added, left out or asked otherwise is a variant; a variant never changes the puzzle.
import { ConfigurationError } from "../base/errors.ts";
import { boardForms, formRules, inForm } from "./board-forms.ts";
import { jsonBoard } from "./json-answer.ts";
import { type AnyPuzzle, canonicalId } from "./puzzle.ts";

export type PromptStyle = "full" | "board";

export const promptVariants = ["example", "unique", "json", ...boardForms] as const;
/**
 * example: another puzzle of the kind with its answer · unique: says that there is exactly one solution · json: the answer as
 * JSON · drawn, intformat, intformat-json: boards as TopoBench writes them.
 */
export type PromptVariant = (typeof promptVariants)[number];

/** `example,unique`: any of them, in any order. */
export function readPromptVariants(text: string): PromptVariant[] {
  return text.split(",").map((name) => {
    const variant = promptVariants.find((known) => known === name.trim());
    if (variant === undefined)
      throw new ConfigurationError(
        `unknown prompt variant ${JSON.stringify(name)}; expected any of: ${promptVariants.join(", ")}`,
      );
    return variant;
  });
}

export function puzzlePrompt(
  puzzle: AnyPuzzle,
  instance: unknown,
  style: PromptStyle = "full",
  variants: readonly PromptVariant[] = [],
): string {
  const givens = puzzle.renderGivens(instance);
  if (style === "board") return `${puzzle.name}\n${givens}\n`;
  const { width, height } = puzzle.size(instance);
  const has = (variant: PromptVariant) => variants.includes(variant);
  const written = boardForms.find(has);
  const form =
    written !== undefined
      ? "the board in the form that is described above."
      : has("json")
        ? `JSON of the form {"board": ["…", "…"]}, ${height} strings of ${width} cells separated by spaces${givens.includes("\\") ? ", with every \\ written \\\\" : ""}.`
        : `plain text, ${height} lines of ${width} cells separated by spaces.`;
  const write: Writing = (shown, board) => {
    if (written !== undefined) return inForm(puzzle, written, shown, board);
    if (board === undefined) return puzzle.renderGivens(shown);
    const answer = puzzle.renderAnswer(shown, board);
    return has("json") ? jsonBoard(answer) : answer;
  };
  return [
    `Solve this ${puzzle.title} puzzle (${width} columns, ${height} rows).`,
    puzzle.rules,
    ...(written === undefined
      ? []
      : [`Boards, and answers too, are written in another way here than said above. ${formRules(puzzle, written)}`]),
    ...(has("unique") ? ["The puzzle has exactly one solution."] : []),
    ...(has("example") ? exampleText(puzzle, instance, write) : []),
    `The puzzle:\n${write(instance)}`,
    "Think step by step inside <reasoning> and </reasoning>. Then give the solved board, and nothing else, inside <answer> and </answer>: " +
      form,
  ].join("\n\n");
}

/** A board, with its answer if there is one, as the prompt writes it. */
type Writing = (instance: unknown, board?: unknown) => string;

/** A prompt never shows the puzzle that it asks for. */
function exampleText(puzzle: AnyPuzzle, instance: unknown, write: Writing): string[] {
  const asked = canonicalId(puzzle, instance);
  for (const id of puzzle.promptExamples) {
    const example = puzzle.readId(id);
    if (canonicalId(puzzle, example) === asked) continue;
    const solved = puzzle.solve(example);
    if (solved.status !== "unique") throw new Error(`the example ${id} has no single solution`);
    return [`An example of another puzzle:\n${write(example)}`, `Its answer:\n${write(example, solved.solution)}`];
  }
  return [];
}

/** A whole response in the form that the prompt asks for. */
export function puzzleResponse(reasoning: string, answer: string): string {
  return `<reasoning>\n${reasoning}\n</reasoning>\n<answer>\n${answer}\n</answer>`;
}
