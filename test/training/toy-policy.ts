// A toy for the loops: words a, b, c; an answer is right when it starts with the letter that the prompt names.

import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import type { PromptedProblem } from "../../src/rollouts/collect.ts";
import { ScriptedEngine } from "../engine/scripted.ts";

export const tokenizer = wordTokenizer(["A", "B", "C", "a", "b", "c", "hyp", "back"]);

export const toyEngine = (seed = 3) => new ScriptedEngine({ tokenizer, seed, contextLength: 16 });

export const toySequence = (prompt: string, response: string) => {
  const start = tokenizer.encode(prompt);
  return { tokens: [...start, ...tokenizer.encode(response), tokenizer.endOfText], promptLength: start.length };
};

export const toyProblems = (count: number): PromptedProblem[] =>
  Array.from({ length: count }, (_, i) => {
    const letter = "ABC"[i % 3];
    return {
      id: `${letter}${i}`,
      family: letter,
      prompt: tokenizer.encode(letter),
      grade: (response) => {
        const exact = response.startsWith(letter.toLowerCase()) ? 1 : 0;
        return { verdict: exact ? "correct" : "wrong", reward: { exact, completion: 0, format: 0, total: exact } };
      },
    };
  });

export async function eventsOf<T>(loop: AsyncGenerator<T>, until: (event: T) => boolean = () => false): Promise<T[]> {
  const events: T[] = [];
  for await (const event of loop) {
    events.push(event);
    if (until(event)) break;
  }
  return events;
}
