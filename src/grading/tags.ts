// The answer of a response and the form it has: <reasoning> … </reasoning>, then <answer> … </answer>.
// What counts as reasoning is said in reasoning.ts.
import { type ReasoningBlock, reasoningBlocks, reasoningPart, type Tag, tagsOf } from "./reasoning.ts";

export type AnswerText = { readonly text: string } | { readonly missing: string };

/**
 * The one answer of a response, wherever it stands outside of the reasoning: a model may talk about its answer while it
 * thinks. Several answers are none, because whoever may hedge can be right by accident; the same answer again is no hedge.
 */
export function answerText(response: string): AnswerText {
  const tags = tagsOf(response);
  const blocks = reasoningBlocks(response, tags);
  const answers = tags.filter(({ name }) => name === "answer");
  const said = outside(answers, blocks);
  const opens = said.filter(({ closing }) => !closing).length;
  const closes = said.length - opens;
  if (opens === 0 && answers.length > said.length) {
    return { missing: "no <answer> tag outside of the reasoning; the answer comes after it" };
  }
  if (opens === 0) return { missing: "no <answer> tag" };
  if (closes === 0) return { missing: "<answer> is not closed" };
  if (said.some(({ closing }, index) => closing !== (index % 2 === 1))) {
    if (opens > 1) return { missing: `${opens} <answer> tags; exactly one is read` };
    if (closes > 1) return { missing: `${closes} </answer> tags; exactly one is read` };
    return { missing: "</answer> comes before <answer>" };
  }
  if (opens !== closes) return { missing: `${opens} <answer> tags; exactly one is read` };
  const text = response.slice(said[0].end, said[1].start);
  for (let index = 2; index < said.length; index += 2) {
    if (!sameText(text, response.slice(said[index].end, said[index + 1].start))) {
      return { missing: `${opens} <answer> tags with different answers; exactly one is read` };
    }
  }
  return { text };
}

/** Tags and blocks are both in order, so one walk along them is enough. */
function outside(tags: readonly Tag[], blocks: readonly ReasoningBlock[]): Tag[] {
  // A block that is never closed hides nothing: it ends where the answer begins, or there is no answer after it.
  const hiding = blocks.filter((block) => block.tags !== "unclosed");
  let next = 0;
  return tags.filter(({ start }) => {
    while (next < hiding.length && hiding[next].after <= start) next++;
    return next === hiding.length || start < hiding[next].start;
  });
}

/** Equal up to how the lines are spaced. */
function sameText(one: string, other: string): boolean {
  const spaced = (text: string) => text.trim().replaceAll(/\s+/g, " ");
  return one === other || spaced(one) === spaced(other);
}

/**
 * The paper's format reward: a quarter each for exactly one closed <reasoning>, exactly one closed <answer>,
 * reasoning before answer, and no duplicate opening tags.
 */
export function formatReward(response: string): number {
  const tags = tagsOf(response);
  const [reasoning, answer] = (["reasoning", "answer"] as const).map((wanted) => {
    const own = tags.filter(({ name }) => name === wanted);
    return { opens: own.filter(({ closing }) => !closing), closes: own.filter(({ closing }) => closing) };
  });
  const closedOnce = [reasoning, answer].map(
    ({ opens, closes }) => opens.length === 1 && closes.length === 1 && opens[0].end <= closes[0].start,
  );
  const inOrder = reasoning.closes[0]?.start < answer.opens[0]?.start;
  const counts = [reasoning.opens.length, answer.opens.length];
  // "No duplicates" is earned by tags that are there once, not by writing none at all.
  const noDuplicates = Math.max(...counts) === 1;
  return [...closedOnce, inOrder, noDuplicates].filter(Boolean).length / 4;
}

/** What the response thinks aloud: the reasoning block where there is one, else everything before the answer. */
export function reasoningText(response: string): string {
  const { start, end } = reasoningPart(response);
  return response.slice(start, end);
}
