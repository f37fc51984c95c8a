// Asking a policy as its card says: puzzles in its prompt style, prompts in its chat form. And the card of what is trained.
import { type ChatForm, loadChatForm, plainForm } from "../engine/chat-template/chat-form.ts";
import { defaultPolicyCard, type PolicyCard } from "../engine/policy-card.ts";
import { loadTokenizer } from "../engine/tokenizer.ts";
import type { Problem } from "../problems/problem.ts";
import { puzzleNamed } from "../puzzles/catalog.ts";
import { puzzlePrompt } from "../puzzles/prompt.ts";
import type { TeacherTrace } from "../teaching/corpus.ts";
import { tersePrompt } from "../teaching/narrator.ts";
import { spaced } from "../teaching/terse-language.ts";

/** The same problem in the words that a policy was trained on. Mathematics knows two: as it is, and in the terse language. */
export function inPromptStyle<P extends Problem>(problem: P, style: PolicyCard["promptStyle"]): P {
  if (problem.kind !== "puzzle")
    return style === "terse" ? { ...problem, prompt: spaced(`${problem.prompt}\n`) } : problem;
  const puzzle = puzzleNamed(problem.puzzle);
  const instance = puzzle.readId(problem.instance);
  const prompt = style === "terse" ? tersePrompt(puzzle.name, instance) : puzzlePrompt(puzzle, instance, style);
  return { ...problem, prompt };
}

/** The chat form that a card names, with the templates and marks of the model's own folder. */
export async function chatFormOf(folder: string, chat: PolicyCard["chat"]): Promise<ChatForm> {
  const tokenizer = await loadTokenizer(folder);
  if (chat === "model") return loadChatForm(folder, tokenizer);
  const plain = plainForm(tokenizer);
  if (chat === "plain") return plain;
  const rendered = (text: string) => `<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;
  return { ...plain, rendered, prompt: (text) => tokenizer.encode(rendered(text)) };
}

/** What a corpus teaches a model to be asked and to answer in, read off its traces. */
export function cardOfCorpus(traces: readonly TeacherTrace[], chat: PolicyCard["chat"]): PolicyCard {
  if (traces.every(({ source }) => source.teacher === "narrator" && source.style === "terse"))
    return { promptStyle: "terse", chat, language: "terse" };
  const [first] = traces;
  const board = inPromptStyle({ kind: "puzzle", id: first.problem, ...first }, "board").prompt === first.prompt;
  return { ...defaultPolicyCard, promptStyle: board ? "board" : "full", chat };
}
